-- orders.lua - the judge judged: how often the interval of an order covers the truth, and how often
-- a verdict is wrong, on families of errors whose order and limit are known.
--
--   make coverage-orders      1000 studies a line, results/reference/orders.txt
--   build/impactlab sweep scripts/orders.lua --results results/verdicts -- 100
--
-- Every study draws new step counts and new phases. Phases are the place of an impact at a time
-- drawn for the study, or numbers drawn for each run. Nothing here calls a library of mathematics:
-- powers are made by square roots and the logarithm by its series, so that the table is the same
-- everywhere.

local lab = require "impactlab"

local TRIALS = math.tointeger(tonumber(arg and arg[1] or 100))
local EVERY = arg and arg[2] == "all" -- the designs that nothing was tuned on too

-- ---- numbers ------------------------------------------------------------------------------------

-- Marsaglia's xorshift of 64 bits, times an odd number (Vigna 2016); uniform in (0, 1).
local state = 0x9E3779B97F4A7C15
local function uniform()
  state = state ~ (state >> 12)
  state = state ~ (state << 25)
  state = state ~ (state >> 27)
  return (((state * 0x2545F4914F6CDD1D) >> 11) + 0.5) * 2.0 ^ -53
end

-- Normal to what twelve uniform numbers make it: bounded by 6, no logarithm.
local function normal()
  local sum = -6
  for _ = 1, 12 do sum = sum + uniform() end
  return sum
end

-- exp(x) for |x| <= 3 and log(x) for x >= 1, to some 1e-14.
local function exp(x)
  local term, sum = 1.0, 1.0
  x = x / 64
  for k = 1, 12 do
    term = term * x / k
    sum = sum + term
  end
  for _ = 1, 6 do sum = sum * sum end
  return sum
end
local function log(x)
  local octaves = 0
  while x >= 2 do
    x = x / 2
    octaves = octaves + 1
  end
  local t = (x - 1) / (x + 1)
  local term, sum = t, 0.0
  for k = 1, 39, 2 do
    sum = sum + term / k
    term = term * t * t
  end
  return 2 * sum + octaves * 0.69314718055994531
end

local function power(h, p) -- p = 1/4, 1/2, 1, 2
  if p == 0.25 then return math.sqrt(math.sqrt(h)) end
  if p == 0.5 then return math.sqrt(h) end
  return p == 2 and h * h or h
end

-- ---- families -----------------------------------------------------------------------------------

-- Scatter: a factor of the whole error.
local function none() return 1 end
local function lognormal(s) return function() return exp(s * normal()) end end
local function within(s) return function() return 1 + s * (2 * uniform() - 1) end end
-- u/(1 - u): without a mean, as heavy as Cauchy's; its square root has no variance.
local function heavy()
  local u = uniform()
  return math.sqrt(u / (1 - u))
end

-- error(h, study) with study = {finest =, impact =}; p: the order, nil where none exists in the
-- range; limit: does it converge? decidable: can these runs tell, by a test that knew the scatter?
-- Such a test asks whether the errors of the six octaves bend as half a floor at the finest would
-- bend them; scatter of a tenth is below, of a third above what eight runs an octave can tell.
local families = {}
local function family(name, fields)
  fields.name = name
  families[#families + 1] = fields
end
local function sum_with_floor(p, times, scatter)
  return function(h, study) return (power(h, p) + times * power(study.finest, p)) * scatter() end
end

for _, p in ipairs{0.25, 0.5, 1, 2} do
  for _, scatter in ipairs{{"no scatter", none, true}, {"1 +- 0.1", within(0.1), p >= 0.5},
                           {"1 +- 0.5", within(0.5), false}} do
    family(string.format("h^%g, %s", p, scatter[1]),
           {p = p, limit = true, decidable = scatter[3], error = sum_with_floor(p, 0, scatter[2])})
  end
end
family("h, lognormal 0.3", {p = 1, limit = true, error = sum_with_floor(1, 0, lognormal(0.3))})
family("h, heavy tails", {p = 1, limit = true, error = sum_with_floor(1, 0, heavy)})
for _, c in ipairs{0, 1, 10, 30, 100} do
  family(string.format("phase h + %d h^2", c), {p = 1, limit = true, error = function(h, study)
    local s = study.impact / h
    return (s - math.floor(s)) * h + c * h * h
  end})
end
for _, c in ipairs{10, 100} do
  family(string.format("h (1 +- 0.1) + %d h^2", c), {p = 1, limit = true, decidable = true,
    error = function(h) return h * within(0.1)() + c * h * h end})
end
family("h log(1/h)", {limit = true, decidable = true, near = 1,
                      error = function(h) return h * log(1 / h) end})
family("h log(1/h), 1 +- 0.1", {limit = true, decidable = true, near = 1,
                                error = function(h) return h * log(1 / h) * within(0.1)() end})
family("h log(1/h), lognormal 0.3", {limit = true, near = 1,
  error = function(h) return h * log(1 / h) * lognormal(0.3)() end})
family("h, one run of ten exact", {p = 1, limit = true, decidable = true, error = function(h)
  return uniform() < 0.1 and 1e-16 * uniform() or h * within(0.1)()
end})
family("h, three of ten at h/1000", {p = 1, limit = true, decidable = true, error = function(h)
  return h * within(0.1)() * (uniform() < 0.3 and 1e-3 or 1)
end})
family("h^2 down to rounding", {p = 2, limit = true, decidable = true, error = function(h)
  return math.abs(1e-8 * h * h * within(0.1)() + 1e-15 * normal())
end})
for _, times in ipairs{1e-6, 0.01, 0.1} do
  for _, p in ipairs{0.5, 1, 2} do
    family(string.format("h^%g + %g of the finest, 1 +- 0.1", p, times),
           {p = p, limit = nil, error = sum_with_floor(p, times, within(0.1))})
  end
end
for _, p in ipairs{0.25, 0.5, 1, 2} do
  for _, scatter in ipairs{{"no scatter", none}, {"1 +- 0.1", within(0.1)},
                           {"1 +- 0.5", within(0.5)}} do
    family(string.format("h^%g + the finest, %s", p, scatter[1]),
           {limit = false, error = sum_with_floor(p, 1, scatter[2])})
  end
end
for _, times in ipairs{6, 20} do
  family(string.format("h + %d of the finest, 1 +- 0.1", times),
         {limit = false, decidable = true, error = sum_with_floor(1, times, within(0.1))})
  family(string.format("phase h + %d of the finest h", times), {limit = false,
    decidable = times == 20, error = function(h, study)
      local s = study.impact / h
      return (s - math.floor(s)) * h + times * study.finest
    end})
end
family("0.5, no scatter", {limit = false, decidable = true, error = function() return 0.5 end})
family("0.5, 1 +- 0.1", {limit = false, decidable = true,
                         error = function() return 0.5 * within(0.1)() end})
-- Nine runs may happen to have none that stays.
family("three of ten stay at 0.1", {limit = false, many = true, error = function(h)
  return (uniform() < 0.3 and 0.1 or h) * within(0.1)()
end})

-- ---- studies ------------------------------------------------------------------------------------

-- Six octaves of eight is what the judge was tuned on.
local designs = {{name = "6 x 8", from = 64, count = 6, jitter = 8}}
if EVERY then
  designs[2] = {name = "4 x 8", from = 64, count = 4, jitter = 8}
  designs[3] = {name = "dyadic, 9", from = 64, count = 9, jitter = 1}
end

local function study_of(design, seed)
  local steps = lab.levels{from = design.from, count = design.count, jitter = design.jitter,
                           seed = seed}
  local study = {h = {}, impact = uniform(), finest = 1}
  for k, n in ipairs(steps) do
    study.h[k] = 1 / n
    study.finest = math.min(study.finest, 1 / n)
  end
  return study
end

local function verdict_of(study, errors, claim)
  return lab.order{h = study.h, error = errors, claim = claim}
end

local function trial(f, design, seed, count)
  local study = study_of(design, seed)
  local errors = {}
  for k, h in ipairs(study.h) do errors[k] = f.error(h, study) end
  local o = verdict_of(study, errors, {kind = "converges"})
  count[o.verdict] = (count[o.verdict] or 0) + 1
  local p = f.p or f.near
  if p then
    count.covered = count.covered + (o.low <= p and p <= o.high and 1 or 0)
    count.width = count.width + (o.order == o.order and (o.high - o.low) / 2 or 0)
    -- a bound can only be refuted where the interval is below it, or nothing is seen to fall
    if o.verdict == "FAIL" or o.order ~= o.order or o.high < p - 0.1 then
      local bound = verdict_of(study, errors, {kind = "bound", order = p}).verdict
      count.wrong = count.wrong + (bound == "FAIL" and 1 or 0)
    end
  end
end

local function share(n) return string.format("%.1f %%", 100 * n / TRIALS) end

local heads = {"design", "family", "order", "covered", "half width", "PASS", "FAIL", "INCONCLUSIVE",
               "FAIL of the order", "decidable"}
local rows = {}
local worst = {cover = 1, most = 0, pass = 0, fail = 0, undecided = 0}
for _, design in ipairs(designs) do
  for _, f in ipairs(families) do
    local count = {covered = 0, width = 0, wrong = 0, PASS = 0, FAIL = 0, INCONCLUSIVE = 0}
    for k = 1, TRIALS do trial(f, design, 1000 * #rows + k, count) end
    rows[#rows + 1] = {
      design.name, f.name, f.p or (f.near and "(" .. f.near .. ")") or "-",
      (f.p or f.near) and share(count.covered) or "-",
      (f.p or f.near) and string.format("%.2f", count.width / TRIALS) or "-",
      share(count.PASS), share(count.FAIL), share(count.INCONCLUSIVE),
      (f.p or f.near) and share(count.wrong) or "-", f.decidable and "yes" or "no"}
    if f.limit == false and not (f.many and design.jitter == 1) then
      worst.pass = math.max(worst.pass, count.PASS / TRIALS)
    end
    if f.limit then
      worst.fail = math.max(worst.fail, count.FAIL / TRIALS, count.wrong / TRIALS)
    end
  end
end

lab.section{title = "How good the judge of orders is", order = 120}
lab.table{name = "orders-coverage", order = 30, heads = heads, rows = rows,
  caption = string.format("The judge judged on errors whose truth is known, %d studies a line: how often " ..
    "the 95 %% interval covers the order (in brackets where none exists over the range, and 1 is the " ..
    "limit), its mean half width, the verdicts on convergence, and how often a bound of the true " ..
    "order is refuted. Floors of at least what falls at the finest step must not PASS; nothing that " ..
    "converges may FAIL. Where nothing is decidable, INCONCLUSIVE is the right answer: a floor of half " ..
    "the finest error bends these errors by less than their scatter.", TRIALS)}

-- A chance of 1 % shows up to 1 % and three standard deviations of TRIALS.
local allowed = 0.01 + 3 * math.sqrt(0.01 * 0.99 / TRIALS)
lab.check(worst.pass <= allowed, string.format("floors that PASS: %.1f %% at most", 100 * worst.pass))
lab.check(worst.fail <= allowed, string.format("what converges and FAILs: %.1f %% at most", 100 * worst.fail))
