-- Schemes that other programs use, written in Lua: the numbers of their compiled twins.
local lab = require "impactlab"

-- The speeds that are asked of contacts.
local function each(contacts, f)
  local x = {}
  for i, c in ipairs(contacts) do x[i] = f(c) end
  return x
end

local own = {}
own.midpoint = lab.scheme{name = "lua_midpoint", order = 2, restitution = true, step = function(s)
  local q = s.q + s.h / 2 * s.u
  local t = (s.t0 + s.t1) / 2
  local v = s.u + s.h * s:accelerate(s:force_mean(q))
  local contacts = s:contacts{at = q, t = t}
  local u = s:project_contacts{velocity = v, speeds = each(contacts, function(c) return -s.restitution * c.speed end)}
  return q + s.h / 2 * u, u
end}
own.mabrouk = lab.scheme{name = "lua_mabrouk", order = 2, restitution = true, step = function(s)
  local e, q = s.restitution, s.q + s.h * s.u
  s:contacts{at = q, t = s.t1}
  local v = s.u + s.h / (1 + e) * s:accelerate(s:force_mean())
  local w = s:project_contacts{velocity = v}
  return q, (1 + e) * w - e * s.u
end}
own["impulse:erp=0.3"] = lab.scheme{name = "lua_impulse", order = 2, restitution = true, step = function(s)
  local speeds = each(s:contacts{}, function(c) return math.max(0.3 * -c.g / s.h, -s.restitution * c.speed) end)
  local u = s:project_contacts{velocity = s:free_velocity(), speeds = speeds}
  return s.q + s.h * u, u
end}
own["soft:as=sap,k=1e4,beta=0"] = lab.scheme{name = "lua_sap", order = 2, step = function(s)
  local contacts = s:contacts{margin = 0}
  local u = s:project_contacts{velocity = s:free_velocity(), speeds = each(contacts, function(c) return -c.g / (s.h + 0.1) end),
                               compliances = each(contacts, function() return 1 / (s.h * (s.h + 0.1) * 1e4) end)}
  return s.q + s.h * u, u
end}
-- Positions swept contact by contact, of masses 1: no projection, nothing is certified.
own.xpbd = lab.scheme{name = "lua_xpbd", order = 2, certified = false, step = function(s)
  local q, sum = s.q + s.h * s:free_velocity(), 0
  for _, c in ipairs(s:contacts{at = q, t = s.t1}) do
    local size = 0
    for k = 1, #c.grad do size = size + c.grad[k] ^ 2 end
    q = q + (-c.g / size) * c.grad
    sum = sum + 1
  end
  local u = (q - s.q) / s.h
  return q, sum > 0 and 0 * u or u -- a floor: what acted rests
end}

-- Rows are taken at the same points; sums are in another order, and bounces multiply their roundings.
local CLOSE = 1e-9
local function compare(problem, compiled)
  local a = lab.run{problem = problem, scheme = compiled, steps = 150, norms = {"none"}}
  local b = lab.run{problem = problem, scheme = own[compiled], steps = 150, norms = {"none"}}
  local worst = 0
  for k = 1, #a.final.q do
    worst = math.max(worst, math.abs(a.final.q[k] - b.final.q[k]), math.abs(a.final.u[k] - b.final.u[k]))
  end
  lab.check(a.status == "ok" and b.status == "ok" and worst <= CLOSE,
            ("%s by %s: %s %s, %g"):format(a.problem, compiled, b.status, b.message or "", worst))
  if compiled ~= "xpbd" then -- the same impulses
    lab.check(math.abs(a.energy.balance.final - b.energy.balance.final) <= CLOSE, a.problem .. ": balance by " .. compiled)
  end
end
for _, problem in ipairs{{"bouncing_ball"}, {"two_spheres"}, {"cradle"}, {"pile", N = 3, radius = 0.5}} do
  for _, compiled in ipairs{"midpoint", "mabrouk", "impulse:erp=0.3", "soft:as=sap,k=1e4,beta=0"} do compare(problem, compiled) end
end
for _, compiled in ipairs{"midpoint", "mabrouk", "impulse:erp=0.3"} do compare({"bouncing_ball", e = 0.5}, compiled) end
compare({"bouncing_ball"}, "xpbd")

-- What is asked of contacts is a number each, and compliances are none below 0.
for k, wrong in ipairs{{speeds = {1, 2, 3}, says = "allowed: 1 number"}, {compliances = {-1}, says = "allowed: a number >= 0"},
                       {speeds = {1 / 0}, says = "speeds[1] = inf; allowed: a number"}} do
  local scheme = lab.scheme{name = "wrong_" .. k, order = 2, step = function(s)
    s:contacts{margin = 10}
    return s.q, s:project_contacts{velocity = s:free_velocity(), speeds = wrong.speeds, compliances = wrong.compliances}
  end}
  local run = lab.run{problem = "bouncing_ball", scheme = scheme, steps = 5}
  lab.check(run.status == "script_error" and run.message:find(wrong.says, 1, true), run.message)
end
