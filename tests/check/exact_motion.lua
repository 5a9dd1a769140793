-- says: the exact solution does not solve the inclusion
-- A point that falls with half of its weight.
local lab = require "impactlab"
lab.problem{
  name = "exact_motion", horizon = 1, q0 = {10}, force = function(t, q) return -9.81 end,
  constraints = function(t, q) return {{g = q[1], grad = {1}}} end,
  exact = function(t, side) return 10 - 9.81 * t * t / 4, -9.81 * t / 2 end}
