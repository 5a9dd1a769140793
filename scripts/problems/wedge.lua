-- A particle falls into a wedge that rocks about its edge: q stays where both walls
-- <n_i(t), q> >= 0, n_i at a right angle to wall i, and the walls turn with phi(t) = 0.3 sin 2t.
local lab = require "impactlab"
local half = 0.6 -- half of the angle between the walls

local function wall(side, t, q) -- side 1 is on the right, -1 on the left
  local angle = side * half + 0.3 * math.sin(2 * t)
  local turn = 0.6 * math.cos(2 * t)
  local s, c = math.sin(angle), math.cos(angle)
  -- the wall's direction is (s, c); the normal into the wedge is side * (-c, s)
  return {g = side * (s * q[2] - c * q[1]), grad = {-side * c, side * s},
          dt = side * turn * (c * q[2] + s * q[1])}
end

local wedge = lab.problem{
  name = "wedge", horizon = 1.5, q0 = {0.1, 1}, u0 = {0.3, 0},
  force = function(t, q) return {0, -9.81} end,
  constraints = function(t, q) return {wall(1, t, q), wall(-1, t, q)} end}

local r = lab.sweep{problem = wedge, schemes = {"maury", "paoli"},
                    steps = lab.levels{from = 64, count = 5, jitter = 4},
                    reference = {"self", steps = 16384, scheme = "maury"}}:run()
for _, scheme in ipairs{"maury", "paoli"} do
  local order = r:order{scheme = scheme, norm = "q_Linf"}
  print(scheme, order)
  lab.check(order.order > 0.5, scheme .. " converges")
end
r:figure{"convergence", norm = "q_Linf"}
