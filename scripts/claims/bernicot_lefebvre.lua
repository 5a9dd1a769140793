-- Bernicot & Lefebvre-Lepot (2010): the velocity scheme with moving constraints.
local common = ...
local lab = require "impactlab"

local BOTH = {"maury", "venel"}
local MOVING = {"growing", "shaken", "slide", "graze"}
local SECOND = {"sticky", "free", "pressed", "growing", "shaken", "ball", "cradle", "impact", "pile",
                "slide"}

lab.claim{
  id = "A0-A6", cost = {1, 1, 1, 1, 1, 1, 1, 1, 1, 19},
  source = "Bernicot & Lefebvre-Lepot 2010, (A0)-(A6); Venel 2011, (A0)-(A5)",
  statement = "the hypotheses, sampled: 0 < alpha <= |grad g| <= beta, bounded d_t g, D2 g, d_t grad g, " ..
              "d_t2 g, convex g_i, and a direction that raises all that are nearly active",
  cases = common.cases{"nonuniqueness", "sticky", "free", "pressed", "growing", "shaken", "ball",
                       "cradle", "impact", "pile", "flower", "slide", "wedge", "round_disc", "crowd",
                       "growing_disc"},
  controls = {
    {what = "a nu that is a tenth too small", case = 7, constant = 1.1},
    {what = "a wedge that is 0.1 sharper", case = 13, problem = common.problems.sharper}},
  check = function(case)
    local reason = common.fails(case, {"convex", "independent"})
    local c = common.known(case)
    local closed = case.problem.closed
    local row = common.row(case, {
      what = closed and "1/nu against its closed form" or "least of alpha and 1/nu",
      measured = closed and c.inverse or math.min(c.alpha, c.inverse), sense = ">=",
      bound = closed and (1 - common.CONTACT) * closed.inverse or common.CONTACT, near = 1.01,
      evidence = ("%d boundary points, up to %d contacts: alpha %.3g, beta %.3g, |d_t g| %.3g, D2 " ..
                  "%.3g, d_t grad %.3g, d_t2 %.3g, nu %.3g, delta %.3g"):format(
        c.points, c.contacts, c.alpha, c.beta, c.rate, c.M, c.Mt, c.Mtt, 1 / c.inverse, c.slope)})
    row.not_applicable = reason and
      reason .. ": Theorems 1.3 (Bernicot & Lefebvre-Lepot) and 3.4 (Venel) say nothing here"
    return row
  end}

lab.claim{
  id = "BL-P2.1", source = "Bernicot & Lefebvre-Lepot 2010, Proposition 2.1",
  statement = "configurations at nodes are feasible, with moving constraints too",
  cases = common.cases(MOVING, BOTH),
  controls = {
    {what = "positions that are not held (moreau_jean)", scheme = "moreau_jean"},
    {what = "constraints that are met a step late", case = 3, late = true},
    {what = "an overlap of 1e-9", bend = function(run)
      run.feasibility.nodes_min = run.feasibility.nodes_min - 1e-9
    end}},
  check = common.where({"convex"}, function(case)
    return common.admissible(case, {9, 33, 150}, "nodes_min", "min g at nodes")
  end)}

lab.claim{
  id = "BL-(2.1)", cost = {1, 1, 6, 7}, source = "Bernicot & Lefebvre-Lepot 2010, (2.1) and Lemma 2.2",
  statement = "between nodes d(q_h(t), Q(t)) <= c_0 h, c_0 = sup |d_t g|/delta",
  cases = common.cases({"triangle", "growing", "shaken", "slide"}, BOTH),
  controls = {
    {what = "half of c_0 less a tenth: on no path of speed c_0 it would do", constant = 0.4},
    {what = "positions off by a tenth of a period", bend_nodes = function(nodes)
      for n = 1, #nodes.t do nodes.q[n][1] = nodes.q[n][1] - 0.5 end
    end}},
  check = common.where({"convex", "independent"}, function(case)
    local Q = common.set(case)
    local worst, rate, slope = 0, 0, math.huge
    for _, N in ipairs{8, 10, 40, 160} do
      local nodes = common.nodes(common.run(case, {steps = N, trajectory = true}))
      for n = 2, #nodes.t do
        for _, theta in ipairs{0.25, 0.5, 0.75} do
          local t = nodes.t[n - 1] + theta * nodes.h
          local q = common.axpy(nodes.q[n - 1], theta * nodes.h, nodes.u[n])
          for _, row in ipairs(Q:rows(t, q)) do rate = common.worst(rate, math.abs(row.dt)) end
          if Q:gap(t, q) < 0 then
            local x = Q:project(t, q)
            slope = common.least(slope, Q:independence(t, x, common.CONTACT).slope)
            worst = common.worst(worst, common.distance(x, q) / nodes.h)
          end
        end
      end
    end
    local row = common.row(case, {what = "largest d/h", measured = worst, bound = rate / slope,
                                  near = 2.5, -- a path of speed c_0 leaves by c_0 h/2 at most
                                  evidence = ("|d_t g| <= %.3g, delta %.3g"):format(rate, slope)})
    if slope == math.huge then row.inconclusive = "the run never left Q(t) between nodes" end
    return row
  end)}

lab.claim{
  id = "BL-P2.3", cost = {2, 2, 2, 2, 6, 1, 1, 85, 10}, source = "Bernicot & Lefebvre-Lepot 2010, Proposition 2.3",
  statement = "|u_h| is bounded uniformly in h",
  cases = common.cases(SECOND, {"maury"}),
  controls = {
    {what = "velocities that grow like h^(-1/4)", bend_nodes = common.swell},
    {what = "velocities that grow like log 1/h", case = 2, bend_nodes = common.creep},
    {what = "velocities that shrink first and grow then", bend_nodes = common.dip}},
  check = common.where("BL-T1.3", function(case)
    return common.bounded(case, "sup")
  end)}

lab.claim{
  id = "BL-P2.4", cost = {2, 1, 1, 2, 6, 1, 1, 11, 11}, source = "Bernicot & Lefebvre-Lepot 2010, Proposition 2.4",
  statement = "the variation of u_h is bounded uniformly in h",
  cases = common.cases(SECOND, {"maury"}),
  controls = {
    {what = "velocities that grow like h^(-1/4)", bend_nodes = common.swell},
    {what = "velocities that grow like log 1/h", case = 2, bend_nodes = common.creep},
    {what = "velocities that shrink first and grow then", bend_nodes = common.dip}},
  check = common.where("BL-T1.3", function(case)
    return common.bounded(case, "variation")
  end)}

lab.claim{
  id = "BL-P2.6", source = "Bernicot & Lefebvre-Lepot 2010, Proposition 2.6",
  statement = "|lambda_h|_L1 <= (nu/alpha) (Var(M u_h) + int F)",
  cases = common.cases(SECOND, {"maury"}),
  controls = {
    {what = "multipliers a tenth too large, where the bound is attained", case = 2,
     bend_nodes = common.louder(1.1)},
    {what = "a constant that is a tenth too small", case = 2, constant = 0.9}},
  check = common.where({"convex", "independent"}, function(case)
    local rows = {}
    for k, N in ipairs{40, 200} do
      local found = common.multipliers(case, N)
      rows[k] = common.row(case, {
        what = ("h sum lambda over its bound, N = %d"):format(N),
        measured = found.impulse * found.alpha / (found.gamma * found.cause),
        bound = 1 + common.ROUNDING, near = 2,
        evidence = ("nu %.3g, alpha %.3g, %d steps with contact"):format(
          found.gamma, found.alpha, found.steps)})
    end
    return rows
  end)}

lab.claim{
  id = "BL-P2.8", source = "Bernicot & Lefebvre-Lepot 2010, Proposition 2.8",
  statement = "the multipliers act where there is contact: none on g > c h",
  cases = common.cases(SECOND, BOTH),
  controls = {
    {what = "contacts that act a tenth of the run too early", case = 3, bend_nodes = common.early(0.1)},
    {what = "impulses on the neighbour of the contact", bend_nodes = function(nodes)
      for n = 1, #nodes.t do
        for _, contact in ipairs(nodes.contacts[n]) do contact.id = (contact.id + 1) % 7 end
      end
    end}},
  check = common.where({"convex"}, common.carried)}

lab.claim{
  id = "BL-P2.9", cost = {2, 2, 80, 80, 3, 3, 9, 10, 60, 60}, source = "Bernicot & Lefebvre-Lepot 2010, Proposition 2.9",
  statement = "u+ = P_C u- holds in the limit, with several contacts and moving constraints",
  cases = common.cases({"sticky3", "growing", "cradle", "free", "pressed", "corner"}, BOTH),
  controls = {
    {what = "impulses a tenth too large", case = 7, bend_nodes = common.impulses(1.1)},
    {what = "impulses a tenth too small, five balls", case = 5, bend_nodes = common.impulses(0.9)}},
  check = common.where({"convex"}, common.impact_law)}

lab.claim{
  id = "BL-initial", source = "Bernicot & Lefebvre-Lepot 2010, section 2, step 6",
  statement = "a start on the boundary with u_0 not in C gives u+(0) = P_C u_0",
  cases = common.cases({"on_floor", "touching", "at_corner"}, BOTH),
  controls = {
    {what = "a first velocity a tenth too large", case = 3, bend = function(run)
      run.samples[1].u = common.axpy(run.samples[1].u, 0.1, run.samples[1].u)
    end},
    {what = "springs of fixed stiffness 1e5", scheme = "penalty:stiffness=1e5"}},
  check = function(case)
    local Q, info = common.set(case)
    local wanted = Q:velocity(0, info.q0, info.u0, common.CONTACT)
    local row = common.vanishing(case, "|u_1 - P_C u_0|", 8, function(N)
      local run = common.run(case, {steps = N, samples = {0.5 * info.horizon / N}})
      return common.distance(run.samples[1].u, wanted)
    end)
    if not (common.distance(wanted, info.u0) > common.CONTACT) then
      row.inconclusive = "u_0 is admissible"
    end
    return row
  end}

lab.claim{
  id = "BL-T1.3", cost = {6, 6, 5, 5, 42, 54, 88, 77, 31, 37}, source = "Bernicot & Lefebvre-Lepot 2010, Theorem 1.3",
  statement = "u_h converges in L1, q_h uniformly, lambda_h weakly-* (along a subsequence)",
  cases = common.cases({"sticky", "free", "pressed", "growing", "cradle", "ball", "slide", "corner"},
                       BOTH),
  controls = {
    {what = "springs of fixed stiffness 1e5", case = 3, scheme = "penalty:stiffness=1e5"},
    {what = "errors with a floor of 1e-2", case = 7, bend = function(run)
      for norm, e in pairs(run.error or {}) do
        if type(e) == "number" then run.error[norm] = e + 1e-2 end
      end
    end}},
  check = common.where("BL-T1.3", function(case)
    local rows = common.converges(case, {"u_L1", "q_Linf"})
    rows[#rows + 1] = common.multipliers_settle(case)
    return rows
  end)}
