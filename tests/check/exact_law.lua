-- says: the exact solution breaks the impact law
-- A point that is thrown at a wall and comes back, where impacts are inelastic.
local lab = require "impactlab"
lab.problem{
  name = "exact_law", horizon = 2, q0 = {1}, u0 = {-1},
  constraints = function(t, q) return {{g = q[1], grad = {1}}} end,
  exact = function(t, side)
    if t < 1 or t == 1 and side < 0 then return 1 - t, -1 end
    return t - 1, 1
  end,
  exact_breaks = {1}}
