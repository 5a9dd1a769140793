-- says: dt is forgotten
-- The same with dt = 0.
local lab = require "impactlab"
lab.problem{
  name = "zero_dt", horizon = 2, q0 = {0.6, 1}, force = function(t, q) return {0, -9.81} end,
  constraints = function(t, q)
    return {{g = q[2] - q[1]^2 + 0.1 * t, grad = {-2 * q[1], 1}, dt = 0}}
  end}
