-- The example of the manual, as it stands there, then checks.
local lab = require "impactlab"
local sweep = lab.sweep{
  problem   = {"two_spheres", scenario = "free"},
  schemes   = {"maury", "paoli", "venel"},
  steps     = lab.levels{from = 64, ratio = 2, count = 6, jitter = 8, seed = 1},
  reference = "exact",                      -- or {"self", steps = 65536, scheme = "maury"}
}
local r = sweep:run()                       -- cached: a case that is stored is not run again
local order = r:order{scheme = "maury", norm = "u_L1"}   -- slope, confidence interval, verdict
r:table{"errors", formats = {"txt", "csv", "tex"}}
r:figure{"convergence", norm = "u_L1"}

lab.check(r.cases == 144 and r.failed == 0, "3 schemes x 48 step counts, all well")
lab.check(order.used == 48 and order.low <= order.order and order.order <= order.high, "an interval")
lab.check(tostring(order):find("maury u_L1 on two_spheres", 1, true), "an order says what it is of")
