-- paper.lua - the main job: the catalogue through the three schemes, to figures and tables.
--
--   build/impactlab sweep scripts/paper.lua -j 2
--
-- Maury 2006, figures 2 to 7; then, for each of the six problems, trajectories scheme by scheme,
-- convergence with slopes, energy and momentum against time; and one summary table. What is
-- drawn is kept beside each picture (NAME.dat, NAME.gp), so that `gnuplot NAME.gp` redraws it. A
-- caption's words up to its first colon are its entry in the report's list of contents.

local lab = require "impactlab"

local SCHEMES = {"maury", "paoli", "venel"}
local COLOR = {maury = "#0072b2", paoli = "#d55e00", venel = "#009e73", exact = "#808080",
               wall = "#404040"}

-- Schemes often agree to the last digit. Drawn one upon the other they must all be seen: broad
-- beneath, thin above, and marks with gaps between them. Marks skip points, so rough curves, of
-- which every peak counts, have none.
local SMOOTH = {maury = {style = "lines", width = 3}, paoli = {style = "dashes", width = 1.8},
                venel = {style = "points"}}
local ROUGH = {maury = {style = "lines"}, paoli = {style = "dashes"}, venel = {style = "dashes"}}
local MARKS = 32 -- along a curve, at most; in small panels half as many

-- Sections of the page, in their order; other scripts put theirs between.
local NONUNIQUE = {title = "Non-uniqueness", order = 10, text = "A point above a wall under a force that switches at " ..
  "t = 2^-k between 1 and -1.8: from rest in contact there are infinitely many solutions, and which of them a scheme " ..
  "comes to depends on the sequence of steps (Maury 2006, section 6.1)."}
local STICKY = {title = "Sticky particles", order = 20, text = "Particles on a line that stay together once they have " ..
  "met: the limit of inelastic impacts without a force (Maury 2006, section 6.2)."}
local SPHERES = {title = "Two spheres", order = 30, text = "Two spheres meet at an angle and lose the relative " ..
  "velocity along the line of their centres; free, or pressed together by a force."}
local RADII = {title = "Growing radii", order = 40, text = "Two spheres at rest whose radii grow: constraints that " ..
  "depend on time push them apart."}
local CORNER = {title = "Vibro-impact", order = 50, text = "A point above two curved walls that rise in time: it " ..
  "slides, meets the corner, or grazes."}
local BALL = {title = "A ball, a pendulum: restitution", order = 60, text = "A ball on a floor and a pendulum at a stop, " ..
  "with and without restitution, past the accumulation of their impacts."}
local MAURY = {title = "Figures of Maury (2006)", order = 130}

-- The catalogue of this report: a name for files, a title, the problem, the schemes, the
-- coordinates that the trajectories show, each with its meaning, and the number of steps for them.
local CATALOGUE = {
  {id = "sticky", section = STICKY, title = "sticky particles", problem = {"sticky", N = 8, seed = 14},
   schemes = SCHEMES, coordinates = {{1, "q"}, {2}, {3}, {4}, {5}, {6}, {7}, {8}}, together = true,
   shown = "positions of all 8 particles", coarse = 24, momentum = true,
   free = true},
  {id = "two_spheres-free", section = SPHERES, title = "two spheres, free",
   problem = {"two_spheres", scenario = "free"}, schemes = SCHEMES,
   coordinates = {{1, "x of sphere 1"}, {2, "y of sphere 1"}},
   shown = "x and y of the centre of sphere 1", coarse = 40, momentum = true, free = true},
  {id = "two_spheres-pressed", section = SPHERES, title = "two spheres, pressed",
   problem = {"two_spheres", scenario = "pressed"}, schemes = SCHEMES,
   coordinates = {{1, "x of sphere 1"}, {2, "y of sphere 1"}},
   shown = "x and y of the centre of sphere 1", coarse = 40, momentum = true},
  {id = "growing_radii", section = RADII, title = "growing radii", problem = {"growing_radii"}, schemes = SCHEMES,
   coordinates = {{1, "x of sphere 1"}, {4, "x of sphere 2"}},
   shown = "x of the centres of the two spheres", coarse = 40, momentum = true},
  {id = "vibroimpact-slide", section = CORNER, title = "vibro-impact, slide",
   problem = {"vibroimpact", scenario = "slide"}, schemes = SCHEMES,
   coordinates = {{1, "x"}, {2, "y"}}, shown = "x and y of the point", coarse = 40},
  {id = "vibroimpact-corner", section = CORNER, title = "vibro-impact, corner",
   problem = {"vibroimpact", scenario = "corner"}, schemes = SCHEMES,
   coordinates = {{1, "x"}, {2, "y"}}, shown = "x and y of the point", coarse = 40},
  {id = "vibroimpact-graze", section = CORNER, title = "vibro-impact, graze",
   problem = {"vibroimpact", scenario = "graze"}, schemes = SCHEMES,
   coordinates = {{1, "x"}, {2, "y"}}, shown = "x and y of the point", coarse = 40},
  {id = "bouncing_ball", section = BALL, title = "ball, e = 0", problem = {"bouncing_ball", e = 0},
   schemes = SCHEMES, coordinates = {{1, "height q"}}, shown = "height of the ball", coarse = 40},
  {id = "bouncing_ball-e05", section = BALL, title = "ball, e = 0.5", problem = {"bouncing_ball", e = 0.5},
   schemes = {"paoli"}, coordinates = {{1, "height q"}}, shown = "height of the ball", coarse = 80,
   remark = " With e > 0 the scheme keeps (q_{n+1} + e q_{n-1})/(1 + e) off the floor, not " ..
            "q_{n+1}."},
}

-- ---- curves -------------------------------------------------------------------------------------

local function exact_curve(label, x, y)
  return {label = label, x = x, y = y, style = "underlay", color = COLOR.exact, width = 6}
end

-- Every k-th point, so that no more than `most` remain.
local function thinned(values, most)
  local out = {}
  for n = 1, #values, math.ceil(#values / most) do out[#out + 1] = values[n] end
  return out
end

local function scheme_curve(scheme, label, x, y, looks, most)
  local look = (looks or SMOOTH)[scheme]
  if look.style == "points" then
    x, y = thinned(x, most or MARKS), thinned(y, most or MARKS)
  end
  return {label = label, x = x, y = y, style = look.style, width = look.width,
          color = COLOR[scheme]}
end

-- What is constant on steps: pairs of points, so that jumps are drawn as jumps. values[n] holds on
-- the step that ends at t[n].
local function stairs(t, values)
  local x, y = {}, {}
  for n = 2, #t do
    x[#x + 1], y[#y + 1] = t[n - 1], values[n]
    x[#x + 1], y[#y + 1] = t[n], values[n]
  end
  return x, y
end

-- ---- Maury, figure 2: the force -----------------------------------------------------------------

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
    caption = "The force of the non-uniqueness example (Maury 2006, figure 2): f(t) is 1 and " ..
              "-1.8 in turn on intervals that halve towards t = 0; the ten longest pairs are drawn.",
    height = 6, xlabel = "t", ylabel = "f", xrange = {0, 4}, yrange = {-2.4, 1.6}, key = "off",
    series = {{x = x, y = y, style = "lines", color = COLOR.maury, width = 1}}}
end

-- ---- Maury, figures 3 and 4: two limits ---------------------------------------------------------

local RAISED = {[8] = "2⁻⁸", [9] = "2⁻⁹"}

local function nonuniqueness_figure(number, exponent, solution)
  local steps = math.tointeger(4 * 2 ^ exponent)
  local run = lab.run{problem = "nonuniqueness", scheme = "maury", steps = steps, norms = {"none"}, trajectory = true}
  local exact = lab.exact{problem = "nonuniqueness", name = solution, points = 800}
  local near = run.error.distances[solution]
  local far = run.error.distances[solution == "A" and "B" or "A"]
  local label = "Maury's scheme, h = " .. RAISED[exponent]
  local t, u_x, u_y = run.trajectory:t(), stairs(run.trajectory:t(), run.trajectory:u(1))
  lab.figure{name = string.format("maury-fig%02d-nonuniqueness", number), order = number,
    caption = string.format(
      "Non-uniqueness, h = %s (Maury 2006, figure %d): position q and velocity u tend to " ..
      "solution %s, drawn broad beneath. Distance to it: %.2e in u (L1), %.2e in q (sup); to the " ..
      "other solution: %.2f in u (L1).", RAISED[exponent], number, solution, near.u_L1, near.q_Linf,
      far.u_L1),
    columns = 1, height = 13,
    panels = {
      {xlabel = "t", ylabel = "q", xrange = {0, 4}, yrange = {-0.05, 0.85},
       series = {exact_curve("exact solution " .. solution, exact.t, exact.q[1]),
        {label = label, x = t, y = run.trajectory:q(1), style = "lines", color = COLOR.maury}}},
      {xlabel = "t", ylabel = "u", xrange = {0, 4}, key = "off", series = {
        exact_curve("exact", exact.t, exact.u[1]),
        {label = label, x = u_x, y = u_y, style = "lines", color = COLOR.maury}}},
    }}
end

-- ---- Maury, figures 5 to 7: sticky pathlines ----------------------------------------------------

local function pathlines(number, h)
  local run = lab.run{problem = "sticky", scheme = "maury", h = h, norms = {"none"}, trajectory = true}
  local t, series = run.trajectory:t(), {}
  for i = 1, run.dimension do
    series[i] = {x = t, y = run.trajectory:q(i), style = "lines", color = COLOR.maury, width = 1}
  end
  local q = run.final.q
  local together = q[#q] - q[1] -- the order is kept: these two are the farthest apart
  lab.figure{name = string.format("maury-fig%02d-sticky", number), order = number,
    caption = string.format(
      "Pathlines of 30 sticky particles, h = %g (Maury 2006, figure %d): all end at q = %.12f%s.",
      h, number, q[1], together > 0 and string.format(", give or take %.0e", together) or ""),
    height = 9, xlabel = "t", ylabel = "q", xrange = {0, 3}, key = "off", series = series}
  return q
end

-- ---- the same figure for every problem: trajectories --------------------------------------------

-- One panel a coordinate, or all coordinates together in one; the legend names each curve once.
local function trajectory_figure(entry, order)
  local exact = lab.exact{problem = entry.problem, points = 600}
  local panels = {}
  local function panel_of(k)
    return panels[entry.together and 1 or k].series, (k == 1 or not entry.together)
  end
  for k, coordinate in ipairs(entry.coordinates) do
    if k == 1 or not entry.together then
      panels[k] = {xlabel = "t", ylabel = coordinate[2], key = k == 1 and "outside" or "off",
                   series = {}}
    end
    local list, named = panel_of(k)
    list[#list + 1] = exact_curve(named and "exact" or nil, exact.t, exact.q[coordinate[1]])
  end
  for _, scheme in ipairs(entry.schemes) do
    local run = lab.run{problem = entry.problem, scheme = scheme, steps = entry.coarse,
                        norms = {"none"}, trajectory = true}
    for k, coordinate in ipairs(entry.coordinates) do
      local list, named = panel_of(k)
      list[#list + 1] = scheme_curve(scheme, named and scheme or nil, run.trajectory:t(),
                                     run.trajectory:q(coordinate[1]))
    end
  end
  lab.figure{name = "trajectory-" .. entry.id, order = order,
    caption = string.format("Trajectories, %s: %s against time with only %d steps, scheme by " ..
                            "scheme, over the exact solution.%s", entry.title, entry.shown,
                            entry.coarse, entry.remark or ""),
    columns = 1, height = entry.together and 10 or nil, panels = panels}
end

local function nonuniqueness_trajectories(order)
  local panels = {}
  for _, solution in ipairs{"A", "B"} do
    local exact = lab.exact{problem = "nonuniqueness", name = solution, points = 800}
    local panel = {title = solution == "A" and "h = 2⁻⁴, of the steps that tend to solution A"
                                           or "h = 2⁻⁵, of the steps that tend to solution B",
                   xlabel = "t", ylabel = "q", xrange = {0, 4}, yrange = {-0.05, 0.85},
                   series = {exact_curve("exact " .. solution, exact.t, exact.q[1])}}
    for _, scheme in ipairs(SCHEMES) do
      local run = lab.run{problem = "nonuniqueness", scheme = scheme,
                          steps = solution == "A" and 64 or 128, norms = {"none"}, trajectory = true}
      panel.series[#panel.series + 1] = scheme_curve(scheme, scheme, run.trajectory:t(),
                                                     run.trajectory:q(1))
    end
    panels[#panels + 1] = panel
  end
  lab.figure{name = "trajectory-nonuniqueness", order = order, columns = 1, height = 13,
    panels = panels,
    caption = "Trajectories, non-uniqueness: position q against time, scheme by scheme, over the " ..
              "exact solution that each of the two sequences of steps tends to."}
end

-- ---- vibro-impact in the frame that sinks with the walls ----------------------------------------

local function wall(x)
  return math.max(-x * math.abs(x), (x - 4) * math.abs(x - 4)) / 4
end

-- The walls between a and b, hatched on their lower side by strokes of the given length.
local function wall_curves(a, b, stroke)
  local x, y, hatch_x, hatch_y = {}, {}, {}, {}
  local cells = math.ceil((b - a) / (0.6 * stroke))
  for k = 0, 8 * cells do
    local at = a + (b - a) * k / (8 * cells)
    x[#x + 1], y[#y + 1] = at, wall(at)
    hatch_x[#hatch_x + 1], hatch_y[#hatch_y + 1] = at, wall(at)
    if k % 8 == 4 then -- there and back
      hatch_x[#hatch_x + 1], hatch_y[#hatch_y + 1] = at, wall(at) - stroke
      hatch_x[#hatch_x + 1], hatch_y[#hatch_y + 1] = at, wall(at)
    end
  end
  return {x = x, y = y, style = "lines", color = COLOR.wall, width = 2},
         {x = hatch_x, y = hatch_y, style = "lines", color = COLOR.wall, width = 0.7}
end

-- Y = y + t: in this frame the walls stand still.
local function sunk(t, y)
  local out = {}
  for n = 1, #t do out[n] = y[n] + t[n] end
  return out
end

local PLANE = {
  {"slide", title = "slide", x = {-2.4, 2.6}, y = {-1.3, 2.2}},
  {"slide", title = "slide, its end enlarged", x = {0.45, 1.15}, y = {-0.25, 0.24}},
  {"graze", title = "graze", x = {-2.4, 2.6}, y = {-1.3, 2.2}},
  {"corner", title = "corner", x = {0.9, 3.1}, y = {-1.2, 0.34}},
}

local function plane_panel(shown)
  local problem = {"vibroimpact", scenario = shown[1]}
  local exact = lab.exact{problem = problem, points = 800}
  local edge, hatch = wall_curves(shown.x[1], shown.x[2], 0.035 * (shown.x[2] - shown.x[1]))
  local series = {exact_curve("exact", exact.q[1], sunk(exact.t, exact.q[2])), edge, hatch}
  for _, scheme in ipairs(SCHEMES) do
    local run = lab.run{problem = problem, scheme = scheme, steps = 40, norms = {"none"}, trajectory = true}
    series[#series + 1] = scheme_curve(scheme, scheme, run.trajectory:q(1),
                                       sunk(run.trajectory:t(), run.trajectory:q(2)))
  end
  return {title = shown.title, xlabel = "x", ylabel = "y + t", equal = true, xrange = shown.x,
          yrange = shown.y, series = series, key = "off"}
end

local function plane_figure(order)
  local panels = {}
  for k, shown in ipairs(PLANE) do panels[k] = plane_panel(shown) end
  panels[1].key = "auto"
  lab.figure{name = "plane-vibroimpact", order = order, columns = 2, width = 18, height = 14,
    panels = panels,
    caption = "Vibro-impact in the plane (x, y + t): in this frame, which sinks with the walls, " ..
              "these (hatched) are max(-x|x|, (x-4)|x-4|)/4, with a right-angled corner at (2, -1). " ..
              "Paths with only 40 steps, equal scales."}
end

-- ---- energy and momentum against time -----------------------------------------------------------

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

-- Kinetic energy, and the largest component of the momentum's drift in units of 1e-15.
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
    drift[n] = 1e15 * math.max(math.abs(p[1] - start[1]), math.abs(p[2] - start[2]),
                               math.abs(p[3] - start[3]))
  end
  return t, energy, drift
end

-- The non-uniqueness example has two panels, one for each sequence of steps; the others 400 steps.
local function conserved_entries()
  local entries = {
    {title = "non-uniqueness, h = 2⁻⁸", problem = "nonuniqueness", schemes = SCHEMES, steps = 1024},
    {title = "non-uniqueness, h = 2⁻⁹", problem = "nonuniqueness", schemes = SCHEMES, steps = 2048}}
  for _, entry in ipairs(CATALOGUE) do
    entries[#entries + 1] = {title = entry.title, problem = entry.problem, schemes = entry.schemes,
                             steps = 400, momentum = entry.momentum, free = entry.free}
  end
  return entries
end

-- The largest rise of a sequence over any of its values before.
local function rise_of(values)
  local least, rise = values[1], 0.0
  for _, value in ipairs(values) do
    least = math.min(least, value)
    rise = math.max(rise, value - least)
  end
  return rise
end

local function conservation_figures(order)
  local energies, momenta, kept, rise, worst = {}, {}, {}, 0.0, 0.0
  for _, entry in ipairs(conserved_entries()) do
    local energy, momentum, top = {}, {}, 0.0
    for _, scheme in ipairs(entry.schemes) do
      local run = lab.run{problem = entry.problem, scheme = scheme, steps = entry.steps,
                          norms = {"none"}, trajectory = true}
      local t, e, drift = energy_and_drift(run)
      if entry.momentum then top = math.max(top, table.unpack(drift)) end
      if entry.free then rise = math.max(rise, rise_of(e)) end
      local x, y = stairs(t, e)
      energy[#energy + 1] = scheme_curve(scheme, scheme, x, y, SMOOTH, MARKS // 2)
      x, y = stairs(t, drift)
      momentum[#momentum + 1] = scheme_curve(scheme, scheme, x, y, ROUGH)
    end
    energies[#energies + 1] = {title = entry.title, xlabel = "t", ylabel = "kinetic energy",
                               key = "off", series = energy}
    if entry.momentum and top == 0.0 then
      kept[#kept + 1] = entry.title
    elseif entry.momentum then
      worst, top = math.max(worst, top), math.max(top, 1.0) -- at least one unit
      momenta[#momenta + 1] = {title = entry.title, xlabel = "t", ylabel = "drift / 10⁻¹⁵",
                               key = "off", yrange = {-0.05 * top, 1.05 * top}, series = momentum}
    end
  end
  energies[#energies - 1].key = "auto" -- the ball at rest leaves room
  momenta[#momenta].key = "auto"
  lab.figure{name = "energy", order = order, columns = 3, panels = energies, width = 18, height = 22,
    caption = string.format("Kinetic energy against time: all problems, 400 steps but for the " ..
      "two sequences of the non-uniqueness example. Without force and with constraints at rest " ..
      "(sticky, two spheres free) it rises by %.0e at most; elsewhere a force or a moving " ..
      "constraint does work.", rise)}
  lab.figure{name = "momentum", order = order + 1, columns = #momenta, panels = momenta, width = 20,
    height = 7,
    caption = string.format("Drift of the total momentum against time: its largest component, in " ..
      "units of 10⁻¹⁵, 400 steps, of the problems that conserve it (the forces on the pressed " ..
      "spheres are equal and opposite); %.0e at most.%s", 1e-15 * worst,
      #kept > 0 and " None at all: " .. table.concat(kept, ", ") .. "." or "")}
end

-- ---- convergence --------------------------------------------------------------------------------

local rows = {}

local function add_row(id, scheme, r, orders)
  local finest
  local runs = 0
  for _, record in ipairs(r:records()) do
    if record.scheme == scheme then
      runs = runs + 1
      if not finest or record.steps > finest.steps then finest = record end
    end
  end
  local function interval(o)
    return o.order == o.order and string.format("%.2f [%.2f, %.2f]", o.order, o.low, o.high) or o.verdict
  end
  rows[#rows + 1] = {id, scheme, string.format("%d", runs), string.format("%d", finest.steps),
    string.format("%.2e", finest.error.q_Linf), string.format("%.2e", finest.error.u_L1),
    interval(orders.q_Linf), interval(orders.u_L1),
    string.format("%.1e", finest.feasibility.nodes_min),
    finest.momentum.largest_drift and string.format("%.1e", finest.momentum.largest_drift) or "-",
    string.format("%.1e", finest.certificate.primal),
    string.format("%.1e", finest.certificate.stationarity_relative)}
end

-- Six octaves of eight step counts, and as many more as the verdicts need. Into a corner the coarsest steps see no
-- order yet.
local FROM = {["vibroimpact-corner"] = 200}

-- All runs come before all drawing, so that a shard of the cases (--shard i/n) can be run anywhere.
local function study(entry)
  return lab.sweep{name = entry.id, problem = entry.problem, schemes = entry.schemes, reference = "exact", norms = {"none"},
    steps = lab.levels{from = FROM[entry.id] or 64, ratio = 2, count = 6, jitter = 8, seed = 1,
                       until_decided = {runs = 5000}}}:run()
end

-- Phases c from 1.3 to 1.45 lie between two borders (scripts/limits.lua): h = c 2^-m tends to A for
-- even m and to B for odd m.
local function study_of_limit(solution)
  local c, m = {}, {}
  for k = 0, 21 do c[#c + 1] = 1.3 + 0.15 * k / 21 end
  for k = 3, 6 do m[#m + 1] = 2 * k + (solution == "B" and 1 or 0) end
  return lab.sweep{name = "nonuniqueness-" .. solution, problem = "nonuniqueness",
                   schemes = SCHEMES, steps = lab.phases{c = c, m = m}, reference = "exact", norms = {"none"}}:run()
end

local AGREE = " Marks of schemes that agree lie one inside another."

local function convergence(entry, r, order)
  for _, scheme in ipairs(entry.schemes) do
    local orders = {}
    for _, norm in ipairs{"q_Linf", "u_L1"} do
      orders[norm] = r:order{scheme = scheme, norm = norm}
      print(orders[norm])
    end
    add_row(entry.id, scheme, r, orders)
  end
  r:figure{"convergence", norms = {"u_L1", "q_Linf"}, name = "convergence-" .. entry.id, title = entry.title,
    order = order,
    caption = string.format("Convergence, %s: error of the velocity in the L1 norm, u_L1, and of the position in the " ..
      "sup norm, q_Linf, against the step h, %d runs a scheme; the fitted curves, orders and " ..
      "95 %% intervals.%s",
      entry.title, #r:records() // #entry.schemes, #entry.schemes > 1 and AGREE or "")}
end

-- Whole sequences do not converge on this problem: each of two does, to a limit of its own.
local function nonuniqueness_convergence(limits, order)
  for k, solution in ipairs{"A", "B"} do
    local steps = solution == "A" and "h = c 4⁻ᵐ" or "h = c 4⁻ᵐ/2"
    limits[solution]:figure{"convergence", norms = {"q_Linf", "u_L1"}, order = order + k - 1,
      name = "convergence-nonuniqueness-" .. solution,
      caption = "Convergence, non-uniqueness: errors against solution " .. solution .. " for " .. steps .. ", c from " ..
                "1.3 to 1.45, with the fitted curves. Each of two such families converges, to a solution of " ..
                "its own; the whole sequence does not." .. AGREE}
  end
  for _, solution in ipairs{"A", "B"} do
    for _, scheme in ipairs(SCHEMES) do
      local orders = {}
      for _, norm in ipairs{"q_Linf", "u_L1"} do
        orders[norm] = limits[solution]:order{scheme = scheme, norm = norm}
        print(orders[norm])
      end
      add_row("nonuniqueness to " .. solution, scheme, limits[solution], orders)
    end
  end
end

-- ---- the report ---------------------------------------------------------------------------------

local FIGURES = {["maury-2"] = force_figure,
                 ["maury-3"] = function() nonuniqueness_figure(3, 8, "A") end,
                 ["maury-4"] = function() nonuniqueness_figure(4, 9, "B") end,
                 ["maury-5"] = function() pathlines(5, 0.01) end,
                 ["maury-6"] = function() pathlines(6, 0.5) end,
                 ["maury-7"] = function() pathlines(7, 1.5) end}
if arg[1] == "figure" then -- one of them alone: `impactlab figure NAME`
  lab.section(MAURY)
  return FIGURES[arg[2]]()
end

local limits = {A = study_of_limit("A"), B = study_of_limit("B")}
local studies = {}
for _, entry in ipairs(CATALOGUE) do studies[entry.id] = study(entry) end

lab.section(MAURY)
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

lab.section(NONUNIQUE)
nonuniqueness_trajectories(20)
nonuniqueness_convergence(limits, 40)
for k, entry in ipairs(CATALOGUE) do
  lab.section(entry.section)
  trajectory_figure(entry, 20 + k)
  convergence(entry, studies[entry.id], 40 + k)
end
lab.section(CORNER)
plane_figure(30)
lab.section{title = "Conservation", order = 110}
conservation_figures(60)
lab.section{title = "Summary", order = 1}

lab.table{name = "summary", order = 1,
  caption = "Summary of all studies: errors, least gap at nodes (negative is overlap), drift of " ..
            "momentum (- where none is conserved) and worst certificate are those of a study's " ..
            "finest run, with so many steps; orders are fitted to all its runs, with 95 % " ..
            "intervals. With e > 0 Paoli's scheme keeps a mean of positions out of the wall, not " ..
            "each of them.",
  heads = {"problem", "scheme", "runs", "steps", "q_Linf", "u_L1", "order in q_Linf",
           "order in u_L1", "least gap", "momentum drift", "primal", "stationarity"},
  rows = rows, formats = {"txt", "csv", "tex"}}
