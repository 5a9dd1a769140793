-- Schemes written in Lua: the numbers of their compiled twins, and no certificate for what they did
-- not do.
local lab = require "impactlab"

local maury = lab.scheme{
  name = "lua_maury",
  step = function(s)
    local u = s:project_linearised{velocity = s:free_velocity()}
    return s.q + s.h * u, u
  end}

local venel = lab.scheme{
  name = "lua_venel",
  step = function(s)
    local x = s:project_linearised{displacement = s.h * s:free_velocity()}
    return s.q + x, x / s.h
  end}

local catching_up = lab.scheme{
  name = "lua_catching_up",
  step = function(s)
    local x = s:project_exact{displacement = s.h * s:free_velocity()}
    return s.q + x, x / s.h
  end}

local moreau_jean = lab.scheme{
  name = "lua_moreau_jean", order = 2, restitution = true,
  step = function(s)
    local u = s:project_tangent{velocity = s:free_velocity()}
    return s.q + s.h * u, u
  end}

local paoli = lab.scheme{
  name = "lua_paoli", restitution = true,
  step = function(s)
    local e, h = s.restitution, s.h
    local x = s:project_exact{displacement = h * (s:free_velocity() - e * s.u) / (1 + e)}
    x = (1 + e) * x + e * h * s.u
    return s.q + x, x / h
  end}

-- ---- the numbers of the compiled schemes -------------------------------------------------------

-- The largest difference of numbers; seconds are the machine's, and names differ. Multipliers at which
-- two are compared may be huge: relative to one and the number.
local dull = {seconds = true, scheme = true, scheme_parameters = true}
local function distance(a, b)
  if type(a) == "table" and type(b) == "table" then
    local most = 0
    for key, x in pairs(a) do
      if not dull[key] then most = math.max(most, distance(x, b[key])) end
    end
    return most
  elseif type(a) == "number" and type(b) == "number" then
    return a == b and 0 or math.abs(a - b) / (1 + math.abs(a))
  end
  return a == b and 0 or math.huge
end

local linear = lab.problem{ -- a full mass matrix, a wall that moves, a force of position
  name = "linear", horizon = 1, q0 = {1, 0}, u0 = {-3, 1}, mass = {{2, 0.5}, {0.5, 1}},
  force = function(t, q) return {-q[1], math.sin(t) - q[2]} end,
  constraints = function(t, q)
    return {{g = q[1] - 0.25 * t, grad = {1, 0}, dt = -0.25}, {g = q[1] + q[2] + 0.5, grad = {1, 1}}}
  end}

-- The operations are the same, in the same order: so are the bits.
for _, problem in ipairs{"bouncing_ball", "two_spheres", "pendulum", "sticky", "cradle",
                         {"vibroimpact", scenario = "corner"}, {"crowd", N = 12}, linear} do
  for compiled, own in pairs{maury = maury, venel = venel, catching_up = catching_up,
                             moreau_jean = moreau_jean} do
    local can, a = pcall(lab.run, {problem = problem, scheme = compiled, steps = 60})
    local could, b = pcall(lab.run, {problem = problem, scheme = own, steps = 60})
    local name = type(problem) == "table" and problem[1] or tostring(problem)
    lab.check(can == could, name .. ": both schemes mean something, or neither")
    if can then
      lab.check(a.status == "ok" and distance(a, b) == 0 and distance(b, a) == 0,
                ("%s by %s: the same record, bit for bit"):format(name, compiled))
    end
  end
end

-- With restitution Paoli's point is computed in another order: rounding, a few times 60 steps.
local ROUNDING = 1e-12
local a = lab.run{problem = {"bouncing_ball", e = 0.5}, scheme = "paoli", steps = 60}
local b = lab.run{problem = {"bouncing_ball", e = 0.5}, scheme = paoli, steps = 60}
lab.check(b.status == "ok" and distance(a.final, b.final) <= ROUNDING, "paoli with e = 1/2: state")
lab.check(distance(a.contacts, b.contacts) <= ROUNDING, "paoli with e = 1/2: contact forces")
lab.check(distance(a.error, b.error) <= ROUNDING, "paoli with e = 1/2: errors")

-- ---- wherever built-in ones are ----------------------------------------------------------------

local r = lab.sweep{problem = "bouncing_ball", schemes = {"maury", maury}, steps = {64, 96, 128, 192, 256},
                    reference = {"self", steps = 1024, scheme = "lua_maury"}}:run()
local own, built = r:order{scheme = maury}, r:order{scheme = "maury"}
lab.check(r.failed == 0 and own.order == built.order, "a sweep, an order, a reference")
lab.check(r:order{scheme = "lua_maury"}.text == own.text, "by its name")
lab.check(r:table{"orders"} ~= nil and r:figure{"convergence"} ~= nil, "a table and a figure")
local seen = {}
local nested = lab.scheme{name = "nested", step = function(s)
  if #seen == 0 then -- a run of the same scheme within its own step
    seen[1] = s.t1
    seen[2] = lab.run{problem = "bouncing_ball", scheme = "nested", steps = 3}.status
    seen[3] = s.t1
  end
  local u = s:project_linearised{velocity = s:free_velocity()}
  return s.q + s.h * u, u
end}
local n = lab.run{problem = "bouncing_ball", scheme = nested, steps = 60}
local m = lab.run{problem = "bouncing_ball", scheme = "maury", steps = 60}
lab.check(seen[2] == "ok" and seen[1] == seen[3] and distance(n.final, m.final) == 0, "runs in steps")
local midpoint = lab.scheme{name = "midway", order = 2, step = function(s)
  local v = s.u + s.h * s:accelerate(s:force_mean(s.q + s.h / 2 * s.u))
  local u = s:project_linearised{velocity = v, at = s.q + s.h / 2 * s.u}
  return s.q + s.h * u, u
end}
lab.check(lab.run{problem = linear, scheme = midpoint, steps = 60}.status == "ok", "force and set elsewhere")

-- ---- fakes -------------------------------------------------------------------------------------

local fakes = {
  {"nothing is projected", function(s) return s.q + s.h * s:free_velocity(), s:free_velocity() end,
   "projected nothing"},
  {"projected, and not used", function(s)
     local v = s:free_velocity()
     s:project_linearised{velocity = v}
     return s.q + s.h * v, v
   end, "does not balance"},
  {"no force", function(s)
     local u = s:project_linearised{velocity = s.u}
     return s.q + s.h * u, u
   end, "asked for no force"},
  {"a force that was asked for, and not used", function(s)
     s:force_mean()
     local u = s:project_linearised{velocity = s.u}
     return s.q + s.h * u, u
   end, "does not balance"},
  {"the exact solution", function(s)
     s:project_linearised{velocity = s:free_velocity()}
     local t = s.t1
     return {1 - 9.81 * t * t / 2}, {-9.81 * (t - s.h / 4)}
   end, "does not balance"},
  {"positions a little off", function(s)
     local u = s:project_linearised{velocity = s:free_velocity()}
     return s.q + s.h * u + {1e-12}, u
   end, "by another velocity"}}
for k, fake in ipairs(fakes) do
  local scheme = lab.scheme{name = "fake_" .. k, step = fake[2]}
  local run = lab.run{problem = "bouncing_ball", scheme = scheme, steps = 60}
  lab.check(run.status == "not_certified" and run.message:find(fake[3], 1, true),
            fake[1] .. ": " .. run.status .. ": " .. run.message)
end
-- Positions by another mean of the velocities, or by a projection of their own, are no fakes.
for k, positions in ipairs{
  function(s, u) return s.q + s.h / 2 * (s.u + u) end,
  function(s, u) return s.q + s:project_exact{displacement = s.h / 3 * (s.u + 2 * u)} end} do
  local name = "position_" .. k
  local scheme = lab.scheme{name = name, order = 2, step = function(s)
    local u = s:project_tangent{velocity = s:free_velocity()}
    return positions(s, u), u
  end}
  for _, problem in ipairs{"bouncing_ball", linear} do
    local run = lab.run{problem = problem, scheme = scheme, steps = 60}
    lab.check(run.status == "ok", run.problem .. " by " .. name .. ": " .. run.status .. run.message)
  end
end
local drift = lab.problem{name = "drift", order = 1, horizon = 1, q0 = {0, 0.25},
  force = function(t, q) return {1, -1} end,
  constraints = function(t, q) return {{g = q[2], grad = {0, 1}}} end}
local slides = lab.run{problem = drift, scheme = venel, steps = 8}
lab.check(slides.status == "ok" and math.abs(slides.final.q[1] - 1) <= 1e-15, "order 1")
local through = lab.scheme{name = "through", step = function(s)
  local v = s:free_velocity()
  s:project_linearised{velocity = v}
  return s.q + s.h * v, v
end}
lab.check(lab.run{problem = drift, scheme = through, steps = 8}.status == "not_certified", "order 1 faked")
local apart = lab.scheme{name = "apart", step = function(s)
  local u = s:project_linearised{velocity = s:free_velocity()}
  return s.q + s.h * u, 2 * u
end}
lab.check(lab.run{problem = drift, scheme = apart, steps = 8}.status == "not_certified", "order 1, u faked")

-- positions that go by the old velocity: theta is 0 but for the rounding of a quotient
local free = lab.problem{name = "free", horizon = 1, q0 = {1}, u0 = {0.5}, force = {4}, constraints = {{g = 0, grad = {1}}}}
local explicit = lab.scheme{name = "explicit", order = 2, step = function(s)
  return s.q + s.h * s.u, s:project_linearised{velocity = s:free_velocity()}
end}
for _, n in ipairs{1000, 2000, 10000} do
  lab.check(lab.run{problem = free, scheme = explicit, steps = n, norms = {"none"}}.status == "ok", "theta = 0, " .. n)
end
