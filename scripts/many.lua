-- many.lua - many bodies: Maury's figures 8 to 11, a pile that settles, what a step costs.
--
--   build/impactlab sweep scripts/many.lua -j 2 [-- LARGEST [PILE]]
--
-- LARGEST (2000): the most bodies of the cost plot, which doubles from 500 on; 50000 takes minutes.
-- PILE (200): discs of the pile, one start of it. Seconds are those of the machine at hand; all
-- else repeats.

local lab = require "impactlab"

local ONE = arg[1] == "figure" -- `impactlab figure maury-8`: it alone
local LARGEST = ONE or math.tointeger(tonumber(arg[1] or 2000)) or error("LARGEST is '" .. arg[1] .. "'; allowed: an integer")
local PILE = ONE or math.tointeger(tonumber(arg[2] or 200)) or error("PILE is '" .. arg[2] .. "'; allowed: an integer")

local BLUE, ORANGE, GREEN, GREY, WALL = "#0072b2", "#d55e00", "#009e73", "#808080", "#404040"

-- ---- discs --------------------------------------------------------------------------------------

-- Coordinates, radii and a value of all bodies in one sample of a run in the plane.
local function discs(bodies, sample, value)
  local x, y = {}, {}
  for i = 1, bodies.n do x[i], y[i] = sample.q[2 * i - 1], sample.q[2 * i] end
  return {x = x, y = y, radius = bodies.radii, value = value, style = "discs"}
end

local function speeds(bodies, sample)
  local out = {}
  for i = 1, bodies.n do
    out[i] = math.sqrt(sample.u[2 * i - 1] ^ 2 + sample.u[2 * i] ^ 2)
  end
  return out
end

-- Lines across [x0, x1] x [y0, y1] for the walls that are upright or level.
local function walls(bodies, x0, x1, y0, y1)
  local out = {}
  for k, wall in ipairs(bodies.walls) do
    local nx, ny = wall.normal[1], wall.normal[2]
    out[k] = {style = "lines", color = WALL, width = 2,
              x = nx == 0 and {x0, x1} or {wall.offset / nx, wall.offset / nx},
              y = nx == 0 and {wall.offset / ny, wall.offset / ny} or {y0, y1}}
  end
  return out
end

-- The value that a share of the positive numbers does not exceed.
local function quantile(share, values)
  local positive = {}
  for _, list in ipairs(values) do
    for _, v in ipairs(list) do
      if v > 0 then positive[#positive + 1] = v end
    end
  end
  table.sort(positive)
  return positive[math.max(1, math.ceil(share * #positive))]
end

-- One panel a sample; values[k] colours sample k, all on one scale from 0 to `most`.
local function disc_panels(bodies, samples, values, label, most, box)
  local panels = {}
  for k, sample in ipairs(samples) do
    local series = {discs(bodies, sample, values[k])}
    for _, wall in ipairs(walls(bodies, box[1], box[2], box[3], box[4])) do
      series[#series + 1] = wall
    end
    panels[k] = {title = string.format("t = %g", sample.t), xlabel = "x", ylabel = "z", key = "off",
                 equal = true, xrange = {box[1], box[2]}, yrange = {box[3], box[4]},
                 colorlabel = label, crange = {0, most}, series = series}
  end
  return panels
end

-- ---- Maury, figures 8 to 11 ---------------------------------------------------------------------

local function impact_figures()
  local problem = {"impact", N = 2000}
  local bodies = lab.bodies{problem = problem}
  local run = lab.run{problem = problem, scheme = "maury", h = 0.1, steps = 10, loads = true,
                      samples = {0, 0.3, 0.6, 0.9}, series = true}
  lab.check(run.status == "ok" and run.feasibility.nodes_min >= -1e-12,
            string.format("2000 spheres, h = 0.1: no overlap beyond 1e-12 (least gap %.1e)",
                          run.feasibility.nodes_min))
  lab.check(run.energy.largest_increase <= 0, "2000 spheres, h = 0.1: the kinetic energy never grows")
  local speed, load = {}, {}
  for k, sample in ipairs(run.samples) do
    speed[k], load[k] = speeds(bodies, sample), sample.load
  end
  local box = {-1.6, 1.6, -0.1, 2.1}
  lab.figure{name = "maury-fig08-11-speed", order = 101, columns = 2, width = 19, height = 13,
    panels = disc_panels(bodies, run.samples, speed, "speed", quantile(1, speed), box),
    caption = "Impact of 2000 spheres, coloured by speed (Maury 2006, figures 8 to 11; impact, seed 1, " ..
              "maury): the cluster before the first step and after 3, 6 and 9 steps of h = 0.1, in which a " ..
              "sphere falls more than three diameters. Spheres to scale, above the plane z = 0."}
  lab.figure{name = "maury-fig08-11-load", order = 102, columns = 2, width = 19, height = 13,
    panels = disc_panels(bodies, run.samples, load, "load: impulse, in units of m v", quantile(0.99, load), box),
    caption = "Impact of 2000 spheres, coloured by load (Maury 2006, figures 8 to 11; impact, seed 1, maury): the sum " ..
              "of the impulses of all contacts of a sphere in the step that ends at t; r_0 has mass " ..
              "1 and falls with speed 1. The colours end at the 99 % quantile of the loads."}
  return run
end

-- ---- the pile -----------------------------------------------------------------------------------

-- One start. When a pile comes to rest is a matter of many starts: scripts/ensembles.lua.
local function pile_figure()
  local problem = {"pile", N = PILE, space = 2, seed = 1}
  local bodies = lab.bodies{problem = problem}
  local run = lab.run{problem = problem, scheme = "maury", h = 0.005, steps = 800, loads = true,
                      samples = {0, 0.15, 0.3, 4}, norms = {"none"}}
  lab.check(run.status == "ok", string.format("pile of %d: the run ends well", bodies.n))
  local load, top, margin = {}, 0, 0
  for _, r in ipairs(bodies.radii) do margin = math.max(margin, r) end
  for k, sample in ipairs(run.samples) do
    load[k] = sample.load
    for i = 1, bodies.n do top = math.max(top, sample.q[2 * i] + bodies.radii[i]) end
  end
  local half = -bodies.walls[2].offset
  local box = {-half - margin, half + margin, -margin, top + margin}
  lab.figure{name = "pile-settling", order = 103, columns = 2, width = 19, height = 18,
    panels = disc_panels(bodies, run.samples, load, "load: impulse, in units of m v", quantile(0.99, load), box),
    caption = string.format("A pile settles, one start of many, coloured by load: %d discs fall into a box " ..
      "(seed 1, maury, h = 0.005). The load is the sum of the impulses of all contacts of a disc in the step that " ..
      "ends at t. Which contacts bear it differs from start to start.", bodies.n)}
end

-- ---- cost against the number of bodies ----------------------------------------------------------

local function cost_figure()
  local N, seconds, iterations, offered, solved, active = {}, {}, {}, {}, {}, {}
  local size = 500
  while size <= LARGEST do
    local run = lab.run{problem = {"impact", N = size}, scheme = "maury", h = 0.1, steps = 10}
    local k, w = #N + 1, run.work
    N[k] = size
    seconds[k] = 1e6 * w.seconds / (size * w.steps)
    iterations[k] = w.projector_iterations / w.steps
    offered[k], solved[k] = w.rows_offered / (size * w.steps), w.rows_solved / (size * w.steps)
    active[k] = run.contacts.active_max / size
    size = size < LARGEST and math.min(2 * size, LARGEST) or 2 * LARGEST
  end
  local rows = {}
  for k = 1, #N do
    rows[k] = {N[k], seconds[k], iterations[k], offered[k], solved[k], active[k]}
  end
  lab.figure{name = "many-cost", order = 105, columns = 1, height = 17,
    caption = "Cost against the number N of spheres: impact, seed 1, h = 0.1, ten steps by maury, " ..
              "projector auto, means over the steps. Rows are offered by every look at the constraints. Times are data of the machine that drew " ..
              "this; iterations and rows are not.",
    panels = {
      {xlabel = "N", ylabel = "µs a body and step", logx = true, yrange = {0, 0 / 0}, key = "off",
       series = {{x = N, y = seconds, style = "points", color = BLUE}}},
      {xlabel = "N", ylabel = "iterations a step", logx = true, yrange = {0, 0 / 0}, key = "off",
       series = {{x = N, y = iterations, style = "points", color = BLUE}}},
      {xlabel = "N", ylabel = "rows a body and step", logx = true, yrange = {0, 0 / 0},
       series = {{label = "offered", x = N, y = offered, style = "points", color = ORANGE},
                 {label = "solved", x = N, y = solved, style = "points", color = BLUE}}}}}
  lab.table{name = "many-cost", order = 105, rows = rows,
    heads = {"N", "µs a body and step", "iterations a step", "rows offered a body and step",
             "rows solved a body and step", "most contacts a body"},
    caption = "Cost against the number of spheres: impact, seed 1, h = 0.1, ten steps. Times are data of " ..
              "the machine that made this."}
end

-- ---- iterations against tolerance ---------------------------------------------------------------

-- Step problems that are the same for every projector and tolerance: the first step of a cluster,
-- by seed and step size. At the first step all start from the same state. The clusters are small:
-- Uzawa's iterations grow fast with the chains of contacts.
local STEP_PROBLEMS = {}
for seed = 1, 3 do
  for _, h in ipairs{0.05, 0.1, 0.2} do
    STEP_PROBLEMS[#STEP_PROBLEMS + 1] = {problem = {"impact", N = 20, seed = seed}, h = h}
  end
end

local PROJECTORS = {{"uzawa", ORANGE}, {"apgd", "#e69f00"}, {"newton", BLUE}, {"active_set", GREEN}}

-- Mean iterations and the worst stationarity and overlap over the step problems; nil where one of
-- them did not converge within the limit.
local function work_at(projector, tol)
  local iterations, primal, stationarity = 0, 0, 0
  for _, step in ipairs(STEP_PROBLEMS) do
    local run = lab.run{problem = step.problem, scheme = "maury", h = step.h, steps = 1, tol = tol,
                        projector = projector, accept_stalled = true, max_iterations = 200000}
    if run.status ~= "ok" or run.work.stalled > 0 then return nil end
    iterations = iterations + run.work.projector_iterations
    primal = math.max(primal, -run.certificate.primal)
    stationarity = math.max(stationarity, run.certificate.stationarity_relative)
  end
  return iterations / #STEP_PROBLEMS, primal, stationarity
end

local function tolerance_figure()
  local series, overlap, rows = {}, {}, {}
  for _, entry in ipairs(PROJECTORS) do
    local projector, color = entry[1], entry[2]
    local x, y, g = {}, {}, {}
    for _, tol in ipairs{1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12} do
      local iterations, primal, stationarity = work_at(projector, tol)
      if iterations then
        x[#x + 1], y[#y + 1], g[#g + 1] = tol, iterations, math.max(primal, 1e-17)
      end
      rows[#rows + 1] = {projector, string.format("%.0e", tol), iterations, primal,
                         stationarity}
    end
    series[#series + 1] = {label = projector, x = x, y = y, style = "linespoints", color = color}
    overlap[#overlap + 1] = {label = projector, x = x, y = g, style = "linespoints", color = color}
  end
  lab.figure{name = "many-tolerance", order = 106, columns = 1, height = 14,
    caption = string.format("Iterations against tolerance: each projector on the same %d step " ..
      "problems (first steps of clusters of 20 spheres: impact, seeds 1 to 3, h = 0.05, 0.1, 0.2). Above: mean iterations; active_set and " ..
      "newton end on a set of contacts, whatever the tolerance. Below: the worst overlap that the " ..
      "certificate found, at least 1e-17.", #STEP_PROBLEMS),
    panels = {
      {xlabel = "tolerance", ylabel = "iterations", logx = true, logy = true, key = "outside",
       series = series},
      {xlabel = "tolerance", ylabel = "worst overlap", logx = true, logy = true, key = "off",
       series = overlap}}}
  lab.table{name = "many-tolerance", order = 106, rows = rows,
    heads = {"projector", "tolerance", "iterations", "worst overlap", "stationarity, relative"},
    caption = string.format("Iterations against tolerance: means over %d step problems; no number " ..
      "where one of them did not converge in 200000 iterations.", #STEP_PROBLEMS)}
end

lab.section{title = "Figures of Maury (2006)", order = 130}
impact_figures()
if ONE then return end
lab.section{title = "Many spheres", order = 100}
pile_figure()
cost_figure()
tolerance_figure()
