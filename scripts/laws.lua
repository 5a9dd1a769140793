-- laws.lua - the constant in "error = constant times h^p": how it depends on where in its step an
-- event falls. theta is the part of the step from the last node before the event to the event, and
-- error/(scale h^p) is a function of theta alone as h -> 0. problems/README.md, "Laws of events",
-- derives each of them; here all are measured, on consecutive numbers of steps.
--
--   build/impactlab sweep scripts/laws.lua --results results

local lab = require "impactlab"

-- All events are at GOLDEN of the horizon, so that theta = frac(N GOLDEN) for N steps: any F
-- consecutive N, F a Fibonacci number, leave gaps of less than 2/F between their thetas.
local GOLDEN = (math.sqrt(5) - 1) / 2
local FIRST, PHASES = 4000, 89
-- Of the largest value. The next terms: after a bump T - s is off by up to k h, 3/4000/0.382 = 1.96e-3 of it at k = 3; at
-- k = 3/2 that is 1e-3, and the slope's square (c k)^2 v h xi <= 2.25 * 1.5/4000 = 8.5e-4; gravity changes
-- speeds at the impact by g h, 4e-4 of v, in two factors.
local CLOSE = 2e-3

local function theta_of(N) return N * GOLDEN % 1 end

-- Maury at the bump, k <= 3, by the page's recursion from xi = theta + 2 down.
local function bump(k)
  return function(theta)
    local W, Y = 0, 0
    for m = math.ceil(k) - 1, 0, -1 do
      local xi = theta + m
      W = math.max(W, (k - xi) * xi ^ (k - 1) - Y)
      Y = Y + W
    end
    return W
  end
end

local g, e = 9.81, 0.5
local free = {"cradle", N = 1, gap = GOLDEN, speed = 1}
local rebound = {"cradle", N = 1, gap = GOLDEN, speed = 1, e = e}
local fall = {"bouncing_ball", gravity = g, q0 = g * GOLDEN ^ 2 / 2}
local function graze(k) return {"graze", k = k, s = GOLDEN} end
local left = 1 - GOLDEN
local half = 1 / math.sqrt(2) -- each ball has half of the relative velocity

local laws = {
  {event = "impact, no force", problem = free, scheme = "maury", norm = "u_L1", order = 1, scale = half,
   mean = 1 / 3, law = function(x) return 2 * x * (1 - x) end},
  {event = "impact, no force", problem = free, scheme = "maury", norm = "q_Linf", order = 1, scale = half,
   mean = 1 / 6, law = function(x) return x * (1 - x) end},
  {event = "impact, no force", problem = free, scheme = "moreau_jean", norm = "u_L1", order = 1, scale = half,
   mean = 1 / 4, law = function(x) return math.min(x, 1 - x) end},
  {event = "impact under gravity", problem = fall, scheme = "maury", norm = "u_L1", order = 1,
   scale = g * GOLDEN, mean = 25 / 24,
   law = function(x) local y = (x + 0.5) % 1 return 1 + math.max(0, y * (1 - 2 * y)) end},
  {event = "impact under gravity", problem = fall, scheme = "moreau_jean", norm = "u_L1", order = 1,
   scale = g * GOLDEN, mean = 9 / 8, close = 9 / 16 / math.sqrt(GOLDEN * FIRST), -- see claims/laws.lua
   law = function(x) return x + math.max(0.5, x) end},
  {event = "rebound, e = 1/2", problem = rebound, scheme = "moreau_jean", norm = "u_L1", order = 1, scale = half,
   mean = (1 + e) / 4, law = function(x) return (1 + e) * math.min(x, 1 - x) end},
  {event = "rebound, e = 1/2", problem = rebound, scheme = "paoli", norm = "u_L1", order = 1, scale = half,
   mean = 2 * e + (1 - e) ^ 3 / (3 * (1 + e) ^ 2),
   law = function(x) return 2 * e + 2 * x * math.max(0, 1 - e - (1 + e) * x) end},
  {event = "grazing, k = 2", problem = graze(2), scheme = "maury", norm = "u_L1", order = 1, scale = left,
   mean = 2 * math.sqrt(3) - 8 / 3, law = function(x) return math.max(1 - x * x, 2 * x - 1) end},
  {event = "grazing, k = 2", problem = graze(2), scheme = "moreau_jean", norm = "u_L1", order = 1, scale = left,
   mean = 1, law = function(x) return 2 * x end},
  {event = "grazing, k = 3", problem = graze(3), scheme = "maury", norm = "u_L1", order = 2, scale = left,
   law = bump(3)},
  {event = "grazing, k = 3/2", problem = graze(1.5), scheme = "maury", norm = "u_L1", order = 0.5, scale = left,
   law = bump(1.5)}}

-- ---- measured -----------------------------------------------------------------------------------

local function steps(n)
  local list = {}
  for k = 1, n do list[k] = FIRST + k - 1 end
  return list
end

-- Points {theta, value} of a law, sorted by theta. Laws of one problem and scheme share their runs.
local swept = {}
local function measured(law)
  local name = ("law-%s-%s-%s"):format(law.problem[1], law.problem.k or law.problem.e or 0, law.scheme)
  swept[name] = swept[name] or lab.sweep{name = name, problem = law.problem, scheme = law.scheme, steps = steps(PHASES),
                                         reference = "exact", horizon = 1, norms = {"none"}}:run():records()
  local points = {}
  for k, record in ipairs(swept[name]) do
    points[k] = {theta_of(record.steps), record.error[law.norm] / (law.scale * record.h ^ law.order)}
  end
  table.sort(points, function(a, b) return a[1] < b[1] end)
  return points
end

-- The mean over theta: each point stands for the phases that are nearest to it.
local function mean_of(points)
  local sum = 0
  for k, p in ipairs(points) do
    local low = k > 1 and (points[k - 1][1] + p[1]) / 2 or 0
    local high = k < #points and (points[k + 1][1] + p[1]) / 2 or 1
    sum = sum + (high - low) * p[2]
  end
  return sum
end

-- The law on a fine grid: its least and largest value, its mean.
local FINE = 20000
local function derived(law)
  local least, largest, sum = math.huge, 0, 0
  for k = 1, FINE do
    local y = law.law((k - 0.5) / FINE)
    least, largest, sum = math.min(least, y), math.max(largest, y), sum + y
  end
  return least, largest, sum / FINE
end

lab.section{title = "Laws", order = 75, text = "The error over h^p depends on where in its step an event falls. " ..
  "Each law is derived in problems/README.md and measured on " .. PHASES .. " consecutive numbers of steps."}

local rows, panels = {}, {}
for k, law in ipairs(laws) do
  local points = measured(law)
  local least, largest, mean = derived(law)
  local x, y, apart, widest = {}, {}, 0, points[1][1]
  for j, p in ipairs(points) do
    x[j], y[j] = p[1], p[2]
    apart = math.max(apart, math.abs(p[2] - law.law(p[1])) / largest)
    widest = math.max(widest, (points[j + 1] or {1})[1] - p[1])
  end
  local title = ("%s: %s, %s"):format(law.event, law.scheme, law.norm)
  lab.check(widest <= 2 / PHASES, title .. ": no phase is left out")
  lab.check(apart <= (law.close or CLOSE), title .. ": every error is what the law says")
  if law.mean then
    lab.check(math.abs(law.mean - mean) <= 1e-4 * largest, title .. ": its mean in closed form")
  end
  lab.check(math.abs(mean_of(points) - mean) <= (law.close or CLOSE) * largest, title .. ": the mean of the errors")
  rows[k] = {law.event, law.scheme, law.norm, law.order, law.scale, least, mean, largest, mean_of(points), apart}
  local grid, line = {}, {}
  for j = 0, 400 do
    grid[j + 1] = math.min(math.max(j / 400, 1e-9), 1 - 1e-9)
    line[j + 1] = law.law(grid[j + 1])
  end
  panels[k] = {title = law.event .. ": " .. law.scheme, xlabel = "theta", key = "off", xrange = {0, 1},
               ylabel = law.norm .. "/" .. ({[0.5] = "h^(1/2)", [1] = "h", [2] = "h^2"})[law.order],
               series = {{x = grid, y = line, style = "underlay"},
                         {x = x, y = y, style = "points", color = lab.colors[law.scheme]}}}
end

-- The distribution alone, as lab.law judges it: 2 theta is uniform on [0, 2]. Moved by a twentieth of
-- that it is refused.
local runs = lab.sweep{name = "law-uniform", problem = graze(2), scheme = "moreau_jean", steps = steps(233),
                       reference = "exact", horizon = 1, norms = {"none"}}:run()
local function uniform(shift)
  return runs:law{norm = "u_L1", law = function(c) return math.min(math.max((c / left - shift) / 2, 0), 1) end}
end
local law, moved = uniform(0), uniform(0.1)
print(("a uniform law: distance %.4f, allowed %.4f; moved by 5 %% of its width: %.4f"):format(
  law.distance, law.allowed, moved.distance))
lab.check(law.verdict == "agrees" and moved.verdict == "differs", "a law that is off by 5 % of its width is refused")

lab.table{name = "laws", caption = "error = scale c(theta) h^p: least, mean and largest c as derived, and the mean " ..
  "and the largest deviation, over the largest c, as measured.",
  heads = {"event", "scheme", "norm", "p", "scale", "least", "mean", "largest", "mean, measured", "deviation"},
  rows = rows}
lab.figure{name = "laws", columns = 3, width = 20, height = 20, panels = panels,
  caption = "Points: errors of " .. PHASES .. " runs each, over scale and h^p, against theta, the part of its step " ..
    "that lies before the event. Pale lines: the laws as derived."}
