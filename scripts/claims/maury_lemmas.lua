-- Maury (2006), what his proofs rest on: Lemma 2, the multipliers' half of Proposition 1, and the last
-- sentence of Proposition 2. Proofs of what is right: scripts/claims/README.md, "What was found".
local common = ...
local lab = require "impactlab"

-- ---- Lemma 2 ------------------------------------------------------------------------------------

-- The variation of u_{n+1} = h g_n + rho_n u_n, and sum h |g_n|.
local function variation_of(u, hg, rho)
  local sum, cause = 0, 0
  for n = 1, #hg do
    local next = hg[n] + rho[n] * u
    sum, cause, u = sum + math.abs(next - u), cause + math.abs(hg[n]), next
  end
  return sum, cause
end

-- The largest variation over |u_0| + c C of drawn sequences; rho and h g are often at their ends.
local function drawn_variation(c)
  local most = 0
  for _ = 1, 2000 do
    local hg, rho, u = {}, {}, math.random(-1, 1) * math.random()
    for n = 1, math.random(1, 12) do
      hg[n] = math.random(-1, 1) * math.random() ^ 3
      rho[n] = math.random(4) == 1 and math.random() or math.random(0, 1)
    end
    local sum, cause = variation_of(u, hg, rho)
    if math.abs(u) + cause > 0 then most = common.worst(most, sum / (math.abs(u) + c * cause)) end
  end
  return most
end

-- Var u_h of a run, int |u_h|^2, and int |f| over it: unit masses, a force that depends on t and q.
local function measured(case)
  local Q = common.set(case)
  local nodes = common.nodes(common.run(case, {steps = case.steps, horizon = case.horizon, trajectory = true}))
  local sum, square, force = 0, 0, 0
  for n = 2, #nodes.t do
    sum = sum + common.distance(nodes.u[n], nodes.u[n - 1])
    square = square + nodes.h * common.dot(nodes.u[n], nodes.u[n])
    force = force + nodes.h * common.norm(Q:force(nodes.t[n - 1], nodes.q[n - 1]))
  end
  return sum, square, force
end

-- The bound that Lemma 2 gives (README): bending is the Lipschitz constant of the unit normal; paoli's
-- normal velocity at contact is off by what the constraint bends in a step.
local function bound_of(case, u0, square, force)
  local times = case.scheme == "paoli" and 4 or 3
  return u0 + (case.line and 2 or 3) * force + times * case.bending * square
end

local function falling(scheme)
  return {problem = common.problems.ball, scheme = scheme, bending = 0, line = true, horizon = 0.46, steps = 700}
end
local function spheres(scenario, scheme)
  return {problem = {spec = {"two_spheres", scenario = scenario, masses = {1, 1}}, scale = 0.5}, scheme = scheme,
          bending = math.sqrt(2) / 0.9, steps = 500} -- radii 0.5 and 0.4
end

lab.claim{
  id = "M-L2", source = "Maury 2006, Lemma 2 and step 3 of Theorem 1; BL-P2.4 and AT-P4.3 for one contact",
  statement = "u_{n+1} = h g_n + rho_n u_n, 0 <= rho_n <= 1, h sum |g_n| <= C: the variation is at most |u_0| + C; " ..
              "right: |u_0| + 2 C",
  cases = {{drawn = true}, falling "maury", falling "paoli", spheres("free", "maury"), spheres("pressed", "maury"),
           spheres("free", "paoli"), spheres("pressed", "paoli")},
  controls = {
    {what = "|u_0| + 1.9 C", right = 1.9},
    {what = "|u_0| + 1.9 C, a ball that falls", case = 2, constant = 0.95},
    {what = "a ball that falls and does not land, for which it is true", case = 2, horizon = 0.2},
    {what = "u = 0, 1, 1, for which it is true", rest = 1},
    {what = "a tenth of the bound, spheres", case = 4, constant = 0.1}},
  check = function(case)
    local why = "var w_h = sum h lambda_n |g_n| in print: but the lambda_k of a step change with the step"
    if case.drawn then
      local name, c = "sequences", case.right or 2
      return {
        {problem = name, what = "u = 0, 1, 0 (h g = 1, 0, rho = 1, 0): variation over |u_0| + C",
         measured = (variation_of(0, {1, 0}, {1, case.rest or 0})), bound = 1, finding = why},
        {problem = name, what = "the same over |u_0| + 2 C", measured = variation_of(0, {1, 0}, {1, 0}) / c, bound = 1,
         near = 1.01},
        {problem = name, what = "largest variation over |u_0| + 2 C of 2000 drawn sequences",
         measured = drawn_variation(c), bound = 1 + common.ROUNDING, near = 1.1}}
    end
    local _, info = common.set(case)
    local sum, square, force = measured(case)
    local u0 = common.norm(info.u0)
    local rows = {common.row(case, {
      what = "Var u_h", measured = sum, bound = bound_of(case, u0, square, force), near = 10,
      evidence = ("|u_0| %.4g, int |u_h|^2 %.4g, int |f| %.4g"):format(u0, square, force)})}
    if case.line then
      rows[2] = common.row(case, {what = "Var u_h over |u_0| + C", measured = sum / (u0 + force), bound = 1,
                                  finding = why})
      rows[2].bound = 1 + common.ROUNDING -- whatever a control does to the right bound
    end
    return rows
  end}

-- ---- Proposition 1, multipliers -----------------------------------------------------------------

-- Uzawa's iteration of the projection of `target` onto what is linearised at (t, q) over a step h, from
-- mu = 0; after each of `counts` iterations, u and mu.
local function uzawa(rows, masses, target, h, rho, counts)
  local mu, list = common.repeated(#rows, 0), {}
  for k = 1, counts[#counts] do
    local u = {table.unpack(target)}
    for i, row in ipairs(rows) do
      for c = 1, #u do u[c] = u[c] + h * mu[i] * row.grad[c] / masses[c] end
    end
    if k == counts[#list + 1] then list[#list + 1] = {u = u, mu = {table.unpack(mu)}} end
    for i, row in ipairs(rows) do
      mu[i] = math.max(0, mu[i] - rho * (row.g + h * common.dot(row.grad, u)))
    end
  end
  return list
end

lab.claim{
  id = "M-P1-mu", source = "Maury 2006, Proposition 1",
  statement = "Uzawa's multipliers converge too, to some mu that makes (u, mu) a saddle point, also where it is " ..
              "not unique",
  cases = common.cases({"flower", "sticky", "cradle"}, {"maury"}),
  controls = {
    {what = "rho ten times rho_max", part = 10},
    {what = "a velocity that is off by 1e-6", case = 2, off = 1e-6}},
  check = function(case)
    local Q, info = common.set(case)
    local touching = case.key == "flower" -- all twelve contacts: more than eleven can be independent
    local q0 = touching and common.flower(1) or info.q0
    local h = case.key == "sticky" and 0.5 or 0.2
    local target, f = {}, Q:force(0, q0)
    for k = 1, #q0 do target[k] = info.u0[k] + h * f[k] / info.masses[k] end
    local rows = Q:rows(h, q0, 2 * h * common.norm(target) + common.CONTACT)
    -- |C'C| <= h^2 trace(G G'): a rho that is surely below rho_max
    local trace = 0
    for _, row in ipairs(rows) do trace = trace + common.dot(row.grad, row.grad) end
    local rho = (case.part or 0.95) * 2 * info.alpha / (h * h * trace)
    local list = uzawa(rows, info.masses, target, h, rho, {2000, 4001})
    local last, before = list[2], list[1]
    -- mass u = mass target + h sum mu G holds of every iterate; the rest of the saddle point is
    -- feasibility and mu (g + h <G, u>) = 0
    local primal, slack, size = 0, 0, 0
    for i, row in ipairs(rows) do
      local value = row.g + h * common.dot(row.grad, last.u) - (case.off or 0)
      primal = common.worst(primal, -value)
      slack = common.worst(slack, last.mu[i] * math.abs(value))
      size = common.worst(size, last.mu[i])
    end
    return {
      common.row(case, {what = "|mu_4001 - mu_2000|, relative", bound = 1e-8,
                        measured = common.distance(last.mu, before.mu) / math.max(size, 1),
                        evidence = ("%d rows, largest mu %.4g"):format(#rows, size)}),
      common.row(case, {what = "largest violation of a linearised constraint", measured = primal, bound = 1e-8}),
      common.row(case, {what = "largest mu (g + h <grad g, u>)", measured = slack, bound = 1e-7})}
  end}

-- ---- Proposition 2, last sentence ---------------------------------------------------------------

-- A point and a body that stands still: its signed distance from a convex polygon (corners in order, to
-- the left), which is what two convex polygons that do not turn have, by their Minkowski difference.
local function polygon_rows(corners)
  return function(_, q)
    local far, near, out, face = math.huge, {}, -math.huge, {}
    for k = 1, #corners do
      local a, b = corners[k], corners[k % #corners + 1]
      local e = common.axpy(b, -1, a)
      local by, length = common.axpy(q, -1, a), common.norm(e)
      local height = (by[1] * e[2] - by[2] * e[1]) / length
      local along = common.dot(by, e) / length
      if height > out then out, face = height, {e[2] / length, -e[1] / length} end
      if height > 0 and along >= 0 and along <= length then return {{g = out, grad = face}} end
      if common.norm(by) < far then far, near = common.norm(by), by end
    end
    if out <= 0 then return {{g = out, grad = face}} end
    return {{g = far, grad = {near[1] / far, near[2] / far}}}
  end
end

local function thrown(name, rows, q0, u0)
  return {scale = 1, spec = lab.problem{name = name, horizon = 2, q0 = q0, u0 = u0, constraints = rows}}
end
local SQUARE = polygon_rows{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}
local TRIANGLE = polygon_rows{{-1, -0.7}, {1.3, -0.2}, {-0.2, 1.1}}
local function bowl(_, q) -- a body with a round hole, seen from inside
  local far = math.sqrt(q[1] * q[1] + q[2] * q[2])
  return {{g = 1 - far, grad = {-q[1] / far, -q[2] / far}}}
end

lab.claim{
  id = "M-P2-bodies", source = "Maury 2006, Proposition 2, last sentence",
  statement = "the configurations are no longer feasible where the bodies are not spherical, D_ij not being convex; " ..
              "right: where a body is not convex, or turns",
  cases = {{problem = thrown("round_a_square", SQUARE, {-2.5, 1.3}, {2, -0.9}), scheme = "maury", rows = SQUARE},
           {problem = thrown("round_a_triangle", TRIANGLE, {-2, 0.9}, {2, -0.4}), scheme = "maury", rows = TRIANGLE},
           {problem = thrown("in_a_bowl", bowl, {0.3, 0.1}, {0.8, 0.9}), scheme = "maury", bowl = true}},
  controls = {
    {what = "springs of fixed stiffness 1e4", scheme = "penalty:stiffness=1e4"},
    {what = "a bowl taken for a convex body", case = 3, bowl = false, rows = bowl},
    {what = "a square taken for a bowl", bowl = true}},
  check = function(case)
    local least = math.huge
    for _, N in ipairs{7, 30, 110} do
      least = common.least(least, common.run(case, {steps = N}).feasibility.between_min)
    end
    if case.bowl then
      return common.row(case, {what = "min D, where the body is not convex", measured = least, bound = -1e-3})
    end
    local bent = math.huge
    for _ = 1, 3000 do
      local x, way = {3 * math.random() - 1.5, 3 * math.random() - 1.5}, common.direction(2)
      local s = 0.3 * math.random()
      local function D(c) return case.rows(0, common.axpy(x, c, way))[1].g end
      bent = common.least(bent, D(s) + D(-s) - 2 * D(0))
    end
    local overlap = common.row(case, {what = "min D at and between nodes of convex bodies: at least 1e-3 below 0",
                                      measured = least, bound = -1e-3})
    overlap.finding = "distances of convex bodies that do not turn are convex, so that the proof holds of them"
    return {overlap,
            common.row(case, {what = "the same: min D", measured = least, sense = ">=", bound = -common.ROUNDING}),
            common.row(case, {what = "least second difference of D", measured = bent, sense = ">=",
                              bound = -common.ROUNDING})}
  end}
