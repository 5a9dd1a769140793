-- Venel (2011): the prediction-correction scheme of the perturbed sweeping process, and crowds.
local common = ...
local lab = require "impactlab"

local FIRST = {"round_disc", "crowd", "growing_disc"}
local BOTH = {"venel", "maury"}

lab.claim{
  id = "V-P2.9", cost = {1, 1, 35, 7}, source = "Venel 2011, Proposition 2.9",
  statement = "Q(t) is prox-regular with radius alpha/(M gamma)",
  cases = common.cases{"free", "growing", "flower", "crowd", "round_disc", "growing_disc", "slide"},
  controls = {
    {what = "a radius that is a tenth larger", case = 5, constant = 1.1},
    {what = "one that is a tenth larger, spheres", case = 1, constant = 1.1}},
  check = common.where({"convex"}, function(case)
    local least, radius, points = math.huge, math.huge, 0
    for _, found in ipairs(common.rolls(case, 0, 30)) do
      -- at every point for itself: the proof is pointwise
      local bound = found.alpha / (found.M * found.gamma)
      least = common.least(least, found.radius / bound)
      radius = common.least(radius, bound)
      points = points + 1
    end
    return common.row(case, {
      what = "least rolled radius over alpha/(M gamma) there", measured = least, sense = ">=",
      bound = 1 - common.CURVED, near = 1.5,
      evidence = ("%d boundary points, least alpha/(M gamma) %.4g"):format(points, radius)})
  end)}

lab.claim{
  id = "V-P2.11", source = "Venel 2011, Proposition 2.11; Bernicot & Lefebvre-Lepot 2010, Lemma 2.2",
  statement = "t -> Q(t) is Lipschitz with constant beta/delta",
  cases = common.cases{"growing", "growing_disc", "shaken"},
  controls = {{what = "a constant that is a fifth less", case = 3, constant = 0.8}},
  check = function(case)
    local c = common.known(case)
    local worst, points = common.hausdorff(case, 15)
    return common.row(case, {
      what = "largest d(x, Q(s))/|t - s|", measured = worst, bound = c.beta / c.slope, near = 1.5,
      evidence = ("%d pairs; beta %.3g, delta %.3g; sup |d_t g|/delta is %.3g"):format(
        points, c.beta, c.slope, c.rate / c.slope)})
  end}

-- How far the projections onto Q and onto what is linearised at q are apart, from s in one drawn
-- direction away, over s: the worst of these points q, for four s. A cone is known by the projections
-- near its vertex: (P(q + s w) - q)/s -> P_T w.
local function apart(case, points)
  local Q, shares, found = common.set(case), {}, 0
  local ways = {}
  for i, q in ipairs(points) do ways[i] = common.direction(#q) end
  for k, part in ipairs{1e-1, 1e-2, 1e-3, 1e-4} do
    local s, worst = part * case.problem.scale, 0
    for i, q in ipairs(points) do
      local target = common.axpy(q, s, ways[i])
      local x = Q:project(0, target, q)
      local at = case.aside and
                 common.axpy(q, case.aside * case.problem.scale, common.direction(#q)) or q
      local y = Q:linearised(0, at, target)
      if x then worst, found = common.worst(worst, common.distance(x, y) / s), found + 1 end
    end
    shares[k] = {h = part, e = worst}
  end
  common.enough(found, 2 * #points, "projections onto Q")
  return shares
end

lab.claim{
  id = "V-L3.2", source = "Venel 2011, Lemma 3.2",
  statement = "N(Q(t),q) = N(Q~(t,q),q)",
  cases = common.cases{"free", "growing", "flower", "crowd", "round_disc", "slide"},
  controls = {
    {what = "a cone a twentieth of the scale away", aside = 0.05},
    {what = "a cone a twentieth of the scale away, round a disc", case = 5, aside = 0.05}},
  check = function(case)
    local points, shares, row = common.boundary(case, 0, 12), {{}, {}, {}, {}}, nil
    common.enough(#points, 6, "boundary points")
    for _, directions in ipairs{4, 8, 16} do -- of every point; more where few decide nothing
      for j = #shares[1] + 1, directions do
        for k, share in ipairs(apart(case, points)) do shares[k][j] = share end
      end
      row = common.vanishes(case, "|P_Q(q + s w) - P_Q~(q + s w)|/s, s 1000 times less", shares)
      if not row.inconclusive then break end
    end
    return row
  end}

lab.claim{
  id = "V-P3.1", cost = {17, 19, 4, 4}, source = "Venel 2011, Proposition 3.1",
  statement = "every computed configuration is feasible",
  cases = common.cases(FIRST, BOTH),
  controls = {
    {what = "springs of fixed stiffness 1e4", scheme = "penalty:stiffness=1e4"},
    {what = "an overlap of 1e-9", case = 3, bend = function(run)
      run.feasibility.nodes_min = run.feasibility.nodes_min - 1e-9
    end}},
  check = function(case)
    return common.admissible(case, {11, 45, 200}, "nodes_min", "min g at nodes")
  end}

local drifting = lab.problem{
  name = "drift 2 t", order = 1, dimension = 1, horizon = 1, q0 = {0}, force = function(t) return {2 * t} end,
  constraints = function(_, q) return {{g = q[1] + 1, grad = {1}, dt = 0}} end}

lab.claim{
  id = "V-(22)", source = "Venel 2011, (22): q_n+1 = P(q_n + h f(t_n, q_n)); catching_up after Moreau 1977",
  statement = "the drift is taken at the beginning of a step: f = 2 t ends at 1 - h",
  cases = {{problem = {spec = drifting, scale = 1}, scheme = "venel"},
           {problem = {spec = drifting, scale = 1}, scheme = "catching_up"},
           {problem = {spec = drifting, scale = 1}, scheme = "maury"}},
  controls = {{what = "the drift at the end of a step", bend = function(run)
    run.final.q[1] = run.final.q[1] + 2 * run.h
  end}},
  check = function(case)
    local q = common.run(case, {steps = 16}).final.q[1]
    -- h = 1/16 and the sum h 2 t_n are exact in binary; the projector adds roundings of 1.1e-16 a step
    return common.row(case, {what = "|q - (1 - h)| at t = 1", measured = math.abs(q - 15 / 16), bound = 16 * 2.2e-16})
  end}

-- Where no exact solution is known, the judge is a scheme that projects onto another set: the true
-- one for those that linearise, and the reverse.
local OTHER = {venel = "catching_up", maury = "catching_up", catching_up = "venel"}

lab.claim{
  id = "V-T3.4", cost = {2, 2, 4, 180, 190, 450, 2, 2, 4, 190, 185, 190, 4, 4, 4}, source = "Venel 2011, Theorem 3.4",
  statement = "order 1: the whole sequence q_h converges uniformly",
  cases = common.cases({"round_disc", "walkers", "growing_disc", "labyrinth", "swept"},
                       {"venel", "maury", "catching_up"}),
  controls = {
    {what = "springs of fixed stiffness 1e4", scheme = "penalty:stiffness=1e4"},
    {what = "positions off by 1e-2", case = 4, bend = function(run)
      if run.scheme ~= "catching_up" then
        for _, sample in ipairs(run.samples) do sample.q[1] = sample.q[1] + 1e-2 end
      end
    end}},
  check = common.where("V-T3.4", function(case)
    if case.key == "walkers" then return common.agrees(case, OTHER[case.scheme], 160001, 128) end
    if case.problem.exact then return common.node_errors(case) end
    return common.converges(case, {"q_Linf"}, case.key == "labyrinth" and 128 or nil)
  end)}

-- ---- discs --------------------------------------------------------------------------------------

-- gamma of Proposition 4.2 for N equal discs.
local function gamma_of(N)
  return 3 * math.sqrt(2) * N * (3 / math.sin(2 * math.pi / N)) ^ N
end

-- N discs of radius r round the origin, for sampling clusters.
local function ring_of(N, r)
  local q = {}
  for k = 1, N do
    q[2 * k - 1] = 0.6 * r * N * math.cos(2 * math.pi * k / N)
    q[2 * k] = 0.6 * r * N * math.sin(2 * math.pi * k / N)
  end
  if N == 7 then q = common.flower(1.02) end
  return {scale = r, spec = lab.problem{
    name = ("%d_discs"):format(N), order = 1, horizon = 1, q0 = q,
    force = function() return common.repeated(2 * N, 0) end,
    constraints = function(_, x) return common.disc_rows(x, common.repeated(N, r)) end}}
end

local discs = {}
for k, N in ipairs{3, 5, 7} do discs[k] = {key = "discs", N = N, problem = ring_of(N, 0.5)} end

-- A cluster: all discs drawn to the middle from a random start, by projecting their collapse onto
-- Q.
local function cluster(case)
  local Q, info = common.set(case)
  local start = common.axpy(info.q0, 0.2 * math.random(), common.direction(2 * case.N))
  local target = common.axpy(start, -0.6 * (0.5 + 0.5 * math.random()), start)
  local q = Q:project(0, target, start)
  return q and math.abs(Q:gap(0, q)) <= common.CONTACT and q or nil
end

-- Three discs, two of which can neither overlap nor part: their gradients are opposite.
local held = {scale = 0.5, spec = lab.problem{
  name = "held_discs", order = 1, horizon = 1, q0 = {0, 0, 1, 0, 0.5, 2},
  force = function() return common.repeated(6, 0) end,
  constraints = function(_, x)
    local rows = common.disc_rows(x, common.repeated(3, 0.5))
    local back = {g = -rows[1].g, grad = common.axpy(rows[1].grad, -2, rows[1].grad)}
    rows[#rows + 1] = back
    return rows
  end}}

lab.claim{
  id = "V-P4.2", source = "Venel 2011, Proposition 4.2",
  statement = "N equal discs: inverse triangle inequality with gamma = 3 sqrt(2) N (3/sin(2 pi/N))^N",
  cases = discs,
  controls = {{what = "two discs that cannot part: opposite gradients", problem = held}},
  check = function(case)
    local Q = common.set(case)
    local worst, most, clusters = 1, 0, 0
    for _ = 1, 60 do
      local q = cluster(case)
      if q then
        local near = Q:independence(0, q, 1e-7)
        worst = common.worst(worst, 1 / near.inverse)
        most, clusters = math.max(most, near.rows), clusters + 1
      end
    end
    return common.row(case, {
      what = "largest gamma of a cluster", measured = clusters > 0 and worst or 0 / 0,
      bound = gamma_of(case.N), near = 10,
      evidence = ("%d clusters, up to %d contacts"):format(clusters, most)})
  end}

lab.claim{
  id = "V-P4.5", cost = {3, 9, 35}, source = "Venel 2011, Proposition 4.5",
  statement = "the set of N equal discs is prox-regular with radius (r/6N) (sin(2 pi/N)/3)^N",
  cases = discs,
  controls = {{what = "discs 5000 times smaller than the bound has them", problem = ring_of(3, 1e-4)}},
  check = function(case)
    local least = math.huge
    for _, found in ipairs(common.rolls(case, 0, 25)) do
      least = common.least(least, found.radius)
    end
    local N = case.N
    return common.row(case, {
      what = "least radius of a ball rolled outside", measured = least, sense = ">=",
      near = 10, bound = 0.5 / (6 * N) * (math.sin(2 * math.pi / N) / 3) ^ N})
  end}

-- n discs of radius a round one of radius b, equally spaced: the least gap between neighbours.
local function ring_gap(n, a, b) return 2 * (a + b) * math.sin(math.pi / n) - 2 * a end

-- The angle at which neighbours of radii r and s that touch each other are seen from the middle of a
-- disc of radius b that both touch.
local function seen(r, s, b)
  return math.acos(((b + r) * (b + r) + (b + s) * (b + s) - (r + s) * (r + s)) / (2 * (b + r) * (b + s)))
end

-- The most neighbours of a disc of radius b in drawn rings of discs of radii 1 to b, small ones
-- mostly, each against the one before.
local function drawn_neighbours(b)
  local most = 0
  for _ = 1, 400 do
    local first, last, angle, count = nil, nil, 0, 0
    for _ = 1, 60 do
      local x = math.random()
      local r = 1 + (b - 1) * x * x * x * x * math.random()
      local more = last and seen(last, r, b) or 0
      local closes = first and seen(r, first, b) or 0
      if angle + more + closes <= 2 * math.pi + common.CONTACT then
        first, last, angle, count = first or r, r, angle + more, count + 1
      end
    end
    most = math.max(most, count)
  end
  return most
end

lab.claim{
  id = "V-R4.10", cost = {3, 4, 19, 145}, source = "Venel 2011, Remark 4.10",
  statement = "a disc has at most pi/arcsin(r_min/(r_max + r_min)) neighbours, and multipliers then " ..
              "obey lambda <= |F| b^N",
  cases = {{ratio = 1}, {ratio = 1.5}, {ratio = 3}, {ratio = 7.3}},
  controls = {
    {what = "one neighbour more", more = 1}, {what = "one neighbour less", case = 4, more = -1},
    {what = "one neighbour less, drawn", case = 1, more = -1},
    {what = "a b that is a tenth of what it is", case = 1, less = 1 / 10}},
  check = function(case)
    local b = case.ratio -- of the disc in the middle; the others have radius 1
    local n = math.pi / math.asin(1 / (1 + b))
    local fit = math.floor(n + 1e-9) + (case.more or 0) -- equal discs have exactly six
    local where = {problem = ("ring of %d discs, radii 1 and %g"):format(fit, b)}
    local function row(x) for k, v in pairs(where) do x[k] = v end return x end
    local rows = {
      row{what = "least gap in a ring of that many", measured = ring_gap(fit, 1, b), sense = ">=",
          bound = -common.ROUNDING},
      row{what = "gap in a ring of one more", measured = ring_gap(fit + 1, 1, b), bound = 0},
      row{what = "most neighbours in 400 drawn rings of radii in between",
          measured = drawn_neighbours(b), bound = fit, near = 1.5}}
    if ring_gap(fit, 1, b) < -common.ROUNDING then return rows end
    -- a full ring as a cluster: its multipliers balance F with sum lambda <= |F|/delta
    local q = {0, 0}
    for k = 1, fit do
      q[2 * k + 1] = (1 + b) * math.cos(2 * math.pi * k / fit)
      q[2 * k + 2] = (1 + b) * math.sin(2 * math.pi * k / fit)
    end
    local radii = common.repeated(fit + 1, 1)
    radii[1] = b
    local Q = lab.set{problem = lab.problem{
      name = "ring", horizon = 1, q0 = q,
      constraints = function(_, x) return common.disc_rows(x, radii) end}}
    local delta = Q:independence(0, q, common.CONTACT).slope
    local N = fit + 1
    local b_of_paper = (case.less or 1) * 2 * math.sqrt(n) /
      math.min(math.sin(math.pi / (n + 1)), math.sin(2 * math.pi / N))
    rows[4] =
      row{what = "largest lambda/|F|, at most 1/delta", measured = 1 / delta, bound = b_of_paper ^ N,
          near = 10}
    return rows
  end}
