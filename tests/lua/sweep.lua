-- What a sweep leaves. Every number of every record goes to a table, so that two invocations can be
-- compared letter by letter.
local lab = require "impactlab"
local r = lab.sweep{
  name = "mixed",
  problems = {"bouncing_ball", {"bouncing_ball", q0 = 2}, {"sticky", N = 5, seed = 4}},
  schemes = {"maury", "paoli"},
  steps = {20, 31, 47, 80},
  reference = "exact"}:run()
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
