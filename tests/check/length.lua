-- says: as an array of
local lab = require "impactlab"
lab.problem{
  name = "length", horizon = 1, q0 = {1, 1},
  constraints = function(t, q) return {{g = q[1], grad = {1}}} end}
