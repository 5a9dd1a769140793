-- What one step must be, by hand: faults that no claim of the papers would see.
local lab = require "impactlab"

-- Moreau and Jean's velocity is that relative to the constraint: on a floor that rises with speed 1 a point at rest
-- is taken along, and with restitution e it leaves with 1 + e.
for _, e in ipairs{0, 0.5} do
  local floor = lab.problem{name = "rising", order = 2, dimension = 1, horizon = 1, q0 = {0}, u0 = {0}, mass = {1},
    restitution = e, constraints = function(t, q) return {{g = q[1] - t, grad = {1}, dt = -1}} end}
  local r = lab.run{problem = floor, scheme = "moreau_jean", steps = 8}
  lab.check(r.status == "ok" and math.abs(r.final.u[1] - (1 + e)) <= 1e-14, ("taken along, e = %g: %.17g"):format(e, r.final.u[1]))
end

-- At first order the drift is taken at the step's beginning: of q' = 2 t it makes q_N = h^2 N (N - 1) = 1 - h.
local drift = lab.problem{name = "drift", order = 1, dimension = 1, horizon = 1, q0 = {0},
  force = function(t) return {2 * t} end,
  constraints = function(_, q) return {{g = q[1] + 1, grad = {1}, dt = 0}} end}
for _, scheme in ipairs{"venel", "catching_up", "maury", "paoli"} do
  local r = lab.run{problem = drift, scheme = scheme, steps = 16}
  lab.check(math.abs(r.final.q[1] - (1 - 1 / 16)) <= 1e-14, ("%s: %.17g"):format(scheme, r.final.q[1]))
end
