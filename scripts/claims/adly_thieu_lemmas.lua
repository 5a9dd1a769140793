-- Adly & Thieu (2022), the lemmas of section 4. Their f_i are -g_i: what they bound from below is bounded
-- from above here.
local common = ...
local lab = require "impactlab"

-- Of the problems: L, the largest |grad g|, |d_t g| and Lipschitz rank of both; gamma of A1(ii), by which
-- <grad g(x) - grad g(y), x - y> <= gamma |x - y|^2; rate, the largest |d_t g|; late, the Lipschitz rank of
-- d_t g. Spheres are 0.9 apart at contact, and their gradients turn by 2/0.9 at most.
local CONSTANTS = {
  slide = {L = math.sqrt(5) / 2, gamma = 0.5, rate = 1, late = 0},
  corner = {L = math.sqrt(5) / 2, gamma = 0.5, rate = 1, late = 0},
  graze = {L = math.sqrt(5) / 2, gamma = 0.5, rate = 1, late = 0},
  shaken = {L = 2.7, gamma = 0, rate = 0.9, late = 2.7},
  free = {L = 2 / 0.9, gamma = 2 / 0.9, rate = 0, late = 0},
  pressed = {L = 2 / 0.9, gamma = 2 / 0.9, rate = 0, late = 0}}

local function cases_of(keys)
  local cases = common.cases(keys, {"paoli"})
  for _, case in ipairs(cases) do case.of = CONSTANTS[case.key] end
  return cases
end

-- see(row, P, n, nodes) is shown every active constraint at (t_{n+1}, Q_{n+1}) of a run, with P_n.
local function at_contacts(case, N, see)
  local Q = common.set(case)
  local nodes = common.nodes(common.run(case, {steps = N, trajectory = true}))
  local seen = 0
  for n = 2, #nodes.t do
    for _, row in ipairs(Q:rows(nodes.t[n], nodes.q[n], common.CONTACT)) do
      see(row, nodes.u[n], n, nodes)
      seen = seen + 1
    end
  end
  return seen
end

-- ---- near a point of the boundary ---------------------------------------------------------------

lab.claim{
  id = "AT-L4.1", source = "Adly & Thieu 2022, Lemma 4.1, theta of its proof",
  statement = "a v that raises all constraints at (t, q) at a rate mu raises them at mu/3 in a ball of radius mu/(3 L)",
  cases = common.cases{"slide", "corner", "at_corner", "free"},
  controls = {
    {what = "ten times the radius", reach = 10}, {what = "three times the rate", case = 3, constant = 3},
    {what = "ten times the radius, spheres", case = 4, reach = 10}},
  check = function(case)
    local Q = common.set(case)
    local rank = case.key == "free" and 3 or 0.5 -- of the gradients, on the balls that are drawn
    local points, least, drawn = common.boundary(case, 0, 25), math.huge, 0
    common.enough(#points, 12, "boundary points")
    for _, q in ipairs(points) do
      local rows = Q:rows(0, q)
      for _ = 1, 20 do
        local way = common.direction(#q) -- and towards where all rise
        for _, row in ipairs(rows) do way = common.axpy(way, 0.5, row.grad) end
        local size, mu = common.norm(way), math.huge
        for _, row in ipairs(rows) do mu = math.min(mu, common.dot(row.grad, way) / size) end
        if mu > 0.1 then
          local far = (case.reach or 1) * mu / (3 * rank)
          for _, row in ipairs(Q:rows(0.1, common.axpy(q, far, common.direction(#q)))) do
            least = common.least(least, common.dot(row.grad, way) / (size * mu))
          end
          drawn = drawn + 1
        end
      end
    end
    return common.row(case, {
      what = "least <grad g(t', q'), v> over mu", measured = least, sense = ">=", bound = (case.constant or 1) / 3,
      near = 3, evidence = ("%d directions at %d points"):format(drawn, #points)})
  end}

lab.claim{
  id = "AT-P4.1", source = "Adly & Thieu 2022, Proposition 4.1",
  statement = "N_C(q) is the cone of the active gradients: V - P(V) lies in it, and its members project back onto q",
  cases = {{problem = common.problems.slide}, {problem = common.problems.at_corner}, {problem = common.problems.growing},
           {problem = {spec = {"two_spheres", scenario = "free", masses = {1, 1}}, scale = 0.5}}},
  controls = {
    {what = "the cone of a point a tenth of the scale away", aside = 0.1},
    {what = "members of the cone of the opposite sign", case = 3, sign = -1}},
  check = function(case)
    local Q = common.set(case)
    local points, off, back, found = common.boundary(case, 0, 25), 0, 0, 0
    common.enough(#points, 12, "boundary points")
    for _, x in ipairs(points) do
      local far = 0.02 * case.problem.scale
      local V = common.axpy(x, far, common.direction(#x))
      local p = Q:gap(0, V) < 0 and Q:project(0, V, x)
      if p then
        local at = case.aside and common.axpy(p, case.aside * case.problem.scale, common.direction(#x)) or p
        local w = common.axpy(V, -1, p)
        local slack = case.aside and case.problem.scale or common.CONTACT
        off = common.worst(off, common.norm(Q:tangent(0, at, w, slack)) / common.norm(w))
        found = found + 1
      end
      local w = common.repeated(#x, 0)
      for _, row in ipairs(Q:rows(0, x, common.CONTACT)) do
        w = common.axpy(w, -(case.sign or 1) * (0.1 + math.random()), row.grad)
      end
      local y = Q:project(0, common.axpy(x, far / common.norm(w), w), x)
      back = common.worst(back, y and common.distance(y, x) / far or 0 / 0)
    end
    common.enough(found, 5, "points outside")
    return {
      common.row(case, {what = "part of V - P(V) that is not in the cone", measured = off, bound = 1e-6,
                        evidence = ("%d points outside, %d of the boundary"):format(found, #points)}),
      common.row(case, {what = "|P(q + w) - q|/|w|, w in the cone", measured = back, bound = 1e-6})}
  end}

-- ---- a step -------------------------------------------------------------------------------------

lab.claim{
  id = "AT-L4.3", source = "Adly & Thieu 2022, Lemma 4.3; the formula is lost in the copy at hand, its proof is not",
  statement = "where i is active at (t_{n+1}, Q_{n+1}): <grad g_i, P_n> <= L + gamma h |P_n|^2",
  cases = cases_of{"slide", "corner", "shaken", "free", "pressed"},
  controls = {
    {what = "a tenth of the bound, pressed", case = 5, constant = 0.1},
    {what = "a bound that is a tenth less, a floor that carries the ball", case = 3, constant = 0.9}},
  check = function(case)
    local worst, of = -math.huge, case.of
    local seen = at_contacts(case, 200, function(row, P, _, nodes)
      local bound = of.rate + of.gamma * nodes.h * common.dot(P, P)
      worst = common.worst(worst, common.dot(row.grad, P) / bound)
    end)
    return common.row(case, {what = "largest <grad g, P_n> over sup |d_t g| + gamma h |P_n|^2", measured = worst,
                             bound = 1 + common.CONTACT, near = 10, evidence = ("%d contacts"):format(seen)})
  end}

lab.claim{
  id = "AT-L4.8", source = "Adly & Thieu 2022, Lemma 4.8; the formula is lost in the copy at hand, its proof is not",
  statement = "where i is active at (t_{n+1}, Q_{n+1}): d_t g_i + <grad g_i, P_n> <= h (L (1 + |P_n|) + gamma |P_n|^2)",
  cases = cases_of{"slide", "corner", "shaken", "free", "pressed"},
  controls = {
    {what = "a tenth of the bound, pressed", case = 5, constant = 0.1},
    {what = "a tenth of the bound, a floor that carries the ball", case = 3, constant = 0.1},
    {what = "velocities a tenth too small", bend_nodes = common.faster(0.9)}},
  check = function(case)
    local worst, of = -math.huge, case.of
    local seen = at_contacts(case, 200, function(row, P, _, nodes)
      local size = common.norm(P)
      local bound = nodes.h * (of.late * (1 + size) + of.gamma * size * size) + common.ROUNDING
      worst = common.worst(worst, (row.dt + common.dot(row.grad, P)) / bound)
    end)
    return common.row(case, {what = "largest d_t g + <grad g, P_n> over its bound", measured = worst, bound = 1,
                             near = 10, evidence = ("%d contacts"):format(seen)})
  end}

lab.claim{
  id = "AT-L4.4", source = "Adly & Thieu 2022, Lemma 4.4",
  statement = "for N > max(T/2, 6 T L/(mu theta)): |P_n| <= 2 |P_{n-1}| + 2 h |G_n| + 6 L/mu",
  cases = cases_of{"slide", "corner", "graze", "shaken"},
  controls = {
    {what = "a sixth of the bound", constant = 1 / 6},
    {what = "velocities that are thrown", case = 2, bend_nodes = function(nodes)
      nodes.u[9] = common.axpy(nodes.u[9], 20, nodes.u[9])
    end}},
  check = function(case)
    local Q = common.set(case)
    local worst, of = 0, case.of
    for _, N in ipairs{600, 1200} do -- mu = 1, theta = 1/(3 L): 18 T L^2 is below 600
      local nodes = common.nodes(common.run(case, {steps = N, trajectory = true}))
      for n = 2, #nodes.t do
        local force = common.norm(Q:force(nodes.t[n - 1], nodes.q[n - 1]))
        local bound = 2 * common.norm(nodes.u[n - 1]) + 2 * nodes.h * force + 6 * of.L
        worst = common.worst(worst, common.norm(nodes.u[n]) / bound)
      end
    end
    return common.row(case, {what = "largest |P_n| over its bound", measured = worst, bound = 1, near = 12})
  end}

-- ---- in the limit -------------------------------------------------------------------------------

-- see(row, u, side) is shown the active constraints along the exact motion, and its velocity on either side.
local function along(case, see)
  local Q = common.set(case)
  local exact = lab.exact{problem = case.problem.spec, points = 200}
  local function at(curves, n)
    local x = {}
    for k = 1, #curves do x[k] = curves[k][n] end
    return x
  end
  for n = 2, #exact.t - 1 do
    local q, u = at(exact.q, n), at(exact.u, n)
    local left, right = exact.t[n] ~= exact.t[n - 1], exact.t[n] ~= exact.t[n + 1]
    for _, row in ipairs(Q:rows(exact.t[n], q, common.CONTACT)) do
      if left then see(row, u, -1) end
      if right then see(row, u, 1) end
    end
  end
end

lab.claim{
  id = "AT-L4.7", source = "Adly & Thieu 2022, Lemma 4.7",
  statement = "at contact u+ lies in T(t, q), and u- in -T(t, q); right of u-: d_t g + <grad g, u-> <= 0",
  cases = common.cases{"slide", "corner", "free", "pressed", "growing"},
  controls = {
    {what = "velocities of the opposite sign", case = 3, sign = -1},
    {what = "velocities a tenth too large", case = 2, sign = 1.1},
    {what = "two spheres, for which u- in -T is true", case = 3, moves = true}},
  check = function(case)
    local after, before, printed = math.huge, -math.huge, math.huge
    along(case, function(row, u, side)
      local rate = (case.sign or 1) * common.dot(row.grad, u)
      if side > 0 then
        after = common.least(after, row.dt + rate)
      else
        before = common.worst(before, row.dt + rate)
        printed = common.least(printed, row.dt - rate)
      end
    end)
    local rows = {
      common.row(case, {what = "least d_t g + <grad g, u+>", measured = after, sense = ">=", bound = -1e-8}),
      common.row(case, {what = "largest d_t g + <grad g, u->", measured = before, bound = 1e-8})}
    if case.key == "growing" or case.moves then
      rows[3] = common.row(case, {
        what = "u- in -T: least d_t g - <grad g, u->", measured = printed, sense = ">=", bound = -1e-8,
        finding = "a body at rest that a moving constraint meets has u- = 0, and 0 is not in -T where d_t g < 0"})
    end
    return rows
  end}

lab.claim{
  id = "AT-L4.10", source = "Adly & Thieu 2022, Lemma 4.10",
  statement = "constraints that act have d_t g + <grad g, u+> = 0 in the limit",
  cases = common.cases({"slide", "corner", "shaken", "pressed"}, {"paoli"}),
  controls = {
    {what = "velocities a tenth too large", bend_nodes = common.faster(1.1)},
    {what = "velocities a tenth too large, shaken", case = 3, bend_nodes = common.faster(1.1)}},
  check = function(case)
    return common.vanishing(case, "largest |d_t g + <grad g, P_n>| of contacts of two nodes", 64, function(N)
      local worst, before = 0, {}
      at_contacts(case, N, function(row, P, n)
        if before[row.id] == n - 1 then
          worst = common.worst(worst, math.abs(row.dt + common.dot(row.grad, P)))
        end
        before[row.id] = n
      end)
      return worst
    end, 5)
  end}
