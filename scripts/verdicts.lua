-- verdicts.lua - statements about the schemes, with their evidence: orders with intervals, what
-- accuracy costs, distances of velocities and contact forces, limits, drift against tolerance.
--
--   make verdicts           or   build/impactlab sweep scripts/verdicts.lua -j 2 --results results/verdicts
--
-- Every number comes from a record in results/verdicts/cases, and every figure is drawn from files
-- beside it. All sweeps run before anything is drawn, so that the work can be sharded. The exit
-- status is 1 if an order fails its claim, if a check fails or if a run does.

local lab = require "impactlab"

local SCHEMES = {"maury", "paoli", "venel", "moreau_jean"}

-- Problems with one known solution. Restitution is 0: it is what all four schemes know.
local PROBLEMS = {
  {"two_spheres", scenario = "free"}, {"two_spheres", scenario = "pressed"}, "growing_radii",
  {"sticky", N = 8, seed = 14}, "bouncing_ball", {"vibroimpact", scenario = "slide"},
  {"vibroimpact", scenario = "corner"}, {"vibroimpact", scenario = "graze"}}

-- Six octaves, eight step counts in each: on grids that only halve, the phase of an impact in its
-- step may repeat and bias the order.
local STEPS = lab.levels{from = 64, ratio = 2, count = 6, jitter = 8, seed = 1}

-- ---- the runs -----------------------------------------------------------------------------------

local function study(fields)
  fields.reference = "exact"
  return lab.sweep(fields):run()
end

local all = study{name = "all", problems = PROBLEMS, schemes = SCHEMES, steps = STEPS}

-- Maury's example of two solutions: each of two sequences of steps has its own limit, so nothing
-- may be jittered, and together they have none. Coarser runs may still be nearer to another
-- solution.
local function powers_of_two(first, step)
  local steps = {}
  for k = first, 19, step do steps[#steps + 1] = math.tointeger(2 ^ k) end
  return steps
end
local function sequence(name, first, step)
  return study{name = "nonuniqueness-" .. name, problem = "nonuniqueness", schemes = SCHEMES,
               steps = powers_of_two(first, step)}
end
local to_A, to_B, both = sequence("A", 8, 2), sequence("B", 9, 2), sequence("both", 8, 1)

-- Distances that take whole runs, where the program has them: Hausdorff distance of the graphs of
-- the velocities with their jumps filled in, flat distance of the contact forces.
local function known(fields)
  return (pcall(lab.sweep, fields))
end
local DISTANCES = {"graph_H", "flat_lambda"}
local distances = known{problem = "sticky", scheme = "maury", steps = {4}, norms = DISTANCES} and
  study{name = "distances", schemes = SCHEMES, norms = DISTANCES,
        problems = {{"two_spheres", scenario = "free"}, {"two_spheres", scenario = "pressed"},
                    "growing_radii", {"sticky", N = 8, seed = 14}, "bouncing_ball",
                    {"vibroimpact", scenario = "slide"}},
        steps = lab.levels{from = 32, ratio = 2, count = 4, jitter = 8, seed = 1}}

-- Steps h = c 2^-m of Maury's example, to see which limit each c selects.
local limits = lab.sweep{name = "limits", problem = "nonuniqueness", scheme = "maury",
  steps = lab.phases{c = {1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875},
                     m = {6, 7, 8, 9, 10, 11, 12}}}:limits{norm = "u_L1"}

-- Momentum and feasibility at tolerances from coarse to fine, by the projector whose tolerance
-- bounds every constraint.
local TOLERANCES = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}
local LOOSE = {
  {title = "sticky", problem = {"sticky", N = 8, seed = 14}},
  {title = "two spheres, pressed", problem = {"two_spheres", scenario = "pressed"}}}
for _, entry in ipairs(LOOSE) do
  entry.runs = {}
  for k, tol in ipairs(TOLERANCES) do
    entry.runs[k] = lab.sweep{name = string.format("tolerance-%s-%.0e", entry.problem[1], tol),
      problem = entry.problem, schemes = SCHEMES, steps = {200}, projector = "uzawa", tol = tol,
      reference = "exact"}:run()
  end
end

-- ---- orders -------------------------------------------------------------------------------------

local NORMS = {"u_L1", "q_Linf"}

print(all:orders{norms = NORMS})
all:table{"orders", norms = NORMS, name = "orders", order = 1,
  caption = "Orders observed, with 95 % intervals; 48 " ..
            "jittered runs a line. The papers claim convergence, mostly of a subsequence, and no " ..
            "rate: PASS says that the errors fall as claimed, REPORTED that nothing is claimed."}
for k, norm in ipairs(NORMS) do
  all:figure{"convergence", norm = norm, name = "orders-" .. norm, order = k}
end

-- The rate that the runs show and no paper states: at least 1 in L1 where impacts are isolated.
local rates = {}
for _, order in ipairs(all:orders{norms = {"u_L1"}, claim = {order = 1, kind = "bound",
                                                             source = "observed"}}) do
  rates[order.verdict] = (rates[order.verdict] or 0) + 1
end
print(string.format("order 1 in u_L1 as a bound: %d PASS, %d INCONCLUSIVE, %d FAIL",
                    rates.PASS or 0, rates.INCONCLUSIVE or 0, rates.FAIL or 0))

-- ---- one problem, two limits --------------------------------------------------------------------

print(to_A:orders{norms = NORMS})
print(to_B:orders{norms = NORMS})
local heads = {"steps", "scheme", "norm", "order", "low", "high", "verdict", "reason"}
local rows = {}
for _, part in ipairs{{"4^k: to A", to_A}, {"2 4^k: to B", to_B}, {"2^k: all", both}} do
  for _, order in ipairs(part[2]:orders{norms = NORMS}) do
    local shown = order.order == order.order -- NaN where no order is reported
    rows[#rows + 1] = {part[1], order.scheme, order.norm, shown and order.order or nil,
                       shown and order.low or nil, shown and order.high or nil, order.verdict,
                       order.reason}
    if part[2] == both then
      lab.check(order.several_limits and not shown, order.scheme .. " " .. order.norm ..
                ": no order over steps that tend to different solutions")
    end
  end
end
lab.table{name = "orders-nonuniqueness", order = 2, heads = heads, rows = rows,
  caption = "Maury's example of two solutions: the steps of each of two sequences tend to one of " ..
            "them, at an order. Taken together they have no limit, and no order is given."}

-- ---- distances of velocities and contact forces -------------------------------------------------

if distances then
  print(distances:orders{norms = DISTANCES})
  distances:table{"orders", norms = DISTANCES, name = "orders-distances", order = 3,
    caption = "Orders observed in the Hausdorff distance of the filled-in graphs of the velocity " ..
              "(graph_H) and in the flat distance of the contact forces (flat_lambda): the " ..
              "topologies in which jumps and percussions converge."}
  for k, norm in ipairs(DISTANCES) do
    distances:figure{"convergence", norm = norm, name = "distances-" .. norm, order = 4 + k}
  end
end

-- ---- limits -------------------------------------------------------------------------------------

-- scripts/limits.lua goes on from here: finer charts, borders, other data.
print(limits)
for k, kind in ipairs{"map", "distances", "tails"} do
  limits:figure{kind, name = "limits-" .. kind, order = 6 + k}
end

-- ---- what accuracy costs ------------------------------------------------------------------------

for k, cost in ipairs{"steps", "iterations", "seconds"} do
  all:figure{"work_precision", norm = "u_L1", cost = cost, name = "work-precision-" .. cost,
             order = 10 + k}
end

-- ---- drift against tolerance --------------------------------------------------------------------

-- One panel a quantity, one curve a scheme; zeros are drawn at the bottom, as 1e-18.
local BOTTOM = 1e-18
local QUANTITIES = {
  {"drift of momentum", function(run) return run.momentum.largest_drift end},
  {"overlap", function(run) return math.max(-run.feasibility.nodes_min, 0) end},
  {"error, u_L1", function(run) return run.error.u_L1 end}}

local function curve(entry, scheme, quantity)
  local x, y = {}, {}
  for k, tol in ipairs(TOLERANCES) do
    for _, run in ipairs(entry.runs[k]:records()) do
      if run.scheme == scheme and run.status == "ok" then
        x[#x + 1], y[#y + 1] = tol, math.max(quantity(run), BOTTOM)
      end
    end
  end
  return {x = x, y = y, label = scheme, style = "linespoints", color = lab.colors[scheme]}
end

local panels, drifts = {}, {}
for k, quantity in ipairs(QUANTITIES) do
  for _, entry in ipairs(LOOSE) do
    local series = {}
    for i, scheme in ipairs(SCHEMES) do
      series[i] = curve(entry, scheme, quantity[2])
      if k == 1 then
        drifts[#drifts + 1] = math.max(table.unpack(series[i].y))
      end
    end
    panels[#panels + 1] = {title = entry.title, xlabel = "tolerance", ylabel = quantity[1],
                           logx = true, logy = true, series = series,
                           key = #panels == 0 and "outside" or "off"}
  end
end
lab.figure{name = "drift-against-tolerance", order = 20, columns = 2, width = 16, height = 19,
  panels = panels,
  caption = "Drift of the momentum, overlap and error against the tolerance of the projector " ..
            "(uzawa), 200 steps. Momentum is kept to rounding however coarse the projection is. " ..
            "Overlap stays within the tolerance, but for moreau_jean, which constrains velocities alone. " ..
            "The error follows it until the step's own remains; at 1e-2 contacts are missed. Zeros " ..
            "are drawn at 1e-18."}
-- A step adds its impulses to two bodies with opposite signs: what is left is the rounding of 200
-- steps of velocities of size one, eight bodies at most, 200 8 2^-52 = 4e-13.
local ROUNDING = 4e-13
local worst = math.max(table.unpack(drifts))
lab.check(worst <= ROUNDING, string.format(
  "momentum is kept at every tolerance (Maury, Proposition 4): largest drift %.1e", worst))
