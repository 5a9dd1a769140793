-- Three discs in a box whose walls close in: |x_i - x_j| >= 2 r, and |x| <= L(t) - r along both
-- axes, L(t) = 1 - t/5. q = (x_1, y_1, x_2, y_2, x_3, y_3). dt is that of L for walls; the pairs do
-- not depend on t.
local lab = require "impactlab"
local r, n = 0.2, 3

local function pair(q, i, j)
  local x, y = q[2*j-1] - q[2*i-1], q[2*j] - q[2*i]
  local length = math.sqrt(x * x + y * y)
  local grad = {0, 0, 0, 0, 0, 0}
  grad[2*i-1], grad[2*i], grad[2*j-1], grad[2*j] = -x / length, -y / length, x / length, y / length
  return {g = length - 2 * r, grad = grad, dt = 0}
end

local discs = lab.problem{
  name = "discs", horizon = 1.5,
  q0 = {-0.5, 0.05, 0.05, 0, 0.5, -0.6}, u0 = {1, 0, 0, -0.2, 0, 0.5},
  constraints = function(t, q)
    local rows = {pair(q, 1, 2), pair(q, 1, 3), pair(q, 2, 3)}
    for k = 1, 2 * n do
      for _, side in ipairs{-1, 1} do
        local grad = {0, 0, 0, 0, 0, 0}
        grad[k] = -side
        rows[#rows + 1] = {g = 1 - t / 5 - r - side * q[k], grad = grad, dt = -1 / 5}
      end
    end
    return rows
  end}

local found = lab.sweep{problem = discs, scheme = "maury",
                        steps = lab.levels{from = 64, count = 5, jitter = 4},
                        reference = {"self", steps = 8192}}:run()
local order = found:order{norm = "q_Linf"}
print(order)
lab.check(order.order > 0.5, "it converges")
