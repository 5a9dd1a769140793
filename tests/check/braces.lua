-- says: a table with the key 'g
local lab = require "impactlab"
lab.problem{
  name = "braces", horizon = 1, q0 = {1}, force = function(t, q) return {-9.81} end,
  constraints = function(t, q) return {g = q[1]} end}
