-- energy.balance and energy.impacts of records: a force that depends on q, a wall that moves, sweeps.
local lab = require "impactlab"

local function near(x, y, tolerance, what)
  lab.check(math.abs(x - y) <= tolerance, ("%s: %.15g, %.15g"):format(what, x, y))
end

-- An oscillator far from its wall: the work of a linear force is that of its mean over the step's ends, so that the balance is
-- the change of 1/2 u^2 + w^2 q^2/2.
local w2, T = 100, 2
local spring = lab.problem{name = "spring", horizon = T, q0 = {1}, u0 = {0}, force = function(t, q) return {-w2 * q[1]} end,
                           constraints = {{g = 100, grad = {1}}}}
for _, scheme in ipairs{"moreau_jean:theta=0.5", "moreau_jean", "maury"} do
  local r = lab.run{problem = spring, scheme = scheme, steps = 400}
  local q, u = r.final.q[1], r.final.u[1]
  near(r.energy.balance.final, (u * u + w2 * (q * q - 1)) / 2, 1e-10, scheme .. ": the balance is the total energy's")
  lab.check(r.energy.impacts.events == 0 and r.energy.impacts.gained_most == nil, "no impact")
end
-- A step is (w q, u) -> (w q (1 - theta z^2) + z u, u - z w q), z = w h, of determinant 1 + (1 - theta) z^2: energies grow by
-- that a step. They swing by a part z about it.
for _, theta in ipairs{0.25, 0.5, 0.75} do
  local r = lab.run{problem = spring, scheme = ("moreau_jean:theta=%g"):format(theta), steps = 400}
  local growth = (1 + (1 - theta) * w2 * r.h ^ 2) ^ 400
  near(r.energy.balance.final / (w2 / 2) + 1, growth, math.sqrt(w2) * r.h * growth, "an oscillation grows, theta = " .. theta)
end
local implicit = lab.run{problem = spring, scheme = "maury", steps = 400}
lab.check(implicit.energy.balance.largest <= w2 / 2 * 10 * implicit.h, "maury's energy stays near")

-- A wall that comes with speed 1/2 takes a point along: from rest to 1/2, energy 1/8 that the law gives it.
local pushed = lab.run{problem = lab.problem{name = "pushed", horizon = 1, q0 = {0.3141}, u0 = {0},
                       constraints = function(t, q) return {{g = q[1] - t / 2, grad = {1}, dt = -0.5}} end}, scheme = "maury", steps = 64}
near(pushed.energy.balance.final, 1 / 8, 1e-12, "a wall that moves gives energy")
lab.check(pushed.energy.impacts.events == 1 and math.abs(pushed.energy.impacts.gained_most) <= 1e-12, "as the law says")
near(pushed.energy.impacts.lost_least, -1 / 8, 1e-12, "it lost less than nothing")

-- Two balls, e = 1/2, relative speed 1: (1 - 1/4)/2 1^2/2 is lost.
local sweep = lab.sweep{name = "energies", problem = {"cradle", N = 1, gap = 0.618, speed = 1, e = 0.5},
                        schemes = {"moreau_jean", "paoli"}, steps = {64, 128}, horizon = 1, reference = "exact"}
local records = sweep:run()
for _, one in ipairs(records:records()) do
  near(one.energy.balance.final, -3 / 16, 1e-12, one.scheme .. ": an impact takes its share")
  near(one.energy.impacts.lost_least, 3 / 16, 1e-12, one.scheme .. ": it stands alone")
end
lab.check(records:figure{"balance"} ~= nil, "a figure of sweeps")
records:table{"summary", name = "energies"}

-- The series of a run adds up to its balance.
local series = lab.run{problem = {"bouncing_ball", e = 0.5}, scheme = "moreau_jean", steps = 200, series = true}
local last = series.series.balance
lab.check(#last == 200 and last[200] == series.energy.balance.final, "a series of it")
local most = -math.huge
for _, x in ipairs(last) do most = math.max(most, x) end
lab.check(most == series.energy.balance.largest, "its largest value")
local crowd = lab.run{problem = {"crowd", N = 3}, scheme = "venel", steps = 4}
lab.check(crowd.energy.balance.final == nil and crowd.energy.balance.largest_step == nil, "a drift has none")
