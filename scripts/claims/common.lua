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

-- scale: the length over which the set bends or bodies move; times: when it is sampled.
common.problems = {
  nonuniqueness = {spec = "nonuniqueness", scale = 1},
  sticky = {spec = {"sticky", N = 8, seed = 3}, scale = 0.2},
  free = {spec = {"two_spheres", scenario = "free"}, scale = 0.5},
  pressed = {spec = {"two_spheres", scenario = "pressed"}, scale = 0.5},
  growing = {spec = {"growing_radii", N = 3}, scale = 0.5},
  slide = {spec = {"vibroimpact", scenario = "slide"}, scale = 2},
  corner = {spec = {"vibroimpact", scenario = "corner"}, scale = 2},
  graze = {spec = {"vibroimpact", scenario = "graze"}, scale = 2},
  ball = {spec = "bouncing_ball", scale = 1},
  cradle = {spec = "cradle", scale = 0.2},
  impact = {spec = {"impact", N = 16}, scale = 0.015},
  pile = {spec = {"pile", N = 9, space = 2, T = 1}, scale = 0.5},
  flower = {spec = flower_problem, scale = 0.5},
  round_disc = {spec = round_disc, scale = 1},
  crowd = {spec = crowd, scale = 0.4},
  growing_disc = {spec = growing_disc, scale = 1},
  wedge = {spec = wedge, scale = 1}}

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

-- Points of the boundary of Q(t): from centre, a few random constraints are violated on purpose by up
-- to `depth`, and the point is projected back. Few subsets leave one contact, large ones many.
function common.boundary(case, t, count, centre)
  local Q, info = common.set(case)
  local scale = case.problem.scale
  centre = centre or info.q0
  local points = {}
  for _ = 1, 10 * count do
    if #points == count then break end
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

return common
