-- What is refused says where it stands, what it is and what is allowed.
local lab = require "impactlab"

local function refused(words, f, ...)
  local ok, why = pcall(f, ...)
  lab.check(not ok and tostring(why):find(words, 1, true), words .. ": " .. tostring(why))
end
local function run(t) -- of what t leaves out, the usual
  local all = {problem = "sticky", scheme = "maury", steps = 1}
  for key, value in pairs(t) do all[key] = value end
  return lab.run(all)
end

-- ---- arguments --------------------------------------------------------------------------------

refused("refused.lua:18: lab.check: the text 'it holds' stands before what is a boolean; allowed: the condition first",
        function()
          lab.check("it holds", 1 > 2)
        end)
refused("lab.sweep: unknown key 'shemes'; did you mean 'schemes'?", lab.sweep, {shemes = {"maury"}})
-- Of several the first by name: the order of a table is another in every process.
refused("lab.sweep: unknown key 'aa'", lab.sweep, {zz = 1, ww = 1, dd = 1, aa = 1, pp = 1, kk = 1, rr = 1, cc = 1, [2.5] = nil})
refused("the module has no 'sweeep'; did you mean 'sweep'?", function() lab.sweeep{} end)
refused("scheme is missing", lab.run, {problem = "sticky", steps = 1})
refused("problem is missing", coroutine.wrap(lab.run), {})
refused("too few integers", lab.levels, {from = 2, jitter = 8})
refused("allowed: A, B, C", lab.exact, {problem = "nonuniqueness", name = "D"})
for words, t in pairs{
  ["did you mean 'sticky'?"] = {problem = "stiky"},
  ["problem.q0[3] is nan; allowed"] = {problem = {"sticky", q0 = {0, 1, 0 / 0}}},
  ["norms is 'graph'; allowed: TV, flat_lambda, graph_H, impacts, all, none"] = {norms = {"TV", "graph"}},
  ["sample time 9"] = {samples = {9}},
  ["without folders"] = {trajectory = "../x.h5"},
  ["restitution"] = {problem = {"bouncing_ball", e = 1}}} do
  refused(words, run, t)
end
local four = lab.sweep{problem = "sticky", scheme = "maury", steps = {4}}
refused("norm is 'L2'", four.limits, four, {norm = "L2"})
refused("no exact solution", lab.sweep, {problem = {"nonuniqueness", q0 = 0.1}, scheme = "maury", steps = {4}, reference = "exact"})
refused("reference.steps is missing", lab.sweep, {problem = "sticky", scheme = "maury", steps = {4}, reference = {"self"}})
local limits = lab.sweep{problem = "nonuniqueness", scheme = "maury",
                         steps = lab.phases{c = {1}, m = {4, 5, 6, 7, 8, 9}}}:limits{}
refused("lead to limit", limits.border, limits, {c = {1.3, 1.301}, m = 7})

-- ---- problems ---------------------------------------------------------------------------------

for words, t in pairs{
  ["no built-in problem has"] = {name = "sticky"},
  ["allowed: 1 number, not 2"] = {u0 = {1, 2}},
  ["force_breaks[2] is 0.1; allowed: times > 0 that increase strictly"] =
    {force = function() return 1 end, force_breaks = {0.2, 0.1}},
  ["not positive definite"] = {q0 = {1, 2}, mass = {{1, 2}, {2, 1}}},
  ["drift"] = {order = 1, force_mean = print},
  ["f[1] as nan; allowed: a finite"] = {force = function() return {0 / 0} end},
  ["vanishes"] = {constraints = function() return {{g = 1, grad = {0}}} end},
  ["not feasible: constraint 1 has"] = {constraints = function(_, q) return {{g = -q[1], grad = {-1}}} end},
  ["gave u as nil"] = {exact = function() return {1} end}} do
  t.q0, t.horizon = t.q0 or {1}, 1
  refused(words, lab.problem, t)
end

-- ---- schemes ----------------------------------------------------------------------------------

local function project(s) return s:project_linearised{velocity = s:free_velocity()} end
local function step(s)
  local u = project(s)
  return s.q + s.h * u, u
end
local kept
local own = lab.scheme{name = "own", order = 2, step = function(s) kept = s return step(s) end}
refused("lab.scheme: name is missing", lab.scheme, {step = step})
refused("no built-in scheme has", lab.scheme, {name = "maury", step = step})
refused("no scheme of this script has", lab.scheme, {name = "own", step = step})
refused("order", run, {problem = "crowd", scheme = own})
refused("restitution", run, {problem = {"bouncing_ball", e = 0.5}, scheme = own})
run{problem = "cradle", scheme = own}
refused("free_velocity is called outside a step", kept.free_velocity, kept)

local names = 0
local function by(f) -- a run of a scheme with these steps, whose status and message it raises
  names = names + 1
  local r = run{problem = "cradle", scheme = lab.scheme{name = "by" .. names, step = f}, steps = 8}
  error(r.status .. ": " .. r.message, 0)
end
refused("step gave u as nil", by, function(s) return s.q end)
refused("not_finite: scheme 'by2': the step to t =", by, function(s) project(s) return s.q / 0, s.u end)
refused("a velocity and a displacement", by, function(s) s:project_linearised{velocity = s.u, displacement = s.u} end)
refused("unknown key 'displacement'", by, function(s) s:project_tangent{displacement = s.u} end)
refused("not_finite", by, function(s) pcall(s.project_linearised, s, {velocity = s.u / 0}) return step(s) end)

-- ---- references, norms, figures ---------------------------------------------------------------

local function compare(reference, problem)
  return run{problem = problem or "bouncing_ball", steps = 8, reference = reference}
end
for _, name in ipairs{"ball.csv", "ball.h5"} do run{problem = "bouncing_ball", steps = 8, trajectory = name} end
refused("--trust allows others", compare, {file = "../ball.csv"})
refused("has 1 coordinate, and problem 'cradle' has 5", compare, {file = "ball.csv"}, "cradle")
refused("ends at t = 2, and the run at 3", compare, {file = "ball.h5"}, {"bouncing_ball", T = 3})
refused("it gave u as nil", compare, {of = function() return 1 end})
refused("breaks[2] is 1; allowed: times > 0 that increase strictly", compare,
        {of = function() return 0, 0 end, breaks = {1, 1}})

local function order(norm, reference)
  local r = lab.sweep{problem = "bouncing_ball", scheme = "maury", steps = {8, 16}, reference = reference}:run()
  return r:order{norm = norm}
end
refused("norm is 'u_l1'; allowed: u_L1", order, "u_l1")
refused("norm 'word': it returned 'a'; allowed: a number", order, {name = "word", of = function() return "a" end})
refused("t is 9.0; allowed: 0 to 2.0", order, {name = "late", of = function(r) return r:at(9) end})
refused("reference 'function': ", order, {name = "far", of = function(_, ref) ref:at(0.31415) return 1 end},
        {of = function(t) return t == 0.31415 and error("boom") or 0, 0 end})
refused("a norm of another function has it", function()
  local r = lab.sweep{problem = "bouncing_ball", scheme = "maury", steps = {8, 16}}:run()
  for k = 1, 2 do r:order{norm = {name = "twice", of = function() return k end}} end
end)
local r = lab.sweep{problem = "bouncing_ball", scheme = "maury", steps = {8, 16}}:run()
refused("one of them", r.figure, r, {"parameter", field = "h", norm = "u_L1", x = "h"})

-- ---- methods ----------------------------------------------------------------------------------

-- A dot for the colon: told at the script's line, not at one of the library.
local result = lab.sweep{name = "dots", problem = "sticky", scheme = "maury", steps = {1, 2}}:run()
for _, method in ipairs{"order", "orders", "table", "figure", "records", "law"} do
  local ok, why = pcall(function() result[method]{} end)
  lab.check(not ok and tostring(why):find("^[^ ]*refused.lua:%d+: a method is called with a colon, as in r:order{...}, of what it belongs to"),
            method .. ": " .. tostring(why))
end
