-- says: force_mean is not the mean of force
-- The mean of sin t, without the length of the interval.
local lab = require "impactlab"
lab.problem{
  name = "force_mean", horizon = 1, q0 = {1}, force = function(t, q) return math.sin(t) end,
  force_mean = function(t0, t1, q) return math.cos(t0) - math.cos(t1) end,
  constraints = function(t, q) return {{g = q[1], grad = {1}}} end}
