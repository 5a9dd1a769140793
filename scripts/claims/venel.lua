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
    local points, shares, row, fold = common.boundary(case, 0, 12), {{}, {}, {}, {}}, nil, nil
    local what = "|P_Q(q + s w) - P_Q~(q + s w)|/s, s 1000 times less"
    common.enough(#points, 6, "boundary points")
    for _, directions in ipairs{4, 8, 16} do -- of every point; more where few decide nothing
      for j = #shares[1] + 1, directions do
        for k, share in ipairs(apart(case, points)) do shares[k][j] = share end
      end
      row, fold = common.vanishes(case, what, shares)
      if not row.inconclusive then break end
    end
    return common.falls(row, what, fold)
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
  id = "V-T3.4", cost = {7, 8, 15, 103, 97, 80, 4, 4, 7, 23, 22, 36, 7, 9, 14}, source = "Venel 2011, Theorem 3.4",
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
    if case.key == "walkers" then return common.agrees(case, OTHER[case.scheme], 40009, 32) end
    if case.problem.exact then return common.node_errors(case) end
    return common.converges(case, {"q_Linf"}, case.key == "labyrinth" and 128 or nil)
  end)}
