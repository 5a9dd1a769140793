-- A point slides down a sphere from near its top, |q| >= 1, and leaves it where two thirds of the
-- height are left, as energy and the centrifugal force say: m g z = m |u|^2, |u|^2 = 2 g (z_0 - z).
local lab = require "impactlab"
local tilt = 0.3
local z0 = math.cos(tilt)

local sphere = lab.problem{
  name = "sphere", horizon = 1, q0 = {math.sin(tilt), 0, z0},
  force = function(t, q) return {0, 0, -9.81} end,
  constraints = function(t, q)
    local length = math.sqrt(q[1]^2 + q[2]^2 + q[3]^2)
    return {{g = length - 1, grad = {q[1] / length, q[2] / length, q[3] / length}}}
  end}

local run = lab.run{problem = sphere, scheme = "maury", steps = 4000, trajectory = true}
local contacts = run.trajectory:contacts()
local left = run.trajectory:q(3)[contacts[#contacts].step]
print(("it leaves at z = %.4f of %.4f"):format(left, 2 / 3 * z0))
lab.check(math.abs(left - 2 / 3 * z0) < 0.005, "it leaves at two thirds of the height")

local r = lab.sweep{problem = sphere, schemes = {"maury", "paoli"},
                    steps = lab.levels{from = 64, count = 5, jitter = 4},
                    reference = {"self", steps = 16384, scheme = "maury"}}:run()
for _, scheme in ipairs{"maury", "paoli"} do
  local order = r:order{scheme = scheme, norm = "q_Linf"}
  print(scheme, order)
  lab.check(order.order > 0.5, scheme .. " converges")
end
