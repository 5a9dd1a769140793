-- chart.lua - r:figure: a sweep's records against the step or its cost, one panel a problem.
--
--   r:figure{"convergence", norm =, level =, slopes =}  error against h, with fitted orders
--   r:figure{"energy"}, r:figure{"balance"}, r:figure{"momentum"}   largest rise, largest drift against h
--   r:figure{"field", field = "energy.final", logy =}   any number of the record against h
--   r:figure{"work_precision", norm =, cost =}          error against what it costs
--   r:figure{"parameter", x =, norm = | field =, xlabel =, logx =, logy =}   across the problems
--   all of them: name =, title =, caption =, key =, order =, mm =, tex =
--
-- A fitted curve has the colour of its marks; the legend says the verdict where something is claimed. A triangle
-- below all marks has the slope of the first order that is claimed.
-- norms = {...} in place of norm has a panel for each; slopes = {1, 0.5} adds broken lines of these slopes
-- below the points. Every scheme has its colour; the shape of its points goes by its place in the sweep.
-- A problem without a point has no panel, and the caption says why.
--
-- x of "parameter" is the path of a number in a record, such as a parameter that the problems differ in,
-- or one number a problem. Each scheme has a curve for each size of its steps.
local lab, host = ...
local ipairs, next, type, sort, concat, remove = ipairs, next, type, table.sort, table.concat, table.remove
local format, find = string.format, string.find
local exp, log, sqrt, floor, ceil = math.exp, math.log, math.sqrt, math.floor, math.ceil
local max, min, huge = math.max, math.min, math.huge

local CALL = "r:figure"
local GREY = "#7f7f7f"
local COSTS = {steps = {"work.steps", "steps"}, iterations = {"work.projector_iterations", "projector iterations"},
               projections = {"work.projections", "projections"},
               seconds = {"work.seconds", "seconds, of the machine that ran it"}}

-- Centimetres: a row of panels where there are several, the legend outside the first of them.
local WIDTH, ROW_FITTED, ROW, LEGEND = 16, 7, 6, 0.8
local LEGEND_FITS = 34 -- letters of a legend, with its order, that fit half the width
local BELOW = 0.5    -- a triangle's place under the marks
local MARK = 1e-3    -- the error that figures of work and precision mark
local EIGHT = 8      -- schemes that have colours of their own (colors.lua): of more, those of their groups
local POINTS = 33    -- of a curve

local function is_finite(x) return x - x == 0 end
local function plural(n) return n == 1 and "" or "s" end

-- ---- series -----------------------------------------------------------------------------------------

local function line(style, color) return {style = style, color = color, x = {}, y = {}} end

local function add(s, x, y) s.x[#s.x + 1], s.y[#s.y + 1] = x, y end

-- The numbers that the runs of a scheme have, against h or what they cost. chart counts.
local function points_of(q, first, scheme, chart)
  local s = line("points", q.sweep.colors[scheme])
  for k = first, first + q.sweep.sizes - 1 do
    local x, y = q.at[k], q.values[k]
    chart.cases = chart.cases + 1
    chart.failed = chart.failed + (q.status[k] ~= "ok" and 1 or 0)
    if is_finite(y) and x > 0 then
      local seen = (not q.logy or y > 0) and "shown" or "unshowable"
      chart[seen] = chart[seen] + 1
      add(s, x, y)
    end
  end
  s.label = q.sweep.schemes[scheme]
  return s
end

-- A line through the geometric means of cost and error over the octaves of h.
local function means_of(q, first, scheme)
  local s, sums, coarsest = line("lines", q.sweep.colors[scheme]), {}, 0
  local last = first + q.sweep.sizes - 1
  for k = first, last do coarsest = max(coarsest, q.steps[k]) end
  for k = first, last do
    local octave = floor(log(coarsest / q.steps[k], 2) + 1e-9)
    local x, y = q.at[k], q.values[k]
    if x > 0 and y > 0 then
      local sum = sums[octave] or {0, 0, 0}
      sums[octave] = {sum[1] + log(x), sum[2] + log(y), sum[3] + 1}
    end
  end
  local octaves = {}
  for octave in next, sums do octaves[#octaves + 1] = octave end
  sort(octaves)
  for _, octave in ipairs(octaves) do
    local sum = sums[octave]
    add(s, exp(sum[1] / sum[3]), exp(sum[2] / sum[3]))
  end
  return s
end

-- The error MARK, across all points.
local function mark_of(points)
  local s, low, high = line("dashes", GREY), huge, 0
  for _, p in ipairs(points) do
    for _, x in ipairs(p.x) do low, high = min(low, x), max(high, x) end
  end
  if low < high then
    add(s, low, MARK)
    add(s, high, MARK)
  end
  s.label = format("%g", MARK)
  return s
end

-- A line of a slope through the middle of the points.
local function slope_of(points, slope)
  local s = line("dashes", GREY)
  local low, high, constant, count = huge, 0, 0, 0
  for _, p in ipairs(points) do
    for k, y in ipairs(p.y) do
      if y > 0 then
        low, high = min(low, p.x[k]), max(high, p.x[k])
        constant = constant + (log(y) - slope * log(p.x[k]))
        count = count + 1
      end
    end
  end
  constant = exp(constant / max(count, 1))
  if low < high then
    add(s, low, constant * low ^ slope)
    add(s, high, constant * high ^ slope)
  end
  s.label = format("slope %g", slope)
  return s
end

-- ---- the curve of an order --------------------------------------------------------------------------

local function curve_at(c, x)
  return c.b * x ^ c.p * (1 + c.v * (x ^ c.r - 1)) ^ c.s
end

local function trace(o, style, color, from, to)
  local s = line(style, color)
  for k = 0, from < to and POINTS - 1 or -1 do
    local x = from * (to / from) ^ (k / (POINTS - 1))
    add(s, x, curve_at(o.curve, x / o.h_min))
  end
  return s
end

host.trace = trace

-- An octave wide in the middle of the steps, with the slope that is claimed, which stands beside it. Its long
-- side lies below all marks of that octave and of the steps that the number beside it covers.
local function triangle(slope, points)
  local s, low, high, least = line("lines", GREY), huge, 0, huge
  for _, p in ipairs(points) do
    for _, x in ipairs(p.x) do low, high = min(low, x), max(high, x) end
  end
  local left = sqrt(low * high / 2)
  for _, p in ipairs(points) do
    for k, y in ipairs(p.y) do
      if y > 0 and p.x[k] >= left and p.x[k] <= 4 * left then
        least = min(least, y / min(p.x[k] / left, 2) ^ slope)
      end
    end
  end
  if low < high and least < huge then
    local foot = BELOW * least
    for _, corner in ipairs{{left, foot}, {2 * left, foot}, {2 * left, foot * 2 ^ slope}, {left, foot}} do
      add(s, corner[1], corner[2])
    end
    s.text = {"", format("%g", slope), "", ""}
  end
  return s
end

-- Into series: the curve over the octaves that were used and, dashed, its continuation to finer steps. Returns
-- the legend, and the order that is claimed, or nil.
local function add_fit(q, series, problem, scheme, first)
  local o = host.fit(q.result, problem, scheme, q.norm, q.level)
  local name, claimed = q.sweep.schemes[scheme], o.claim and o.claim.kind ~= "converges" and o.claim.order or nil
  local word = o.verdict ~= "REPORTED" and " " .. o.verdict or ""
  if not is_finite(o.order) then return name .. ": no order" .. word, claimed end
  local finest, color = o.h_min, q.sweep.colors[scheme]
  for k = first, first + q.sweep.sizes - 1 do finest = min(finest, q.steps[k]) end
  series[#series + 1] = trace(o, "lines", color, o.h_min, o.h_max)
  series[#series + 1] = trace(o, "dashes", color, finest, o.h_min)
  return format("%s: %.2f [%.2f, %.2f]%s", name, o.order, o.low, o.high, word), claimed
end

-- ---- panels -----------------------------------------------------------------------------------------

-- The legends of panels with fitted orders differ; of others the first panel's serves all.
local function legend_place(q, key, is_first)
  local one_for_all = not q.fitted and #q.sweep.problems > 1
  if one_for_all and not is_first then return "off" end
  return key or (one_for_all and "outside" or "auto")
end

-- All lines lie beneath all points.
local function chart_of(q, problem, title)
  local sweep, lines, points, series, slope = q.sweep, {}, {}, {}, nil
  local chart = {cases = 0, failed = 0, shown = 0, unshowable = 0}
  for scheme = 1, #sweep.schemes do
    local first = ((problem - 1) * #sweep.schemes + scheme - 1) * sweep.sizes + 1
    points[scheme] = points_of(q, first, scheme, chart)
    if q.fitted then
      local label, claimed = add_fit(q, lines, problem, scheme, first)
      points[scheme].label, slope = label, slope or claimed
      q.longest = max(q.longest or 0, #label)
    elseif q.norm then
      lines[#lines + 1] = means_of(q, first, scheme)
    end
  end
  if slope then lines[#lines + 1] = triangle(slope, points) end
  if q.marked then lines[#lines + 1] = mark_of(points) end
  for _, given in ipairs(q.slopes) do lines[#lines + 1] = slope_of(points, given) end
  for _, s in ipairs(lines) do
    if #s.x > 0 then series[#series + 1] = s end
  end
  for _, s in ipairs(points) do
    if #s.x > 0 and s.x[1] > 0 or not q.marked then series[#series + 1] = s end -- some count no projections
  end
  chart.panel = {title = #sweep.problems > 1 and sweep.problems[problem] or title, xlabel = q.xlabel,
                 ylabel = q.label, logx = true, logy = q.logy, series = series}
  return chart
end

local function reason(chart)
  if chart.failed == chart.cases then return "every run failed" end
  return chart.unshowable > 0 and "zero throughout, which a logarithmic axis cannot show" or
         "not defined for this problem"
end

-- The panels with points into panels. Returns what a reader should know of the others, and how many runs failed.
local function add_panels(q, spec, panels)
  local left_out, cases, failed, first, notes = {}, 0, 0, #panels, ""
  for p, problem in ipairs(q.sweep.problems) do
    local chart = chart_of(q, p, spec.title)
    cases, failed = cases + chart.cases, failed + chart.failed
    if chart.shown > 0 then
      chart.panel.key = legend_place(q, spec.key, #panels == first)
      panels[#panels + 1] = chart.panel
    else
      left_out[#left_out + 1] = format("%s (%s)", problem, reason(chart))
    end
  end
  if #left_out > 0 then notes = " Left out: " .. concat(left_out, ", ") .. "." end
  if failed > 0 then notes = notes .. format(" %d of %d run%s failed.", failed, cases, plural(cases)) end
  return notes, failed
end

-- ---- what is shown ----------------------------------------------------------------------------------

local RECORDS = {energy = {"energy.largest_increase", "rise of energy", "Largest rise of the kinetic energy in a step"},
                 balance = {"energy.balance.largest_step", "rise of energy beyond work",
                            "Largest rise in a step of the energy beyond the work of the force"},
                 momentum = {"momentum.largest_drift", "drift of momentum", "Largest drift of the total momentum"}}

-- What all quantities of a sweep share.
local function quantity(r, sweep, path)
  return {result = r, sweep = sweep, path = path, steps = host.numbers(r), status = host.texts(r, "status"),
          values = host.numbers(r, path), slopes = {}, xlabel = "h"}
end

local function error_quantity(r, sweep, spec, kind, norm)
  local q = quantity(r, sweep, "error." .. norm)
  q.norm, q.label, q.level = norm, "error, " .. norm, host.level(CALL, spec)
  q.logy = host.read(CALL, spec, "logy", "flag") ~= false
  q.at, q.fitted = q.steps, kind == "convergence"
  if kind == "work_precision" then
    local cost = COSTS[host.read(CALL, spec, "cost", "choice", "steps|iterations|projections|seconds") or "steps"]
    q.at, q.xlabel, q.marked = host.numbers(r, cost[1]), cost[2], q.logy
    if #sweep.schemes > EIGHT then
      for k, name in ipairs(sweep.schemes) do sweep.colors[k] = sweep.chosen[k] or host.group_color(name) or sweep.colors[k] end
    end
  end
  return q
end

local function record_quantity(r, sweep, spec, kind)
  local field = host.read(CALL, spec, "field", "text")
  if kind == "field" and not field then
    host.miss(CALL, spec, "field", 'the path of a number in a record, such as "energy.final"')
  end
  local known = RECORDS[kind] or {field, field, field}
  local q = quantity(r, sweep, known[1])
  q.at, q.label, q.long = q.steps, known[2], known[3]
  q.logy = host.read(CALL, spec, "logy", "flag") or false
  return q
end

-- Of each norm where several are asked for, else one thing.
local function choose(r, sweep, spec, kind)
  local has_error, list = kind == "convergence" or kind == "work_precision", {}
  if spec.norms ~= nil and (not has_error or spec.norm ~= nil) then
    host.refuse(CALL, "norms", spec.norms, 'several for "convergence" and "work_precision", without norm')
  end
  if spec.cost ~= nil and kind ~= "work_precision" then
    host.refuse(CALL, "cost", spec.cost, 'it for "work_precision" alone')
  end
  if has_error then
    for k, norm in ipairs(spec.norms ~= nil and host.norms(r, CALL, spec) or {host.norm(r, CALL, spec)}) do
      list[k] = error_quantity(r, sweep, spec, kind, norm)
    end
  else
    list[1] = record_quantity(r, sweep, spec, kind)
  end
  local slopes = host.read(CALL, spec, "slopes", "finite")
  if slopes and not (kind == "convergence" and list[1].logy) then
    host.refuse(CALL, "slopes", spec.slopes, 'them for "convergence" alone, on logarithmic axes')
  end
  for _, q in ipairs(list) do q.slopes = slopes or {} end
  return list
end

-- ---- names and captions -----------------------------------------------------------------------------

local function norms_of(list)
  local names = {}
  for k, q in ipairs(list) do names[k] = q.norm end
  return names
end

local function caption_of(list)
  local q, sweep = list[1], list[1].sweep
  local on = #sweep.problems == 1 and sweep.problems[1] or "each problem"
  local runs = format("%d run%s a scheme", sweep.sizes, plural(sweep.sizes))
  if not q.norm then return format("%s against the step h on %s, %s.", q.long, on, runs) end
  local names = norms_of(list)
  local last = remove(names)
  local norm = #names > 0 and concat(names, ", ") .. " and " .. last or last
  if not q.fitted then
    return format("Work and precision: error %s, from %s, against %s on %s, %s; lines join the geometric means " ..
                  "over octaves of the step.", norm, sweep.reference, q.xlabel, on, runs)
  end
  return format("Error %s, from %s, against the step h on %s, %s; fitted curves, dashed beyond the steps used; " ..
                "orders with %g %% intervals, and the verdict where something is claimed. A triangle has the slope " ..
                "that is claimed.", norm, sweep.reference, on, runs, 100 * q.level)
end

local function name_of(list, spec, kind)
  local parts = {list[1].sweep.name, kind}
  if list[1].norm then
    parts[3] = concat(norms_of(list), "-")
  elseif kind == "field" then
    parts[3] = list[1].path
  end
  if kind == "work_precision" then parts[#parts + 1] = spec.cost end
  return concat(parts, "-")
end

-- ---- the figure -------------------------------------------------------------------------------------

-- Two panels a row, unless legends with fitted orders would be cut in half a figure.
local function lay_out(figure, list)
  local q, n, longest = list[1], #figure.panels, 0
  for _, one in ipairs(list) do longest = max(longest, one.longest or 0) end
  figure.columns = n > 1 and longest <= LEGEND_FITS and 2 or 1
  if n > 1 and (#q.sweep.problems > 1 or #list > 1) then
    local rows = ceil(n / figure.columns)
    figure.width = WIDTH
    figure.height = min((q.norm and ROW_FITTED or ROW) * rows + (q.norm and 0 or LEGEND), 100)
  end
  if q.marked and #q.sweep.schemes > EIGHT then -- room for the legend
    figure.width, figure.height = 1.4 * WIDTH, min((1.6 * ROW_FITTED + 0.2 * #q.sweep.schemes) * ceil(n / figure.columns), 100)
  end
end

-- The keys that go as they are, and the texts, checked.
local function begin(spec)
  local read = {}
  for _, key in ipairs{"name", "title", "caption", "key", "xlabel"} do
    read[key] = host.read(CALL, spec, key, "text")
  end
  return {name = read.name, order = spec.order, mm = spec.mm, tex = spec.tex}, read
end

local function figure_of(r, sweep, spec, kind)
  host.known_beside(CALL, spec, {"norm", "level", "name", "title", "caption", "cost", "norms", "key", "field", "logy",
                                 "order", "slopes", "mm", "tex"})
  host.complete(r, CALL)
  if #sweep.problems > 1 and spec.title ~= nil then
    host.refuse(CALL, "title", spec.title, "it for one problem alone; of several each has its name")
  end
  local figure, text = begin(spec)
  local list, notes, failed = choose(r, sweep, spec, kind), "", 0
  figure.panels = {}
  for _, q in ipairs(list) do
    local more, lost = add_panels(q, text, figure.panels)
    notes, failed = find(notes, more, 1, true) and notes or notes .. more, failed + lost
  end
  figure.name = text.name or name_of(list, spec, kind)
  if #figure.panels == 0 then
    local why = format("no run has a point of %s.%s", list[1].path, notes)
    if failed == 0 then host.raise(CALL .. ": " .. why) end
    return host.draw_nothing(figure.name, why)
  end
  lay_out(figure, list)
  figure.caption = host.mark(r, (text.caption or caption_of(list)) .. notes)
  return host.figure(CALL, figure, r)
end

-- ---- across the problems ----------------------------------------------------------------------------

-- Of every case its x, and the name of the axis.
local function read_x(r, sweep, spec)
  if spec.x == nil then
    host.miss(CALL, spec, "x", 'the path of a number in a record, such as "parameters.N", or one number a problem')
  end
  if type(spec.x) == "string" then
    local path = host.read(CALL, spec, "x", "text")
    return host.numbers(r, path), path:gsub("^parameters%.", ""), path
  end
  local given, x = host.read(CALL, spec, "x", "finite"), {}
  if #given ~= #sweep.problems then
    host.refuse(CALL, "x", spec.x, format("%d numbers, one a problem", #sweep.problems))
  end
  local each = #sweep.schemes * sweep.sizes
  for k = 1, sweep.cases do x[k] = given[(k - 1) // each + 1] end
  return x, "", "the numbers of x"
end

local function label_of(sweep, scheme, size)
  local name = sweep.schemes[scheme]
  if sweep.sizes == 1 then return name end
  return sweep.steps and format("%s, %.0f steps", name, sweep.steps[size]) or
         format("%s, h = %.4g", name, sweep.h[size])
end

-- One scheme at one size over the problems, from left to right.
local function curve_of(q, scheme, size)
  local places, s = {}, line("linespoints", q.sweep.colors[scheme])
  for problem = 1, #q.sweep.problems do
    local k = ((problem - 1) * #q.sweep.schemes + scheme - 1) * q.sweep.sizes + size
    local x, y = q.at[k], q.values[k]
    if is_finite(x) and is_finite(y) and (not q.logx or x > 0) and (not q.logy or y > 0) then
      places[#places + 1] = k
    end
  end
  sort(places, function(a, b) return q.at[a] < q.at[b] or q.at[a] == q.at[b] and a < b end)
  for _, k in ipairs(places) do add(s, q.at[k], q.values[k]) end
  s.label = label_of(q.sweep, scheme, size)
  return s
end

local function parameter_figure(r, sweep, spec)
  host.known_beside(CALL, spec, {"x", "xlabel", "norm", "field", "logx", "logy", "name", "caption", "title", "key",
                                 "order", "mm", "tex"})
  host.complete(r, CALL)
  local figure, text = begin(spec)
  local at, xlabel, xname = read_x(r, sweep, spec)
  if spec.field ~= nil and spec.norm ~= nil then
    host.refuse(CALL, "norm", spec.norm, "a norm or a field, one of them")
  end
  local q = spec.field ~= nil and record_quantity(r, sweep, spec, "field") or
            error_quantity(r, sweep, spec, "parameter", host.norm(r, CALL, spec))
  local series, shown = {}, 0
  q.at, q.logx = at, host.read(CALL, spec, "logx", "flag") or false
  for scheme = 1, #sweep.schemes do
    for size = 1, sweep.sizes do
      series[#series + 1] = curve_of(q, scheme, size)
      shown = shown + #series[#series].x
    end
  end
  if shown == 0 then host.raise(format("%s: no run has a point of %s at %s", CALL, q.path, xname)) end
  figure.name = text.name or sweep.name .. "-parameter"
  figure.panels = {{title = text.title, xlabel = text.xlabel or xlabel, ylabel = q.label, logx = q.logx, logy = q.logy,
                    key = text.key, series = series}}
  figure.caption = host.mark(r, text.caption or
                             format("%s across %d problems of sweep %s.", q.label, #sweep.problems, sweep.name))
  return host.figure(CALL, figure, r)
end

function host.result_methods.figure(r, spec)
  local sweep = host.sweep(r)
  local kind = host.kind(CALL, spec, {"convergence", "energy", "balance", "momentum", "field", "work_precision", "parameter"})
  if kind == "parameter" then return parameter_figure(r, sweep, spec) end
  return figure_of(r, sweep, spec, kind)
end
