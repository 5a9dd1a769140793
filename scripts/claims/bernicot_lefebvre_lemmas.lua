-- Bernicot & Lefebvre-Lepot (2010), section 3: good directions, balls in K_h, and the bounds that they give.
local common = ...
local lab = require "impactlab"

-- ---- good directions ----------------------------------------------------------------------------

-- The direction of Venel's Lemma 2.10 at (t, q): sum b_i over all that are nearly active, of length one, and
-- the least rate at which it raises them; nil where none is.
local function good(Q, t, q, rho)
  local rows, v = Q:rows(t, q, rho), nil
  for _, row in ipairs(rows) do
    local b = Q:tangent(t, q, row.grad, rho)
    v = v and common.axpy(v, 1, b) or b
  end
  if not v then return nil end
  v = common.axpy(v, 1 / common.norm(v) - 1, v)
  local least = math.huge
  for _, row in ipairs(rows) do least = math.min(least, common.dot(row.grad, v)) end
  return v, least
end

-- Bounds of the problems: of |grad g| and |d_t g| by beta, of D^2 g and d_t grad g by M.
local BOUNDS = {
  growing = {beta = math.sqrt(2), M = 2 / 0.3}, growing_disc = {beta = 1, M = 2}, at_corner = {beta = 2, M = 0.5},
  shaken = {beta = 1, M = 0.1}, crowd = {beta = math.sqrt(2), M = 2 / 0.7}}

lab.claim{
  id = "BL-L3.1", source = "Bernicot & Lefebvre-Lepot 2010, Lemma 3.1",
  statement = "one unit v(t, q) raises all of I_{kappa rho}(s, y) at a rate delta, for |s - t| <= tau, |y - q| <= theta: " ..
              "half of the rate at (t, q), kappa = 1/2, tau = theta = min(rho/(4 beta), rate/(4 M))",
  cases = common.cases{"growing", "growing_disc", "at_corner", "shaken", "crowd"},
  controls = {
    {what = "twice the rate", constant = 2.2}, {what = "twenty times the radius", case = 3, reach = 20},
    {what = "v of the opposite sign", case = 4, sign = -1}},
  check = function(case)
    local Q, info = common.set(case)
    local bounds, rho = BOUNDS[case.key], 0.1 * case.problem.scale
    local points, worst, raised = common.boundary(case, 0.3 * info.horizon, 12), math.huge, 0
    common.enough(#points, 6, "boundary points")
    for _, q in ipairs(points) do
      local t = 0.3 * info.horizon
      local v, rate = good(Q, t, q, rho)
      local reach = (case.reach or 1) * math.min(rho / (4 * bounds.beta), rate / (4 * bounds.M))
      for _ = 1, 15 do
        local s = t + reach * (2 * math.random() - 1)
        local y = common.axpy(q, reach * math.random(), common.direction(#q))
        y = Q:gap(s, y) >= 0 and y or Q:project(s, y, y)
        if y and common.distance(y, q) <= reach then
          for _, row in ipairs(Q:rows(s, y, rho / 2)) do
            worst = common.least(worst, (case.sign or 1) * common.dot(row.grad, v) / (rate / 2))
            raised = raised + 1
          end
        end
      end
    end
    return common.row(case, {what = "least <grad g_i(s, y), v> over half of the rate at (t, q)", measured = worst,
                             sense = ">=", bound = case.constant or 1, near = 3,
                             evidence = ("%d constraints near %d points"):format(raised, #points)})
  end}

-- ---- balls in K_h -------------------------------------------------------------------------------

-- Runs of maury: see(x0, x1, n, rows) is shown what is projected in step n, the projection, and the rows of
-- K_h(t_{n+1}, q_n).
local function projections(case, N, see)
  local Q, info = common.set(case)
  local nodes = common.nodes(common.run(case, {steps = N, trajectory = true}))
  for n = 1, #nodes.t - 1 do
    local f, x0 = Q:force(nodes.t[n], nodes.q[n]), {}
    for k = 1, #f do x0[k] = nodes.u[n][k] + nodes.h * f[k] / info.masses[k] end
    see(x0, nodes.u[n + 1], n, nodes, Q)
  end
  return nodes
end

-- The largest eta with B(y, eta) in K_h: min (g + h <G, y>)/(h |G|).
local function ball_in(rows, h, y)
  local eta = math.huge
  for _, row in ipairs(rows) do
    eta = math.min(eta, (row.g + h * common.dot(row.grad, y)) / (h * common.norm(row.grad)))
  end
  return eta
end

lab.claim{
  id = "BL-L3.3", source = "Bernicot & Lefebvre-Lepot 2010, Lemma 3.3, with the ball of its proof",
  statement = "x_1 = P_{K_h} x_0, B(y, eta) in K_h: |x_1 - x_0| <= (|x_0 - y|^2 - |x_1 - y|^2)/(2 eta), of every step, y = " ..
              "(2 beta K/delta) v",
  cases = common.cases({"growing", "shaken", "sticky", "ball"}, {"maury"}),
  controls = {
    {what = "an eta that is a fifth too large, where it is nearly attained", case = 4, eta = 1.2},
    {what = "projections that slip aside", case = 1, aside = 1}},
  check = function(case)
    local worst, steps = 0, 0
    projections(case, 150, function(x0, x1, n, nodes, Q)
      local moved = common.distance(x0, x1)
      if moved <= common.CONTACT then return end
      if case.aside then x1 = common.axpy(x1, case.aside * moved, common.direction(#x1)) end
      local t, q = nodes.t[n + 1], nodes.q[n]
      local v, rate = good(Q, t, q, 4 * nodes.h * math.max(common.norm(x0), 1))
      local y = common.axpy(v, 2 * 1.5 * math.max(common.norm(x0), 1) / rate - 1, v)
      local eta = (case.eta or 1) * ball_in(Q:rows(t, q), nodes.h, y)
      local less = common.dot(common.axpy(x0, -1, y), common.axpy(x0, -1, y)) -
                   common.dot(common.axpy(x1, -1, y), common.axpy(x1, -1, y))
      if eta > 0 then worst, steps = common.worst(worst, 2 * eta * moved / less), steps + 1 end
    end)
    common.enough(steps, 3, "steps that project")
    return common.row(case, {what = "largest 2 eta |x_1 - x_0|/(|x_0 - y|^2 - |x_1 - y|^2)", measured = worst, near = 3,
                             bound = 1 + common.ROUNDING, evidence = ("%d steps"):format(steps)})
  end}

lab.claim{
  id = "BL-T3.2", source = "Bernicot & Lefebvre-Lepot 2010, Theorem 3.2 by Lemma 3.3",
  statement = "with one y for all steps: Var u_h <= (|u_0 - y|^2 - |u_N - y|^2 + int |f| (|f| h + 2 |u - y|))/(2 eta) + int |f|, " ..
              "and |u_n - y| <= |u_0 - y| + int |f|",
  cases = common.cases({"sticky", "cradle", "shaken", "ball"}, {"maury"}),
  controls = {
    {what = "a tenth of the bound", constant = 0.1},
    {what = "velocities that grow", case = 3, bend_nodes = function(nodes)
      for n = 2, #nodes.t do nodes.u[n] = common.axpy(nodes.u[n], n / 3, nodes.u[n]) end
    end},
    {what = "half of the bound of |u - y|", case = 4, half = 0.5}},
  check = function(case)
    local Q, info = common.set(case)
    -- y: towards where all rise, at any q and t: gradients are the same everywhere, the shaken floor rises by 0.9
    local v = good(Q, 0, info.q0, math.huge)
    local best, found = math.huge, nil
    for _, size in ipairs{0.5, 1, 1.5, 2, 3, 5, 8} do
      local y, eta, force, var, cause, top = common.axpy(v, size - 1, v), math.huge, 0, 0, 0, 0
      local start = common.distance(info.u0, y)
      local nodes = projections(case, 150, function(_, x1, n, nodes)
        local f, u = Q:force(nodes.t[n], nodes.q[n]), nodes.u[n]
        local hf = nodes.h * common.norm(f) / info.alpha
        eta = math.min(eta, ball_in(Q:rows(nodes.t[n + 1], nodes.q[n]), nodes.h, y))
        force, var = force + hf, var + common.distance(x1, u)
        cause = cause + hf * (hf + 2 * common.distance(u, y))
        top = math.max(top, common.distance(x1, y) / (start + force))
      end)
      local last = common.distance(nodes.u[#nodes.t], y)
      local bound = (start * start - last * last + cause) / (2 * eta) + force
      if eta > 0 and bound < best then best, found = bound, {var = var, top = top, eta = eta, size = size} end
    end
    return {
      common.row(case, {what = "Var u_h", measured = found.var, bound = best, near = 12,
                        evidence = ("|y| = %.3g, eta = %.3g"):format(found.size, found.eta)}),
      common.row(case, {what = "largest |u_n - y| over |u_0 - y| + int |f|", measured = found.top,
                        bound = (case.half or 1) * (1 + common.ROUNDING), near = 3})}
  end}

-- ---- the bound of velocities (3.7) --------------------------------------------------------------

-- Bounds where gradients do not change: of |grad g| and |d_t g|.
local FLAT = {sticky = 1, cradle = math.sqrt(2), shaken = 1, ball = 1}

-- Section 3, steps 3 and 4: an interval of length nu/(2 (|u_0| + k c)) adds c = 2 (beta + delta)/delta + int F to
-- the bound of |u_h|. The smallest number k_0 of intervals that reach T makes it |u_0| + k_0 c. As sum 1/(a + k)
-- is at least log((a + k_0 + 1)/(a + 1)), a = |u_0|/c, log k_0 <= log(a + 1) + 2 c T/nu; k_0 = 1 for nu infinite.
local function velocity_bound(case, info, u0, force, delta, nu)
  local beta = FLAT[case.key] or BOUNDS[case.key].beta
  local c = 2 * (beta + delta) / delta + force
  local intervals = nu == math.huge and 0 or math.log(u0 / c + 1) + 2 * c * info.horizon / nu
  return math.log(u0 * math.exp(-intervals) + c) + intervals
end

lab.claim{
  id = "BL-(3.7)", source = "Bernicot & Lefebvre-Lepot 2010, (3.7), with the k_0 of (3.6)",
  statement = "|u_n| <= |u_0| + k_0 (2 (beta + delta)/delta + int F) for every h: k_0 = 1 where gradients do not change, " ..
              "exp(2 c T/nu) elsewhere, which bounds, and says nothing of the size",
  cases = common.cases({"sticky", "cradle", "shaken", "ball", "growing"}, {"maury"}),
  controls = {{what = "velocities that grow", case = 2, grow = 20}, {what = "a constant e^5 times smaller", less = 5}},
  check = function(case)
    local Q, info = common.set(case)
    local flat, rho = FLAT[case.key], 0.1 * case.problem.scale
    local _, delta = good(Q, 0, info.q0, flat and math.huge or rho)
    local nu, bounds = math.huge, BOUNDS[case.key]
    if not flat then
      delta = (delta or bounds.beta) / 2
      local w = 1 + (bounds.beta + delta) / delta
      nu = math.min(rho / (4 * bounds.beta), delta / (2 * bounds.M * w))
    end
    local force, top = 0, 0
    projections(case, 150, function(_, x1, n, nodes)
      force = force + nodes.h * common.norm(Q:force(nodes.t[n], nodes.q[n])) / info.alpha
      top = math.max(top, common.norm(x1) * (case.grow and 1 + case.grow * n or 1))
    end)
    local bound = velocity_bound(case, info, common.norm(info.u0), force, delta, nu)
    return common.row(case, {what = "largest |u_n| over its bound", measured = math.exp(math.log(top) - bound), near = 3,
                             bound = math.exp(-(case.less or 0)),
                             evidence = ("delta = %.3g, nu = %.3g, the bound e^%.4g"):format(delta, nu, bound)})
  end}
