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

-- No scheme knows where the origin is: three discs that meet, moved by S, end moved by S. A step rounds positions by
-- 1.1e-16 |S| and projects onto the true set to 1e-12; velocities see both divided by h = 1/40, 60 times.
local ROUNDING, ITERATION = 60 * 40 * 1.1e-16, 60 * 40 * 1e-12
local function discs(S, order, e)
  local q0 = {S, 0, S + 1.5, 0.25, S + 3, -0.125}
  return lab.problem{name = "discs", order = order, dimension = 6, horizon = 1.5, q0 = q0, restitution = e,
    u0 = order == 2 and {2, 0, 0, 0, -1, 0.5} or nil, mass = order == 2 and {1, 1, 2, 2, 1, 1} or nil,
    force = order == 1 and function() return {2, 0, 0, 0, -1, 0.5} end or nil,
    constraints = function(_, q)
      local rows = {}
      for i = 1, 3 do
        for j = i + 1, 3 do
          local x, y = q[2 * j - 1] - q[2 * i - 1], q[2 * j] - q[2 * i]
          local r = math.sqrt(x * x + y * y)
          local grad = {0, 0, 0, 0, 0, 0}
          grad[2 * i - 1], grad[2 * i], grad[2 * j - 1], grad[2 * j] = -x / r, -y / r, x / r, y / r
          rows[#rows + 1] = {g = r - 1, grad = grad, dt = 0}
        end
      end
      return rows
    end}
end
for _, case in ipairs{{"maury", 2}, {"venel", 2}, {"paoli", 2}, {"moreau_jean", 2, 0.5}, {"catching_up", 2}, {"maury", 1},
                      {"venel", 1}, {"catching_up", 1}} do
  local scheme, order, e = table.unpack(case)
  local at0 = lab.run{problem = discs(0, order, e), scheme = scheme, steps = 60}
  for _, S in ipairs{1e3, -1e5} do
    local moved, most = lab.run{problem = discs(S, order, e), scheme = scheme, steps = 60}, 0
    for k = 1, 6 do
      most = math.max(most, math.abs(moved.final.q[k] - (k % 2 == 1 and S or 0) - at0.final.q[k]),
                      math.abs(moved.final.u[k] - at0.final.u[k]))
    end
    lab.check(moved.status == "ok" and at0.status == "ok" and at0.contacts.active_max > 0 and most <= ROUNDING * math.abs(S) + ITERATION,
              ("%s, order %d, moved by %g: %.3g"):format(scheme, order, S, most))
  end
end
