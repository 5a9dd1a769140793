-- says: this entry is wrong by the factor 2
-- The gradient of y - x^2 + t/10 with twice the entry in x.
local lab = require "impactlab"
lab.problem{
  name = "factor", horizon = 2, q0 = {0.6, 1}, force = function(t, q) return {0, -9.81} end,
  constraints = function(t, q)
    return {{g = q[2] - q[1]^2 + 0.1 * t, grad = {-4 * q[1], 1}, dt = 0.1}}
  end}
