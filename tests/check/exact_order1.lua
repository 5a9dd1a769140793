-- says: f - q' is not normal to Q
-- A sweeping process whose solution leaves a wall that holds it by nothing: it should go with f.
local lab = require "impactlab"
lab.problem{
  name = "exact_order1", order = 1, horizon = 1, q0 = {1}, force = function(t, q) return 1 end,
  constraints = function(t, q) return {{g = q[1], grad = {1}}} end,
  exact = function(t, side) return 1 + 2 * t, 2 end}
