-- says: this is the gradient of constraint 1
-- Two curved walls; the second has the first one's gradient.
local lab = require "impactlab"
lab.problem{
  name = "other_gradient", horizon = 1, q0 = {0.2, 0.5}, u0 = {1, 1},
  constraints = function(t, q)
    return {{g = q[2] - q[1]^2, grad = {-2 * q[1], 1}},
            {g = 3 - q[1] - 2 * q[2]^2, grad = {-2 * q[1], 1}}}
  end}
