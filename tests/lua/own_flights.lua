-- Many steps in one call of Lua are the single steps: their bits, their counts, their messages. A sample makes a run
-- go step by step.
local lab = require "impactlab"
local function wall(t, q) return {{g = q[1], grad = {1}, dt = 0}} end
local function problem(name, fields)
  local p = {name = name, horizon = 3, q0 = {1}, u0 = {-2}, constraints = wall}
  for key, value in pairs(fields) do p[key] = value end
  return lab.problem(p)
end

local whole = {
  problem("falls", {force_mean = function() return -9.81 end}),
  problem("free", {}),
  problem("driven", {mass = 2.5, force_mean = function(a, b, q) return {a * b - 3 * q[1]} end,
                     constraints = function(t, q)
                       return {{g = q[1] - 0.1 * math.sin(t), grad = {1}, dt = -0.1 * math.cos(t)}}
                     end}),
  problem("still", {constraints = function(t, q) return {{g = 2 * q[1], grad = 2}} end}), -- dt left out, and 0
  problem("moves", {constraints = function(t, q) return {{g = q[1] + 0.1 * t * t, grad = {1}}} end}), -- made
  problem("bent", {constraints = function(t, q) return {{g = q[1] ^ 2 - 0.01, grad = 2 * q[1], dt = 0}} end}),
  problem("writes", {force_mean = function(a, b, q) q[1] = q[1] - 1 return q end}),
  problem("keeps", (function() -- what a script may do with q: keep it, and know it by its values
    local kept, last
    return {force_mean = function(a, b, q)
      if not kept or kept[1] ~= q[1] then kept, last = q, -q[1] end
      return last
    end}
  end)()),
}

local function same(a, b)
  local x, y = a.final, b.final
  local as_one = a.status == b.status and a.message == b.message and x.q[1] == y.q[1] and x.u[1] == y.u[1] and x.t == y.t
  for _, key in ipairs{"steps", "projections", "projector_iterations", "rows_offered", "rows_solved"} do
    as_one = as_one and a.work[key] == b.work[key]
  end
  return as_one
end
local function both(p, steps)
  local many = lab.run{problem = p, scheme = "maury", steps = steps, record = "final"}
  return many, lab.run{problem = p, scheme = "maury", steps = steps, record = "final", samples = {many.horizon}}
end

for _, p in ipairs(whole) do
  for _, steps in ipairs{1, 7, 64, 1000, 5000} do
    local many, single = both(p, steps)
    lab.check(many.status == "ok" and same(many, single), tostring(p) .. " in " .. steps .. " steps")
  end
end

-- They do fly: both functions are handed the same q, where single steps make each its own.
local given, shared = nil, 0
local watched = problem("watched", {
  force_mean = function(a, b, q) given = q return 0 end,
  constraints = function(t, q) shared = shared + (rawequal(q, given) and 1 or 0) return wall(t, q) end})
local many = lab.run{problem = watched, scheme = "maury", steps = 5000, record = "final"}
lab.check(many.status == "ok" and shared > 4900, shared .. " of 5000 steps in flight")
shared = 0
lab.run{problem = watched, scheme = "maury", steps = 5000, record = "final", samples = {1}}
lab.check(shared == 0, "none of them where somebody looks")

-- What is wrong is said as single steps say it, and at the same step.
local function late(name, answer) return problem(name, {constraints = function(t, q)
  if t > 0.3 then return answer(t, q) end
  return wall(t, q)
end}) end
local broken = {
  {late("raises", function() error("late") end), "own_flights.lua:%d+: late"},
  {late("none", function() return nil end), "returned nil"},
  {late("fewer", function() return {} end), "returned 0 constraints"},
  {late("text", function(t, q) return {{g = "2", grad = {1}, dt = 0}} end), "gave g of constraint 1 as '2'"},
  {late("nan", function(t, q) return {{g = 0 / 0, grad = {1}, dt = 0}} end), "gave g of constraint 1"},
  {late("flat", function(t, q) return {{g = q[1], grad = {0}, dt = 0}} end), "gradient that vanishes"},
  {late("long", function(t, q) return {{g = q[1], grad = {1, 2}, dt = 0}} end), "another length"},
  {late("rate", function(t, q) return {{g = q[1], grad = {1}, dt = 1 / 0}} end), "gave dt of constraint 1"},
  {late("hidden", function(t, q) return {setmetatable({grad = {1}, dt = 0}, {__index = {g = q[1]}})} end),
   "gave g of constraint 1 as nil"},
  {problem("push", {force_mean = function(a) return a > 0.3 and 1 / 0 or 0 end}), "force_mean gave f%[1%] as inf"},
  {problem("touch", {constraints = function(t, q) -- right at the start, wrong at the first contact
    return {{g = q[1], grad = {t > 0.45 and t < 0.55 and 1.1 or 1}, dt = 0}} end}), "where it first pushes"},
}
for _, case in ipairs(broken) do
  local a, b = both(case[1], 1000)
  lab.check(a.status ~= "ok" and a.message:find(case[2]) and same(a, b), tostring(case[1]) .. ": " .. a.message)
end
