-- What a problem and a scheme written in Lua cost beside their twins in C: the same runs, processor time a step, both with
-- every measure that is on by default and with the final state alone. The least of seven runs each, in
-- turn, so that other work on the machine touches both. bench.sh runs it.
local lab = require "impactlab"

local function sphere_rows(t, q)
  local x, y, z = q[4] - q[1], q[5] - q[2], q[6] - q[3]
  local r = math.sqrt(x * x + y * y + z * z)
  x, y, z = x / r, y / r, z / r
  return {{g = r - 0.9, grad = {-x, -y, -z, x, y, z}, dt = 0}}
end

local function cradle_rows(t, q)
  local rows = {}
  for i = 1, 4 do
    local grad = {0, 0, 0, 0, 0}
    grad[i], grad[i + 1] = -1, 1
    rows[i] = {g = q[i + 1] - q[i] - 0.2, grad = grad, dt = 0}
  end
  return rows
end

local start = lab.exact{problem = "cradle", points = 1}
local at = {}
for i = 1, 5 do at[i] = start.q[i][1] end

local twins = {
  {"bouncing_ball", lab.problem{
    name = "ball", horizon = 2, q0 = {1}, force_mean = function() return -9.81 end,
    constraints = function(t, q) return {{g = q[1], grad = {1}, dt = 0}} end}},
  {"bouncing_ball", lab.problem{
    name = "numbers", horizon = 2, q0 = {1}, force = -9.81, constraints = {{g = 0, grad = 1}}}, "numbers"},
  {"two_spheres", lab.problem{
    name = "spheres", horizon = 2, mass = {1, 1, 1, 2, 2, 2}, q0 = {0, 0, 0, 1.5, 0.3, 0.2},
    u0 = {0.4, 0.1, 0, -0.5, -0.1, 0.2}, constraints = sphere_rows}},
  {"cradle", lab.problem{
    name = "row", horizon = 1, q0 = at, u0 = {1, 0, 0, 0, 0}, constraints = cradle_rows}}}

local function seconds(problem, record, scheme)
  local before = os.clock() -- of this process, whatever else runs on the machine
  local run = lab.run{problem = problem, scheme = scheme or "maury", steps = 4000, record = record, norms = {"none"}}
  assert(run.status == "ok", run.message)
  return (os.clock() - before) / run.work.steps
end

print(("%-15s %-6s %-9s %12s %12s %7s"):format("problem", "record", "of", "C, us/step", "Lua, us/step", "ratio"))
for _, twin in ipairs(twins) do
  for _, record in ipairs{"full", "final"} do
    local c, l = math.huge, math.huge
    for _ = 1, 7 do
      c = math.min(c, seconds(twin[1], record))
      l = math.min(l, seconds(twin[2], record))
    end
    print(("%-15s %-6s %-9s %12.3f %12.3f %7.1f"):format(twin[1], record, twin[3] or "functions", 1e6 * c, 1e6 * l, l / c))
  end
end

local schemes = {
  maury = function(s)
    local u = s:project_linearised{velocity = s:free_velocity()}
    return s.q + s.h * u, u
  end,
  moreau_jean = function(s)
    local u = s:project_tangent{velocity = s:free_velocity()}
    return s.q + s.h * u, u
  end,
  paoli = function(s)
    local x = s:project_exact{displacement = s.h * s:free_velocity()}
    return s.q + x, x / s.h
  end}

print(("\n%-15s %-12s %12s %12s %7s"):format("problem", "scheme", "C, us/step", "Lua, us/step", "ratio"))
for name, step in pairs(schemes) do
  schemes[name] = lab.scheme{name = "lua_" .. name, order = 2, step = step}
end
for _, problem in ipairs{"bouncing_ball", "two_spheres", "cradle"} do
  for _, name in ipairs{"maury", "moreau_jean", "paoli"} do
    local c, l = math.huge, math.huge
    for _ = 1, 7 do
      c = math.min(c, seconds(problem, "full", name))
      l = math.min(l, seconds(problem, "full", schemes[name]))
    end
    print(("%-15s %-12s %12.3f %12.3f %7.1f"):format(problem, name, 1e6 * c, 1e6 * l, l / c))
  end
end
