-- says: where exact_breaks names no time
-- The right solution, but nobody said that it bends at t = 1.
local lab = require "impactlab"
lab.problem{
  name = "exact_break", horizon = 2, q0 = {1}, u0 = {-1},
  constraints = function(t, q) return {{g = q[1], grad = {1}}} end,
  exact = function(t, side)
    if t < 1 then return 1 - t, -1 end
    return 0, 0
  end}
