-- decided.lua - sweeps that take as many step counts as their verdicts need.
--
--   steps = lab.levels{from =, count =, jitter =, until_decided = {runs = 20000, seconds = 60}}
--
-- A round judges every order that a claim speaks of. While one is INCONCLUSIVE the next round has twice
-- as many step counts an octave, the one after that an octave more, and so on. At most ROUNDS looks share
-- the levels of a verdict (Bonferroni). Which steps come next depends on verdicts and on what stored
-- records say of their time: who runs it again finds all of it stored.
local lab = ...
local type, error, pairs, ipairs, setmetatable, tostring, max = type, error, pairs, ipairs, setmetatable, tostring, math.max

local ROUNDS = 6
local designs = setmetatable({}, {__mode = "k"}) -- of arrays that lab.levels returned

local function refuse(what, value, allowed)
  error(("lab.levels: until_decided%s is %s; allowed: %s"):format(what, tostring(value), allowed), 3)
end

local levels = lab.levels
function lab.levels(spec)
  local budget = type(spec) == "table" and spec.until_decided
  if not budget then return levels(spec) end
  if type(budget) ~= "table" then refuse("", budget, "a table such as {runs = 10000, seconds = 60}") end
  for key, value in pairs(budget) do
    if key == "norms" then
      if type(value) ~= "table" then refuse(".norms", value, "an array of norms") end
    elseif key ~= "runs" and key ~= "seconds" then
      refuse("." .. tostring(key), value, "the keys runs, seconds, norms")
    elseif type(value) ~= "number" or not (value > 0) then
      refuse("." .. key, value, "a number > 0")
    end
  end
  if not (budget.runs or budget.seconds) then refuse("", "without a budget", "runs, seconds or both") end
  local plain = {}
  for key, value in pairs(spec) do plain[key] = value end
  plain.until_decided = nil
  local steps = levels(plain)
  designs[steps] = {spec = plain, budget = budget}
  return steps
end

-- Is a verdict of a result open, of those that a claim speaks of? What did its runs cost?
local function is_open(r, norms)
  for _, o in ipairs(r:orders{norms = norms, quiet = true}) do
    if o.verdict == "INCONCLUSIVE" then return true end
  end
  return false
end

local function cost(r)
  local seconds = 0
  for _, record in ipairs(r:records()) do seconds = seconds + (record.work and record.work.seconds or 0) end
  return seconds
end

local function run(spec, name, design)
  local d, budget = {}, design.budget
  for key, value in pairs(design.spec) do d[key] = value end
  for round = 1, ROUNDS do
    local now = {}
    for key, value in pairs(spec) do now[key] = value end
    now.name, now.steps, now.rounds, now.round = name, levels(d), ROUNDS, round
    local r = lab.sweep(now):run()
    local wider = round % 2 == 1
    local grown = wider and 2 or ((d.count or 6) + 1) / (d.count or 6)
    local spent = budget.runs and r.cases * grown > budget.runs or
                  budget.seconds and cost(r) * grown > budget.seconds
    if round == ROUNDS or spent or r.missing > 0 or not is_open(r, budget.norms) then return r end
    d.jitter = wider and 2 * max(d.jitter or 1, 4) or d.jitter
    d.count = wider and d.count or (d.count or 6) + 1
  end
end

local sweep = lab.sweep
function lab.sweep(spec)
  local design = type(spec) == "table" and type(spec.steps) == "table" and designs[spec.steps]
  if not design then return sweep(spec) end
  local declared = sweep(spec) -- what is wrong with it is told where it stands
  local name = tostring(declared):match("^sweep (.-): ")
  return {run = function() return run(spec, name, design) end}
end
