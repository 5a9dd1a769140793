-- A problem written in Lua runs as the built-in one of the same data does.
local lab = require "impactlab"
local SAME = 1e-14       -- both do the same operations in the same order, but for a mean of the force
local QUADRATURE = 1e-10 -- errors by quadrature to 1e-12 a step here, in closed form there
local g = 9.81

local function ball(name, fields)
  local p = {name = name, horizon = 2, q0 = {1}, u0 = {0},
             constraints = function(t, q) return {{g = q[1], grad = {1}}} end}
  for k, v in pairs(fields) do p[k] = v end
  return lab.problem(p)
end

local function compare(a, b, what)
  lab.check(a.status == "ok" and b.status == "ok", what .. ": both run")
  local worst = 0
  for _, coordinate in ipairs{"q", "u"} do
    local x, y = a.trajectory[coordinate](a.trajectory, 1), b.trajectory[coordinate](b.trajectory, 1)
    for k = 1, #x do worst = math.max(worst, math.abs(x[k] - y[k])) end
  end
  lab.check(worst <= SAME and #a.trajectory == #b.trajectory, what .. ": same states")
end

local t1 = math.sqrt(2 / g)
local full = ball("full", {
  version = "1",
  force = function(t, q) return {-g} end,
  exact = function(t, side)
    if t < t1 or t == t1 and side < 0 then return {1 - g * t * t / 2}, {-g * t} end
    return 0, 0
  end,
  exact_breaks = {t1}})
local mean = ball("mean", {force_mean = function(a, b, q) return -g end})
local heavy = ball("heavy", {mass = {{2}}, force = function(t, q) return {-2 * g} end})
local elastic = ball("elastic", {restitution = 0.5, force_mean = function() return {-g} end})

for _, scheme in ipairs{"maury", "paoli", "venel"} do
  local b = lab.run{problem = "bouncing_ball", scheme = scheme, steps = 100, trajectory = true}
  for _, p in ipairs{full, mean, heavy} do
    local a = lab.run{problem = p, scheme = scheme, steps = 100, trajectory = true}
    compare(a, b, tostring(p) .. " by " .. scheme)
  end
  local a = lab.run{problem = full, scheme = scheme, steps = 100}
  lab.check(math.abs(a.error.u_L1 - b.error.u_L1) <= QUADRATURE, scheme .. ": same u_L1")
  lab.check(math.abs(a.error.q_Linf - b.error.q_Linf) <= QUADRATURE, scheme .. ": same q_Linf")
end
compare(lab.run{problem = elastic, scheme = "paoli", steps = 100, trajectory = true},
        lab.run{problem = {"bouncing_ball", e = 0.5}, scheme = "paoli", steps = 100,
                trajectory = true}, "restitution")

-- A force that jumps from 0 to 1 at 0.3, inside a step: u(1) = 0.7 to rounding whatever the steps.
local function jump(breaks)
  local calls = 0
  local p = lab.problem{name = "jump", horizon = 1, q0 = {0}, force_breaks = breaks,
    force = function(t) calls = calls + 1 return t < 0.3 and 0 or 1 end}
  local run = lab.run{problem = p, scheme = "maury", steps = 7}
  return math.abs(run.final.u[1] - 0.7), calls
end
local split, few = jump{0.3}
local blind, many = jump(nil)
lab.check(split <= 10 * SAME, "the mean of a force that jumps, split there")
lab.check(few * 2 < many, "and at less cost: " .. few .. " calls instead of " .. many)
lab.check(select(1, jump{0.1, 0.3, 0.7, 5}) <= 10 * SAME, "breaks that are none, or beyond the end")
lab.check(blind <= 1e-9, "the quadrature finds it alone, to its tolerance")

-- A wall that moves: q >= t pushes a point at rest ahead with speed 1, whatever h.
local pushed = lab.problem{name = "pushed", horizon = 1, q0 = {0},
  constraints = function(t, q) return {{g = q[1] - t, grad = {1}, dt = -1}} end}
local r = lab.run{problem = pushed, scheme = "maury", steps = 7}
lab.check(math.abs(r.final.q[1] - 1) <= SAME and math.abs(r.final.u[1] - 1) <= SAME, "moving wall")

-- Order 1, two coordinates: the drift (1, -1) goes down to the floor and slides along it.
local drift = lab.problem{name = "drift", order = 1, horizon = 1, q0 = {0, 0.25},
  force = function(t, q) return {1, -1} end,
  constraints = function(t, q) return {{g = q[2], grad = {0, 1}}} end}
local v = lab.run{problem = drift, scheme = "venel", steps = 8}
lab.check(math.abs(v.final.q[1] - 1) <= SAME and math.abs(v.final.q[2]) <= SAME, "sliding")

-- Through a sweep, in workers, stored.
local steps = {32, 48, 64, 96, 128}
for k = 1, 2 do
  local s = lab.sweep{problem = full, schemes = {"maury", "paoli"}, steps = steps,
                      reference = "exact"}:run()
  lab.check(s.cases == 10 and s.ran == (k == 1 and 10 or 0) and s.failed == 0, "a sweep over a scripted problem")
end

-- A callback that fails leaves a run with a status, its place in the message, and no errors.
local broken = ball("broken", {
  force = function(t, q)
    if t > 0.5 then error("boom") end
    return {-1}
  end,
  exact = function() return 1, 0 end})
local b = lab.run{problem = broken, scheme = "maury", steps = 10}
lab.check(b.status == "script_error", "status of a broken callback")
lab.check(b.message:find("problem.lua:%d+: boom"), "its line")
lab.check(b.error.u_L1 == nil and b.error.reference == "exact", "no errors")
local again = lab.sweep{problem = broken, scheme = "maury", steps = {10}}:run()
lab.check(again.failed == 1 and again:records()[1].status == "script_error", "the same in a worker")
lab.check(lab.run{problem = full, scheme = "maury", steps = 5}.status == "ok", "others still run")

-- Runs inside callbacks and coroutines.
local nested = ball("nested", {
  force = function(t, q)
    local x = coroutine.wrap(function()
      return lab.run{problem = full, scheme = "maury", steps = 3}
    end)()
    return {x.status == "ok" and -g or 0 / 0}
  end})
lab.check(lab.run{problem = nested, scheme = "maury", steps = 3}.status == "ok", "nested runs")

-- Whether a projection onto the true set is the nearest point: nobody knows of constraints that are a
-- function, every step of which that pushes counts; of rows everybody does.
local function fallen(constraints)
  local p = lab.problem{name = "fallen", horizon = 1, q0 = {1}, force = function() return {-4} end,
                        constraints = constraints}
  local r = lab.run{problem = p, scheme = "paoli", steps = 64}
  lab.check(r.status == "ok" and r.work.scans >= 64, "it fell, and looked")
  local pushed = 0
  for _, impulse in ipairs(lab.run{problem = p, scheme = "paoli", steps = 64, series = true}.series.impulse) do
    pushed = pushed + (impulse > 0 and 1 or 0)
  end
  return r.prox_regularity, pushed
end
local x, pushed = fallen(function(t, q) return {{g = q[1], grad = {1}, dt = 0}} end)
lab.check(pushed > 10 and x.steps_unknown == pushed and x.steps_beyond == 0, "nobody knows")
x = fallen{{g = 0, grad = {1}}}
lab.check(x.steps_unknown == 0 and x.steps_beyond == 0 and x.share_max == 0, "a half-space is convex")
