-- Ten million steps, and what must be as true after them as after ten: numbers of steps, sums of roundings and small h are what breaks.
--
-- eps is the rounding of a double; a sum of N terms, whatever the order, is within N eps of the sum of their moduli. A gap is rounded by
-- eps of the positions, and a step that closes it changes the velocity by that over h.
local lab = require "impactlab"
local N = 10000000
local eps = 2.0 ^ -52
local EXACT = 1e-12 -- what a finite projector promises, of numbers about 1

local function run(problem, scheme)
  local r = lab.run{problem = problem, scheme = scheme, steps = N, norms = "none"}
  local name = ("%s by %s"):format(r.problem, r.scheme)
  print(("%-26s %-8s %.0f s, energy %g to %g"):format(name, r.status, r.work.seconds, r.energy.initial, r.energy.final))
  lab.check(r.status == "ok", name .. ": " .. r.message)
  lab.check(r.work.steps == N and r.final.t == r.horizon, name .. " reaches the end")
  lab.check(r.feasibility.nodes_min >= -EXACT, name .. ": nodes are feasible")
  lab.check(r.energy.balance.largest_step <= N * eps * EXACT + 16 * eps, name .. ": impacts give no energy")
  lab.check(r.certificate.stationarity_relative <= EXACT and r.certificate.dual >= 0, name .. ": certified")
  return r, name
end

-- Free fall is a sum: until the impact at t* = sqrt(2/g) the scheme is g h t/2 ahead. Then it lies still, and the floor carries g a second.
local r, name = run("bouncing_ball", "maury")
local g = r.parameters.gravity
lab.check(r.error.q_Linf <= g * r.h * math.sqrt(2 / g) / 2 * (1 + 1e-3), name .. ": the error is that of free fall")
lab.check(math.abs(r.contacts.impulse_total - g * r.horizon) <= N * eps * g * r.horizon, name .. ": impulses sum up to the weight")
lab.check(r.final.q[1] >= 0 and r.final.q[1] <= EXACT and r.final.u[1] == 0, name .. ": it lies still")

-- Whichever solution the phase of these steps chooses, it is one of them, to first order.
r, name = run("nonuniqueness", "maury")
local nearest = math.huge
for _, one in pairs(r.error.distances) do nearest = math.min(nearest, one.q_Linf) end
lab.check(nearest <= r.h, name .. ": one of the solutions")

-- Contacts between bodies move no momentum: one impact at most roundings, and ten million steps of free flight none.
for _, scheme in ipairs{"maury", "venel", "moreau_jean"} do
  r, name = run("two_spheres", scheme)
  lab.check(r.momentum.largest_drift <= 16 * eps, name .. ": momentum stays")
  lab.check(r.error.q_Linf <= r.h and r.error.final_u <= r.h, name .. ": first order")
end

-- Bodies that touch in a row, a far one coming: a step moves them by less than positions are rounded by.
r, name = run("cradle", "maury")
lab.check(r.momentum.largest_drift <= N * eps, name .. ": momentum stays")
for i, u in ipairs(r.final.u) do
  lab.check(math.abs(u - 0.2) <= 16 * eps / r.h, name .. (": body %d has its share"):format(i))
end
