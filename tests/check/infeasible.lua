-- says: the start is not feasible
local lab = require "impactlab"
lab.problem{
  name = "infeasible", horizon = 1, q0 = {-0.1}, force = function(t, q) return -1 end,
  constraints = function(t, q) return {{g = q[1], grad = {1}}} end}
