-- says: a wrong index
-- Two discs on a line of four coordinates; the gradient mixes up y_1 and x_2.
local lab = require "impactlab"
lab.problem{
  name = "index", horizon = 1, q0 = {0, 0, 1, 0.5}, u0 = {1, 0, 0, 0},
  constraints = function(t, q)
    local x, y = q[3] - q[1], q[4] - q[2]
    local r = math.sqrt(x * x + y * y)
    return {{g = r - 0.5, grad = {-x / r, x / r, -y / r, y / r}}}
  end}
