-- The problems that claims are checked on: members of the program, and some written here.
local common = ...
local lab = require "impactlab"

-- The constraints of discs with these radii: no two overlap.
local function disc_row(q, radii, i, j)
  local x, y = q[2 * j - 1] - q[2 * i - 1], q[2 * j] - q[2 * i]
  local distance = math.sqrt(x * x + y * y)
  local grad = {}
  for k = 1, #q do grad[k] = 0 end
  grad[2 * i - 1], grad[2 * i] = -x / distance, -y / distance
  grad[2 * j - 1], grad[2 * j] = x / distance, y / distance
  return {g = distance - radii[i] - radii[j], grad = grad, dt = 0}
end

local function disc_rows(q, radii)
  local rows, N = {}, #radii
  for i = 1, N do
    for j = i + 1, N do rows[#rows + 1] = disc_row(q, radii, i, j) end
  end
  return rows
end

-- x, n times.
local function repeated(n, x)
  local list = {}
  for k = 1, n do list[k] = x end
  return list
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
common.disc_row, common.disc_rows, common.repeated = disc_row, disc_rows, repeated

-- Discs that all fly towards a point near the middle, at slightly different speeds.
local function inward(q)
  local u = {}
  for k = 1, #q do u[k] = -(1 + 0.05 * k) * (q[k] - 0.1) end
  return u
end

local flower_problem = lab.problem{
  name = "seven_discs", horizon = 1, q0 = flower(1.3), u0 = inward(flower(1.3)),
  constraints = function(_, q) return disc_rows(q, repeated(7, 0.5)) end}

-- Order 1. A point carried by the drift (1, 0) against the unit disc: straight to the circle, along
-- it with theta' = -sin theta, so tan(theta/2) decays exponentially, straight again from the top.
local x0, y0 = -2, 0.3
local theta1 = math.pi - math.asin(y0)
local t1 = math.cos(theta1) - x0
local t2 = t1 + math.log(math.tan(theta1 / 2))
local function round_disc_exact(t, side)
  if t < t1 or t == t1 and side < 0 then return {x0 + t, y0}, {1, 0} end
  if t < t2 or t == t2 and side < 0 then
    local theta = 2 * math.atan(math.tan(theta1 / 2) * math.exp(t1 - t))
    local s, c = math.sin(theta), math.cos(theta)
    return {c, s}, {s * s, -s * c}
  end
  return {t - t2, 1}, {1, 0}
end
local round_disc = lab.problem{
  name = "round_a_disc", order = 1, horizon = 4, q0 = {x0, y0},
  force = function() return {1, 0} end,
  constraints = function(_, q)
    local r = math.sqrt(q[1] * q[1] + q[2] * q[2])
    return {{g = r - 1, grad = {q[1] / r, q[2] / r}}}
  end,
  exact = round_disc_exact,
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
  constraints = function(_, q) return disc_rows(q, repeated(5, 0.4)) end}

-- Order 1. A point at rest that a growing disc overtakes: g = |q| - (1 + t/2), q(t) = (1 + t/2)
-- q/|q| from the meeting on, which no step of an equal division meets.
local met = math.sqrt(0.55)
local start = 1 + met / 2
local function growing_disc_exact(t, side)
  if t < met or t == met and side < 0 then return {0.6 * start, 0.8 * start}, {0, 0} end
  return {0.6 * (1 + t / 2), 0.8 * (1 + t / 2)}, {0.3, 0.4}
end
local growing_disc = lab.problem{
  name = "growing_disc", order = 1, horizon = 2, q0 = {0.6 * start, 0.8 * start},
  force = function() return {0, 0} end,
  constraints = function(t, q)
    local r = math.sqrt(q[1] * q[1] + q[2] * q[2])
    return {{g = r - (1 + t / 2), grad = {q[1] / r, q[2] / r}, dt = -0.5}}
  end,
  exact = growing_disc_exact,
  exact_breaks = {met}}

-- A point on a disc that grows, R = 1 + t/2, drawn down by R: on the circle at (R sin a, R cos a) it slides by R a' = R sin a,
-- tan(a/2) = e^t tan(a_0/2), and stays there while R cos a >= -1/2: neither the set stands still nor is any step exact.
local function swept_exact(t)
  local a = 2 * math.atan(math.exp(t) * math.tan(0.2))
  return {(1 + t / 2) * math.sin(a), (1 + t / 2) * math.cos(a)},
    {math.sin(a) / 2 + (1 + t / 2) * math.sin(a) * math.cos(a), math.cos(a) / 2 - (1 + t / 2) * math.sin(a) ^ 2}
end
local swept = lab.problem{
  name = "swept_disc", order = 1, horizon = 1.5, q0 = (swept_exact(0)),
  force = function(t) return {0, -(1 + t / 2)} end,
  constraints = function(t, q)
    local r = math.sqrt(q[1] * q[1] + q[2] * q[2])
    return {{g = r - (1 + t / 2), grad = {q[1] / r, q[2] / r}, dt = -0.5}}
  end,
  exact = swept_exact, exact_breaks = {}}

-- A wedge whose faces open at an obtuse angle (135 degrees): both inward normals lean the same way.
local c8 = math.sqrt(2 + math.sqrt(2)) / 2 -- cos(pi/8)
local function wedge_of(name, c)
  local s = math.sqrt(1 - c * c)
  return lab.problem{
    name = name, horizon = 1, q0 = {0.3, 1}, u0 = {-0.6, -2},
    constraints = function(_, q)
      return {{g = s * q[1] + c * q[2], grad = {s, c}}, {g = -s * q[1] + c * q[2], grad = {-s, c}}}
    end}
end
local wedge, sharper = wedge_of("obtuse_wedge", c8), wedge_of("sharper_wedge", c8 - 0.1)

-- A ball that a floor shakes: the floor rises and falls faster than the ball can follow.
local function shaken_by(name, late)
  return lab.problem{
    name = name, horizon = 4, q0 = {0.5}, u0 = {0}, force = function() return {-1} end,
    constraints = function(t, q)
      return {{g = q[1] - 0.3 * math.sin(3 * (t - late)), grad = {1},
               dt = -0.9 * math.cos(3 * (t - late))}}
    end}
end
local shaken, shaken_late = shaken_by("shaken_floor", 0), shaken_by("late_floor", 0.01)

-- Starts on the boundary with a velocity that leads out.
local at_corner = lab.problem{
  name = "at_corner", horizon = 1, q0 = {0, 0}, u0 = {0.2, -1},
  constraints = function(_, q)
    return {{g = q[1] + q[2], grad = {1, 1}}, {g = q[2] - q[1] + 0.25 * q[1] * q[1],
             grad = {0.5 * q[1] - 1, 1}}}
  end}

-- The walls of vibroimpact from the left valley to the right one, with the corner between them.
local function above_walls(t) return {6 * math.random() - 1, -t} end

-- A floor that rises and falls in a triangle of speed one, its corners rounded over a twentieth of
-- the period P: between the nodes n P/2 it comes P/4 high, as far as anything of speed one can.
local P, round = 0.5, 0.025
local function triangle(t)
  local s = t % P
  if s > P / 2 then s = P - s end -- rises from 0 at 0 to P/2 at P/2, falls, symmetric
  local slope = t % P > P / 2 and -1 or 1
  if s < round then return (s * s + round * round) / (2 * round), slope * s / round end
  local back = P / 2 - s
  if back < round then
    return P / 2 - (back * back + round * round) / (2 * round), slope * back / round
  end
  return s, slope
end
local triangle_floor = lab.problem{
  name = "triangle_floor", horizon = 4, q0 = {round / 2}, u0 = {0}, force = function() return {-200} end,
  constraints = function(t, q)
    local s, ds = triangle(t)
    return {{g = q[1] - s, grad = {1}, dt = -ds}}
  end}

-- A set with a corner that points inwards: it has no ball that rolls outside.
local inward_corner = lab.problem{
  name = "inward_corner", order = 1, horizon = 1, q0 = {0, -1}, force = function() return {0, 0} end,
  constraints = function(_, q)
    return {{g = math.abs(q[1]) - q[2], grad = {q[1] < 0 and -1 or 1, -1}}}
  end}

-- scale: the length over which the set bends or bodies move; centre: where it is sampled, the start
-- where there is none.
-- closed: inverse, 1/nu of (A6), and mu of A2 in closed form. k neighbours in a row have
-- mu = 1/sqrt(k (k + 1) (k + 2)/12), their gradients length sqrt(2). angle: the largest cosine of two
-- active gradients: 0 of pairs of a row that share no body, 1/4 of pairs among three that all touch.
local function row_of(k, angle)
  local mu = 1 / math.sqrt(k * (k + 1) * (k + 2) / 12)
  return {mu = mu, inverse = mu / math.sqrt(2), angle = angle}
end

common.problems = {
  nonuniqueness = {spec = "nonuniqueness", scale = 1, closed = {mu = 1, inverse = 1}},
  sticky = {spec = {"sticky", N = 8, seed = 3}, scale = 0.2, closed = row_of(7, 0)},
  free = {spec = {"two_spheres", scenario = "free"}, scale = 0.5, closed = row_of(1)},
  pressed = {spec = {"two_spheres", scenario = "pressed"}, scale = 0.5, closed = row_of(1)},
  pulled = {spec = {"two_spheres", scenario = "pressed", F = {3, 0, 0, -1, 0, -1}}, scale = 0.5, closed = row_of(1)},
  growing = {spec = {"growing_radii", N = 3}, scale = 0.5, closed = row_of(2, 0.25)},
  slide = {spec = {"vibroimpact", scenario = "slide"}, scale = 1, centre = above_walls},
  corner = {spec = {"vibroimpact", scenario = "corner"}, scale = 1, centre = above_walls,
            closed = {mu = 1, angle = 0}},
  graze = {spec = {"vibroimpact", scenario = "graze"}, scale = 1, centre = above_walls},
  ball = {spec = "bouncing_ball", scale = 1, closed = {mu = 1, inverse = 1}},
  sticky30 = {spec = "sticky", scale = 0.05},
  cradle = {spec = "cradle", scale = 0.2, closed = row_of(4, 0)},
  impact = {spec = {"impact", N = 16}, scale = 0.015},
  fine_impact = {spec = {"impact", N = 200, T = 0.2}, scale = 0.015, counts = {200, 2000}}, -- a step moves 1e-4
  pile = {spec = {"pile", N = 9, space = 2, radius = 0.5, T = 1}, scale = 0.5},
  flower = {spec = flower_problem, scale = 0.5},
  round_disc = {spec = round_disc, exact = round_disc_exact, scale = 1, closed = {mu = 1, inverse = 1}},
  crowd = {spec = crowd, scale = 0.4},
  growing_disc = {spec = growing_disc, exact = growing_disc_exact, scale = 1, closed = {mu = 1, inverse = 1}},
  swept = {spec = swept, exact = swept_exact, scale = 1, closed = {mu = 1, inverse = 1}},
  wedge = {spec = wedge, scale = 1, closed = {mu = c8, inverse = c8, angle = math.sqrt(0.5)}},
  shaken = {spec = shaken, late = shaken_late, scale = 1, closed = {mu = 1, inverse = 1}},
  triangle = {spec = triangle_floor, scale = 1, closed = {mu = 1, inverse = 1}},
  inward = {spec = inward_corner, scale = 0.2,
            centre = function() return {math.random() < 0.5 and 0.3 or -0.3, 0.25} end},
  row30 = {spec = {"cradle", N = 30}, scale = 0.2},
  crystal = {spec = {"crystal", support = "free", rows = 5}, scale = 0.5},
  sharper = {spec = sharper, scale = 1, closed = {mu = c8, inverse = c8, angle = math.sqrt(0.5)}},
  walkers = {spec = {"crowd", N = 6}, scale = 0.25},
  labyrinth = {spec = "labyrinth", scale = 1},
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
