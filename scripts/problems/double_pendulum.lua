-- Two weights on strings, one below the other, and a stop for the upper one: strings only pull, so
-- their lengths are constraints, (l^2 - |x|^2)/2 >= 0, and so is the stop, x_1 >= -0.2.
-- q = (x_1, z_1, x_2, z_2).
local lab = require "impactlab"
local mass = {2, 2, 1, 1}

local pendulum = lab.problem{
  name = "double_pendulum", horizon = 1, mass = mass,
  q0 = {math.sin(0.5), -math.cos(0.5), 2 * math.sin(0.5), -2 * math.cos(0.5)},
  force = function(t, q) return {0, -9.81 * mass[2], 0, -9.81 * mass[4]} end,
  constraints = function(t, q)
    local x, z = q[3] - q[1], q[4] - q[2]
    return {{g = (1 - q[1]^2 - q[2]^2) / 2, grad = {-q[1], -q[2], 0, 0}},
            {g = (1 - x^2 - z^2) / 2, grad = {x, z, -x, -z}},
            {g = q[1] + 0.2, grad = {1, 0, 0, 0}}}
  end}

local r = lab.sweep{problem = pendulum, scheme = "maury",
                    steps = lab.levels{from = 64, count = 5, jitter = 4},
                    reference = {"self", steps = 16384}}:run()
local order = r:order{norm = "q_Linf"}
print(order)
lab.check(order.order > 0.5, "it converges")
r:figure{"convergence", norm = "q_Linf"}
