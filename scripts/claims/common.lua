-- What the claim files share: problems, vectors, sampled boundary points, sampled constants,
-- convergence over levels. Returns one table; the other files receive it as their argument.
local lab = require "impactlab"
local common = {}

-- A thousand roundings of a number of size four: what exact projections may leave in gaps, sums of
-- momenta and energies of problems whose coordinates and velocities are of size one.
common.ROUNDING = 1e-12

-- Gaps below this count as contact: above what projections leave (ROUNDING), below every gap that a
-- sampled configuration has by chance.
common.CONTACT = 1e-9

-- Curvatures by differences over a ten-thousandth of the scale, and radii from points a hundredth of
-- it away, are right to this much.
common.CURVED = 1e-2

-- What is left of a reaction outside the cone of its contacts: gradients of the node and of the last
-- round of the projection onto the true set differ by its tolerance, over the step.
common.NORMAL = 1e-9

-- ---- problems ------------------------------------------------------------------------------------

local function disc_rows(q, N, radius)
  local rows = {}
  for i = 1, N do
    for j = i + 1, N do
      local x, y = q[2 * j - 1] - q[2 * i - 1], q[2 * j] - q[2 * i]
      local distance = math.sqrt(x * x + y * y)
      local grad = {}
      for k = 1, 2 * N do grad[k] = 0 end
      grad[2 * i - 1], grad[2 * i] = -x / distance, -y / distance
      grad[2 * j - 1], grad[2 * j] = x / distance, y / distance
      rows[#rows + 1] = {g = distance - 2 * radius, grad = grad}
    end
  end
  return rows
end

-- Seven equal discs, one in the middle of six; `spacing` 1 makes all neighbours touch.
local function flower(spacing)
  local q = {0, 0}
  for k = 1, 6 do
    q[2 * k + 1] = spacing * math.cos(k * math.pi / 3)
    q[2 * k + 2] = spacing * math.sin(k * math.pi / 3)
  end
  return q
end
common.flower = flower
common.disc_rows = disc_rows

-- Discs that all fly towards a point near the middle, at slightly different speeds.
local function inward(q)
  local u = {}
  for k = 1, #q do u[k] = -(1 + 0.05 * k) * (q[k] - 0.1) end
  return u
end

local flower_problem = lab.problem{
  name = "seven_discs", horizon = 1, q0 = flower(1.3), u0 = inward(flower(1.3)),
  constraints = function(_, q) return disc_rows(q, 7, 0.5) end}

-- Order 1. A point carried by the drift (1, 0) against the unit disc: straight to the circle, along it
-- with theta' = -sin theta, so tan(theta/2) decays exponentially, straight again from the top.
local x0, y0 = -2, 0.3
local theta1 = math.pi - math.asin(y0)
local t1 = math.cos(theta1) - x0
local t2 = t1 + math.log(math.tan(theta1 / 2))
local round_disc = lab.problem{
  name = "round_a_disc", order = 1, horizon = 4, q0 = {x0, y0},
  force = function() return {1, 0} end,
  constraints = function(_, q)
    local r = math.sqrt(q[1] * q[1] + q[2] * q[2])
    return {{g = r - 1, grad = {q[1] / r, q[2] / r}}}
  end,
  exact = function(t, side)
    if t < t1 or t == t1 and side < 0 then return {x0 + t, y0}, {1, 0} end
    if t < t2 or t == t2 and side < 0 then
      local theta = 2 * math.atan(math.tan(theta1 / 2) * math.exp(t1 - t))
      local s, c = math.sin(theta), math.cos(theta)
      return {c, s}, {s * s, -s * c}
    end
    return {t - t2, 1}, {1, 0}
  end,
  exact_breaks = {t1, t2}}

-- Order 1. Five discs drawn to one point: they meet and pack round it.
local crowd_start = {-2, 0.1, -1, 1.5, 0.2, 2.2, 1.6, 0.9, 0.3, -1.8}
local crowd = lab.problem{
  name = "five_discs_drawn", order = 1, horizon = 3, q0 = crowd_start,
  force = function(_, q)
    local f = {}
    for k = 1, #q, 2 do
      local x, y = -q[k], -q[k + 1]
      local size = math.sqrt(x * x + y * y + 0.01)
      f[k], f[k + 1] = x / size, y / size
    end
    return f
  end,
  constraints = function(_, q) return disc_rows(q, 5, 0.4) end}

-- Order 1. A point at rest that a growing disc overtakes: g = |q| - (1 + t/2), q(t) = (1 + t/2) q/|q|
-- from the meeting on.
local growing_disc = lab.problem{
  name = "growing_disc", order = 1, horizon = 2, q0 = {0.9, 1.2}, force = function() return {0, 0} end,
  constraints = function(t, q)
    local r = math.sqrt(q[1] * q[1] + q[2] * q[2])
    return {{g = r - (1 + t / 2), grad = {q[1] / r, q[2] / r}, dt = -0.5}}
  end,
  exact = function(t, side)
    if t < 1 or t == 1 and side < 0 then return {0.9, 1.2}, {0, 0} end
    return {0.6 * (1 + t / 2), 0.8 * (1 + t / 2)}, {0.3, 0.4}
  end,
  exact_breaks = {1}}

-- A wedge whose faces open at an obtuse angle (135 degrees): both inward normals lean the same way.
local s8, c8 = math.sin(math.pi / 8), math.cos(math.pi / 8)
local wedge = lab.problem{
  name = "obtuse_wedge", horizon = 1, q0 = {0.3, 1}, u0 = {-0.6, -2},
  constraints = function(_, q)
    return {{g = s8 * q[1] + c8 * q[2], grad = {s8, c8}},
            {g = -s8 * q[1] + c8 * q[2], grad = {-s8, c8}}}
  end}

-- A ball that a floor shakes: the floor rises and falls faster than the ball can follow.
local shaken = lab.problem{
  name = "shaken_floor", horizon = 4, q0 = {0.5}, u0 = {0}, force = function() return {-1} end,
  constraints = function(t, q)
    return {{g = q[1] - 0.3 * math.sin(3 * t), grad = {1}, dt = -0.9 * math.cos(3 * t)}}
  end}

-- Starts on the boundary with a velocity that leads out.
local at_corner = lab.problem{
  name = "at_corner", horizon = 1, q0 = {0, 0}, u0 = {0.2, -1},
  constraints = function(_, q)
    return {{g = q[1] + q[2], grad = {1, 1}}, {g = q[2] - q[1] + 0.25 * q[1] * q[1],
             grad = {0.5 * q[1] - 1, 1}}}
  end}

-- The walls of vibroimpact from the left valley to the right one, with the corner between them.
local function above_walls(t) return {6 * math.random() - 1, -t} end

-- scale: the length over which the set bends or bodies move; centre: where it is sampled, the start
-- where there is none.
common.problems = {
  nonuniqueness = {spec = "nonuniqueness", scale = 1},
  sticky = {spec = {"sticky", N = 8, seed = 3}, scale = 0.2},
  free = {spec = {"two_spheres", scenario = "free"}, scale = 0.5},
  pressed = {spec = {"two_spheres", scenario = "pressed"}, scale = 0.5},
  growing = {spec = {"growing_radii", N = 3}, scale = 0.5},
  slide = {spec = {"vibroimpact", scenario = "slide"}, scale = 1, centre = above_walls},
  corner = {spec = {"vibroimpact", scenario = "corner"}, scale = 1, centre = above_walls},
  graze = {spec = {"vibroimpact", scenario = "graze"}, scale = 1, centre = above_walls},
  ball = {spec = "bouncing_ball", scale = 1},
  sticky30 = {spec = "sticky", scale = 0.05},
  cradle = {spec = "cradle", scale = 0.2},
  impact = {spec = {"impact", N = 16}, scale = 0.015},
  pile = {spec = {"pile", N = 9, space = 2, T = 1}, scale = 0.5},
  flower = {spec = flower_problem, scale = 0.5},
  round_disc = {spec = round_disc, scale = 1},
  crowd = {spec = crowd, scale = 0.4},
  growing_disc = {spec = growing_disc, scale = 1},
  wedge = {spec = wedge, scale = 1},
  shaken = {spec = shaken, scale = 1},
  sticky3 = {spec = {"sticky", N = 3, u0 = {0.7, -0.2, -0.5}}, scale = 0.5},
  on_floor = {spec = {"bouncing_ball", q0 = 0, u0 = -1}, scale = 1},
  touching = {spec = {"two_spheres", scenario = "free", q0 = {0, 0, 0, 0.9, 0, 0}}, scale = 0.5},
  on_wall = {spec = {"vibroimpact", q0 = {-1, 0.25}, u0 = {0.5, -2}}, scale = 2},
  at_corner = {spec = at_corner, scale = 1}}

-- The cases of every problem among keys with every scheme.
function common.cases(keys, schemes)
  local cases = {}
  for _, key in ipairs(keys) do
    for _, scheme in ipairs(schemes or {false}) do
      cases[#cases + 1] = {key = key, problem = common.problems[key], scheme = scheme or nil}
    end
  end
  return cases
end

-- ---- vectors -------------------------------------------------------------------------------------

function common.dot(a, b)
  local sum = 0
  for k = 1, #a do sum = sum + a[k] * b[k] end
  return sum
end

function common.norm(a) return math.sqrt(common.dot(a, a)) end

-- a + c b
function common.axpy(a, c, b)
  local x = {}
  for k = 1, #a do x[k] = a[k] + c * b[k] end
  return x
end

function common.distance(a, b) return common.norm(common.axpy(a, -1, b)) end

-- A random vector of length one.
function common.direction(d)
  local x = {}
  for k = 1, d do
    x[k] = math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
  end
  local size = common.norm(x)
  for k = 1, d do x[k] = x[k] / size end
  return x
end

-- math.max loses a NaN that comes second; this keeps it.
function common.worst(a, b) return (a ~= a or b ~= b) and 0 / 0 or math.max(a, b) end
function common.least(a, b) return (a ~= a or b ~= b) and 0 / 0 or math.min(a, b) end

-- ---- rows and runs -------------------------------------------------------------------------------

-- The set of a case, made once a worker.
local sets = {}
function common.set(case)
  local key = case.problem
  if sets[key] == nil then
    local Q = lab.set{problem = case.problem.spec}
    sets[key] = {Q = Q, info = Q:info()}
  end
  return sets[key].Q, sets[key].info
end

-- A row of a case: what was measured against its bound.
function common.row(case, row)
  local _, info = common.set(case)
  row.problem = row.problem or info.label
  row.scheme = row.scheme or case.scheme
  return row
end

-- A run of a case. A run that ends badly ends the check: there is nothing to measure.
function common.run(case, args)
  args.problem, args.scheme = case.problem.spec, case.scheme
  local run = lab.run(args)
  if run.status ~= "ok" then
    error(("%s by %s: %s: %s"):format(run.problem, run.scheme, run.status, run.message), 0)
  end
  return run
end

-- The nodes of a run: arrays t, q[n], u[n] (vectors), h, contacts by step.
function common.nodes(run)
  local trajectory = run.trajectory
  local nodes = {t = trajectory:t(), q = {}, u = {}, contacts = {}, h = run.h}
  for n = 1, #nodes.t do nodes.q[n], nodes.u[n], nodes.contacts[n] = {}, {}, {} end
  for k = 1, trajectory:dimension() do
    local q, u = trajectory:q(k), trajectory:u(k)
    for n = 1, #nodes.t do nodes.q[n][k], nodes.u[n][k] = q[n], u[n] end
  end
  for _, contact in ipairs(trajectory:contacts()) do
    local list = nodes.contacts[contact.step + 1]
    list[#list + 1] = contact
  end
  return nodes
end

-- ---- convergence ---------------------------------------------------------------------------------

-- Step counts of `count` levels, each twice as fine as the one before; inside a level they differ, so
-- that the place of an impact within its step does.
function common.levels(from, count)
  local levels = {}
  for k = 0, count - 1 do
    levels[k + 1] = {}
    for j, factor in ipairs{1, 1.13, 1.31, 1.57, 1.83} do
      levels[k + 1][j] = math.floor(from * 2 ^ k * factor + 0.5)
    end
  end
  return levels
end

-- The largest value of measure(N) in every level.
function common.maxima(levels, measure)
  local maxima = {}
  for k, counts in ipairs(levels) do
    local most = -math.huge
    for _, N in ipairs(counts) do most = common.worst(most, measure(N)) end
    maxima[k] = most
  end
  return maxima
end

-- By what factor errors fell from the first level to the last; 0 where they are rounding.
function common.fall(maxima)
  local last = maxima[#maxima]
  return last <= common.ROUNDING and 0 or last / maxima[1]
end

-- Theorems without a rate promise only that errors vanish. Over four doublings of N (16 times) they
-- must fall to less than a third: any power h^p with p > 0.4 does, a limit that is missed does not.
common.LEVELS = 5
common.FALL = 1 / 3

function common.list(numbers, format)
  local texts = {}
  for k, x in ipairs(numbers) do texts[k] = (format or "%.2e"):format(x) end
  return table.concat(texts, " ")
end

-- A row that says whether an error vanishes with h.
function common.vanishes(case, what, maxima)
  return common.row(case, {
    what = what .. ", finest over coarsest level", measured = common.fall(maxima),
    bound = common.FALL, evidence = "levels: " .. common.list(maxima)})
end

-- Errors of runs against the nearest known solution, in several norms; one row a norm.
function common.converges(case, norms, from)
  local levels = common.levels(from or 32, common.LEVELS)
  local runs, rows = {}, {}
  for _, counts in ipairs(levels) do
    for _, N in ipairs(counts) do runs[N] = common.run(case, {steps = N}) end
  end
  for _, norm in ipairs(norms) do
    local maxima = common.maxima(levels, function(N) return runs[N].error[norm] or 0 / 0 end)
    rows[#rows + 1] = common.vanishes(case, norm, maxima)
  end
  return rows
end

-- ---- the boundary --------------------------------------------------------------------------------

-- Points of the boundary of Q(t): from the start, or a centre of the problem's own, a few random constraints are violated on purpose by up
-- to `depth`, and the point is projected back. Few subsets leave one contact, large ones many.
function common.boundary(case, t, count)
  local Q, info = common.set(case)
  local scale = case.problem.scale
  local points = {}
  for _ = 1, 10 * count do
    if #points == count then break end
    local centre = case.problem.centre and case.problem.centre(t) or info.q0
    local target = common.axpy(centre, 0.5 * scale * math.random(), common.direction(#centre))
    local rows = Q:rows(t, target)
    for _ = 1, math.random(1, math.min(4, #rows)) do
      local row = rows[math.random(#rows)]
      local size2 = common.dot(row.grad, row.grad)
      local step = -(math.max(row.g, 0) + 0.3 * scale * math.random()) / size2
      target = common.axpy(target, step, row.grad)
    end
    local q = Q:gap(t, target) < 0 and Q:project(t, target)
    if q and math.abs(Q:gap(t, q)) <= common.CONTACT then points[#points + 1] = q end
  end
  return points
end

-- The constants of the hypotheses, sampled over times and boundary points and pairs of points near
-- them. Sampling can only underestimate what is a supremum and overestimate an infimum.
function common.constants(case, count)
  local Q, info = common.set(case)
  local scale, T = case.problem.scale, info.horizon
  local c = {alpha = math.huge, beta = 0, rate = 0, M = 0, Mt = 0, Mtt = 0, hypo = -math.huge,
             convex = math.huge, slope = math.huge, inverse = math.huge, angle = -math.huge,
             points = 0, contacts = 0, rho = 0.02 * scale}
  local function compare(row, other, step, by)
    local difference = common.axpy(other.grad, -1, row.grad)
    local far = common.norm(by)
    c.M = common.worst(c.M, common.norm(difference) / far)
    c.hypo = common.worst(c.hypo, common.dot(difference, by) / (far * far))
    c.convex = common.least(c.convex, (other.g - row.g - common.dot(row.grad, by)) / (far * far))
  end
  for _, part in ipairs{0, 0.3, 0.6, 1} do
    local t = part * T
    for _, q in ipairs(common.boundary(case, t, count)) do
      local by = common.axpy({table.unpack(q)}, -1, q)
      by = common.axpy(by, scale * (0.01 + 0.2 * math.random()), common.direction(#q))
      local dt = T * 1e-3 * (t < T and 1 or -1)
      local here, there = Q:rows(t, q), Q:rows(t, common.axpy(q, 1, by))
      local later = Q:rows(t + dt, q)
      for i, row in ipairs(here) do
        local size = common.norm(row.grad)
        c.alpha, c.beta = common.least(c.alpha, size), common.worst(c.beta, size)
        c.rate = common.worst(c.rate, math.abs(row.dt))
        compare(row, there[i], 1, by)
        c.Mt = common.worst(c.Mt, common.distance(row.grad, later[i].grad) / math.abs(dt))
        c.Mtt = common.worst(c.Mtt, math.abs(later[i].dt - row.dt) / math.abs(dt))
      end
      local near = Q:independence(t, q, c.rho)
      local active = Q:independence(t, q, common.CONTACT)
      c.slope, c.inverse = common.least(c.slope, near.slope), common.least(c.inverse, near.inverse)
      c.angle = common.worst(c.angle, active.angle)
      c.contacts = math.max(c.contacts, active.rows)
      c.points = c.points + 1
    end
  end
  return c
end

-- ---- hypotheses ----------------------------------------------------------------------------------

common.POINTS = 12 -- boundary points a time

-- Sampled constants of the case's problem, once a worker.
local known = {}
function common.known(case)
  local key = case.problem
  known[key] = known[key] or common.constants(case, common.POINTS)
  return known[key]
end

-- A second difference of numbers of size one over steps of a hundredth: rounding stays below this.
local BENT = 1e-9

local hypotheses = {
  fixed = function(c)
    if c.rate > 0 then return ("the constraints move: |d_t g| reaches %.3g"):format(c.rate) end
  end,
  convex = function(c)
    if not (c.convex >= -BENT) then
      return ("some g_i is not convex in q: its second difference reaches %.3g"):format(c.convex)
    end
  end,
  independent = function(c)
    if not (c.slope > BENT) then
      return ("no direction raises all constraints that are nearly active (delta = %.2g)"):format(c.slope)
    end
  end,
  acute = function(c)
    if c.angle > BENT then
      return ("active gradients lean the same way (cosine %.3g): A4 fails"):format(c.angle)
    end
  end,
  inelastic = function(_, info)
    if info.restitution > 0 then return "the impacts are elastic" end
  end,
  first = function(_, info) if info.order ~= 1 then return "order 2" end end}

-- Why the hypotheses of that name fail on the case's problem, or nil.
function common.fails(case, names)
  local _, info = common.set(case)
  local c = common.known(case)
  for _, name in ipairs(names) do
    local reason = hypotheses[name](c, info)
    if reason then return reason end
  end
end

-- ---- multipliers ---------------------------------------------------------------------------------

-- M (u_n - u_{n-1}) - h f at the step that ends at node n. Force means of these problems are values.
local function reaction(case, nodes, n)
  local Q, info = common.set(case)
  local f = Q:force(nodes.t[n - 1], nodes.q[n - 1])
  local w = {}
  for k = 1, #f do
    local change = info.order == 1 and nodes.u[n][k] * nodes.h or
                   info.masses[k] * (nodes.u[n][k] - nodes.u[n - 1][k])
    w[k] = change - nodes.h * f[k]
  end
  return w
end
common.reaction = reaction

-- |M (u_n - u_{n-1})| + h |f|
local function variation(case, nodes, n)
  local Q, info = common.set(case)
  local change = common.axpy(nodes.u[n], -1, nodes.u[n - 1])
  for k = 1, #change do change[k] = info.masses[k] * change[k] end
  return common.norm(change) + nodes.h * common.norm(Q:force(nodes.t[n - 1], nodes.q[n - 1]))
end

-- Over the steps with contact of a run: the least delta of the constraints that push (with all that
-- are as near), the largest h sum lambda over |M du - h f|/delta, the largest gamma, and the totals of
-- h lambda and |M du| + h |f|. Gradients are those that the scheme uses: at (t_n, q_{n-1}) where it
-- linearises, at (t_n, q_n) where it projects onto the true set.
function common.multipliers(case, N)
  local Q = common.set(case)
  local nodes = common.nodes(common.run(case, {steps = N, trajectory = true}))
  local back = case.scheme == "paoli" and 0 or 1
  local found = {slope = math.huge, ratio = 0, steps = 0, gamma = 1, impulse = 0, cause = 0,
                 alpha = math.huge, nodes = nodes}
  for n = 2, #nodes.t do
    local sum, reach = 0, 0
    local q = nodes.q[n - back]
    if #nodes.contacts[n] > 0 then
      local rows = {}
      for _, row in ipairs(Q:rows(nodes.t[n], q)) do rows[row.id] = row end
      for _, contact in ipairs(nodes.contacts[n]) do
        local row = rows[contact.id]
        sum, reach = sum + contact.impulse, math.max(reach, row.g)
        found.alpha = common.least(found.alpha, common.norm(row.grad))
      end
      local near = Q:independence(nodes.t[n], q, reach + common.CONTACT)
      local size = common.norm(reaction(case, nodes, n))
      found.steps = found.steps + 1
      found.slope = common.least(found.slope, near.slope)
      found.gamma = common.worst(found.gamma, 1 / near.inverse)
      found.ratio = common.worst(found.ratio, sum * near.slope / (size + common.ROUNDING))
      found.impulse = found.impulse + sum
    end
    found.cause = found.cause + variation(case, nodes, n)
  end
  return found
end

-- Integrals of test functions against the contact measure, between levels: weak-* convergence as far
-- as finitely many functions can see.
local function moments(case, N)
  local _, info = common.set(case)
  local T = info.horizon
  local run = common.run(case, {steps = N, trajectory = true})
  local x = {0, 0, 0, 0}
  for _, contact in ipairs(run.trajectory:contacts()) do
    local t = contact.step * run.h / T
    x[1], x[2] = x[1] + contact.impulse, x[2] + contact.impulse * t
    x[3] = x[3] + contact.impulse * t * t
    x[4] = x[4] + contact.impulse * math.cos(3 * t)
  end
  return x
end

function common.multipliers_settle(case)
  local finest = moments(case, 20011)
  local maxima = common.maxima(common.levels(32, common.LEVELS), function(N)
    return common.distance(moments(case, N), finest)
  end)
  return common.vanishes(case, "int phi d(lambda_h - lambda_fine), phi = 1, t, t^2, cos 3t", maxima)
end

-- ---- the impact law ------------------------------------------------------------------------------

-- The impacts of the exact solution: t, q, u-, u+.
local function impacts(case)
  local exact = lab.exact{problem = case.problem.spec, points = 1}
  local list = {}
  local function at(curves, n)
    local x = {}
    for k = 1, #curves do x[k] = curves[k][n] end
    return x
  end
  for n = 2, exact and #exact.t or 0 do
    local before, after = at(exact.u, n - 1), at(exact.u, n)
    if exact.t[n] == exact.t[n - 1] and common.distance(before, after) > common.CONTACT then
      list[#list + 1] = {t = exact.t[n], q = at(exact.q, n), before = before, after = after}
    end
  end
  return list
end

-- u_h at t.
local function velocity_at(nodes, t)
  for n = 2, #nodes.t do
    if nodes.t[n] >= t then return nodes.u[n] end
  end
  return nodes.u[#nodes.u]
end

-- |u_h(t* + delta) - P_C u_h(t* - delta)| at the exact impacts t*, delta = sqrt(h T)/4: many steps,
-- and yet vanishing.
function common.impact_law(case)
  local reason = common.fails(case, {"inelastic"})
  local list = impacts(case)
  if not reason and #list == 0 then reason = "no exact solution with an impact is known" end
  if reason then return common.row(case, {not_applicable = reason}) end
  local Q, info = common.set(case)
  local maxima = common.maxima(common.levels(64, common.LEVELS + 1), function(N)
    local nodes = common.nodes(common.run(case, {steps = N, trajectory = true}))
    local delta, worst = 0.25 * math.sqrt(nodes.h * info.horizon), 0
    for _, impact in ipairs(list) do
      local before, after = velocity_at(nodes, impact.t - delta), velocity_at(nodes, impact.t + delta)
      local projected = Q:velocity(impact.t, impact.q, before, common.CONTACT)
      worst = common.worst(worst, common.distance(after, projected))
    end
    return worst
  end)
  return common.vanishes(case, ("|u_h(t+) - P_C u_h(t-)| at %d impacts"):format(#list), maxima)
end

-- ---- bounded in h --------------------------------------------------------------------------------

-- 16 times finer, a bounded quantity grows by less than a quarter: h^(-p) with p > 0.08 does not.
common.FLAT = 1.25

-- What grows ever more slowly may still be bounded: the second quadrupling adds less than this of
-- what the first did. (A logarithm adds as much again, a power of 1/h more.)
local SLOWS = 0.8

-- sup |u_h|, or the total variation, at fine steps over that at steps 16 times as large.
function common.bounded(case, field)
  local levels = common.levels(96, common.LEVELS)
  local maxima = common.maxima({levels[1], levels[3], levels[5]}, function(N)
    if field == "variation" then return common.run(case, {steps = N}).total_variation end
    local most = 0
    local nodes = common.nodes(common.run(case, {steps = N, trajectory = true, record = "final"}))
    for n = 1, #nodes.t do most = common.worst(most, common.norm(nodes.u[n])) end
    return most
  end)
  local row = common.row(case, {
    what = (field == "variation" and "Var u_h" or "sup |u_h|") .. ", 16 times finer over coarse",
    measured = maxima[3] / maxima[1], bound = common.FLAT, evidence = common.list(maxima, "%.4g")})
  if row.measured > common.FLAT and maxima[3] - maxima[2] <= SLOWS * (maxima[2] - maxima[1]) then
    row.inconclusive = "it still grows, ever more slowly: the steps do not yet resolve the contacts"
  end
  return row
end

-- Contact acts where there is contact: the part of the impulse on constraints with g > c h, with
-- c = sup (|grad g| |u_h|) for linearised steps, where g(t_n, q_{n-1}) = -h <grad g, u_n>.
function common.carried(case, N)
  local Q = common.set(case)
  local nodes = common.nodes(common.run(case, {steps = N, trajectory = true}))
  local back = case.scheme == "paoli" and 0 or 1
  local astray, total = 0, 0
  for n = 2, #nodes.t do
    local rows = {}
    for _, row in ipairs(#nodes.contacts[n] > 0 and Q:rows(nodes.t[n], nodes.q[n - back]) or {}) do
      rows[row.id] = row
    end
    for _, contact in ipairs(nodes.contacts[n]) do
      local row = rows[contact.id]
      local reach = nodes.h * common.norm(row.grad) * common.norm(nodes.u[n]) + common.CONTACT
      total = total + contact.impulse
      if not (row.g <= reach) then astray = astray + contact.impulse end
    end
  end
  return astray, total
end

-- ---- the shape of Q(t) ---------------------------------------------------------------------------

-- The norm of the Hessian of constraint id at (t,q) and its Rayleigh quotient there, by power
-- iteration on differences of gradients over a ten-thousandth of the scale.
local function curvature(case, t, q, row)
  local Q = common.set(case)
  local step = 1e-4 * case.problem.scale
  local v, size, quotient = common.direction(#q), 0, 0
  for _ = 1, 12 do
    local other
    for _, there in ipairs(Q:rows(t, common.axpy(q, step, v))) do
      if there.id == row.id then other = there end
    end
    local w = common.axpy(other.grad, -1, row.grad)
    for k = 1, #w do w[k] = w[k] / step end
    size, quotient = common.norm(w), common.dot(v, w)
    if size <= 1e-7 then return 0, 0 end -- rounding over the step: an affine constraint
    for k = 1, #w do v[k] = w[k] / size end
  end
  return size, quotient
end

local function active_rows(Q, t, q)
  return Q:rows(t, q, common.CONTACT)
end

-- The largest ball that touches Q(t) at x from outside along the normal v, as far as the points y
-- of Q(t) tell: |y - x|^2 / (2 <v, y - x>).
local function rolling(x, v, y)
  local w = common.axpy(y, -1, x)
  local into = common.dot(v, w)
  local far2 = common.dot(w, w)
  -- nearer than this, <v, y - x> is the rounding of a projection
  return into > 1e-10 and far2 / (2 * into) or math.huge
end

-- A random normal of Q(t) at x, of length one, pointing out of Q.
local function outward(rows)
  local v
  local one = math.random(#rows)
  for i, row in ipairs(rows) do
    local weight = (i == one and 1 or 0) + (#rows > 1 and math.random() or 0)
    v = v and common.axpy(v, -weight, row.grad) or common.axpy(row.grad, -1 - weight, row.grad)
  end
  local size = common.norm(v)
  for k = 1, #v do v[k] = v[k] / size end
  return v
end

-- At sampled boundary points: each {radius = estimate, M =, hypo =, alpha =, gamma =, slope =}.
function common.rolls(case, t, count)
  local Q = common.set(case)
  local scale = case.problem.scale
  local points = common.boundary(case, t, count)
  local list = {}
  for _, x in ipairs(points) do
    local rows = active_rows(Q, t, x)
    local found = {radius = math.huge, M = 0, hypo = 0, alpha = math.huge}
    for _, row in ipairs(rows) do
      local M, quotient = curvature(case, t, x, row)
      found.M, found.hypo = common.worst(found.M, M), common.worst(found.hypo, quotient)
      found.alpha = common.least(found.alpha, common.norm(row.grad))
    end
    local near = Q:independence(t, x, common.CONTACT)
    found.gamma, found.slope = 1 / near.inverse, near.slope
    for _, far in ipairs{0.01, 0.05, 0.3, 1, 3} do
      for _ = 1, 4 do
        local target = common.axpy(x, far * scale, common.direction(#x))
        local y = Q:gap(t, target) >= 0 and target or Q:project(t, target, x)
        local v = outward(rows)
        if y and Q:gap(t, y) >= -common.ROUNDING then
          found.radius = common.least(found.radius, rolling(x, v, y))
        end
      end
    end
    for _, y in ipairs(points) do
      found.radius = common.least(found.radius, rolling(x, outward(rows), y))
    end
    list[#list + 1] = found
  end
  return list
end

-- Sampled: sup of d(x, Q(s))/|t - s| over boundary points x of Q(t).
function common.hausdorff(case, count)
  local Q, info = common.set(case)
  local T, worst, points = info.horizon, 0, 0
  for _, part in ipairs{0, 0.2, 0.4, 0.6, 0.8, 1} do
    local t = part * T
    for _, x in ipairs(common.boundary(case, t, count)) do
      for _, shift in ipairs{-0.01, 0.01} do
        local s = math.min(math.max(t + shift * T, 0), T)
        local y = s ~= t and (Q:gap(s, x) >= 0 and x or Q:project(s, x))
        if y then
          worst = common.worst(worst, common.distance(x, y) / math.abs(s - t))
          points = points + 1
        end
      end
    end
  end
  return worst, points
end

return common
