-- schemes.lua - every scheme for problems of order 2, asked the same: does its error in u_L1 vanish with h? On
-- a ball with e = 0 and e = 1/2 and on two spheres, with the energy that fifty bounces leave at e = 1.
--
--   build/impactlab sweep scripts/schemes.lua -j 2
local lab = require "impactlab"

local ORDER = 95 -- place in the report
local GRAVITY, LONG, BOUNCES = 9.81, 20000, 50

-- Groups and their colours; a scheme's shade is its place in the group.
local GROUPS = {
  {name = "papers", colors = {"#08306b", "#2171b5", "#6baed6", "#041c40"}, schemes = {"maury", "paoli", "venel", "gluey_maury"}},
  {name = "event-capturing", colors = {"#00441b", "#238b45", "#41ab5d", "#74c476", "#a1d99b", "#005a32"},
   schemes = {"moreau_jean", "midpoint", "mabrouk", "projected", "reflect", "poisson"}},
  {name = "engines", colors = {"#7f2704", "#d94801", "#fd8d3c", "#fdae6b"},
   schemes = {"impulse:as=ode", "impulse:as=bullet", "impulse:as=anitescu_hart", "xpbd"}},
  {name = "soft", colors = {"#3f007d", "#6a51a3", "#9e9ac8", "#bcbddc", "#525252"},
   schemes = {"soft:as=mujoco", "soft:as=sap", "dem:k=1e3", "ipc", "penalty"}}}

local PROBLEMS = {
  {id = "ball", title = "ball, e = 0", spec = {"bouncing_ball"}},
  {id = "ball-e05", title = "ball, e = 1/2", spec = {"bouncing_ball", e = 0.5}},
  {id = "two_spheres", title = "two spheres", spec = {"two_spheres", scenario = "free"}}}

-- Errors and the judge's verdict of one scheme; nil where the scheme refuses the problem, which it does at once.
local function asked(problem, scheme)
  local ok, sweep = pcall(lab.sweep, {
    name = "schemes-" .. problem.id .. "-" .. scheme:gsub("[:=,]", "_"), problem = problem.spec, schemes = {scheme},
    reference = "exact", norms = "none", steps = lab.levels{from = 128, ratio = 2, count = 7, jitter = 8, seed = 7}})
  if not ok then return nil end
  local r = sweep:run()
  local h, error, levels, found = {}, {}, {}, {h = {}, error = {}, least = math.huge}
  for _, record in ipairs(r:records()) do
    if record.status == "ok" then
      h[#h + 1], error[#error + 1] = record.h, record.error.u_L1
      local octave = math.floor(math.log(record.steps / 112, 2))
      local level = levels[octave] or {n = 0, h = 0, e = 0}
      levels[octave] = level
      level.n, level.h, level.e = level.n + 1, level.h + record.h, level.e + record.error.u_L1
      found.least = math.min(found.least, record.feasibility.nodes_min)
    end
  end
  local order = lab.order{h = h, error = error, claim = {kind = "converges"}}
  found.verdict, found.order = order.verdict, order.order
  for octave = 0, 9 do
    local level = levels[octave]
    if level then
      found.h[#found.h + 1], found.error[#found.error + 1] = level.h / level.n, level.e / level.n
    end
  end
  return found
end

-- Heights between bounces with e = 1, over the first: all of the energy is potential there.
local function tops(scheme)
  local run = lab.run{problem = {"bouncing_ball", e = 1}, scheme = scheme, steps = LONG, norms = {"none"}, trajectory = true,
                      horizon = BOUNCES * 2 * math.sqrt(2 / GRAVITY)}
  local q, heights = run.trajectory:q(1), {1}
  for n = 2, #q - 1 do
    if q[n] > 0.02 and q[n] >= q[n - 1] and q[n] > q[n + 1] then heights[#heights + 1] = q[n] end
  end
  return heights, run.h
end

local panels, rows, cells = {}, {}, {}
for k, problem in ipairs(PROBLEMS) do
  local series = {}
  for _, group in ipairs(GROUPS) do
    for i, scheme in ipairs(group.schemes) do
      local found = asked(problem, scheme)
      cells[scheme] = cells[scheme] or {}
      cells[scheme][k] = found
      if found then
        series[#series + 1] = {label = ("%s: %s"):format(scheme, found.verdict), x = found.h, y = found.error,
                               style = "linespoints", color = group.colors[i]}
      end
    end
  end
  panels[k] = {title = problem.title, xlabel = "h", ylabel = "error in u_L1", logx = true, logy = true, key = "outside", series = series}
end
lab.figure{name = "schemes", order = ORDER, columns = 1, width = 22, height = 33, panels = panels,
  caption = "Errors in u_L1 of all schemes, means over eight phases a level, and the verdict of the one question that all are asked: " ..
    "does it vanish with h? Blue: schemes of the papers, green: event-capturing ones, orange: engines', purple: soft contacts. " ..
    "FAIL is a floor, and no blame: what engines and springs tend to is another motion (schemes/README.md)."}

local energy = {}
for _, group in ipairs(GROUPS) do
  for i, scheme in ipairs(group.schemes) do
    local row, ok, heights, h = {group.name, scheme}, pcall(tops, scheme)
    for k in ipairs(PROBLEMS) do
      local found = cells[scheme][k]
      row[#row + 1] = not found and "-" or
        found.verdict == "PASS" and ("PASS, h^%.2f"):format(found.order) or
        ("%s, %.2g"):format(found.verdict, found.error[#found.error])
    end
    row[#row + 1] = ("%.1e"):format(math.min(cells[scheme][1].least, 0))
    if ok and #heights > 2 then
      local n, x = #heights, {}
      for b = 1, n do x[b] = b - 1 end
      energy[#energy + 1] = {label = scheme, x = x, y = heights, color = group.colors[i], style = "linespoints"}
      row[#row + 1] = ("%+.2f"):format((heights[2] - 1) / (h * math.sqrt(2 * GRAVITY)))
    else
      row[#row + 1] = ok and "stays down" or "-"
    end
    rows[#rows + 1] = row
  end
end
lab.figure{name = "schemes-energy", order = ORDER + 1, width = 22, height = 12, xlabel = "bounce", ylabel = "height over the first",
  key = "outside", series = energy,
  caption = "Fifty bounces of a ball with e = 1: the height reached after each. Restitution of the velocity before the force keeps it, " ..
    "of the velocity after it gains g h |u| a bounce; a margin, or springs that damp, lose the bounce."}
lab.table{name = "schemes", order = ORDER, heads = {"group", "scheme", "ball, e = 0", "ball, e = 1/2", "two spheres",
  "deepest overlap, ball", "first bounce, e = 1: energy in g h U"}, rows = rows,
  caption = "What a scheme does: the verdict on u_L1 with its order, or with the error that is left at T/8192; the deepest overlap " ..
    "at nodes over all these steps; what a bounce with e = 1 gains. -: the scheme refuses the problem."}
