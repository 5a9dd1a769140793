-- Venel (2011), what her convergence proof rests on: (21), Lemmas 2.10 and 3.5, (25) to (27), Proposition 3.8.
local common = ...
local lab = require "impactlab"

-- ---- the differential equation ------------------------------------------------------------------

-- int |q_h' - P_C f| dt of a run of N steps; a constraint of g <= h counts as active.
local function defect(case, N)
  local Q = common.set(case)
  local nodes = common.nodes(common.run(case, {steps = N, trajectory = true, record = "final"}))
  local sum = 0
  for n = 2, #nodes.t do
    local f = Q:force(nodes.t[n - 1], nodes.q[n - 1])
    local wanted = case.free and f or Q:velocity(nodes.t[n], nodes.q[n], f, nodes.h)
    sum = sum + common.distance(nodes.q[n], common.axpy(nodes.q[n - 1], nodes.h, wanted))
  end
  return sum
end

lab.claim{
  id = "V-(21)", cost = {2, 15, 15}, source = "Venel 2011, (21) and (42)",
  statement = "q' = P_C f, the admissible velocity nearest to f, almost everywhere",
  cases = common.cases({"round_disc", "labyrinth", "walkers"}, {"venel"}),
  controls = {
    {what = "f in place of P_C f", free = true}, {what = "f in place of P_C f, labyrinth", case = 2, free = true}},
  check = function(case)
    local a, b, c = defect(case, 250), defect(case, 1000), defect(case, 4000)
    local rows = {common.row(case, {
      -- a defect O(h) gives a quarter, O(h^(1/2)) a half
      what = "int |q_h' - P_C f| dt of 4000 steps over that of 1000", measured = c / b, bound = 0.5,
      evidence = ("%.4g, %.4g, %.4g at 250, 1000, 4000 steps"):format(a, b, c)})}
    if case.problem.exact then
      local Q, info = common.set(case)
      local worst = 0
      for k = 1, 400 do
        local t = info.horizon * (k - 0.5) / 400
        local q, u = case.problem.exact(t, 1)
        local f = Q:force(t, q)
        local wanted = case.free and f or Q:velocity(t, q, f, common.CONTACT)
        worst = common.worst(worst, common.distance(u, wanted))
      end
      rows[2] = common.row(case, {what = "|q' - P_C f| of the exact motion", measured = worst, bound = common.CONTACT})
    end
    return rows
  end}

-- ---- good directions ----------------------------------------------------------------------------

lab.claim{
  id = "V-L2.10", source = "Venel 2011, Lemma 2.10, with the direction and the delta of its proof",
  statement = "u = sum b_i/|sum b_i| raises all that are nearly active at a rate of at least alpha^2/(2 gamma^2 p beta); " ..
              "right: alpha^2/(gamma^2 p beta), and alpha/gamma in the best direction",
  cases = common.cases{"round_disc", "growing", "flower", "crowd"},
  controls = {
    {what = "a right delta that is a tenth larger, where it is attained", constant = 1.1},
    {what = "three times the printed delta", constant = 3},
    {what = "the direction of the first gradient alone", case = 3, first = true}},
  check = function(case)
    local Q = common.set(case)
    local points, printed, best = common.boundary(case, 0, 15), math.huge, math.huge
    common.enough(#points, 8, "boundary points")
    local rho, most = 0.02 * case.problem.scale, 0
    for _, q in ipairs(points) do
      local rows, near = Q:rows(0, q, rho), Q:independence(0, q, rho)
      local alpha, beta, sum, least = math.huge, 0, nil, math.huge
      for _, row in ipairs(rows) do
        local b = Q:tangent(0, q, row.grad, rho)
        sum = sum and (case.first and sum or common.axpy(sum, 1, b)) or (case.first and row.grad or b)
        local size = common.norm(row.grad)
        alpha, beta = math.min(alpha, size), math.max(beta, size)
      end
      for _, row in ipairs(rows) do
        least = common.least(least, common.dot(row.grad, sum) / common.norm(sum))
      end
      local gamma = 1 / near.inverse
      printed = common.least(printed, least * gamma * gamma * #rows * beta / (alpha * alpha))
      best = common.least(best, near.slope * gamma / alpha)
      most = math.max(most, #rows)
    end
    return {
      common.row(case, {what = "least rate over alpha^2/(2 gamma^2 p beta)", measured = 2 * printed, sense = ">=",
                        bound = 1, near = 10, evidence = ("%d points, up to %d constraints"):format(#points, most)}),
      common.row(case, {what = "the same over alpha^2/(gamma^2 p beta)", measured = printed, sense = ">=",
                        bound = 1 - common.CONTACT, near = 10}),
      common.row(case, {what = "rate of the best direction over alpha/gamma", measured = best, sense = ">=",
                        bound = 1 - common.CONTACT, near = 1.01})}
  end}

-- ---- what moves in a step -----------------------------------------------------------------------

-- People in the open whose radii grow.
local people = {spec = {"crowd", N = 6, room = "open", growth = 0.05, T = 1}, scale = 0.25}
common.growing_people = people

-- Over the steps of a run, largest: D = d(q_n, Q~(t_{n+1}, q_n))/h, D times the delta of its step; |d_t g|,
-- |grad g|; |q_{n+1} - q_n|/h; |f|/(1 + |q|); |q_n|; and what each step has of them.
local function moves(case, N)
  local Q, info = common.set(case)
  local nodes = common.nodes(common.run(case, {steps = N, horizon = case.horizon, trajectory = true}))
  local found = {nodes = nodes, D = 0, share = 0, rate = 0, beta = 0, slope = math.huge, L = 0, far = 0, speed = 0,
                 steps = {}}
  for n = 1, #nodes.t - 1 do
    local t, q, h = nodes.t[n + 1], nodes.q[n], nodes.h
    local D = common.distance(Q:linearised(t, q, q), q) / h
    local rate = 0
    for _, row in ipairs(Q:rows(t, q)) do
      rate = math.max(rate, math.abs(row.dt))
      found.beta = math.max(found.beta, common.norm(row.grad), rate)
    end
    -- of all that the way to Q~ can meet
    local slope = D > 0 and Q:independence(t, q, found.beta * D * h + common.CONTACT).slope or math.huge
    found.D, found.rate, found.slope = math.max(found.D, D), math.max(found.rate, rate), math.min(found.slope, slope)
    if D > 0 then found.share = common.worst(found.share, D * slope) end
    local f = info.order == 1 and common.norm(Q:force(nodes.t[n], q)) or 0
    found.L = math.max(found.L, f / (1 + common.norm(q)))
    found.far = math.max(found.far, common.norm(q))
    found.speed = common.worst(found.speed, common.distance(nodes.q[n + 1], q) / h)
    found.steps[n] = {moved = common.distance(nodes.q[n + 1], q) / h, D = D, f = f, size = common.norm(q)}
  end
  found.far = math.max(found.far, common.norm(nodes.q[#nodes.q]))
  return found
end

local function moving(keys)
  local cases = common.cases(keys, {"venel"})
  cases[#cases + 1] = {key = "people", problem = people, scheme = "venel"}
  return cases
end

lab.claim{
  id = "V-L3.5", source = "Venel 2011, Lemma 3.5",
  statement = "d(q_n, Q~(t_{n+1}, q_n)) <= (2 beta/delta) h; right: (sup |d_t g|/delta) h where gradients do not move",
  cases = moving{"growing_disc", "growing"},
  controls = {
    {what = "a right constant that is a tenth less, where it is attained", constant = 0.9},
    {what = "a quarter of the printed constant", constant = 0.2}},
  check = function(case)
    local found = moves(case, 60)
    return {
      common.row(case, {what = "largest distance over h", measured = found.D, bound = 2 * found.beta / found.slope,
                        near = 10, evidence = ("beta %.3g, least delta %.3g, |d_t g| <= %.3g"):format(
                          found.beta, found.slope, found.rate)}),
      common.row(case, {what = "largest distance times delta of its step over h sup |d_t g|", near = 1.5,
                        measured = found.share / found.rate, -- rates are taken at nodes
                        bound = 1 + common.CONTACT + common.known(case).Mtt * found.nodes.h / (2 * found.rate)})}
  end}

lab.claim{
  id = "V-(25)-(27)", source = "Venel 2011, (25), (26), (27)",
  statement = "|q_{n+1} - q_n| <= h (D + 2 L)(1 + |q_n|); for T < 1/(2 D + 4 L): |q_n| <= C = 2 (|q_0| + T (D + 2 L)) " ..
              "and |q_h'| <= (D + 2 L)(1 + C); right in the first: h (D + |f|)",
  cases = moving{"round_disc", "growing_disc", "crowd"},
  controls = {
    {what = "a step that goes a tenth too far", bend_nodes = function(nodes)
      nodes.q[2] = common.axpy(nodes.q[1], 1.1, common.axpy(nodes.q[2], -1, nodes.q[1]))
    end},
    {what = "positions ten times as far", bend_nodes = function(nodes)
      for n = 2, #nodes.t do nodes.q[n] = common.axpy(nodes.q[n], 9, nodes.q[n]) end
    end}},
  check = function(case)
    local start = moves(case, 60)
    local speed = start.D + 2 * start.L
    local short = moves(setmetatable({horizon = 0.99 / (2 * speed)}, {__index = case}), 60)
    local printed, right = 0, 0
    for _, step in ipairs(start.steps) do
      printed = common.worst(printed, step.moved / (speed * (1 + step.size)))
      if step.moved > 0 then right = common.worst(right, step.moved / (step.D + step.f)) end
    end
    local q0 = common.norm(start.nodes.q[1])
    local C = 2 * (q0 + 0.5)
    return {
      common.row(case, {what = "largest |q_{n+1} - q_n| over the bound (25)", measured = printed, bound = 1, near = 10,
                        evidence = ("D %.3g, L %.3g"):format(start.D, start.L)}),
      common.row(case, {what = "the same over h (D_n + |f|)", measured = right, bound = 1 + common.CONTACT, near = 1.5}),
      common.row(case, {what = "largest |q_n| for T = 0.99/(2 D + 4 L), over C", measured = short.far / C, bound = 1,
                        near = 10}),
      common.row(case, {what = "largest |q_h'|, over (D + 2 L)(1 + C)", measured = short.speed / (speed * (1 + C)),
                        bound = 1, near = 10})}
  end}

-- ---- continuity ---------------------------------------------------------------------------------

-- |P_n - P| of projections of points near q onto what is linearised at (t_n, q_n) and at (t, q), for four
-- (t_n, q_n), each ten times nearer.
local function distances(case, points)
  local Q, info = common.set(case)
  local list = {{}, {}, {}, {}}
  for _, q in ipairs(points) do
    local way, out = common.direction(#q), common.direction(#q)
    local lean = common.dot(out, Q:rows(0, q, common.CONTACT)[1].grad)
    local target = common.axpy(q, (lean > 0 and -0.05 or 0.05) * case.problem.scale, out)
    local near = Q:linearised(0, q, target)
    for k, part in ipairs{1e-2, 1e-3, 1e-4, 1e-5} do
      local s = case.stays or part
      local other = Q:linearised(0.1 * s * info.horizon, common.axpy(q, s * case.problem.scale, way), target)
      list[k][#list[k] + 1] = {h = part, e = common.distance(near, other)}
    end
  end
  return list
end

lab.claim{
  id = "V-P3.8", source = "Venel 2011, Proposition 3.8",
  statement = "t_n -> t, q_n -> q in Q(t): projections of points near q onto Q~(t_n, q_n) tend to those onto Q~(t, q)",
  cases = common.cases{"flower", "crowd", "growing", "growing_disc"},
  controls = {
    {what = "a q_n that stays away", stays = 1e-2}, {what = "a q_n that stays away, one disc", case = 4, stays = 1e-2}},
  check = function(case)
    local points, shares, row, fold = common.boundary(case, 0, 10), {{}, {}, {}, {}}, nil, nil
    local what = "|P_n - P|, (t_n, q_n) 1000 times nearer"
    common.enough(#points, 5, "boundary points")
    for _ = 1, 3 do
      for k, list in ipairs(distances(case, points)) do table.move(list, 1, #list, #shares[k] + 1, shares[k]) end
      row, fold = common.vanishes(case, what, shares)
      if not row.inconclusive then break end
    end
    return common.falls(row, what, fold)
  end}
