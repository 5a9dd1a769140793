-- says: force is discontinuous: it jumps by 0.25 at t = 0.95,
local lab = require "impactlab"
local breaks = {}
for k = 1, 9 do breaks[k] = k / 10 end
lab.problem{name = "hidden", horizon = 0.98, q0 = {1}, force_breaks = breaks,
  force = function(t) return {-(math.floor(10 * t) % 2) - (t > 0.95 and 0.25 or 0)} end,
  constraints = {{g = 0, grad = 1}}}
