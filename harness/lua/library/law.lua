-- law.lua - the constant in error = c h^p over the phases of events (harness/study/law/law.h).
--
--   lab.law{h = {...}, error = {...}, order = 1, events = {...}, law = function(c) ... end, humps = 2, slack =}
--   r:law{norm = "u_L1", problem =, scheme =, order = 1, events =, law =, humps =, slack =}   of a sweep
--       -> {n =, order =, least =, mean =, mean_within =, geometric =, largest =, shares =, quantiles =, atom =,
--           atom_share =, widest_gap =, discrepancy =, c = {...}, distance =, allowed =, verdict =, reason =}
--
-- law(c) is the share of constants that are at most c; it is compared at c - slack and c + slack.
local lab, host = ...
local known, read, refuse = host.known, host.read, host.refuse
local type, ipairs = type, ipairs

local HUMPS = 2 -- rises and falls of c over a step, at most: IL_LAW_HUMPS

local function claimed(call, law, c)
  local y = law(c)
  if type(y) ~= "number" or not (y >= -1e-9 and y <= 1 + 1e-9) then
    refuse(call, ("law(%.6g)"):format(c), y, "a share, 0 to 1: law(c) is the share of constants that are at most c")
  end
  return y
end

-- Why the verdict is "undecided".
local function reason(found, events, humps)
  if events > 1 then
    return ("%d events: their phases fill no square evenly enough to bound a share of it; judge the law of one event alone"):format(events)
  end
  return ("the phases' discrepancy is %.3g; below 1/(80 humps) = %.3g a law that is off by a twentieth of its width is told: " ..
    "take more runs, or an event that is no near-fraction of the horizon"):format(found.discrepancy, 1 / (80 * humps))
end

-- Fields distance, allowed, verdict and reason, where the script says what law it is.
local function judge(call, spec, found, events, allowed, decides)
  local slack, law = read(call, spec, "slack", "positive") or 2e-3 * found.largest, spec.law
  if law == nil then return found end
  if type(law) ~= "function" then
    refuse(call, "law", law, "a function(c): the share of constants that are at most c")
  elseif found.discrepancy ~= found.discrepancy then
    host.miss(call, spec, "events", "an array of times: a law is judged by the phases of events")
  end
  local low, high = {}, {}
  for k, c in ipairs(found.c) do
    low[k], high[k] = claimed(call, law, c - slack), claimed(call, law, c + slack)
  end
  found.distance, found.allowed = host.law_distance(low, high), events == 1 and allowed or nil
  found.verdict = events == 1 and not (found.distance <= allowed) and "differs" or decides and "agrees" or "undecided"
  found.reason = found.verdict == "undecided" and reason(found, events, spec.humps or HUMPS) or nil
  return found
end

-- Of errors at steps h; events are those that are known where the script names none.
local function study(call, spec, h, error, events)
  local named = read(call, spec, "events", "numbers") or {}
  local order = read(call, spec, "order", "number") or 1
  local humps = read(call, spec, "humps", "count", 1) or HUMPS
  if #named > 0 then events = named end
  local found, allowed, decides = host.law(call, h, error, events, order, humps)
  return judge(call, spec, found, #events, allowed, decides)
end

function lab.law(spec)
  local call = "lab.law"
  known(call, spec, {"h", "error", "order", "events", "law", "humps", "slack"})
  local h, error = read(call, spec, "h", "numbers") or {}, read(call, spec, "error", "numbers") or {}
  if #error ~= #h or #h == 0 then refuse(call, "#error", #error, ("%d, the length of h, and not 0"):format(#h)) end
  return study(call, spec, h, error, {})
end

function host.result_methods.law(r, spec)
  local call = "r:law"
  host.complete(r, call)
  known(call, spec, {"norm", "problem", "scheme", "order", "events", "law", "humps", "slack"})
  local s, problem = host.sweep(r), host.find(r, call, spec, "problem")[1]
  local first = ((problem - 1) * #s.schemes + host.find(r, call, spec, "scheme")[1] - 1) * s.sizes + 1
  local path = "error." .. host.norm(r, call, spec)
  return study(call, spec, host.numbers(r, nil, first, s.sizes), host.numbers(r, path, first, s.sizes),
               host.events(r, problem))
end
