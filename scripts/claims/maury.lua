-- Maury (2006): the velocity scheme and its properties.
local common = ...
local lab = require "impactlab"

local FIXED_SPHERES = {"sticky", "free", "pressed", "cradle", "impact", "pile", "flower"}
local BOTH = {"maury", "venel"}

lab.claim{
  id = "M-P2", source = "Maury 2006, Proposition 2",
  statement = "with fixed radii and exact steps all configurations are feasible, between nodes too",
  cases = common.cases(FIXED_SPHERES, BOTH),
  check = function(case)
    local least = math.huge
    for _, N in ipairs{7, 50} do
      least = common.least(least, common.run(case, {steps = N}).feasibility.between_min)
    end
    return common.row(case, {what = "min D at and between nodes", measured = least, sense = ">=",
                             bound = -common.ROUNDING})
  end}
