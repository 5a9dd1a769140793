-- A problem, a scheme, a norm and a reference of one's own: a bead on a sphere, pushed along by a wall that moves.
local lab = require "impactlab"

local bead = lab.problem{
  name = "bead", horizon = 1, q0 = {1, 0, 0}, u0 = {0, 1, 0},
  force = function(t, q) return {0, 0, -9.81} end,
  constraints = function(t, q) -- outside the unit ball, and ahead of the wall x = 3t - 1
    return {{g = q[1]^2 + q[2]^2 + q[3]^2 - 1, grad = {2 * q[1], 2 * q[2], 2 * q[3]}},
            {g = q[1] - 3 * t + 1, grad = {1, 0, 0}, dt = -3}}
  end}

local own = lab.scheme{ -- Maury's, with the force and the set taken at a point half a step ahead
  name = "halfway", order = 2,
  step = function(s)
    local middle = s.q + s.h / 2 * s.u
    local v = s.u + s.h * s:accelerate(s:force_mean(middle))
    local u = s:project_linearised{velocity = v, at = middle}
    return s.q + s.h * u, u
  end}

local height = {name = "height", of = function(run, reference)
  local q, p = run:at(0.5), reference:at(0.5)
  return math.abs(q[3] - p[3])
end}

local r = lab.sweep{problem = bead, schemes = {"maury", own}, steps = lab.levels{from = 32, count = 4, jitter = 3},
                    reference = {"self", steps = 2048, scheme = "paoli"}}:run()
for _, scheme in ipairs{"maury", "halfway"} do
  local o = r:order{scheme = scheme, norm = height}
  print(("%s: height falls with order %.1f"):format(scheme, o.order))
end
r:figure{"convergence", norms = {"q_Linf", height}, slopes = {1}}
