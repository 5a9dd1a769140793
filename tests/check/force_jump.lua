-- says: force is discontinuous: it jumps by 3 at t = 0.3,
local lab = require "impactlab"
lab.problem{
  name = "force_jump", horizon = 1, q0 = {1},
  force = function(t, q) return t < 0.3 and -4 or -1 end,
  constraints = function(t, q) return {{g = q[1], grad = {1}}} end}
