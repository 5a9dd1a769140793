-- says: gave f[1] as nan
-- The root of a number that becomes negative at t = 0.7.
local lab = require "impactlab"
lab.problem{
  name = "nan", horizon = 1, q0 = {1}, force = function(t, q) return -math.sqrt(0.7 - t) end,
  constraints = function(t, q) return {{g = q[1], grad = {1}}} end}
