-- orders.lua - the judge judged: how often the interval of an order covers the truth, and how often
-- a verdict is wrong, on families of errors whose order and limit are known.
--
--   make coverage-orders      1000 studies a line, all designs: results/reference/orders.txt
--   build/impactlab sweep scripts/orders.lua -- TRIALS DESIGN SEEDS
--
-- with 50 studies a line, design 1 (six octaves of eight) and seeds 0 unless said; DESIGN is 1-21
-- or all, other SEEDS are other draws. Designs 1 to 3 are those that the judge was made with; 4 to
-- 9 were held out until it was mended by them, 10 and 11 until their tails were; 12 has what it was
-- mended for; 13 and 14 were held out until a floor hidden by a next power was seen to PASS; 15 to
-- 19 are few octaves and what changes its sign below the finest step, which it was mended for; 20
-- and 21 were held out then, until one of their families was seen to PASS. Every study draws new
-- step counts and new phases. Phases are the place of an impact at a time drawn for the study, or
-- numbers drawn for each run. A line does not depend on the lines before it: the designs can be
-- run by themselves.
-- Nothing here calls a library of mathematics: powers are made by square roots and the logarithm by
-- its series, so that the table is the same everywhere.

local lab = require "impactlab"

local TRIALS = math.tointeger(tonumber(arg and arg[1] or 50))
local WHICH = arg and arg[2] or "1" -- the number of a design, or "all"
local SEEDS = math.tointeger(tonumber(arg and arg[3] or 0)) -- other numbers, other seeds
local ONLY = arg and arg[4] or "" -- families whose name has this in it

-- ---- numbers ------------------------------------------------------------------------------------

-- Marsaglia's xorshift of 64 bits, times an odd number (Vigna 2016); uniform in (0, 1).
local state
local function seed_line(k)
  state = 0x9E3779B97F4A7C15 * (2 * k + 1)
end
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

-- exp(x) for |x| <= 30 and log(x) for x >= 1, to some 1e-13.
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

local function power(h, p) -- h <= 1
  if p == 0.25 then return math.sqrt(math.sqrt(h)) end
  if p == 0.5 then return math.sqrt(h) end
  if p == 1 or p == 2 then return p == 2 and h * h or h end
  return exp(-p * log(1 / h))
end

-- sin(2 pi x), by its series about the nearest integer.
local function sine(x)
  x = 6.283185307179586 * (x - math.floor(x + 0.5))
  local term, sum = x, 0.0
  for k = 1, 29, 2 do
    sum = sum + term
    term = -term * x * x / ((k + 1) * (k + 2))
  end
  return sum
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

-- error(h, study) with study = {finest =, impact =, ...}; p: the order as h vanishes, nil without
-- one; limit: does it converge? one: is it one power with scatter of one distribution? draw(study):
-- what else a study draws; admits(study, errors): is it one of this family?
local families = {}
local function family(name, fields)
  fields.name = name
  families[#families + 1] = fields
end
local function sum_with_floor(p, times, scatter)
  return function(h, study) return (power(h, p) + times * power(study.finest, p)) * scatter() end
end

for _, p in ipairs{0.25, 0.5, 1, 2} do
  for _, scatter in ipairs{{"no scatter", none}, {"1 +- 0.1", within(0.1)},
                           {"1 +- 0.5", within(0.5)}} do
    family(string.format("h^%g, %s", p, scatter[1]),
           {p = p, limit = true, one = scatter[2] ~= none,
            error = sum_with_floor(p, 0, scatter[2])})
  end
end
family("h, lognormal 0.3", {p = 1, limit = true, one = true,
                            error = sum_with_floor(1, 0, lognormal(0.3))})
family("h, heavy tails", {p = 1, limit = true, one = true, error = sum_with_floor(1, 0, heavy)})
for _, c in ipairs{0, 1, 10, 30, 100} do
  family(string.format("phase h + %d h^2", c), {p = 1, limit = true, error = function(h, study)
    local s = study.impact / h
    return (s - math.floor(s)) * h + c * h * h
  end})
end
for _, c in ipairs{10, 100} do
  family(string.format("h (1 +- 0.1) + %d h^2", c), {p = 1, limit = true,
    error = function(h) return h * within(0.1)() + c * h * h end})
end
family("h log(1/h)", {limit = true, p = 1,
                      error = function(h) return h * log(1 / h) end})
family("h log(1/h), 1 +- 0.1", {limit = true, p = 1,
                                error = function(h) return h * log(1 / h) * within(0.1)() end})
family("h log(1/h), lognormal 0.3", {limit = true, p = 1,
  error = function(h) return h * log(1 / h) * lognormal(0.3)() end})
family("h, one run of ten exact", {p = 1, limit = true, error = function(h)
  return uniform() < 0.1 and 1e-16 * uniform() or h * within(0.1)()
end})
family("h, three of ten at h/1000", {p = 1, limit = true, error = function(h)
  return h * within(0.1)() * (uniform() < 0.3 and 1e-3 or 1)
end})
family("h^2 down to rounding", {p = 2, limit = true, error = function(h)
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
         {limit = false, error = sum_with_floor(1, times, within(0.1))})
  family(string.format("phase h + %d of the finest h", times), {limit = false,
    error = function(h, study)
      local s = study.impact / h
      return (s - math.floor(s)) * h + times * study.finest
    end})
end
family("0.5, no scatter", {limit = false, error = function() return 0.5 end})
family("0.5, 1 +- 0.1", {limit = false,
                         error = function() return 0.5 * within(0.1)() end})
-- Only studies of which a run of the finer half stays: the others show nothing of it.
family("three of ten stay at 0.1", {limit = false, stays = true, error = function(h)
  return (uniform() < 0.3 and 0.1 or h) * within(0.1)()
end, admits = function(study, errors)
  for k, h in ipairs(study.h) do
    if h * h <= study.finest * study.coarsest and errors[k] > 0.05 then return true end
  end
  return false
end})
-- What the judge allows for, drawn: a next power that changes the coarsest errors by a factor from
-- e^-2 to e^2, a floor of 0.07 |normal| of the finest. Where both vanish its intervals are wider
-- than they need to be, and no run says so.
family("h (1 +- 0.1), bent as allowed", {p = 1, limit = nil, draw = function(study)
  study.next, study.floor = exp(4 * uniform() - 2) - 1, 0.07 * math.abs(normal())
end, error = function(h, study)
  return (h * (1 + study.next * h / study.coarsest) + study.floor * study.finest) * within(0.1)()
end})

-- ---- families that were held out ----------------------------------------------------------------

-- A and B, written down after the judge, which was then changed for some: other scatters, powers,
-- bends and periods; then some whose numbers every study draws. `reached`: the order is reached by
-- construction, whatever the medians say, which speak of scatter without a gap in it; `stays`:
-- what a test could tell is not known. `jittered`: of numbers of steps by their remainders, which
-- are all alike where N is a power of two. What oscillates may fall 1.5 times as far as its power
-- at the finest step: its floor is as much higher.
local SEEN = #families
local function held(set, name, fields)
  fields.set = set
  family(name, fields)
end
local function sum_of(p, scatter, next, r)
  return function(h)
    return power(h, p) * (1 + (next or 0) * power(h, r or 1)) * scatter()
  end
end

local function beta() -- Beta(2, 5): the second smallest of six uniform numbers
  local a, b = 1, 1
  for _ = 1, 6 do
    local u = uniform()
    if u < a then a, b = u, a elseif u < b then b = u end
  end
  return b
end
local function triangular(s)
  return function() return 1 + s * (uniform() + uniform() - 1) end
end
local function one_sided() return 1 + 4 * uniform() ^ 4 end
local function from_below() return 1 - 0.9 * uniform() ^ 2 end
local function exponential() return log(1 / uniform()) end
local function two_valued() return uniform() < 0.5 and 0.2 or 1 end
local function octave_of(h) return log(1 / h) / 0.69314718055994531 end
local function runs_of(h) return math.floor(1 / h + 0.5) end

for _, p in ipairs{1 / 3, 0.75, 1.5, 3} do
  held("A", string.format("h^%.2f, triangular 0.3", p),
       {p = p, limit = true, one = true, error = sum_of(p, triangular(0.3))})
end
held("A", "h, Beta(2, 5)", {p = 1, limit = true, one = true, error = sum_of(1, beta)})
held("A", "h^1.5, Beta(2, 5)", {p = 1.5, limit = true, one = true, error = sum_of(1.5, beta)})
held("A", "h, one-sided, 1 to 5", {p = 1, limit = true, one = true, error = sum_of(1, one_sided)})
held("A", "h, one-sided, 0.1 to 1", {p = 1, limit = true, one = true,
                                     error = sum_of(1, from_below)})
held("A", "h, exponential", {p = 1, limit = true, one = true, error = sum_of(1, exponential)})
held("A", "h, 0.2 or 1", {p = 1, limit = true, reached = true, stays = true,
                          error = sum_of(1, two_valued)})
held("A", "h |u + u + u - 1.5|, changing sign", {p = 1, limit = true, one = true,
                                                 error = function(h)
  return h * math.abs(uniform() + uniform() + uniform() - 1.5)
end})
for _, amplitude in ipairs{0.1, 0.5} do
  for _, scatter in ipairs{{"", none}, {", 1 +- 0.1", within(0.1)}} do
    held("A", string.format("h (1 + %g sin 2 pi log2 h)%s", amplitude, scatter[1]),
         {p = 1, limit = true, error = function(h, study)
           return h * (1 + amplitude * sine(octave_of(h) + study.impact)) * scatter[2]()
         end})
  end
end
held("A", "h (1 + 0.3 sin pi log2 h)", {p = 1, limit = true, error = function(h, study)
  return h * (1 + 0.3 * sine(0.5 * octave_of(h) + study.impact))
end})
local function early(h, study)
  local s = 0.02 * study.impact / h
  return (s - math.floor(s)) * h
end
-- An impact before the finest step's first node leaves the error 0.02 times its time at every step:
-- a constant, which no judge tells from a floor. `blind`: such studies are among them.
held("A", "phase h, an early impact", {p = 1, limit = true, blind = true, error = early})
held("A", "phase h, an impact after the middle's step", {p = 1, limit = true, error = early,
  admits = function(study)
    return (0.02 * study.impact) ^ 2 >= study.coarsest * study.finest
  end})
for _, two in ipairs{{0.5, 2}, {1, 4}, {1, 16}, {2, 4}} do
  held("A", string.format("h^%g + %d h^%g, 1 +- 0.1", two[1], two[2], two[1] + 0.5),
       {p = two[1], limit = true, error = sum_of(two[1], within(0.1), two[2], 0.5)})
end
for _, zero in ipairs{40, 150} do
  held("A", string.format("|h - %d h^2|, 1 +- 0.1", zero), {p = 1, limit = true,
    error = function(h) return math.abs(h - zero * h * h) * within(0.1)() end})
end
held("A", "h (1 +- 0.5) at coarse steps, less at fine", {p = 1, limit = true, error = function(h)
  return h * within(0.5 * math.sqrt(64 * math.min(h, 1 / 64)))()
end})
held("A", "h, every third N 3 times as far", {jittered = true, p = 1, limit = true,
                                              reached = true, stays = true,
                                              error = function(h)
  return h * (runs_of(h) % 3 == 0 and 3 or 1) * within(0.1)()
end})
held("A", "h, every fourth N h^2", {jittered = true, p = 1, limit = true,
                                              reached = true, stays = true,
                                    error = function(h)
  return (runs_of(h) % 4 == 0 and h * h or h) * within(0.1)()
end})
held("A", "1/log(1/h), 1 +- 0.1", {limit = true, error = function(h)
  return within(0.1)() / log(1 / h)
end})
for _, p in ipairs{1 / 3, 0.75, 1.5, 3} do
  for _, scatter in ipairs{{"triangular 0.3", triangular(0.3)}, {"Beta(2, 5)", beta}} do
    held("A", string.format("h^%.2f + 1 to 4 of the finest, %s", p, scatter[1]),
         {limit = false, draw = function(study) study.floor = 1 + 3 * uniform() end,
          error = function(h, study)
            return (power(h, p) + study.floor * power(study.finest, p)) * scatter[2]()
          end})
  end
end
held("A", "h (1 + 0.5 sin 2 pi log2 h) + 1.5 of the finest", {limit = false,
                                                                 error = function(h, study)
  return h * (1 + 0.5 * sine(octave_of(h) + study.impact)) + 1.5 * study.finest
end})
held("A", "h + 4 h^1.5 + the finest, 1 +- 0.1", {limit = false, error = function(h, study)
  return (h * (1 + 4 * math.sqrt(h)) + study.finest) * within(0.1)()
end})
-- It rises over the finest steps, as errors do after a change of sign that go on to fall.
held("A", "|h - 3 of the finest| + the finest, 1 +- 0.3", {limit = false, stays = true,
                                                            error = function(h, study)
  return (math.abs(h - 3 * study.finest) + study.finest) * within(0.3)()
end})
held("A", "N mod 3 stays at 0, 0.05, 0.1", {jittered = true, limit = false, stays = true,
                                             error = function(h)
  return (h + ({0, 0.05, 0.1})[runs_of(h) % 3 + 1]) * within(0.1)()
end})
held("A", "h + 0, 1, 3 of the finest by N mod 3", {jittered = true, limit = false, stays = true,
  error = function(h, study)
    return (h + ({0, 1, 3})[runs_of(h) % 3 + 1] * study.finest) * within(0.1)()
  end})

-- Numbers that every study draws: the order, the kind and the size of its scatter, what bends it.
local function drawn(fields)
  local more = fields.draw
  fields.draw = function(study)
    study.p = 0.3 + 2.2 * uniform()
    local kind, size = math.floor(4 * uniform()), uniform()
    study.scatter = kind == 0 and within(0.05 + 0.65 * size) or kind == 1 and triangular(size)
      or kind == 2 and lognormal(0.05 + 0.4 * size)
      or function() return 1 + 5 * size * uniform() ^ 3 end
    if more then more(study) end
  end
  return fields
end
local function between(a, b) return a + (b - a) * uniform() end
local function oscillation(h, study)
  return 1 + study.amplitude * sine(octave_of(h) / study.period + study.impact)
end
local function oscillates(study)
  study.amplitude, study.period = between(0, 0.4), between(0.3, 1)
end

held("B", "h^p", drawn{limit = true, one = true, reached = true, error = function(h, study)
  return power(h, study.p) * study.scatter()
end})
held("B", "h^p + c h^(p + r)", drawn{limit = true, reached = true, draw = function(study)
  study.next, study.r = between(-0.7, 2), between(0.75, 2)
end, error = function(h, study)
  return power(h, study.p) * (1 + study.next * power(h / study.coarsest, study.r)) * study.scatter()
end})
held("B", "h^p + 0 to 0.03 of the finest", drawn{limit = true, reached = true,
  draw = function(study) study.floor = between(0, 0.03) end,
  error = function(h, study)
    return (power(h, study.p) + study.floor * power(study.finest, study.p)) * study.scatter()
  end})
held("B", "h^p (1 + a sin(2 pi log2 h/T))", drawn{limit = true, reached = true, draw = oscillates,
  error = function(h, study)
    return power(h, study.p) * oscillation(h, study) * study.scatter()
  end})
held("B", "h^p, each octave its own scatter", drawn{limit = true, reached = true,
  draw = function(study)
    study.own = {}
    for k = 0, 20 do study.own[k] = between(0.05, 0.7) end
  end,
  error = function(h, study)
    return power(h, study.p) * within(study.own[math.floor(octave_of(h))])()
  end})
held("B", "h^p, one run of eight 30 times as far", drawn{limit = true, reached = true,
  error = function(h, study)
    return power(h, study.p) * study.scatter() * (uniform() < 0.125 and 30 or 1)
  end})
held("B", "two impacts, phase h + 0.5 phase h", {limit = true, reached = true, p = 1,
  draw = function(study) study.other = uniform() end,
  error = function(h, study)
    local s, t = study.impact / h, study.other / h
    return h * (s - math.floor(s) + 0.5 * (t - math.floor(t)))
  end})
held("B", "h^p + 1 to 5 of the finest", drawn{limit = false,
  draw = function(study) study.floor = between(1, 5) end,
  error = function(h, study)
    return (power(h, study.p) + study.floor * power(study.finest, study.p)) * study.scatter()
  end})
held("B", "h^p + c h^(p + r) + 1 to 5 of the finest", drawn{limit = false, draw = function(study)
  study.floor, study.next, study.r = between(1, 5), between(-0.7, 2), between(0.75, 2)
end, error = function(h, study)
  return (power(h, study.p) * (1 + study.next * power(h / study.coarsest, study.r)) +
          study.floor * power(study.finest, study.p)) * study.scatter()
end})
held("B", "h^p (1 + a sin(2 pi log2 h/T)) + 1.5 of the finest", drawn{limit = false,
  draw = oscillates,
  error = function(h, study)
    return (power(h, study.p) * oscillation(h, study) + 1.5 * power(study.finest, study.p)) *
           study.scatter()
  end})
held("B", "some N stay at 1 to 20 of the finest", drawn{jittered = true, limit = false,
                                                          draw = function(study)
  study.floor, study.every = between(1, 20), 2 + math.floor(3 * uniform())
end, error = function(h, study)
  local stays = runs_of(h) % study.every == 0 and study.floor or 0
  return (power(h, study.p) + stays * power(study.finest, study.p)) * study.scatter()
end})
held("B", "0.5 h^-0.2", drawn{limit = false, error = function(h, study)
  return 0.5 / power(h, 0.2) * study.scatter()
end})
held("B", "0.3 + h^p/3", drawn{limit = false, error = function(h, study)
  return (0.3 + power(h, study.p + 0.5) / 3) * study.scatter()
end})
held("B", "changing sign within the range", drawn{limit = true, draw = function(study)
  study.zero = study.coarsest * exp(-uniform() * log(study.coarsest / study.finest))
  study.r = between(0.5, 2)
end, error = function(h, study)
  local s = h / study.zero
  return power(h, study.p) * math.abs(1 - exp(-study.r * (s >= 1 and -log(s) or log(1 / s)))) *
         study.scatter()
end})

-- C: written down after all of the above had been looked at and the judge changed for it, before it
-- had seen one of these.
local function laplace(a)
  return function() return exp((uniform() < 0.5 and a or -a) * log(1 / uniform())) end
end
held("C", "h^0.20, triangular 0.3", {p = 0.2, limit = true, one = true,
                                     error = sum_of(0.2, triangular(0.3))})
held("C", "h, Laplace 0.2", {p = 1, limit = true, one = true, error = sum_of(1, laplace(0.2))})
held("C", "1/log(1/h)^2, lognormal 0.2", {limit = true, error = function(h)
  return lognormal(0.2)() / log(1 / h) ^ 2
end})
held("C", "h + 0.1/log(1/h), 1 +- 0.1", {limit = true, error = function(h)
  return (h + 0.1 / log(1 / h)) * within(0.1)()
end})
held("C", "h + 3 h^1.6, 1 +- 0.2", {p = 1, limit = true, error = sum_of(1, within(0.2), 3, 0.6)})
held("C", "h^p + c h^(p + 1/2), c h^(1/2) from -0.4 to 1 at the coarsest", drawn{limit = true,
  reached = true, draw = function(study) study.next = between(-0.4, 1) end,
  error = function(h, study)
    return power(h, study.p) * (1 + study.next * power(h / study.coarsest, 0.5)) * study.scatter()
  end})
held("C", "h, a third of the phases 3 times as far", {p = 1, limit = true, reached = true,
  error = function(h, study)
    local s = study.impact / h
    return h * (s - math.floor(s) < 1 / 3 and 3 or 1) * within(0.1)()
  end})
held("C", "h (1 + 0.4 sin 2 pi/3 log2 h), 1 +- 0.1", {p = 1, limit = true,
                                                        error = function(h, study)
  return h * (1 + 0.4 * sine(octave_of(h) / 3 + study.impact)) * within(0.1)()
end})
held("C", "h |1 - h/a| |1 - h/b|, changing sign twice", {p = 1, limit = true, draw = function(study)
  study.a, study.b = study.coarsest * between(0.2, 1), study.coarsest * between(0.1, 0.3)
end, error = function(h, study)
  return h * math.abs((1 - h / study.a) * (1 - h / study.b)) * within(0.1)()
end})
held("C", "odd N stay at 1 to 4 of the finest", {jittered = true, limit = false, stays = true,
  draw = function(study) study.floor = between(1, 4) end,
  error = function(h, study)
    return (h + runs_of(h) % 2 * study.floor * study.finest) * within(0.1)()
  end})
-- Only studies of which a run of the finer half stays, as above.
held("C", "a quarter of the phases stays at 2 to 8 of the finest", {limit = false, stays = true,
  draw = function(study) study.floor = between(2, 8) end,
  error = function(h, study)
    local s = study.impact / h
    return (h + (s - math.floor(s) < 0.25 and study.floor or 0) * study.finest) * within(0.1)()
  end, admits = function(study)
    for _, h in ipairs(study.h) do
      local s = study.impact / h
      if h * h <= study.finest * study.coarsest and s - math.floor(s) < 0.25 then return true end
    end
    return false
  end})
held("C", "h + each its own 0 to 3 of the finest", {limit = false, error = function(h, study)
  return (h + 3 * uniform() * study.finest) * within(0.1)()
end})
held("C", "h^p + 1 to 3 of the finest, Laplace 0.2", drawn{limit = false,
  draw = function(study) study.floor, study.scatter = between(1, 3), laplace(0.2) end,
  error = function(h, study)
    return (power(h, study.p) + study.floor * power(study.finest, study.p)) * study.scatter()
  end})

-- D: written down before the judge was changed to allow a next power beside a floor of squares and
-- to ask that a floor be likelier than a tail 1/log(1/h); looked at after that.
local function cube_root(x) return exp(-log(1 / x) / 3) end -- 0 < x <= 1
held("D", "h^0.6, 1 +- 0.2", {p = 0.6, limit = true, one = true, error = sum_of(0.6, within(0.2))})
held("D", "h^1.3, Erlang 3", {p = 1.3, limit = true, one = true, error = sum_of(1.3, function()
  return (exponential() + exponential() + exponential()) / 3
end)})
held("D", "h + 8 h^1.4, 1 +- 0.05", {p = 1, limit = true, error = sum_of(1, within(0.05), 8, 0.4)})
held("D", "h^1.5 + 6 h^2, 1 +- 0.1", {p = 1.5, limit = true,
                                      error = sum_of(1.5, within(0.1), 6, 0.5)})
held("D", "h^1.5 + 40 h^2.5, 1 +- 0.1", {p = 1.5, limit = true,
                                         error = sum_of(1.5, within(0.1), 40, 1)})
held("D", "h + 0.05/log(1/h), 1 +- 0.1", {limit = true, error = function(h)
  return (h + 0.05 / log(1 / h)) * within(0.1)()
end})
held("D", "h^1.5 + 0.02/log(1/h), 1 +- 0.05", {limit = true, error = function(h)
  return (power(h, 1.5) + 0.02 / log(1 / h)) * within(0.05)()
end})
held("D", "h (1 + 0.35 sin 2 pi/2.5 log2 h), 1 +- 0.1", {p = 1, limit = true,
                                                           error = function(h, study)
  return h * (1 + 0.35 * sine(octave_of(h) / 2.5 + study.impact)) * within(0.1)()
end})
held("D", "h, 20 times as far over the coarser half, 1 +- 0.1", {p = 1, limit = true,
                                                                  error = function(h, study)
  local middle = math.sqrt(study.coarsest * study.finest)
  local s = (h / middle) ^ 2
  return h * (1 + 19 * s * s / (1 + s * s)) * within(0.1)()
end})
held("D", "(h^2p + a^2)^1/2, a 1 to 3 of the finest", {limit = false, draw = function(study)
  study.p, study.floor = between(0.5, 2.5), between(1, 3)
  study.scatter = within(between(0.02, 0.2))
end, error = function(h, study)
  local floor = study.floor * power(study.finest, study.p)
  return math.sqrt(power(h, study.p) ^ 2 + floor * floor) * study.scatter()
end})
held("D", "(h^3p + a^3)^1/3, a 1 to 3 of the finest", {limit = false, draw = function(study)
  study.p, study.floor = between(0.5, 2), between(1, 3)
end, error = function(h, study)
  local falls, floor = power(h, study.p), study.floor * power(study.finest, study.p)
  return cube_root(falls * falls * falls + floor * floor * floor) * within(0.1)()
end})
held("D", "h^p + 1 to 4 of the finest, no scatter", {limit = false, draw = function(study)
  study.p, study.floor = between(0.25, 2), between(1, 4)
end, error = function(h, study)
  return power(h, study.p) + study.floor * power(study.finest, study.p)
end})
held("D", "h^p + c h^(p + 1/2) + 1 to 2 of the finest, 1 +- 0.1", {limit = false,
  draw = function(study)
    study.p, study.next, study.floor = between(0.5, 2), between(-0.4, 2), between(1, 2)
  end, error = function(h, study)
    return (power(h, study.p) * (1 + study.next * power(h / study.coarsest, 0.5)) +
            study.floor * power(study.finest, study.p)) * within(0.1)()
  end})
held("D", "0.2, 1 +- 0.2", {limit = false, error = function() return 0.2 * within(0.2)() end})
held("D", "h + 10 of the finest, 1 +- 0.15", {limit = false,
                                              error = sum_with_floor(1, 10, within(0.15))})
-- Does a run of the two finest octaves have such a phase? Elsewhere it hardly lifts an error.
local function phase_below(share)
  return function(study)
    for _, h in ipairs(study.h) do
      local s = study.impact / h
      if h <= 4 * study.finest and s - math.floor(s) < share then return true end
    end
    return false
  end
end
held("D", "a fifth of the phases stays at 3 to 10 of the finest", {limit = false, stays = true,
  shows = phase_below(0.2), draw = function(study) study.floor = between(3, 10) end,
  error = function(h, study)
    local s = study.impact / h
    return (h + (s - math.floor(s) < 0.2 and study.floor or 0) * study.finest) * within(0.1)()
  end})

-- E: what the judge was changed for: floors of squares, floors without scatter.
local function of_squares(p, times, scatter)
  return function(h, study)
    local floor = times * power(study.finest, p)
    return math.sqrt(power(h, p) ^ 2 + floor * floor) * scatter()
  end
end
for _, p in ipairs{0.5, 1, 2} do
  for _, scatter in ipairs{0.02, 0.1, 0.3} do
    held("E", string.format("(h^%g + the finest squared)^1/2, 1 +- %g", 2 * p, scatter),
         {limit = false, error = of_squares(p, 1, within(scatter))})
  end
end
held("E", "(h^4 + 4 of the finest squared)^1/2, 1 +- 0.1", {limit = false,
                                                             error = of_squares(2, 2, within(0.1))})
held("E", "0.1 + h^0.25, no scatter", {error = function(h) return 0.1 + power(h, 0.25) end})
held("E", "0.02 + h^0.25, no scatter", {error = function(h) return 0.02 + power(h, 0.25) end})
held("E", "0.05 + h^0.5, no scatter", {limit = false,
                                       error = function(h) return 0.05 + power(h, 0.5) end})
held("E", "0.003 + h, 1 +- 0.5", {limit = false,
                                  error = function(h) return (0.003 + h) * within(0.5)() end})

-- F: written down after a floor's part had been taken of its own curve and floors of squares were
-- asked to be below theirs, before the judge had seen one of these; it was then changed for one,
-- the floor that a next power of the other sign hides, of which 47 of 100 PASSed.
held("F", "h^0.8, 1 +- 0.25", {p = 0.8, limit = true, one = true,
                               error = sum_of(0.8, within(0.25))})
held("F", "h^1.75, lognormal 0.1", {p = 1.75, limit = true, one = true,
                                    error = sum_of(1.75, lognormal(0.1))})
held("F", "h^2.5, triangular 0.15", {p = 2.5, limit = true, one = true,
                                     error = sum_of(2.5, triangular(0.15))})
held("F", "h + 6 h^1.5, 1 +- 0.05", {p = 1, limit = true, error = sum_of(1, within(0.05), 6, 0.5)})
held("F", "h^2 + 10 h^2.7, lognormal 0.05", {p = 2, limit = true,
                                             error = sum_of(2, lognormal(0.05), 10, 0.7)})
held("F", "h (1 + 0.25 sin 2 pi/2.2 log2 h), 1 +- 0.05", {p = 1, limit = true,
                                                            error = function(h, study)
  return h * (1 + 0.25 * sine(octave_of(h) / 2.2 + study.impact)) * within(0.05)()
end})
for _, p in ipairs{0.7, 1.4, 2.2} do
  held("F", string.format("h^%g + the finest, lognormal 0.15", p),
       {limit = false, error = sum_with_floor(p, 1, lognormal(0.15))})
end
for _, p in ipairs{0.75, 1.25, 2.5} do
  held("F", string.format("(h^%g + the finest squared)^1/2, lognormal 0.15", 2 * p),
       {limit = false, error = of_squares(p, 1, lognormal(0.15))})
end
held("F", "h - h^2/2 of the coarsest + the finest, 1 +- 0.1", {limit = false,
                                                                error = function(h, study)
  return (h * (1 - 0.5 * h / study.coarsest) + study.finest) * within(0.1)()
end})
held("F", "h^1.5 + 5 h^2 + the finest, 1 +- 0.05", {limit = false, error = function(h, study)
  return (power(h, 1.5) * (1 + 5 * math.sqrt(h)) + power(study.finest, 1.5)) * within(0.05)()
end})
held("F", "a sixth of the phases stays at 4 to 9 of the finest", {limit = false, stays = true,
  jittered = true, shows = phase_below(1 / 6),
  draw = function(study) study.floor = between(4, 9) end,
  error = function(h, study)
    local s = study.impact / h
    return (h + (s - math.floor(s) < 1 / 6 and study.floor or 0) * study.finest) * within(0.1)()
  end})

-- G: written down for two misses of a judge that had been changed: errors that change their sign
-- below the finest step, which PASSed up to 100 times of 100 before it was, and factors that swing
-- slowly, or nearly cancel at the coarsest step, which FAILed 20 times of 100 over two octaves.
for _, scatter in ipairs{{"no scatter", none}, {"1 +- 0.05", within(0.05)},
                         {"lognormal 0.15", lognormal(0.15)}} do
  held("G", "|h^p - 0.3 to 0.95 of the finest|, " .. scatter[1], {limit = false,
    draw = function(study) study.p, study.part = between(0.5, 2), between(0.3, 0.95) end,
    error = function(h, study)
      return math.abs(power(h, study.p) - study.part * power(study.finest, study.p)) * scatter[2]()
    end})
end
for _, scatter in ipairs{{"no scatter", none}, {"1 +- 0.05", within(0.05)},
                         {"lognormal 0.15", lognormal(0.15)}} do
  held("G", "h (1 + A sin 2 pi/P log2 h), A 0.3 to 0.6, P 4 to 8, " .. scatter[1],
       {p = 1, limit = true, draw = function(study)
    study.amplitude, study.period = between(0.3, 0.6), between(4, 8)
  end, error = function(h, study)
    return h * (1 + study.amplitude * sine(octave_of(h) / study.period + study.impact)) *
           scatter[2]()
  end})
  held("G", "h ((x - a)^2 + b), x^2 = h/H, " .. scatter[1],
       {p = 1, limit = true, draw = function(study)
    study.a, study.b = between(0.6, 1.2), between(0.03, 0.3)
  end, error = function(h, study)
    local x = math.sqrt(h / study.coarsest)
    return h * ((x - study.a) ^ 2 + study.b) * scatter[2]()
  end})
end

-- H: written down after the judge had been changed by G, and held out; it was then changed for one,
-- what changes its sign beside a next power, of which 6 and 8 of 100 PASSed.
local function triangle(x) -- of period 1, between -1 and 1
  return 4 * math.abs(x - math.floor(x) - 0.5) - 1
end
held("H", "h (1 + 0.4 triangle(log2(h)/P)), P 3.5 to 9, 1 +- 0.08", {p = 1, limit = true,
  draw = function(study) study.period = between(3.5, 9) end,
  error = function(h, study)
    return h * (1 + 0.4 * triangle(octave_of(h) / study.period + study.impact)) * within(0.08)()
  end})
held("H", "h^0.5 (1 + A sin 2 pi/P log2 h), A 0.2 to 0.5, P 4 to 9, lognormal 0.1",
     {p = 0.5, limit = true, draw = function(study)
  study.amplitude, study.period = between(0.2, 0.5), between(4, 9)
end, error = function(h, study)
  return math.sqrt(h) * lognormal(0.1)() *
         (1 + study.amplitude * sine(octave_of(h) / study.period + study.impact))
end})
held("H", "h^1.5 (1 + 0.3 sin + 0.2 sin), P 4 to 8 and 2 to 4, 1 +- 0.05", {p = 1.5, limit = true,
  draw = function(study)
    study.period, study.other, study.turn = between(4, 8), between(2, 4), uniform()
  end, error = function(h, study)
    local x = octave_of(h)
    return power(h, 1.5) * within(0.05)() * (1 + 0.3 * sine(x / study.period + study.impact) +
                                             0.2 * sine(x / study.other + study.turn))
  end})
held("H", "|h^p (1 + c h) - 0.4 to 0.9 of the finest|, triangular 0.2", {limit = false,
  draw = function(study)
    study.p, study.part, study.next = between(0.5, 1.5), between(0.4, 0.9), between(-0.3, 1)
  end, error = function(h, study)
    return math.abs(power(h, study.p) * (1 + study.next * h / study.coarsest) -
                    study.part * power(study.finest, study.p)) * triangular(0.2)()
  end})
held("H", "|h^p - 0.5 to 0.9 of the finest|, 1 +- 0.3", {limit = false,
  draw = function(study) study.p, study.part = between(0.5, 1.5), between(0.5, 0.9) end,
  error = function(h, study)
    return math.abs(power(h, study.p) - study.part * power(study.finest, study.p)) * within(0.3)()
  end})

-- ---- what can be told ---------------------------------------------------------------------------

-- Of the errors at each step of a design: the median of their logarithms and its distance from
-- them, as a standard deviation, but for LEAST at least: a distance need not tell curves apart that
-- no run can. With one run a level nobody measures a scatter that changes with h: theirs is the
-- root of the mean square of all.
local DRAWS, SMALL, LEAST = 801, 1e-14, 1e-3
local function scatter_of(f, study, jittered)
  local points = {}
  for _, h in ipairs(study.h) do
    local y = {}
    for k = 1, DRAWS do
      study.impact = uniform()
      local e = math.max(f.error(h, study), 1e-20)
      y[k] = e >= 1 and log(e) or -log(1 / e)
    end
    table.sort(y)
    local middle = y[(DRAWS + 1) // 2]
    for k = 1, DRAWS do y[k] = math.abs(y[k] - middle) end
    table.sort(y)
    if middle > -log(1 / SMALL) then -- else rounding
      points[#points + 1] = {h = h, x = -log(1 / h), y = middle,
                             scatter = math.max(1.4826 * y[(DRAWS + 1) // 2], LEAST)}
    end
  end
  local square = 0
  for _, p in ipairs(points) do square = square + p.scatter ^ 2 / #points end
  for _, p in ipairs(jittered and {} or points) do p.scatter = math.sqrt(square) end
  return points
end

-- The slope of the medians over the finer half of the octaves: an order that is not within 0.1 of
-- it is not reached in the range.
local REACHED = 0.1
local function slope_in_range(points, study)
  local middle = -(log(1 / study.coarsest) + log(1 / study.finest)) / 2
  local n, sx, sy, sxx, sxy = 0, 0, 0, 0, 0
  for _, p in ipairs(points) do
    if p.x <= middle then
      n, sx, sy, sxx, sxy = n + 1, sx + p.x, sy + p.y, sxx + p.x * p.x, sxy + p.x * p.y
    end
  end
  return (n * sxy - sx * sy) / (n * sxx - sx * sx)
end

-- Distance from the nearest curve b h^q (1 + c h) + a, whose floor a is so many times what falls at
-- the finest step; or of kind "tail", where a/log(H/h) is, which falls there with the slope 0.1, as
-- in the judge; or of kind "squares", the root of the sum of squares of what falls and a. b is the
-- weighted mean.
local function distance(points, finest, q, c, times, kind)
  local floor, w, wd, wdd = times * exp(-q * log(1 / finest)) * (1 + c * finest), 0, 0, 0
  for _, p in ipairs(points) do
    local stands = kind == "tail" and floor / (1 - 0.1 * log(p.h / finest)) or floor
    local falls = exp(q * p.x) * (1 + c * p.h)
    local value = kind == "squares" and math.sqrt(falls * falls + floor * floor) or stands + falls
    local d = p.y + (value >= 1 and -log(value) or log(1 / value))
    local weight = 1 / (p.scatter * p.scatter)
    w, wd, wdd = w + weight, wd + weight * d, wdd + weight * d * d
  end
  return math.max(wdd - wd * wd / w, 0)
end
-- The next powers that are tried: those that add, and those that take such a part of the coarsest
-- errors away.
local ADDS, TAKES = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512}, {0.2, 0.4, 0.7}
local function nearest(points, finest, floors, kind)
  local next, coarsest = {table.unpack(ADDS)}, 0
  for _, p in ipairs(points) do coarsest = math.max(coarsest, p.h) end
  for _, part in ipairs(kind ~= "squares" and TAKES or {}) do next[#next + 1] = -part / coarsest end
  local least = math.huge
  for _, times in ipairs(floors) do
    for _, c in ipairs(next) do
      local a, b = 0.2, 4
      for _ = 1, 20 do
        local u, v = a + 0.381966 * (b - a), b - 0.381966 * (b - a)
        if distance(points, finest, u, c, times, kind) <=
           distance(points, finest, v, c, times, kind) then
          b = v
        else
          a = u
        end
      end
      least = math.min(least, distance(points, finest, (a + b) / 2, c, times, kind))
    end
  end
  return least
end

-- How much farther from the boundary between what must not PASS and what must not FAIL, where the
-- floor is what falls at the finest step, than from the curves of the errors' own kind; and errors
-- with a floor also from those that fall to a tail, which converge. The second is the same of
-- floors of squares, for errors that fall: those must not PASS either. What curves of their own
-- kind do not describe either, as a change of sign, is far from all, and tells nothing: the third.
local FALLING, STANDING = {0, 0.1}, {1, 2, 4, 8, 16, 64, 1e6}
local function farther(points, finest, falls)
  local own = nearest(points, finest, falls and FALLING or STANDING)
  local other = nearest(points, finest, {1})
  if not falls then other = math.min(other, nearest(points, finest, STANDING, "tail")) end
  local squares = falls and nearest(points, finest, {1}, "squares") or math.huge
  return math.sqrt(math.max(other - own, 0)), math.sqrt(math.max(squares - own, 0)), math.sqrt(own)
end

-- What a judge may know: the kind of curve on either side, but neither its factor, order and next
-- power nor the scatter, and it may be wrong once in a hundred studies of whatever must not PASS
-- (or FAIL). Of the nearest such curve, d standard deviations away, its best test is Student's:
-- four numbers are fitted, three of the curve and the distance along which the two kinds part, and
-- n - 4 degrees of freedom tell the scatter. It is right where a noncentral t, of noncentrality d,
-- exceeds the quantile of 0.99 of a central one; no judge that keeps to its one in a hundred of
-- that curve is right more often, whatever else it keeps to (Neyman and Pearson). The data can tell
-- where that is 99 studies of 100. Beside a floor of squares next powers are taken to add alone:
-- those that take away hide it better still, and what this calls decidable is the more for it.
local function normal_below(x)
  if x <= -6.5 or x >= 6.5 then return x > 0 and 1 or 0 end
  local term, sum = x, 0.0
  for k = 1, 149, 2 do
    sum = sum + term
    term = term * x * x / (k + 2)
  end
  return 0.5 + sum * exp(-x * x / 2) / 2.5066282746310002
end
-- P(T <= t): the mean of the normal P(Z <= t s - d) over s, freedom s^2 being chi squared.
local function student_below(t, freedom, d)
  local POINTS = 400
  local all, below = 0, 0
  for k = 1, POINTS do
    local s = (1 + 8 / math.sqrt(2 * freedom)) * (k - 0.5) / POINTS
    local exponent = (freedom - 1) * (s >= 1 and log(s) or -log(1 / s)) - freedom * (s * s - 1) / 2
    local density = exponent > -30 and exp(exponent) or 0
    all, below = all + density, below + density * normal_below(t * s - d)
  end
  return below / all
end
local quantile = {}
local function told_by(design, d)
  local freedom = design.count * design.jitter - 4
  if not quantile[freedom] then
    local a, b = 0, 10
    for _ = 1, 40 do
      local t = (a + b) / 2
      if student_below(t, freedom, 0) < 0.99 then a = t else b = t end
    end
    quantile[freedom] = b
  end
  return d > 30 and 1 or 1 - student_below(quantile[freedom], freedom, d)
end

-- ---- studies ------------------------------------------------------------------------------------

-- sets says whose families a design has. The seeds of a line are its own.
local designs = {{name = "6 x 8", from = 64, count = 6, jitter = 8},
                 {name = "4 x 8", from = 64, count = 4, jitter = 8},
                 {name = "dyadic, 9", from = 64, count = 9, jitter = 1},
                 {name = "5 x 12", from = 48, count = 5, jitter = 12, sets = {A = true}},
                 {name = "7 x 6", from = 40, count = 7, jitter = 6, sets = {A = true}},
                 {name = "5 x 8", from = 100, count = 5, jitter = 8, sets = {A = true, B = true}},
                 {name = "dyadic, 11", from = 32, count = 11, jitter = 1,
                  sets = {A = true, B = true}},
                 {name = "6 x 6", from = 72, count = 6, jitter = 6, sets = {C = true}},
                 {name = "4 x 12", from = 80, count = 4, jitter = 12, sets = {C = true}},
                 {name = "5 x 10", from = 88, count = 5, jitter = 10, sets = {D = true}},
                 {name = "8 x 5", from = 36, count = 8, jitter = 5, sets = {D = true}},
                 {name = "6 x 9", from = 60, count = 6, jitter = 9, sets = {E = true}},
                 {name = "5 x 11", from = 70, count = 5, jitter = 11, sets = {F = true}},
                 {name = "dyadic, 12", from = 48, count = 12, jitter = 1, sets = {F = true}},
                 {name = "6 x 7", from = 68, count = 6, jitter = 7, sets = {G = true}},
                 {name = "3 x 12", from = 96, count = 3, jitter = 12, sets = {G = true}},
                 {name = "3 x 30", from = 120, count = 3, jitter = 30, sets = {G = true}},
                 {name = "5 x 30", from = 130, count = 5, jitter = 30, sets = {G = true}},
                 {name = "dyadic, 10", from = 40, count = 10, jitter = 1, sets = {G = true}},
                 {name = "4 x 20", from = 110, count = 4, jitter = 20, sets = {H = true}},
                 {name = "6 x 10", from = 56, count = 6, jitter = 10, sets = {H = true}}}
local function has(design, f)
  local set = f.set or "seen"
  if f.jittered and design.jitter == 1 then return false end
  return design.sets == nil and set == "seen" or design.sets ~= nil and design.sets[set] == true
end
local function line_of(d, k)
  return (d <= 3 and (d - 1) * SEEN or 1000 * d) + k + 10000 * SEEDS
end

local function study_of(design, seed)
  local steps = lab.levels{from = design.from, count = design.count, jitter = design.jitter,
                           seed = seed}
  local study = {h = {}, impact = uniform(), finest = 1, coarsest = 0}
  for k, n in ipairs(steps) do
    study.h[k] = 1 / n
    study.finest, study.coarsest = math.min(study.finest, 1 / n), math.max(study.coarsest, 1 / n)
  end
  return study
end

local function verdict_of(study, errors, claim)
  return lab.order{h = study.h, error = errors, claim = claim}
end

-- A study of the family, by design and seed.
local function draw(f, design, seed)
  local study, errors
  repeat
    study, errors = study_of(design, seed), {}
    if f.draw then f.draw(study) end
    for k, h in ipairs(study.h) do errors[k] = f.error(h, study) end
  until not f.admits or f.admits(study, errors)
  return study, errors
end

local function trial(f, design, seed, count)
  local study, errors = draw(f, design, seed)
  local o = verdict_of(study, errors, {kind = "converges"})
  count[o.verdict] = count[o.verdict] + 1
  if f.shows and f.shows(study) then
    count.shown = count.shown + 1
    count.shown_pass = count.shown_pass + (o.verdict == "PASS" and 1 or 0)
  end
  local p = study.p or f.p
  if (f.p or f.reached) and o.order == o.order then
    local slope = count.slope or p
    count.given = count.given + 1
    count.covered = count.covered + (o.low <= p and p <= o.high and 1 or 0)
    count.in_range = count.in_range + (o.low - 1e-6 <= slope and slope <= o.high + 1e-6 and 1 or 0)
    count.width = count.width + (o.high - o.low) / 2
    count.power = count.power + (o.power_low <= p and p <= o.power_high and 1 or 0)
    count.power_width = count.power_width + (o.power_high - o.power_low) / 2
  end
  if f.p or f.reached then
    -- refuted only where the interval leaves p out, or nothing is seen to fall
    if o.verdict == "FAIL" or o.order ~= o.order or o.high < p - 0.1 or o.low > p + 0.1 then
      local bound = verdict_of(study, errors, {kind = "bound", order = p}).verdict
      local sharp = verdict_of(study, errors, {kind = "sharp", order = p}).verdict
      count.wrong = count.wrong + ((bound == "FAIL" or sharp == "FAIL") and 1 or 0)
    end
  end
end

-- What can be told of a family by a design, before any study is judged.
local function prospects(f, design, seed)
  local study = draw(f, design, seed)
  local points = scatter_of(f, study, design.jitter > 1)
  local told = {FAIL = 0, PASS = 0, INCONCLUSIVE = 0, covered = 0, in_range = 0, width = 0,
                wrong = 0, given = 0, power = 0, power_width = 0, shown = 0, shown_pass = 0}
  local enough = 2 * #points > #study.h
  if enough and not f.stays and not f.draw then
    local strange
    told.distance, told.squares, strange = farther(points, study.finest, f.limit ~= false)
    told.told = told_by(design, math.min(told.distance, told.squares))
    told.decidable = told.told >= 0.99 and told_by(design, strange) < 0.99
  end
  told.scatters = enough and points[1].scatter > LEAST
  local known = f.p and enough and not f.draw
  if known and not f.reached then told.slope = slope_in_range(points, study) end
  told.reached = f.reached or
                 known and math.abs((told.slope or f.p) - f.p) <= REACHED
  told.scatters = told.scatters or f.reached
  return told
end

local function share(n, of)
  return of == 0 and "-" or string.format("%.1f %%", 100 * n / (of or TRIALS))
end
local function distance_text(d)
  return d == nil and "-" or d == math.huge and "-" or
         string.format(d >= 100 and "%.0f" or "%.1f", d)
end
local function told_text(count)
  return count.told and string.format("%.0f %%%s", 100 * count.told,
                                      count.decidable and " *" or "") or "-"
end
local function mean(sum, count) return count == 0 and "-" or string.format("%.2f", sum / count) end
local function pass_text(f, count)
  return share(count.PASS) .. (f.shows and string.format(" (%d of %d that show it)",
                                                         count.shown_pass, count.shown) or "")
end

local heads = {"design", "family", "order", "slope", "covered", "slope covered", "half width",
               "line covered", "half width", "PASS", "FAIL", "INCONCLUSIVE", "FAIL of the order",
               "distance", "of squares", "can be told"}
local rows = {}
local worst = {pass = 0, fail = 0, undecided = 0, starred = 0} -- cover, line, most where known
local function add(design, f, count)
  local of = f.p or f.reached
  local covered = of and share(count.covered, count.given) or "-"
  rows[#rows + 1] = {
    design.name, f.name, f.p and string.format("%.4g", f.p) or of and "drawn" or "-",
    count.slope and string.format("%.2f", count.slope) or "-",
    (not of or count.reached) and covered or "(" .. covered .. ")",
    count.slope and share(count.in_range, count.given) or "-",
    of and mean(count.width, count.given) or "-",
    of and share(count.power, count.given) or "-",
    of and mean(count.power_width, count.given) or "-",
    pass_text(f, count), share(count.FAIL), share(count.INCONCLUSIVE),
    of and share(count.wrong) or "-", distance_text(count.distance), distance_text(count.squares),
    told_text(count)}
  if f.limit == false and not f.shows then
    worst.pass = math.max(worst.pass, count.PASS / TRIALS)
  elseif f.shows and count.shown > 0 then
    worst.pass = math.max(worst.pass, count.shown_pass / count.shown)
  end
  if f.limit and not f.blind then
    worst.fail = math.max(worst.fail, count.FAIL / TRIALS, count.wrong / TRIALS)
  end
  if count.reached and count.scatters and 2 * count.given > TRIALS then
    worst.cover = math.min(worst.cover or 1, count.covered / count.given)
  end
  if f.one then
    worst.line = math.min(worst.line or 1, count.power / count.given)
    worst.most = math.max(worst.most or 0, count.power / count.given)
  end
  if count.decidable then
    worst.starred = worst.starred + 1
    worst.undecided = math.max(worst.undecided, count.INCONCLUSIVE / TRIALS)
  end
end
for d, design in ipairs(designs) do
  for k, f in ipairs(WHICH == "all" and families or WHICH == tostring(d) and families or {}) do
    if has(design, f) and f.name:find(ONLY, 1, true) then
      local line = line_of(d, k)
      seed_line(line)
      local count = prospects(f, design, 10000 * line)
      for seed = 1, TRIALS do trial(f, design, 10000 * line + seed, count) end
      add(design, f, count)
    end
  end
end

lab.section{title = "How good the judge of orders is", order = 120}
lab.table{name = "orders-coverage", order = 30, heads = heads, rows = rows,
  caption = string.format(
    "The judge judged on errors whose truth is known, %d studies a line. It was made while " ..
    "designs 6 x 8, 4 x 8 and dyadic, 9 were looked at; 5 x 12, 7 x 6, 5 x 8 and dyadic, 11 " ..
    "and their families were held out until their misses were seen and the judge was mended " ..
    "(step counts that stay, logarithms, a next power half an order higher); the families of " ..
    "6 x 6 and 4 x 12 were written down after that, and 5 x 10 and 8 x 5 before the judge was " ..
    "changed for these: a next power beside a floor of squares, floors without scatter, tails " ..
    "1/log(1/h), larger next powers. A tail of 5 x 10 then FAILed 20 times of 100, and the " ..
    "judge " ..
    "was changed once more: of 5 x 10 and 8 x 5 the two tails are no longer held out. 6 x 9 has " ..
    "what the judge was changed for. 5 x 11 and dyadic, 12 and their families were written down " ..
    "after floors of squares were asked to be below what falls, and held out until the floor " ..
    "that a next power of the other sign hides was seen to PASS 47 times of 100: that family is " ..
    "no longer held out. 6 x 7, 3 x 12, 3 x 30, 5 x 30 and dyadic, 10 have what the judge was " ..
    "mended for next, factors that swing slowly and errors that change their sign below the " ..
    "finest step; 4 x 20 and 6 x 10 were held out then, until what changes its sign beside a " ..
    "next power was seen to PASS 6 and 8 times of 100. Where a share of the phases stays, a study counts whose two finest " ..
    "octaves have a run of these phases; of the others nothing is to be seen. " ..
    "Two intervals, two promises. covered: of the studies that give an order, how often the 95 " ..
    "%% interval low to high has it: 91 %% at least (87 on 11 dyadic runs), with a next power " ..
    "half an " ..
    "order higher or more, with a floor up to a tenth of the finest errors, with scatter that " ..
    "changes, but less where errors swing so slowly that the range has a period or two. " ..
    "line: the same of power_low to power_high, which promises 93 to 98 %% of one " ..
    "power with scatter of one distribution, and nothing of other errors. The first is covered " ..
    "more than 98 times of 100 where the errors have nothing of what it allows for: no run says " ..
    "whether they have, so that an interval that holds where they do must be wider than needed " ..
    "where they do not; without scatter, where each study of a line is covered or none is; and " ..
    "of few dyadic runs, as their phases are not independent. Floors that are not told " ..
    "from a fall like 1/log(1/h) are INCONCLUSIVE: h + 6 and h + 20 of the finest with a " ..
    "scatter of a tenth are 0.7 and 1.6 standard deviations from it (order.h). " ..
    "slope: of the median errors over " ..
    "the finer half of the octaves; an order that is not within 0.1 of it is not reached in the " ..
    "range, and its coverage stands in brackets. half width: the mean. Then the verdicts on " ..
    "convergence, and how often the order is refuted, as a bound or as sharp. distance: how " ..
    "much farther the errors are from the nearest whose floor is what falls at the finest step " ..
    "than from those of their own kind, in standard deviations, next powers of either sign " ..
    "beside both; of squares: the same of floors at a right angle to what falls. Errors with " ..
    "a floor count their distance from tails, too; with one run an octave all have one " ..
    "scatter. can be told: how often a test is right that knows the kinds of curves, but " ..
    "neither their numbers nor the scatter, and is wrong once in a hundred studies of the " ..
    "nearest on the other side (noncentral t, of the lesser distance): of normal scatter no " ..
    "judge that is wrong so seldom is right more often. " ..
    "A star where that is 99 times of 100; elsewhere INCONCLUSIVE may be the right answer, as " ..
    "where errors are as far from the curves of their own kind (a change of sign). " ..
    "phase h, an early impact: where the impact lies within the finest step, one to five " ..
    "studies of 100, the errors are the same at every step, which FAILs.", TRIALS)}

-- A share of p shows up to three standard deviations of TRIALS above, or below.
local function chance(p) return 3 * math.sqrt(p * (1 - p) / TRIALS) end
local of = WHICH == "all" and "" or rows[1] and rows[1][1] .. ": " or ""
lab.check(worst.pass <= 0.01 + chance(0.01),
          string.format(of .. "floors that PASS: %.1f %% at most", 100 * worst.pass))
lab.check(worst.fail <= 0.01 + chance(0.01),
          string.format(of .. "what converges, or has the order, and FAILs: %.1f %% at most",
                        100 * worst.fail))
if worst.cover then
  lab.check(worst.cover >= 0.93 - chance(0.07),
            string.format(of .. "orders that are reached are covered: %.1f %% at least",
                          100 * worst.cover))
end
if worst.line then
  lab.check(worst.line >= 0.93 - chance(0.07) and worst.most <= 0.98 + chance(0.02),
            string.format(of .. "powers with scatter are covered by their line: %.1f to %.1f %%",
                          100 * worst.line, 100 * worst.most))
end
if worst.starred > 0 then
  lab.check(worst.undecided <= 0.2 + chance(0.2),
            string.format(of .. "decidable and INCONCLUSIVE: %.1f %% at most, of %d families",
                          100 * worst.undecided, worst.starred))
end
