-- paper.lua - the main job: the catalogue through the three schemes, to figures and tables.
--
--   build/impactlab sweep scripts/paper.lua -j 2
--
-- Maury 2006, figures 2 to 7; then, for each of the six problems, trajectories scheme by scheme,
-- convergence with slopes, energy and momentum against time; and one summary table. What is drawn is
-- kept beside each picture (NAME.dat, NAME.gp), so that `gnuplot NAME.gp` redraws it.

local lab = require "impactlab"

local SCHEMES = {"maury", "paoli", "venel"}
local COLOR = {maury = "#0072b2", paoli = "#d55e00", venel = "#009e73", exact = "#bdbdbd"}
local STYLE = {maury = "lines", paoli = "dashes", venel = "points"}

-- The catalogue of this report: a name for files, a title, the problem, the schemes, and the
-- coordinate that a trajectory figure shows.
local CATALOGUE = {
  {id = "sticky", title = "sticky particles", problem = {"sticky", N = 8, seed = 14},
   schemes = SCHEMES, coordinates = {1, 2, 3, 4, 5, 6, 7, 8}, together = true, coarse = 24,
   momentum = true},
  {id = "two_spheres-free", title = "two spheres, free",
   problem = {"two_spheres", scenario = "free"}, schemes = SCHEMES, coordinates = {1, 2},
   coarse = 40, momentum = true},
  {id = "two_spheres-pressed", title = "two spheres, pressed",
   problem = {"two_spheres", scenario = "pressed"}, schemes = SCHEMES, coordinates = {1, 2},
   coarse = 40, momentum = true},
  {id = "growing_radii", title = "growing radii", problem = {"growing_radii"}, schemes = SCHEMES,
   coordinates = {1, 4}, coarse = 40, momentum = true},
  {id = "vibroimpact-slide", title = "vibro-impact, slide",
   problem = {"vibroimpact", scenario = "slide"}, schemes = SCHEMES, coordinates = {1, 2},
   coarse = 40},
  {id = "vibroimpact-corner", title = "vibro-impact, corner",
   problem = {"vibroimpact", scenario = "corner"}, schemes = SCHEMES, coordinates = {1, 2},
   coarse = 40},
  {id = "vibroimpact-graze", title = "vibro-impact, graze",
   problem = {"vibroimpact", scenario = "graze"}, schemes = SCHEMES, coordinates = {1, 2},
   coarse = 40},
  {id = "bouncing_ball", title = "ball, e = 0", problem = {"bouncing_ball", e = 0},
   schemes = SCHEMES, coordinates = {1}, coarse = 40},
  {id = "bouncing_ball-e05", title = "ball, e = 0.5", problem = {"bouncing_ball", e = 0.5},
   schemes = {"paoli"}, coordinates = {1}, coarse = 80},
}

local function series_of(curve, i, label, style, color)
  return {label = label, x = curve.t, y = curve.q[i], style = style, color = color}
end

-- u_h is constant on steps: pairs of points, so that jumps are drawn as jumps.
local function velocity_of(trajectory, i, label, color)
  local t, u, x, y = trajectory:t(), trajectory:u(i), {}, {}
  for n = 2, #t do
    x[#x + 1], y[#y + 1] = t[n - 1], u[n]
    x[#x + 1], y[#y + 1] = t[n], u[n]
  end
  return {label = label, x = x, y = y, style = "lines", color = color}
end

-- ---- Maury, figure 2: the force ------------------------------------------------------------------

local function force_figure()
  local x, y = {}, {}
  for j = -8, 1 do
    local octave = 2.0 ^ j
    local f = lab.force{problem = "nonuniqueness", t = {1.25 * octave, 1.75 * octave}}[1]
    for k = 1, 2 do
      local a = octave * (k == 1 and 1 or 1.5)
      x[#x + 1], y[#y + 1] = a, f[k]
      x[#x + 1], y[#y + 1] = a + octave / 2, f[k]
    end
  end
  lab.figure{name = "maury-fig02-force", order = 2,
    caption = "Maury 2006, figure 2: the force f(t) of the non-uniqueness example, 1 and -1.8 in " ..
              "turn on intervals that halve towards t = 0.",
    height = 6, xlabel = "t", ylabel = "f", xrange = {0, 4}, yrange = {-2.4, 1.6}, key = "off",
    series = {{x = x, y = y, style = "lines", color = COLOR.maury}}}
end

-- ---- Maury, figures 3 and 4: two limits ----------------------------------------------------------

local RAISED = {[8] = "2⁻⁸", [9] = "2⁻⁹"}

local function nonuniqueness_figure(number, exponent, solution)
  local steps = math.tointeger(4 * 2 ^ exponent)
  local run = lab.run{problem = "nonuniqueness", scheme = "maury", steps = steps, trajectory = true}
  local exact = lab.exact{problem = "nonuniqueness", name = solution, points = 800}
  local near = run.error.distances[solution]
  local label = "Maury's scheme, h = " .. RAISED[exponent]
  lab.figure{name = string.format("maury-fig%02d-nonuniqueness", number), order = number,
    caption = string.format(
      "Maury 2006, figure %d: h = %s tends to solution %s (drawn broad beneath). Distance to it: " ..
      "%.2e in u (L1), %.2e in q (sup); to the other solution: %.2f in u (L1).", number, RAISED[exponent],
      solution, near.u_L1, near.q_Linf,
      run.error.distances[solution == "A" and "B" or "A"].u_L1),
    columns = 1, height = 13,
    panels = {
      {xlabel = "t", ylabel = "q", xrange = {0, 4}, yrange = {-0.05, 0.85}, key = "top left", series = {
        series_of(exact, 1, "exact solution " .. solution, "underlay", COLOR.exact),
        {label = label, x = run.trajectory:t(), y = run.trajectory:q(1), style = "lines",
         color = COLOR.maury}}},
      {xlabel = "t", ylabel = "u", xrange = {0, 4}, key = "off", series = {
        {label = "exact", x = exact.t, y = exact.u[1], style = "underlay", color = COLOR.exact},
        velocity_of(run.trajectory, 1, label, COLOR.maury)}},
    }}
end

-- ---- Maury, figures 5 to 7: sticky pathlines -----------------------------------------------------

local function pathlines(number, h)
  local run = lab.run{problem = "sticky", scheme = "maury", h = h, trajectory = true}
  local t, series = run.trajectory:t(), {}
  for i = 1, run.dimension do
    series[i] = {x = t, y = run.trajectory:q(i), style = "lines", color = COLOR.maury, width = 1}
  end
  local q = run.final.q
  lab.figure{name = string.format("maury-fig%02d-sticky", number), order = number,
    caption = string.format(
      "Maury 2006, figure %d: pathlines of 30 sticky particles, h = %g. All end at q = %.12f.",
      number, h, q[1]),
    height = 9, xlabel = "t", ylabel = "q", xrange = {0, 3}, key = "off", series = series}
  return q
end

-- ---- the same figure for every problem: trajectories ---------------------------------------------

-- One panel a coordinate, or all coordinates together in one; the legend names each curve once.
local function trajectory_figure(entry, order)
  local exact = lab.exact{problem = entry.problem, points = 600}
  local panels = {}
  for k, i in ipairs(entry.coordinates) do
    local here = entry.together and 1 or k
    panels[here] = panels[here] or {xlabel = "t", ylabel = entry.together and "q" or "q" .. i,
                                    key = here == 1 and "outside" or "off", series = {}}
    local list = panels[here].series
    list[#list + 1] = series_of(exact, i, k == 1 and "exact" or nil, "underlay", COLOR.exact)
    if not entry.together then list[1].label = "exact" end
  end
  for _, scheme in ipairs(entry.schemes) do
    local run = lab.run{problem = entry.problem, scheme = scheme, steps = entry.coarse,
                        trajectory = true}
    for k, i in ipairs(entry.coordinates) do
      local list = panels[entry.together and 1 or k].series
      list[#list + 1] = {label = (k == 1 or not entry.together) and scheme or nil,
                         x = run.trajectory:t(), y = run.trajectory:q(i), style = STYLE[scheme],
                         color = COLOR[scheme]}
    end
  end
  lab.figure{name = "trajectory-" .. entry.id, order = order,
    caption = string.format("%s: coordinates of q against time with only %d steps, scheme by " ..
                            "scheme, over the exact solution.", entry.title, entry.coarse),
    columns = 1, height = entry.together and 10 or nil, panels = panels}
end

local function nonuniqueness_trajectories(order)
  local panels = {}
  for _, solution in ipairs{"A", "B"} do
    local exact = lab.exact{problem = "nonuniqueness", name = solution, points = 800}
    local panel = {title = "steps that tend to " .. solution, xlabel = "t", ylabel = "q",
                   xrange = {0, 4}, key = "outside",
                   series = {series_of(exact, 1, "exact " .. solution, "underlay", COLOR.exact)}}
    for _, scheme in ipairs(SCHEMES) do
      local run = lab.run{problem = "nonuniqueness", scheme = scheme,
                          steps = solution == "A" and 64 or 128, trajectory = true}
      panel.series[#panel.series + 1] = {label = scheme, x = run.trajectory:t(),
        y = run.trajectory:q(1), style = STYLE[scheme], color = COLOR[scheme]}
    end
    panels[#panels + 1] = panel
  end
  lab.figure{name = "trajectory-nonuniqueness", order = order, columns = 1, panels = panels,
    caption = "Non-uniqueness: h = 2⁻⁴ (above) and 2⁻⁵ (below), scheme by scheme, over the exact " ..
              "solution that each sequence of steps tends to."}
end

-- ---- energy and momentum against time ------------------------------------------------------------

local function spread(values, n)
  local out = {}
  for i = 1, n do out[i] = #values == n and values[i] or values[1] end
  return out
end

-- Masses of the coordinates: bodies in R^space, body by body.
local function masses_of(run)
  local given = run.parameters.masses
  if not given then return spread({1}, run.dimension) end
  local space = run.problem == "sticky" and 1 or 3
  local bodies = spread(given, run.dimension // space)
  local out = {}
  for k = 1, run.dimension do out[k] = bodies[(k - 1) // space + 1] end
  return out, space
end

local function energy_and_drift(run)
  local mass, space = masses_of(run)
  local t, energy, drift = run.trajectory:t(), {}, {}
  local u, start = {}, {}
  for k = 1, run.dimension do u[k] = run.trajectory:u(k) end
  for n = 1, #t do
    local e, p = 0.0, {0.0, 0.0, 0.0}
    for k = 1, run.dimension do
      e = e + 0.5 * mass[k] * u[k][n] ^ 2
      local axis = space and (k - 1) % space + 1 or 1
      p[axis] = p[axis] + mass[k] * u[k][n]
    end
    if n == 1 then start = p end
    energy[n] = e
    drift[n] = math.max(math.abs(p[1] - start[1]), math.abs(p[2] - start[2]),
                        math.abs(p[3] - start[3]))
  end
  return t, energy, drift
end

local function conservation_figures(order)
  local energies, momenta = {}, {}
  for _, entry in ipairs(CATALOGUE) do
    local energy = {title = entry.title, xlabel = "t", ylabel = "kinetic energy", key = "off",
                    series = {}}
    local momentum = {title = entry.title, xlabel = "t", ylabel = "drift of momentum", key = "off",
                      yrange = {-2e-16, 5e-15}, series = {}}
    for _, scheme in ipairs(entry.schemes) do
      local run = lab.run{problem = entry.problem, scheme = scheme, steps = 400, trajectory = true}
      local t, e, drift = energy_and_drift(run)
      energy.series[#energy.series + 1] = {label = scheme, x = t, y = e, style =
        scheme == "venel" and "dashes" or STYLE[scheme], color = COLOR[scheme]}
      momentum.series[#momentum.series + 1] = {label = scheme, x = t, y = drift, style = "points",
        color = COLOR[scheme]}
    end
    energies[#energies + 1] = energy
    if entry.momentum then momenta[#momenta + 1] = momentum end
  end
  energies[1].key = "top right"
  momenta[1].key = "top right"
  lab.figure{name = "energy", order = order, columns = 3, panels = energies, width = 18, height = 16,
    caption = "Kinetic energy against time, 400 steps. Without force it never grows (sticky, two " ..
              "spheres free, vibro-impact); pressed spheres, growing radii and the ball are worked on."}
  lab.figure{name = "momentum", order = order + 1, columns = 2, panels = momenta, width = 16,
    height = 12,
    caption = "Largest component of the total momentum's drift against time, 400 steps: rounding " ..
              "only, for every scheme (the forces of the pressed spheres are equal and opposite)."}
end

-- ---- convergence ---------------------------------------------------------------------------------

local rows = {}

local function add_row(id, scheme, r, orders)
  local finest
  for _, record in ipairs(r:records()) do
    if record.scheme == scheme and (not finest or record.steps > finest.steps) then
      finest = record
    end
  end
  local function interval(o)
    return o.slope and string.format("%.2f [%.2f, %.2f]", o.slope, o.low, o.high) or o.verdict
  end
  rows[#rows + 1] = {id, scheme, string.format("%d", finest.steps),
    string.format("%.2e", finest.error.q_Linf), string.format("%.2e", finest.error.u_L1),
    interval(orders.q_Linf), interval(orders.u_L1),
    string.format("%.1e", finest.feasibility.nodes_min),
    finest.momentum.largest_drift and string.format("%.1e", finest.momentum.largest_drift) or "-",
    string.format("%.1e", finest.certificate.primal),
    string.format("%.1e", finest.certificate.stationarity_relative)}
end

-- All runs come before all drawing, so that a shard of the cases (--shard i/n) can be run anywhere.
local function study(entry)
  return lab.sweep{name = entry.id, problem = entry.problem, schemes = entry.schemes,
    steps = lab.levels{from = 64, ratio = 2, count = 6, jitter = 8, seed = 1},
    reference = "exact"}:run()
end

local function study_of_limit(solution)
  local steps = {}
  for k = 3, 8 do steps[#steps + 1] = math.tointeger((solution == "A" and 1 or 2) * 4 ^ k) end
  return lab.sweep{name = "nonuniqueness-" .. solution, problem = "nonuniqueness",
                   schemes = SCHEMES, steps = steps, reference = "exact"}:run()
end

local function convergence(entry, r, order)
  for _, scheme in ipairs(entry.schemes) do
    local orders = {}
    for _, norm in ipairs{"q_Linf", "u_L1"} do
      orders[norm] = r:order{scheme = scheme, norm = norm}
      print(orders[norm])
    end
    add_row(entry.id, scheme, r, orders)
  end
  r:figure{"convergence", norm = "u_L1", name = "convergence-" .. entry.id, title = entry.title,
           order = order}
end

-- Whole sequences do not converge on this problem: each of two does, to a limit of its own.
local function nonuniqueness_convergence(limits, order)
  local panels = {}
  for _, norm in ipairs{"q_Linf", "u_L1"} do
    panels[#panels + 1] = {title = norm, xlabel = "h", ylabel = "error", logx = true, logy = true,
                           key = "outside", series = {}}
  end
  for _, solution in ipairs{"A", "B"} do
    local r = limits[solution]
    for _, scheme in ipairs(SCHEMES) do
      local orders = {}
      for p, norm in ipairs{"q_Linf", "u_L1"} do
        orders[norm] = r:order{scheme = scheme, norm = norm}
        print(solution, orders[norm])
        local x, y = {}, {}
        for _, record in ipairs(r:records()) do
          if record.scheme == scheme then
            assert(record.error.reference == solution, "this sequence should tend to " .. solution)
            x[#x + 1], y[#y + 1] = record.h, record.error[norm]
          end
        end
        local list = panels[p].series
        list[#list + 1] = {x = x, y = y, style = solution == "A" and "linespoints" or "dashes",
          color = COLOR[scheme],
          label = string.format("%s to %s, slope %.2f", scheme, solution, orders[norm].slope)}
      end
      add_row("nonuniqueness to " .. solution, scheme, r, orders)
    end
  end
  lab.figure{name = "convergence-nonuniqueness", order = order, columns = 1, panels = panels,
    caption = "Non-uniqueness: errors against solution A for h = 4⁻ᵐ and against B for h = 4⁻ᵐ/2. " ..
              "Each of the two sequences converges; the whole sequence does not."}
end

-- ---- the report ----------------------------------------------------------------------------------

local limits = {A = study_of_limit("A"), B = study_of_limit("B")}
local studies = {}
for _, entry in ipairs(CATALOGUE) do studies[entry.id] = study(entry) end

force_figure()
nonuniqueness_figure(3, 8, "A")
nonuniqueness_figure(4, 9, "B")

local final = {}
for k, h in ipairs{0.01, 0.5, 1.5} do final[4 + k] = pathlines(4 + k, h) end
local apart = 0.0
for i = 1, #final[5] do
  apart = math.max(apart, math.abs(final[5][i] - final[6][i]), math.abs(final[5][i] - final[7][i]))
end
lab.check(apart <= 1e-10, string.format(
  "sticky ends alike for h = 0.01, 0.5 and 1.5 (Maury, section 6.2): largest difference %.1e", apart))

nonuniqueness_trajectories(20)
nonuniqueness_convergence(limits, 40)
for k, entry in ipairs(CATALOGUE) do
  trajectory_figure(entry, 20 + k)
  convergence(entry, studies[entry.id], 40 + k)
end
conservation_figures(60)

lab.table{name = "summary", order = 1,
  caption = "Finest run of each study (about 2000 steps) and the observed orders over 48 runs with " ..
            "95 % intervals; least gap at nodes (negative is overlap), drift of momentum, worst " ..
            "certificate.",
  heads = {"problem", "scheme", "steps", "q_Linf", "u_L1", "order in q_Linf", "order in u_L1",
           "least gap", "momentum drift", "primal", "stationarity"},
  rows = rows, formats = {"txt", "csv", "tex"}}
