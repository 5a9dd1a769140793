-- says: is not symmetric
local lab = require "impactlab"
lab.problem{name = "mass", horizon = 1, q0 = {0, 0}, mass = {{2, 1}, {0.5, 2}}}
