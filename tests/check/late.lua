-- says: where it first becomes active
-- A wall whose gradient is right wherever declaration looks, and wrong from t = 0.25 to 0.5.
local lab = require "impactlab"
lab.problem{
  name = "late", horizon = 1, q0 = {0.1}, u0 = {200},
  constraints = function(t, q) return {{g = 60 - q[1], grad = {t > 0.25 and t < 0.5 and -2 or -1}}} end}
