-- A sweep in which cases fail goes on, and never passes for an order.
local lab = require "impactlab"
local r = lab.sweep{problems = {{"sticky", N = 8, seed = 1}, "bouncing_ball"}, scheme = "maury",
                    projector = "uzawa", max_iterations = 3, steps = {4, 8, 16, 32},
                    name = "failing"}:run()
local failed = 0
for _, record in ipairs(r:records()) do
  failed = failed + (record.status ~= "ok" and 1 or 0)
  lab.check(record.status == "ok" or record.error.u_L1 == nil, "a failed case has no errors")
end
lab.check(r.cases == 8 and #r:records() == 8, "all cases are there")
lab.check(failed >= 1 and failed == r.failed, "some fail, and are counted")
local order = r:order{problem = "sticky"}
lab.check(order.verdict ~= "PASS" and order.order ~= order.order, "no order from failed runs")
r:table{"orders"}
r:table{"summary"}

-- Against itself, the reference is without error, and the record says what it was.
local s = lab.sweep{problem = "nonuniqueness", scheme = "maury", steps = {16, 64, 256},
                    reference = {"self", steps = 256}}:run()
for _, record in ipairs(s:records()) do
  lab.check(record.error.reference == "self: maury, 256 steps", "name of the reference")
  lab.check((record.error.q_Linf <= 1e-15) == (record.steps == 256), "distance to itself alone is 0")
end
