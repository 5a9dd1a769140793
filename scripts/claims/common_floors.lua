-- Do errors vanish with h, or is there a floor? Levels of runs, and what the judge of orders says.
local common = ...
local lab = require "impactlab"

-- ---- levels -------------------------------------------------------------------------------------

-- Steps of a level as multiples of its first: they differ, so that the place of an impact within its
-- step does. Five are run; where they leave a limit open ten, and then all twenty.
local PHASES = {1, 1.13, 1.31, 1.57, 1.83, 1.06, 1.22, 1.44, 1.70, 1.91,
                1.03, 1.09, 1.17, 1.26, 1.37, 1.50, 1.63, 1.76, 1.87, 1.96}
local ASKED = {5, 10, 20}

-- Step counts of `count` levels, each twice as fine as the one before; none comes twice.
function common.levels(from, count, phases)
  local levels = {}
  for k = 0, count - 1 do
    local level, known = {}, {}
    for j = 1, phases or ASKED[1] do
      local N = math.floor(from * (1 << k) * PHASES[j] + 0.5)
      if not known[N] then level[#level + 1] = N end
      known[N] = true
    end
    levels[k + 1] = level
  end
  return levels
end

-- Theorems without a rate promise only that errors vanish: over six doublings of N.
common.LEVELS = 7

-- Errors of every run: {{{h =, e =}, ...}, ...}, h = 1/N; measure gets N and the level.
function common.errors(levels, measure)
  local errors = {}
  for k, counts in ipairs(levels) do
    errors[k] = {}
    for j, N in ipairs(counts) do errors[k][j] = {h = 1 / N, e = measure(N, k)} end
  end
  return errors
end

function common.list(numbers, format)
  local texts = {}
  for k, x in ipairs(numbers) do texts[k] = (format or "%.2e"):format(x) end
  return table.concat(texts, " ")
end

function common.largest(list)
  local most = -math.huge
  for _, x in ipairs(list) do most = common.worst(most, x) end
  return most
end

-- The mean error of every level.
local function means(errors)
  local list = {}
  for k, level in ipairs(errors) do
    local sum = 0
    for _, run in ipairs(level) do sum = sum + run.e end
    list[k] = sum / #level
  end
  return list
end

-- ---- the row ------------------------------------------------------------------------------------

-- What the judge of orders says of errors that a theorem without a rate claims to vanish. Errors that
-- tend to a floor, or do not fall, have order 0.
local MARGIN = 0.1

-- A row that says whether an error vanishes with h; of at most `rounds` looks at growing data.
function common.vanishes(case, what, errors, rounds)
  local h, error = {}, {}
  for _, level in ipairs(errors) do
    for _, run in ipairs(level) do h[#h + 1], error[#error + 1] = run.h, run.e end
  end
  local o = lab.order{h = h, error = error, claim = {kind = "converges"}, rounds = rounds,
                      rounding = common.ROUNDING, title = what}
  local levels = "levels: " .. common.list(means(errors))
  local order = o.verdict == "FAIL" and 0 or o.low
  if o.verdict == "PASS" and o.order ~= o.order then -- exact
    local finest = {}
    for k, run in ipairs(errors[#errors]) do finest[k] = run.e end
    return common.row(case, {what = what .. ": largest error of the finest level", bound = common.ROUNDING,
                             measured = common.largest(finest), evidence = levels})
  end
  local row = common.row(case, {what = what .. ": least order (95 %)", measured = order, bound = MARGIN,
                                sense = ">=", evidence = o.text .. "; " .. levels})
  if o.verdict == "INCONCLUSIVE" then row.inconclusive = o.reason end
  return row, o.fold
end

-- A row that is inconclusive over six octaves and more, and where not even a fall is sure, has failed:
-- h^(1/4) would fall 2.8-fold.
function common.falls(row, what, fold)
  if row.inconclusive and fold <= 1 then
    row.what, row.measured, row.bound, row.inconclusive = what .. ": fall over the levels (95 %)", fold, 1, nil
  end
  return row
end

-- The same of runs of N steps that measure(N, level) has the errors of, `from` to 64 times as many:
-- more of every level where few decide nothing.
function common.vanishing(case, what, from, measure, count)
  local known, row, fold = {}, nil, nil
  local function once(N, k)
    known[N] = known[N] or measure(N, k)
    return known[N]
  end
  for _, phases in ipairs(ASKED) do
    local levels = common.levels(from, count or common.LEVELS, phases)
    row, fold = common.vanishes(case, what, common.errors(levels, once), #ASKED)
    if not row.inconclusive then return row end
    row.inconclusive = ("%s (of %d runs a level)"):format(row.inconclusive, phases)
  end
  return common.falls(row, what, fold)
end
