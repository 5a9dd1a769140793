-- What functions of a problem give that is wrong is said, and numbers in place of functions are those functions.
local lab = require "impactlab"
local function wall(t, q) return {{g = q[1], grad = {1}, dt = 0}} end
local function problem(name, fields)
  local p = {name = name, horizon = 3, q0 = {1}, u0 = {-2}, constraints = wall}
  for key, value in pairs(fields) do p[key] = value end
  return lab.problem(p)
end

local function late(name, answer) return problem(name, {constraints = function(t, q)
  if t > 0.3 then return answer(t, q) end
  return wall(t, q)
end}) end
local broken = {
  {late("raises", function() error("late") end), "own_callbacks.lua:%d+: late"},
  {late("table", function() error{1} end), "the error is a table, not a message"},
  {late("below", function() return nothing.x end), "own_callbacks.lua:%d+: .*nothing"},
  {late("none", function() return nil end), "returned nil"},
  {late("fewer", function() return {} end), "returned 0 constraints"},
  {late("text", function(t, q) return {{g = "2", grad = {1}, dt = 0}} end), "gave g of constraint 1 as '2'"},
  {late("nan", function(t, q) return {{g = 0 / 0, grad = {1}, dt = 0}} end), "gave g of constraint 1"},
  {late("flat", function(t, q) return {{g = q[1], grad = {0}, dt = 0}} end), "gradient that vanishes"},
  {late("long", function(t, q) return {{g = q[1], grad = {1, 2}, dt = 0}} end), "as an array of 2; allowed: 1 number"},
  {late("rate", function(t, q) return {{g = q[1], grad = {1}, dt = 1 / 0}} end), "gave dt of constraint 1"},
  {late("hidden", function(t, q) return {setmetatable({grad = {1}, dt = 0}, {__index = {g = q[1]}})} end),
   "gave g of constraint 1 as nil"},
  {problem("push", {force_mean = function(a) return a > 0.3 and 1 / 0 or 0 end}), "force_mean gave f%[1%] as inf"},
  {problem("touch", {constraints = function(t, q) -- right at the start, wrong at the first contact
    return {{g = q[1], grad = {t > 0.45 and t < 0.55 and 1.1 or 1}, dt = 0}} end}), "where it first becomes active"},
}
for _, case in ipairs(broken) do
  local run = lab.run{problem = case[1], scheme = "maury", steps = 1000, record = "final"}
  lab.check(run.status ~= "ok" and run.message:find(case[2]), tostring(case[1]) .. ": " .. run.message)
end

-- A force and constraints as numbers, and the functions that return them: the same bits, whatever is kept of the run.
local function twins(name, start, speed, F, rows, order)
  local function field(q) return type(F) == "table" and F or {F} end
  local function at(t, q)
    local list = {}
    for i, row in ipairs(rows) do
      local grad = type(row.grad) == "table" and row.grad or {row.grad}
      local g = row.g + (row.dt or 0) * t
      for k = 1, #q do g = g + grad[k] * q[k] end
      list[i] = {g = g, grad = grad, dt = row.dt or 0}
    end
    return list
  end
  local base = {horizon = 2, q0 = start, u0 = order == 2 and speed or nil, order = order}
  local function with(fields)
    for key, value in pairs(base) do fields[key] = value end
    return lab.problem(fields)
  end
  local mean = order ~= 1 and function(a, b, q) return field(q) end or nil
  return with{name = name .. "_numbers", force = F, constraints = rows},
         with{name = name .. "_functions", force = function(t, q) return field(q) end, force_mean = mean, constraints = at}
end
local function alike(a, b)
  for k = 1, #a.final.q do
    if a.final.q[k] ~= b.final.q[k] or a.final.u[k] ~= b.final.u[k] then return false end
  end
  return a.status == "ok" and b.status == "ok" and a.derivatives == "given"
end
local pairs_of = {
  {twins("falls", {1}, {0}, -9.81, {{g = 0, grad = 1}})},
  {twins("rising", {1}, {0}, {-2}, {{g = -0.5, grad = {3}, dt = -0.3}})},
  {twins("corner", {1, 2}, {0.5, -1}, {-1, -3}, {{g = 0, grad = {1, 0}}, {g = 0, grad = {0, 1}, dt = 0.01},
                                                 {g = 4, grad = {-1, -0.5}}})},
  {twins("swept", {1, 2}, {0, 0}, {-1, -3}, {{g = 0, grad = {1, 0}, dt = -0.1}, {g = 0, grad = {1, 1}}}, 1)},
}
for _, pair in ipairs(pairs_of) do
  for _, record in ipairs{"full", "final"} do
    local n = lab.run{problem = pair[1], scheme = "maury", steps = 777, record = record, norms = {"none"}}
    local f = lab.run{problem = pair[2], scheme = "maury", steps = 777, record = record, norms = {"none"}}
    lab.check(alike(n, f), tostring(pair[1]) .. ", " .. record)
  end
  local set = lab.set{problem = pair[1]}:info()
  lab.check(set.affine and set.convex and set.force_of_time, tostring(pair[1]) .. " is known to be affine")
end
lab.check(lab.set{problem = pairs_of[1][1]}:info().fixed and not lab.set{problem = pairs_of[2][1]}:info().fixed,
          "whether rows move")

local function refused(fields, pattern)
  local p = {name = "n", horizon = 1, q0 = {1, 2}, constraints = {{g = 0, grad = {1, 0}}}}
  for key, value in pairs(fields) do p[key] = value end
  local fine, message = pcall(lab.problem, p)
  lab.check(not fine and tostring(message):find(pattern), tostring(message))
end
refused({force = {1}}, "force is a table; allowed: 2 numbers")
refused({force = {1, 1}, force_mean = function() return {1, 1} end}, "force alone where it is numbers")
refused({constraints = {g = 0, grad = {1, 0}}}, "an array of rows")
refused({constraints = {{grad = {1, 2}}}}, "constraints%[1%].g is missing")
refused({constraints = {{g = 0, grad = {0, 0}}}}, "does not vanish")
refused({constraints = {{g = 0, grad = {1, 0}, td = 1}}}, "unknown key 'constraints%[1%].td'")
refused({constraints = {{g = -5, grad = {1, 0}}}}, "the start is not feasible")
