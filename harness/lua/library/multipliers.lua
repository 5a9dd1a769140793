-- multipliers.lua - lab.multipliers: the set of all multipliers of one step.
--
--   lab.multipliers{problem =, scheme =, steps =, h =, step = the last, ... as lab.run}
--       -> {step =, t =, contacts =, unknowns =, rank =, dimension =, extent =, total = {min =, max =},
--           bound = {constant =, force =, total =}, residual =, id = {...}, name = {...}, min = {...}, max = {...},
--           chosen = {...}}
--
-- What has no bound, which a record has as null, is math.huge. A run that fails gives nil and its message.
local lab, host = ...
local huge = math.huge

function lab.multipliers(spec)
  local set, why = host.multipliers(spec)
  if not set then return nil, why end
  local total, bound = set.total, set.bound
  set.extent, total.max = set.extent or huge, total.max or huge
  bound.constant, bound.total = bound.constant or huge, bound.total or huge
  for i = 1, set.contacts do set.max[i] = set.max[i] or huge end
  return set
end
