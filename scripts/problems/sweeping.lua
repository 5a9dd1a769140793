-- A sweeping process, q' + N(Q(t), q) contains f = (1, -2): it falls on the floor q_2 >= 0 at a/2,
-- goes along it until the wall q_1 <= 2a - t meets it at t = a, and is swept back.
local lab = require "impactlab"
local a = math.sqrt(0.5) -- never a node

local swept = lab.problem{
  name = "swept", order = 1, horizon = 1.3, q0 = {0, a},
  force = function(t, q) return {1, -2} end,
  constraints = function(t, q)
    return {{g = q[2], grad = {0, 1}}, {g = 2 * a - t - q[1], grad = {-1, 0}, dt = -1}}
  end,
  exact = function(t, side)
    if t < a / 2 or t == a / 2 and side < 0 then return {t, a - 2 * t}, {1, -2} end
    if t < a or t == a and side < 0 then return {t, 0}, {1, 0} end
    return {2 * a - t, 0}, {-1, 0}
  end,
  exact_breaks = {a / 2, a}}

local r = lab.sweep{problem = swept, schemes = {"venel", "catching_up"},
                    steps = lab.levels{from = 32, count = 6, jitter = 4}, reference = "exact"}:run()
for _, scheme in ipairs{"venel", "catching_up"} do
  local order = r:order{scheme = scheme, norm = "q_Linf"}
  print(scheme, order)
  lab.check(order.order > 0.8, scheme .. " is of first order")
end
r:figure{"convergence", norm = "q_Linf"}
