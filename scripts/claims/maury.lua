-- Maury (2006): the velocity scheme and its properties.
local common = ...
local lab = require "impactlab"

local FIXED_SPHERES = {"sticky", "free", "pressed", "cradle", "impact", "fine_impact", "pile", "flower"}
local BOTH = {"maury", "venel"}

lab.claim{
  id = "M-P2", source = "Maury 2006, Proposition 2",
  statement = "with fixed radii and exact steps all configurations are feasible, between nodes too",
  cases = common.cases(FIXED_SPHERES, BOTH),
  controls = {
    {what = "positions that are not held (moreau_jean)", case = 3, scheme = "moreau_jean"},
    {what = "springs instead of constraints", case = 5, scheme = "penalty:stiffness=1e6"},
    {what = "an overlap of 1e-9", bend = function(run)
      run.feasibility.between_min = run.feasibility.between_min - 1e-9
    end}},
  check = function(case)
    return common.admissible(case, case.problem.counts or {7, 50}, "between_min", "min D at and between nodes")
  end}

-- ---- Uzawa's iteration --------------------------------------------------------------------------

-- |G'G|_2 of the gradients of rows, by power iteration on the dual side: G G' has the same norm.
local function squared_norm(rows)
  local x = common.direction(#rows)
  local size = 0
  for _ = 1, 500 do
    local q = {}
    for k = 1, #rows[1].grad do q[k] = 0 end
    for i, row in ipairs(rows) do q = common.axpy(q, x[i], row.grad) end
    for i, row in ipairs(rows) do x[i] = common.dot(row.grad, q) end
    size = common.norm(x)
    for i = 1, #x do x[i] = x[i] / size end
  end
  return size
end

-- rho_max = 2 alpha/|C'C|_2 of the first step of size h, C = -h G over all constraints.
local function rho_max(case, h)
  local Q, info = common.set(case)
  return 2 * info.alpha / (h * h * squared_norm(Q:rows(h, info.q0)))
end

-- Steps so large that bodies meet in the first.
local UZAWA_STEP = {sticky = 0.5, free = 1.5, flower = 0.5, pile = 0.2, ball = 1}

-- What is left of u when the gaps are solved to 1e-12: residual/(h sigma), sigma the least singular
-- value of the active gradients, above 1e-3 in these problems.
local UZAWA_ERROR = 1e-8

lab.claim{
  id = "M-P1", source = "Maury 2006, Proposition 1",
  statement = "Uzawa's iteration converges to the projection for 0 < rho < rho_max = 2 alpha/|C'C|_2",
  cases = common.cases({"sticky", "free", "flower", "pile", "ball"}, {"maury"}),
  controls = {
    {what = "rho_max a tenth too large, where it is sharp", case = 5, rho = 1.1},
    {what = "velocities off by 1e-6", case = 2, bend = function(run)
      if run.projector == "uzawa" then run.final.u[1] = run.final.u[1] + 1e-6 end
    end},
    {what = "0.98 in place of 1.02 rho_max", case = 5, beyond = 0.98}},
  check = function(case)
    local h = UZAWA_STEP[case.key]
    local limit = rho_max(case, h)
    local exact = common.run(case, {h = h, steps = 1})
    local worst = 0
    for _, part in ipairs{0.3, 0.95} do
      local run = lab.run{problem = case.problem.spec, scheme = case.scheme, h = h, steps = 1,
                          projector = "uzawa", rho = part * limit * (case.rho or 1),
                          max_iterations = 1000000}
      if case.bend then case.bend(run) end
      local off = run.status == "ok" and common.distance(run.final.u, exact.final.u) or math.huge
      worst = common.worst(worst, off)
    end
    local rows = {common.row(case, {
      what = "|u - P_K(...)| at 0.3 and 0.95 rho_max", measured = worst, bound = UZAWA_ERROR,
      evidence = ("rho_max = %.6g at h = %g"):format(limit, h)})}
    if case.key == "ball" then -- one row, |C'C| = h^2: the iteration is mu -> mu (1 - rho h^2)
      local run = lab.run{problem = case.problem.spec, scheme = case.scheme, h = h, steps = 1,
                          projector = "uzawa", rho = (case.beyond or 1.02) * limit}
      rows[2] = common.row(case, {
        what = "does it settle at 1.02 rho_max, where the bound is sharp (1: yes)",
        measured = run.status == "ok" and 1 or 0, bound = 0, evidence = run.message})
    end
    return rows
  end}

lab.claim{
  id = "M-R8", cost = {1, 16}, source = "Maury 2006, Remark 8",
  statement = "for equal spheres rho_max >= min m/(2 kappa h^2 sqrt(d)), kappa = 2, 6, 12 neighbours; " ..
              "right: min m/(kappa h^2)",
  cases = {{problem = common.problems.row30, d = 1, kappa = 2},
           {problem = common.problems.crystal, d = 2, kappa = 6},
           {problem = common.problems.growing, d = 3, kappa = 12}},
  controls = {
    {what = "gradients twice as long", stretch = 2},
    {what = "a right bound that is a hundredth larger, where it is attained", constant = 1.01},
    {what = "a rho_max without the 2", case = 3, lost = 1},
    {what = "a bound for no neighbours, 2 min m/h^2 sqrt(d)", constant = 8}},
  check = function(case)
    local Q, info = common.set(case)
    local near = {}
    for _, row in ipairs(Q:rows(0, info.q0)) do
      if row.g <= 1e-3 * case.problem.scale or case.d == 3 then
        local stretch = case.stretch or 1
        near[#near + 1] = {grad = common.axpy(row.grad, stretch - 1, row.grad)}
      end
    end
    local limit = 2 * info.alpha / squared_norm(near)
    local bound = info.alpha / (2 * case.kappa * math.sqrt(case.d))
    return {
      common.row(case, {what = "rho_max h^2", measured = limit, sense = ">=", bound = bound, near = 5,
                        evidence = ("%d likely contacts"):format(#near)}),
      common.row(case, {what = "the same against min m/kappa", measured = limit, sense = ">=", near = 3,
                        bound = info.alpha / case.kappa}),
      common.row(case, { -- rho_max = 2 min m/|C'C|, |C'C| <= 2 kappa h^2 sqrt(d)
        what = "the printed bound over what the two lines before it give", sense = ">=", bound = 1 - common.ROUNDING,
        measured = bound * 2 * case.kappa * math.sqrt(case.d) / ((case.lost or 2) * info.alpha),
        finding = "the 2 of rho_max = 2 min m/|C'C| is lost, and |C'C| <= 2 kappa h^2 without sqrt(d)"})}
  end}

-- ---- stability ----------------------------------------------------------------------------------

local STABLE = {"nonuniqueness", "sticky", "free", "pressed", "ball", "cradle", "impact", "pile",
                "flower", "growing", "slide"}

-- F of (6): the largest |f| over the nodes; where only means of the force are known, its bound.
local function force_bound(case, nodes)
  if case.key == "nonuniqueness" then return 1.8 end
  local Q = common.set(case)
  local most = 0
  for n = 1, #nodes.t do
    most = common.worst(most, common.norm(Q:force(nodes.t[n], nodes.q[n])))
  end
  return most
end

local function mass_norm(info, u)
  local sum = 0
  for k = 1, #u do sum = sum + info.masses[k] * u[k] * u[k] end
  return math.sqrt(sum)
end

lab.claim{
  id = "M-P3", source = "Maury 2006, Proposition 3",
  statement = "|u_h(t)|_M <= |u_0|_M + alpha^(-1/2) int_0^(t+h) F",
  cases = common.cases(STABLE, BOTH),
  controls = {
    {what = "velocities a tenth too large", case = 3, bend_nodes = common.faster(1.1)},
    {what = "a bound that is a tenth less", case = 3, constant = 0.9}},
  check = common.where({"fixed", "convex"}, function(case)
    local _, info = common.set(case)
    local worst = 0
    for _, N in ipairs{3, 17, 120} do
      local nodes = common.nodes(common.run(case, {steps = N, trajectory = true}))
      local F = force_bound(case, nodes)
      for n = 2, #nodes.t do
        local bound = mass_norm(info, info.u0) + F * nodes.t[n] / math.sqrt(info.alpha)
        worst = common.worst(worst, mass_norm(info, nodes.u[n]) / bound)
      end
    end
    return common.row(case, {what = "largest |u_h|_M over its bound", measured = worst,
                             bound = 1 + common.ROUNDING, near = 10})
  end)}

-- The largest rise of the kinetic energy from node to node, over that of the start.
local function rise_of_nodes(info, nodes)
  local worst, before, first = -math.huge, nil, nil
  for n = 1, #nodes.t do
    local size = mass_norm(info, nodes.u[n])
    local energy = size * size / 2
    first = first or energy
    if before then worst = common.worst(worst, (energy - before) / first) end
    before = energy
  end
  return worst
end

lab.claim{
  id = "M-R9", cost = {1, 1, 1, 1, 1, 1, 1, 1, 2, 16}, source = "Maury 2006, Remark 9",
  statement = "without force the kinetic energy never grows, for any step",
  cases = common.cases({"sticky", "free", "cradle", "impact", "flower", "growing", "pressed"}, BOTH),
  controls = {
    {what = "impulses 2.2 times too large: a bounce that gains", case = 3, bend_nodes = common.impulses(2.2)},
    {what = "an energy that rises by 1e-6", bend = function(run)
      run.energy.largest_increase = 1e-6
    end}},
  check = function(case)
    local _, info = common.set(case)
    local reason = not info.force_free and case.key ~= "flower" and "a force acts" or
                   common.fails(case, {"fixed", "convex"})
    if reason then return common.row(case, {not_applicable = reason}) end
    local recorded, recomputed = -math.huge, -math.huge
    for _, N in ipairs{2, 9, 100} do
      local run = common.run(case, {steps = N, trajectory = true})
      recorded = common.worst(recorded, run.energy.largest_increase / run.energy.initial)
      recomputed = common.worst(recomputed, rise_of_nodes(info, common.nodes(run)))
    end
    return {common.row(case, {what = "largest rise in a step, relative", measured = recorded,
                              bound = common.ROUNDING}),
            common.row(case, {what = "the same recomputed from the nodes", measured = recomputed,
                              bound = common.ROUNDING})}
  end}

-- ---- momentum -----------------------------------------------------------------------------------

-- The last has a force with a resultant.
local CONSERVED = {"sticky", "free", "pressed", "growing", "cradle", "impact", "pulled"}

-- Largest departure of sum m_i u_i from its start and the impulse of the force f, recomputed from the nodes.
-- For problems whose force is constant and whose contacts change no component.
local function drift_of_nodes(info, nodes, f)
  local worst = 0
  for c = 1, info.space do
    local start, resultant = 0, 0
    for k = c, info.dimension, info.space do resultant = resultant + f[k] end
    for n = 1, #nodes.t do
      local p = -nodes.t[n] * resultant
      for k = c, info.dimension, info.space do p = p + info.masses[k] * nodes.u[n][k] end
      if n == 1 then start = p end
      worst = common.worst(worst, math.abs(p - start))
    end
  end
  return worst
end

-- see(N, run) is shown every run.
local function momentum(case, args, what, see)
  local Q, info = common.set(case)
  local rows = {}
  local recorded, recomputed, primal = 0, 0, math.huge
  for _, N in ipairs{5, 60} do
    args.steps, args.trajectory = N, true
    local run = common.run(case, args)
    if see then see(N, run) end
    recorded = common.worst(recorded, run.momentum.largest_drift or 0 / 0)
    primal = common.least(primal, run.certificate.primal)
    if info.invariant then
      recomputed = common.worst(recomputed, drift_of_nodes(info, common.nodes(run), Q:force(0, info.q0)))
    end
  end
  rows[1] = common.row(case, {what = "drift of the record" .. what, measured = recorded,
                              bound = common.ROUNDING,
                              evidence = ("least constraint value %.1e"):format(primal)})
  if info.invariant then
    rows[2] = common.row(case, {what = "drift recomputed from the nodes" .. what,
                                measured = recomputed, bound = common.ROUNDING})
  end
  return rows
end

lab.claim{
  id = "M-P4", source = "Maury 2006, Proposition 4",
  statement = "the balance of total momentum is exact at the nodes when the force depends on time alone",
  cases = common.cases(CONSERVED, BOTH),
  controls = {
    {what = "the mass of one sphere off by a tenth", case = 3, mass = 1.1},
    {what = "a record that drifts by 1e-9", bend = function(run)
      run.momentum.largest_drift = run.momentum.largest_drift + 1e-9
    end}},
  check = function(case) return momentum(case, {}, "") end}

-- Three iterations of Uzawa's, taken as they are.
local function roughly(case)
  return {projector = "uzawa", tol = case.iterations and 1e-12 or 1e-3,
          max_iterations = case.iterations or 3, accept_stalled = true}
end

lab.claim{
  id = "M-R10", source = "Maury 2006, Remark 10",
  statement = "the same even if the saddle-point problem is not solved exactly",
  cases = common.cases(CONSERVED, {"maury"}),
  controls = {
    {what = "the mass of one sphere off by a tenth", case = 2, mass = 1.1},
    {what = "a record that drifts by 1e-9", case = 6, bend = function(run)
      run.momentum.largest_drift = run.momentum.largest_drift + 1e-9
    end},
    {what = "a problem that is solved exactly", iterations = 100000}},
  check = function(case)
    local off = math.huge
    local rows = momentum(case, roughly(case), ", at most 3 iterations", function(N, run)
      off = common.least(off, common.distance(run.final.u, common.run(case, {steps = N}).final.u))
    end)
    -- nine digits above what exact projections leave
    rows[#rows + 1] = common.row(case, {
      what = "least distance of final velocities from those of exact steps: the problem is not solved",
      measured = off, sense = ">=", bound = 1e-3})
    return rows
  end}

lab.claim{
  id = "M-R11", source = "Maury 2006, Remark 11",
  statement = "the centre of mass interpolates its exact path at the nodes",
  cases = common.cases({"sticky", "free", "pressed", "growing", "cradle", "ball"}, {"maury"}),
  controls = {
    {what = "the mass of one point off by a tenth", mass = 1.1},
    {what = "positions off by 1e-9", case = 6, bend_nodes = function(nodes)
      for n = 2, #nodes.t do nodes.q[n][1] = nodes.q[n][1] + 1e-9 end
    end},
    {what = "h t R/m instead of h t R/(2 m)", case = 6, shift = 2}},
  check = function(case)
    local _, info = common.set(case)
    local falls = case.key == "ball" and -9.81 or 0 -- resultant over mass
    local T = case.key == "ball" and 0.4 or nil     -- the ball has not landed yet
    local space = math.max(info.space, 1)
    local worst, defect = 0, 0
    for _, N in ipairs{4, 40} do
      local nodes = common.nodes(common.run(case, {steps = N, horizon = T, trajectory = true}))
      for c = 1, space do
        local function centre(x)
          local sum, mass = 0, 0
          for k = c, info.dimension, space do
            sum, mass = sum + info.masses[k] * x[k], mass + info.masses[k]
          end
          return sum / mass
        end
        for n = 1, #nodes.t do
          local t = nodes.t[n]
          local off = centre(nodes.q[n]) - centre(info.q0) - t * centre(nodes.u[1]) - falls * t * t / 2
          worst = common.worst(worst, math.abs(off))
          defect = common.worst(defect, math.abs(off - (case.shift or 1) * falls * nodes.h * t / 2))
        end
      end
    end
    local row = common.row(case, {what = "largest distance from the exact path", measured = worst,
                                  bound = common.ROUNDING})
    if falls == 0 then return row end
    row.finding = "with a resultant force R the nodes are h t R/(2 m) away from the exact path"
    return {row, common.row(case, {what = "the same less h t R/(2 m)", measured = defect,
                                   bound = common.ROUNDING})}
  end}

-- ---- multipliers --------------------------------------------------------------------------------

-- The whole set of multipliers of a pile that rests, by linear programming, against the bound that
-- the direction of steepest ascent gives: <F, v> = sum lambda_i <G_i, v> >= delta sum lambda_i.
local function extent(case)
  local set, why = lab.multipliers{problem = case.problem.spec, scheme = "maury", steps = 5, step = 2}
  if not set then error(why, 0) end
  local Q, info = common.set(case)
  local delta = Q:independence(0, info.q0, common.CONTACT).slope
  local counts = ("%d contacts, %d unknowns, rank %d, dimension %d"):format(
    set.contacts, set.unknowns, set.rank, set.dimension)
  local row = common.row(case, {
    what = "largest sum lambda over |F|/delta", measured = set.total.max * delta / set.bound.force,
    bound = 1 + common.CONTACT, near = 10, evidence = counts})
  if delta <= common.CONTACT then
    row.not_applicable = "walls that just fit press at will: the lemma is about spheres alone"
  end
  return {row, common.row(case, {what = "dimension of the set", measured = set.dimension,
                                 sense = ">=", bound = 1, evidence = counts})}
end

local piles = common.cases{"flower"}
if lab.multipliers then
  for _, pile in ipairs{{"crystal", support = "free", rows = 3}, {"crystal", rows = 4},
                        {"crystal", support = "box", rows = 2}} do
    piles[#piles + 1] = {key = "crystal", problem = {spec = pile, scale = 0.5}}
  end
end

lab.claim{
  id = "M-L1", source = "Maury 2006, Lemma 1 and the example before it",
  statement = "multipliers that balance a given force are a bounded set, also where they are not unique",
  cases = piles,
  controls = {
    {what = "seven discs that do not touch", spacing = 1.3},
    {what = "a delta that is a tenth larger than 1/sqrt(6)", constant = 1.1},
    {what = "a disc between two walls, whose multipliers are unique", case = math.min(3, #piles),
     problem = {spec = {"crystal", support = "wedge", rows = 1}, scale = 0.5}},
    {what = "a delta 20 times too large", case = math.min(3, #piles), constant = 0.05}},
  check = function(case)
    if case.key == "crystal" then return extent(case) end
    local Q = common.set(case)
    local found = Q:independence(0, common.flower(case.spacing or 1), common.CONTACT)
    -- 14 coordinates less three rigid motions: at most 11 gradients are independent
    return {
      common.row(case, {what = "contacts of seven touching discs, 11 independent at most",
                        measured = found.rows, sense = ">=", bound = 12}),
      common.row(case, {what = "delta in sum lambda <= |F|/delta", measured = found.slope,
                        sense = ">=", bound = 1 / math.sqrt(6) - common.ROUNDING, near = 1.01,
                        evidence = "1/sqrt(6) in closed form"})}
  end}

lab.claim{
  id = "M-P5", source = "Maury 2006, Proposition 5",
  statement = "in every step the multipliers are a bounded set",
  cases = common.cases({"sticky", "cradle", "impact", "pile", "flower"}, {"maury"}),
  controls = {
    {what = "a delta a tenth larger, where it is attained", case = 2, constant = 1.1},
    {what = "impulses a tenth too large", case = 2, bend_nodes = common.louder(1.1)}},
  check = function(case)
    local found = common.multipliers(case, 40)
    local closed = case.problem.closed
    return {
      common.row(case, {
        what = "least delta over the steps with contact", measured = found.slope, sense = ">=",
        bound = closed and (1 - common.CONTACT) * closed.mu or common.CONTACT, near = 1.01,
        evidence = ("%d steps%s"):format(found.steps, closed and ", bound in closed form" or "")}),
      common.row(case, {
        what = "largest |sum lambda grad g - (M du - h f)|, relative",
        measured = found.residual / found.size, bound = common.NORMAL})}
  end}

-- ---- the limit ----------------------------------------------------------------------------------

lab.claim{
  id = "M-T1", cost = {6, 5, 100, 100}, source = "Maury 2006, Theorem 1",
  statement = "one contact: q_h converges in W^{1,1}, mu_h weakly-* (along a subsequence)",
  cases = common.cases({"free", "pressed", "ball"}, {"maury", "venel"}),
  controls = {
    {what = "springs of fixed stiffness 1e5", scheme = "penalty:stiffness=1e5"},
    {what = "springs of fixed stiffness 1e5, pressed", case = 3, scheme = "penalty:stiffness=1e5"},
    {what = "errors with a floor of 1e-1", bend = function(run)
      for norm, e in pairs(run.error or {}) do
        if type(e) == "number" then run.error[norm] = e + 1e-1 end
      end
    end}},
  check = function(case)
    local rows = common.converges(case, {"u_L1", "q_Linf"})
    rows[#rows + 1] = common.multipliers_settle(case)
    return rows
  end}

lab.claim{
  id = "M-step-9", cost = {10, 60, 3}, source = "Maury 2006, Theorem 1, step 9",
  statement = "the jump u+ = P_C u- holds in the limit",
  cases = common.cases({"free", "pressed", "ball"}, {"maury"}),
  controls = {
    {what = "impulses a tenth too large", bend_nodes = common.impulses(1.1)},
    {what = "impulses a tenth too small, pressed", case = 2, bend_nodes = common.impulses(0.9)}},
  check = common.impact_law}

-- What the clusters of all steps 2^-3, ..., 2^-12 say, where the program can tell.
local function clusters(case)
  local limits = lab.sweep{problem = case.problem.spec, scheme = case.scheme,
                           steps = lab.phases{c = {1}, m = case.m or {3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}}
                 :limits{norm = "u_L1"}
  return common.row(case, {what = "|limits found - 2|", measured = math.abs(#limits.clusters - 2),
                           bound = 0, evidence = limits.verdict})
end

-- Runs of nonuniqueness with h = 2^-m: their distances to A and B.
local function dyadic(case, first, last)
  local runs, shift = {}, case.shift or 0
  for m = first, last, 2 do runs[#runs + 1] = common.run(case, {h = 1 / (1 << m + shift)}) end
  return runs
end

lab.claim{
  id = "M-6.1", cost = {35, 53, 42}, source = "Maury 2006, section 6.1",
  statement = "steps 2^(-2m) and 2^(-2m-1) converge to different solutions, A and B",
  cases = common.cases({"nonuniqueness"}, {"maury", "paoli", "venel"}),
  controls = {
    {what = "the other half of the steps: 2^(-2m-1) for A, 2^(-2m) for B", shift = 1},
    {what = "another force, alpha = 2.1", problem = {spec = {"nonuniqueness", alpha = 2.1}, scale = 1}},
    {what = "steps 2^(-2m) alone", m = {4, 6, 8, 10, 12}}},
  check = function(case)
    local rows = {}
    for _, part in ipairs{{"A", "B", 4, 18}, {"B", "A", 3, 17}} do
      local near, far, own, other = part[1], part[2], {}, math.huge
      for k, run in ipairs(dyadic(case, part[3], part[4])) do
        own[k] = {{h = run.h, e = run.error.distances[near].u_L1}}
        other = common.least(other, run.error.distances[far].u_L1)
      end
      rows[#rows + 1] = common.vanishes(case, "u_L1 to " .. near, own)
      rows[#rows + 1] = common.row(case, { -- A rests at t = 4, B moves: |A - B| in L1 is 1.1
        what = "least u_L1 to " .. far, measured = other, sense = ">=", bound = 0.5})
    end
    if lab.phases then rows[#rows + 1] = clusters(case) end
    return rows
  end}

lab.claim{
  id = "M-6.2", source = "Maury 2006, section 6.2",
  statement = "sticky particles end in the same state for h = 0.01, 0.5 and 1.5",
  cases = common.cases({"sticky30"}, {"maury", "paoli", "venel"}),
  controls = {
    {what = "positions that are not held (moreau_jean)", scheme = "moreau_jean"},
    {what = "a final position off by 1e-9", bend = function(run)
      if run.steps == 2 then run.final.q[1] = run.final.q[1] + 1e-9 end
    end}},
  check = function(case)
    local first
    local worst = 0
    for _, h in ipairs{0.01, 0.5, 1.5} do
      local final = common.run(case, {h = h}).final
      first = first or final
      worst = common.worst(worst, common.distance(final.q, first.q))
      worst = common.worst(worst, common.distance(final.u, first.u))
    end
    -- 300 additions of h u of size one, 30 coordinates
    return common.row(case, {what = "largest distance of final states", measured = worst,
                             bound = 10 * common.ROUNDING})
  end}
