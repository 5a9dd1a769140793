-- first.lua - a first sweep: two spheres, three schemes, 256 step sizes each.
--
--   build/impactlab sweep scripts/first.lua -j 2
local lab = require "impactlab"
local sweep = lab.sweep{
  name = "first", problem = {"two_spheres", scenario = "free"},
  schemes = {"maury", "paoli", "venel"}, reference = "exact",
  steps = lab.levels{from = 128, ratio = 2, count = 8, jitter = 32, seed = 1}}
local r = sweep:run()
for _, scheme in ipairs{"maury", "paoli", "venel"} do
  print(r:order{scheme = scheme, norm = "u_L1"})
end
r:table{"errors", formats = {"txt", "csv", "tex"}}
r:figure{"convergence", norm = "u_L1"}
