-- What a sweep leaves. Every number of every record goes to a table, so that two invocations can be
-- compared letter by letter.
local lab = require "impactlab"
local r = lab.sweep{
  name = "mixed",
  problems = {"bouncing_ball", {"bouncing_ball", q0 = 2}, {"sticky", N = 5, seed = 4}},
  schemes = {"maury", "paoli"},
  steps = {20, 31, 47, 80},
  reference = "exact"}:run()
lab.check(tostring(r):find(": %d+ cases, 0 failed$"), tostring(r))
lab.check(r.cases == 24 and r.found + r.ran == 24 and r.failed == 0, "all cases")

local rows = {}
local function digits(prefix, value)
  if type(value) == "table" then
    local keys = {}
    for k in pairs(value) do keys[#keys + 1] = k end
    table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
    for _, k in ipairs(keys) do
      if k ~= "seconds" then digits(prefix .. "." .. k, value[k]) end
    end
  else
    rows[#rows + 1] = {prefix, type(value) == "number" and ("%.17g"):format(value) or tostring(value)}
  end
end
for k, record in ipairs(r:records()) do digits("r" .. k, record) end
lab.check(#rows > 24 * 30, "records are there in full")
lab.table{name = "digits", heads = {"field", "value"}, rows = rows, formats = {"csv"}}

-- what lab.run refuses, what would be lost and what would count twice is refused where it is declared
local function refused(what, fields)
  local base = {problem = "bouncing_ball", scheme = "maury"}
  for key, value in pairs(fields) do base[key] = value end
  if base.problems then base.problem = nil end
  if base.schemes then base.scheme = nil end
  local ok, why = pcall(lab.sweep, base)
  lab.check(not ok and why:find(what, 1, true), what .. ": " .. tostring(why))
end
refused("allowed: at most the horizon", {hs = {0.1, 10}})
refused("outside the run", {steps = {8}, samples = {99}})
refused("cannot serve problem", {steps = {8}, projector = "chain"})
refused("no event-driven reference", {problem = "pile", steps = {8}, reference = "event_driven"})
refused("number 1 already", {schemes = {"maury", "maury"}, steps = {8}})
refused("beside its first 1", {steps = {10, [3] = 20, [4] = 40}})
refused("nothing beside steps", {steps = {8}, hs = {0.1}})
for key, value in pairs{u0 = {3}, restitution = 0.5} do
  local ok, why = pcall(lab.problem, {order = 1, q0 = {1}, horizon = 1, constraints = {}, [key] = value})
  lab.check(not ok and why:find("at order 1", 1, true), tostring(why))
end
