-- says: dt is forgotten
-- A floor that rises, and a gradient without the rate at which it does.
local lab = require "impactlab"
lab.problem{
  name = "forgotten_dt", horizon = 2, q0 = {0.6, 1}, force = function(t, q) return {0, -9.81} end,
  constraints = function(t, q)
    return {{g = q[2] - q[1]^2 + 0.1 * t, grad = {-2 * q[1], 1}}}
  end}
