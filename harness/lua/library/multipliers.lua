-- multipliers.lua - lab.multipliers: the set of all multipliers of one step.
--
--   lab.multipliers{problem =, scheme =, steps =, h =, step = the last, ... as lab.run}
--       -> {step =, t =, contacts =, unknowns =, rank =, dimension =, extent =, total = {min =, max =},
--           bound = {constant =, force =, total =}, residual =, id = {...}, name = {...}, min = {...}, max = {...},
--           chosen = {...}}
--
-- What has no bound, which a record has as null, is math.huge. A run that fails gives nil and its message.
local lab, host = ...
local run, next, type, huge = lab.run, next, type, math.huge

function lab.multipliers(spec)
  local own = {multipliers = "last"}
  if type(spec) ~= "table" then host.known("lab.multipliers", spec, {}) end
  for key, value in next, spec do own[key == "step" and "multipliers" or key] = value end
  local record = run(own)
  local set = record.multipliers
  if not set then return nil, record.message end
  local total, bound = set.total, set.bound
  set.extent, total.max = set.extent or huge, total.max or huge
  bound.constant, bound.total = bound.constant or huge, bound.total or huge
  for i = 1, set.contacts do set.max[i] = set.max[i] or huge end
  return set
end
