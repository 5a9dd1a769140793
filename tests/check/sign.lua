-- says: the sign of the gradient is wrong
-- A ball above a floor that pulls it down.
local lab = require "impactlab"
lab.problem{
  name = "sign", horizon = 2, q0 = {1}, force = function(t, q) return -9.81 end,
  constraints = function(t, q) return {{g = q[1], grad = {-1}}} end}
