-- Intervals on errors of runs that once left out the truth: each holds the order that the finer
-- half of its octaves shows, by a plain line here, or the verdict is INCONCLUSIVE. `slow` adds
-- crowds and the labyrinth (make test-orders).
local lab = require "impactlab"

local function study(problem, scheme, fields)
  return lab.sweep{name = "data", problem = problem, scheme = scheme, norms = fields.norms,
    reference = fields.reference or "exact", horizon = fields.horizon,
    steps = fields.steps or lab.levels{from = fields.from or 64, count = fields.count or 6,
                                       jitter = fields.jitter or 8, seed = fields.seed}}:run()
end

-- Least squares of log2 error over the finer half of the octaves; runs at rounding have no
-- logarithm.
local function log2(x)
  local n = 0
  while x < 1 do x, n = 2 * x, n - 1 end
  while x >= 2 do x, n = x / 2, n + 1 end
  local bits, part = 0, 0.5
  for _ = 1, 40 do
    x = x * x
    if x >= 2 then x, bits = x / 2, bits + part end
    part = part / 2
  end
  return n + bits
end
local function finer_half(result, norm)
  local points, low, high = {}, math.huge, -math.huge
  for _, run in ipairs(result:records()) do
    local x = log2(run.h)
    low, high = math.min(low, x), math.max(high, x)
    if run.error[norm] > 1e-12 then points[#points + 1] = {x, log2(run.error[norm])} end
  end
  local n, sx, sy, sxx, sxy = 0, 0, 0, 0, 0
  for _, p in ipairs(points) do
    if p[1] <= (low + high) / 2 then
      n, sx, sy = n + 1, sx + p[1], sy + p[2]
      sxx, sxy = sxx + p[1] * p[1], sxy + p[1] * p[2]
    end
  end
  return (n * sxy - sx * sy) / (n * sxx - sx * sx)
end

local function holds(result, norm, claim)
  local o, slope = result:order{norm = norm, claim = claim}, finer_half(result, norm)
  local open = o.verdict == "INCONCLUSIVE" and #o.reason > 0
  lab.check(open or (o.low <= slope and slope <= o.high), ("%s; finer half %.3f"):format(tostring(o), slope))
  lab.check(o.verdict ~= "FAIL", tostring(o))
  return o
end
local first = {kind = "bound", order = 1}

-- The finest two octaves of the labyrinth have slopes of 0.88 to 0.90 (0.91 was measured for h <
-- 0.006); the crowd has 1.08 for h < 0.01, beyond the steps of this study.
if arg and arg[1] == "slow" then
  for seed = 1, 3 do
    local o = holds(study("labyrinth", "venel", {from = 500, count = 5, jitter = 6, seed = seed}), "q_Linf", first)
    lab.check(o.low <= 0.89 and o.high >= 0.89, "0.9 at fine steps: " .. tostring(o))
  end
  local crowd = {from = 60, count = 4, jitter = 5, horizon = 4, seed = 1,
                 reference = {"self", steps = 20000, scheme = "catching_up"}}
  local o = holds(study({"crowd", N = 12, seed = 3}, "venel", crowd), "q_Linf", first)
  lab.check(o.low <= 1.08 and o.high >= 1.08, "1.08 at fine steps: " .. tostring(o))
  return
end

for seed = 1, 3 do
  local o = holds(study({"sticky", N = 8, seed = 14}, "maury", {norms = {"graph_H"}, seed = seed}), "graph_H",
                  first)
  lab.check(o.verdict == "INCONCLUSIVE", "these octaves do not show one order: " .. tostring(o))
end

-- On nested steps every other run goes to another solution: no order, whatever its value.
local nested = study("nonuniqueness", "maury", {steps = lab.dyadic{from = 4, to = 11}})
local none = nested:order{norm = "u_L1", claim = {kind = "converges"}}
lab.check(none.several_limits and none.verdict == "INCONCLUSIVE" and none.order ~= none.order, tostring(none))

-- Contacts that hold from the start and let go without an impact: of second order.
for seed = 1, 3 do
  local r = study({"gluey", gap = 0, gamma = -1}, "gluey_maury", {norms = {"flat_lambda"}, count = 5, seed = seed})
  local o = holds(r, "flat_lambda", {kind = "bound", order = 2})
  lab.check(o.low <= 2 and o.high >= 2, "second order: " .. tostring(o))
end

-- Five of 48 runs are exact to rounding; the theorem that they refuted holds.
for seed = 1, 20 do holds(study("cradle", "maury", {seed = seed}), "u_L1", first) end
