-- Orders of convergence with their intervals, from a sweep: what fits and tables hold, to the last
-- bit.
local lab = require "impactlab"
local r = lab.sweep{name = "bits", problems = {"bouncing_ball", {"sticky", N = 4, seed = 1}},
                    schemes = {"maury", "venel"}, reference = "exact",
                    steps = lab.levels{from = 64, ratio = 2, count = 4, jitter = 8, seed = 3}}:run()
for _, problem in ipairs{"bouncing_ball", "sticky"} do
  for _, scheme in ipairs{"maury", "venel"} do
    for _, norm in ipairs{"u_L1", "q_Linf"} do
      local o = r:order{problem = problem, scheme = scheme, norm = norm}
      print(problem, scheme, norm, ("%a %a %a %a %a"):format(o.order, o.low, o.high, o.floor_high, o.h_max))
    end
  end
end
r:table{"errors", formats = {"txt", "csv", "tex"}}
r:figure{"convergence", norm = "u_L1"}
