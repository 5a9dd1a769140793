-- levels.lua - step counts and step sizes of studies, and sweeps that take as many as their verdicts need.
--
--   lab.levels{from = 64, ratio = 2, count = 6, jitter = 1, seed = 1}
--       as harness/study/order/step_design.h draws them
--   lab.dyadic{from = a, to = b}   2^a, 2^(a+1), ..., 2^b
--   lab.phases{c = {...}, m = {...}}
--       step sizes h = c 2^-m, for each m all c, with fields c and m that say which; for a sweep's steps
--   lab.levels{..., until_decided = {runs = 20000, seconds = 60, norms = {...}}}
--
-- With until_decided a round judges every order that a claim is made of. While one is INCONCLUSIVE the next
-- round has twice as many step counts per octave, the one after that one octave more, and so on. At most
-- ROUNDS interim analyses share the levels of a verdict (Bonferroni). Which steps come next depends on verdicts
-- and on the run times in stored records, so that a repeated script finds all of it stored.
local lab, host = ...
local known, read, refuse, miss = host.known, host.read, host.refuse, host.miss
local type, pairs, ipairs, tostring, max = type, pairs, ipairs, tostring, math.max
local floor, abs, setmetatable = math.floor, math.abs, setmetatable

local ROUNDS = 6
local EXPONENT_MAX = 40 -- 2^40 steps
local designs = setmetatable({}, {__mode = "k"}) -- of arrays that lab.levels returned
host.rounds = setmetatable({}, {__mode = "k"}) -- of results: which round of at most how many they are

-- ---- steps ------------------------------------------------------------------------------------------

local function draw(spec)
  local call = "lab.levels"
  known(call, spec, {"from", "ratio", "count", "jitter", "seed", "until_decided"})
  local ratio = read(call, spec, "ratio", "positive") or 2
  if not (ratio > 1) then refuse(call, "ratio", ratio, "a number > 1") end
  return host.levels(read(call, spec, "from", "count", 1) or 64, ratio, read(call, spec, "count", "count", 1) or 6,
                     read(call, spec, "jitter", "count", 1) or 1, read(call, spec, "seed", "count", 0) or 1)
end

-- until_decided: how much may be spent, and on which norms.
local function check_budget(budget)
  local call = "lab.levels until_decided"
  known(call, budget, {"runs", "seconds", "norms"})
  local runs, seconds = read(call, budget, "runs", "positive"), read(call, budget, "seconds", "positive")
  read(call, budget, "norms", "texts")
  if not (runs or seconds) then
    host.raise("lab.levels: until_decided is without a budget; allowed: runs, seconds or both")
  end
end

function lab.levels(spec)
  local steps = draw(spec)
  if spec.until_decided then
    check_budget(spec.until_decided)
    local plain = {}
    for key, value in pairs(spec) do plain[key] = value end
    designs[steps] = {spec = plain, budget = spec.until_decided}
  end
  return steps
end

function lab.dyadic(spec)
  local call, steps = "lab.dyadic", {}
  known(call, spec, {"from", "to"})
  local from = read(call, spec, "from", "count", 0) or 0
  local to = read(call, spec, "to", "count", 0) or from
  if to > EXPONENT_MAX or to < from then refuse(call, "to", to, "an exponent from 'from' to 40") end
  for k = from, to do steps[#steps + 1] = 1 << k end
  return steps
end

local function is_level(m) return m == floor(m) and abs(m) <= EXPONENT_MAX end
local function is_positive(c) return c > 0 end

local function read_phases(spec, key, fits, allowed)
  local call = "lab.phases"
  local x = read(call, spec, key, "finite") or {}
  if #x == 0 then miss(call, spec, key, ("an array, each %s"):format(allowed)) end
  for k, value in ipairs(x) do
    if not fits(value) then refuse(call, ("%s[%d]"):format(key, k), value, allowed) end
  end
  return x
end

host.phases = {} -- the metatable of what follows: step sizes h in the array, their c and m as fields
function lab.phases(spec)
  known("lab.phases", spec, {"c", "m"})
  local c = read_phases(spec, "c", is_positive, "a number > 0")
  local h = {c = {}, m = {}}
  for _, m in ipairs(read_phases(spec, "m", is_level, "an integer from -40 to 40")) do
    for _, phase in ipairs(c) do
      local k = #h + 1
      h[k], h.c[k], h.m[k] = host.scale(phase, -m), phase, floor(m)
    end
  end
  return setmetatable(h, host.phases)
end

-- ---- until verdicts are decided ---------------------------------------------------------------------

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

-- Has the coarsest level integers for so many runs? They are at most half of them.
local function has_room(d, jitter)
  local side = math.sqrt(d.ratio or 2)
  return math.ceil((d.from or 64) * side) - math.ceil((d.from or 64) / side) >= 2 * jitter
end

local function run(spec, name, design)
  local d, budget = {}, design.budget
  for key, value in pairs(design.spec) do d[key] = value end
  for round = 1, ROUNDS do
    local now = {}
    for key, value in pairs(spec) do now[key] = value end
    now.name, now.steps = name, draw(d)
    local r = host.new_sweep(now):run()
    host.rounds[r] = {most = ROUNDS, now = round}
    local wider = round % 2 == 1 and has_room(d, 2 * max(d.jitter or 1, 4))
    local grown = wider and 2 or ((d.count or 6) + 1) / (d.count or 6)
    local spent = budget.runs and r.cases * grown > budget.runs or
                  budget.seconds and cost(r) * grown > budget.seconds
    if round == ROUNDS or spent or r.missing > 0 or not is_open(r, budget.norms) then return r end
    d.jitter = wider and 2 * max(d.jitter or 1, 4) or d.jitter
    d.count = wider and d.count or (d.count or 6) + 1
  end
end

function lab.sweep(spec)
  local design = type(spec) == "table" and type(spec.steps) == "table" and designs[spec.steps]
  local declared = host.new_sweep(spec) -- what is wrong with it is told where it stands
  if not design then return declared end
  local name = tostring(declared):match("^sweep (.-): ")
  return {run = function() return run(spec, name, design) end}
end
