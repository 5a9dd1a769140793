-- says: or q jumps: 0.001 at t = 1
-- Free flight that goes on elsewhere from t = 1, a break that is named.
local lab = require "impactlab"
lab.problem{
  name = "exact_tear", horizon = 2, q0 = {1}, u0 = {1},
  constraints = function(t, q) return {{g = q[1], grad = {1}}} end,
  exact = function(t, side)
    local tear = (t > 1 or t == 1 and side > 0) and 1e-3 or 0
    return 1 + t + tear, 1
  end,
  exact_breaks = {1}}
