-- plot.lua - host.figure(call, spec, result, folder): the figure that spec describes (figure.lua spells it), by
-- gnuplot, into the folder, by default that of the results; returns the path of the PNG. Here spec is read and its
-- points are looked at; plot_script.lua prints what gnuplot reads. Both are loaded by the first figure.
--
-- Ranges are computed here and not by gnuplot, which would warn of empty and constant ones. An axis of a panel is
-- {lo =, hi =, log =, binary =}, the last where all values are powers of two; a limit that is not set is NaN.
local _, host = ...
local ipairs, type, rawget, next, concat = ipairs, type, rawget, next, table.concat
local format, find, gsub = string.format, string.find, string.gsub
local abs, max, log, huge, valid = math.abs, math.max, math.log, math.huge, utf8.len
local NAN = 0 / 0

local PANEL = {"title", "xlabel", "ylabel", "logx", "logy", "xrange", "yrange", "key", "equal", "colorlabel", "crange", "series"}
local FIGURE = {"name", "caption", "width", "height", "order", "columns", "panels", "ensemble", "mm", "tex"}
local SERIES = {"label", "x", "y", "style", "color", "width", "radius", "value", "text"}
local STYLES = "lines|points|linespoints|steps|impulses|dashes|underlay|filled|discs|arrows|texts"
local PLACES = {auto = true, outside = true, off = true, center = true, left = true, right = true, top = true, bottom = true}
for _, y in ipairs{"top", "bottom", "center"} do
  for _, x in ipairs{"left", "right", "center"} do
    if x ~= y then PLACES[y .. " " .. x], PLACES[x .. " " .. y] = true, true end
  end
end
for _, key in ipairs(PANEL) do FIGURE[#FIGURE + 1] = key end

local MARGIN = 0.04    -- of the range, between the data and the frame
local THINNEST = 8     -- ratio of the sides of a panel with equal scales, at most
local LARGEST = 1e300  -- what an axis can show
local RESOLVED = 1e-12 -- a relative range below this is a constant

local function is_finite(x) return x - x == 0 end

-- ---- what is asked for ------------------------------------------------------------------------------

-- A table within the argument of call, at path: "panels[2]", or "" for the argument itself.
local function open(call, path, t, known)
  local name = path == "" and call or call .. " " .. path
  if known then host.known(name, t, known) end
  return {call = call, name = name, prefix = path == "" and "" or path .. ".", t = t}
end

local function read(f, key, ...) return host.read(f.name, f.t, key, ...) end
local function miss(f, key, allowed) return host.miss(f.name, f.t, key, allowed) end
local function refuse(f, key, allowed) host.refuse(f.call, f.prefix .. key, rawget(f.t, key), allowed) end

-- An array that must be as long as x, or nil.
local function read_also(f, key, n)
  local list = read(f, key, "numbers")
  if list and #list ~= n then refuse(f, key, format("as many numbers as x has: %d, not %d", n, #list)) end
  return list
end

local function read_series(f)
  local x = read(f, "x", "numbers") or miss(f, "x", "an array of numbers")
  local n = #x
  local y = read_also(f, "y", n) or miss(f, "y", "an array of numbers")
  local s = {n = n, x = x, y = y, style = read(f, "style", "choice", STYLES) or "lines", label = read(f, "label", "text"),
             radius = read_also(f, "radius", n), value = read_also(f, "value", n), text = read(f, "text", "texts"),
             color = read(f, "color", "text"), width = read(f, "width", "positive")}
  if (s.style == "discs") ~= (s.radius ~= nil) then
    miss(f, "radius", "an array of numbers for style discs, and for no other")
  end
  if s.text and #s.text ~= n or s.style == "texts" and not s.text then
    miss(f, "text", "as many strings as x has numbers")
  end
  for i, text in ipairs(s.text or {}) do
    if not valid(text) then host.refuse(f.call, format("%stext[%d]", f.prefix, i), text, "a string in UTF-8") end
  end
  if s.color and not find(s.color, "^#%x%x%x%x%x%x$") then refuse(f, "color", "#rrggbb") end
  if s.width and s.width > 100 then refuse(f, "width", "a number up to 100") end
  if s.style == "arrows" and n % 2 ~= 0 then refuse(f, "x", format("an even number of points for arrows, not %d", n)) end
  return s
end

-- NaN where nothing is set.
local function read_range(f, key, is_log)
  local range = read(f, key, "numbers")
  if not range then return NAN, NAN end
  local a, b = range[1], range[2]
  if #range ~= 2 or a >= b or abs(a) == huge or abs(b) == huge or is_log and (a <= 0 or b <= 0) then
    host.refuse(f.call, f.prefix .. key, #range == 2 and format("{%g, %g}", a, b) or range,
                "{a, b} with a < b, finite (NaN: automatic)" .. (is_log and ", above 0 on a logarithmic axis" or ""))
  end
  return a, b
end

local function read_panel(f)
  local p = {title = read(f, "title", "text"), xlabel = read(f, "xlabel", "text"), ylabel = read(f, "ylabel", "text"),
             logx = read(f, "logx", "flag") or false, logy = read(f, "logy", "flag") or false, key = read(f, "key", "text"),
             colorlabel = read(f, "colorlabel", "text"), equal = read(f, "equal", "flag") or false, series = {}}
  p.xmin, p.xmax = read_range(f, "xrange", p.logx)
  p.ymin, p.ymax = read_range(f, "yrange", p.logy)
  p.cmin, p.cmax = read_range(f, "crange")
  if p.cmin ~= p.cmin then p.cmin = 0 end
  if p.cmax ~= p.cmax then p.cmax = 0 end
  if p.key and not PLACES[p.key] then
    refuse(f, "key", "corners like 'top left', 'center right', 'auto', 'outside' and 'off'")
  end
  local series = rawget(f.t, "series")
  if type(series) ~= "table" then refuse(f, "series", "an array of {x = {...}, y = {...}}") end
  if #series == 0 and series.x ~= nil then -- one brace too few
    miss(f, "series", "an array of {x = {...}, y = {...}}; for one: {{x = ..., y = ...}}")
  end
  for k = 1, #series do
    p.series[k] = read_series(open(f.call, format("%sseries[%d]", f.prefix, k), series[k], SERIES))
  end
  return p
end

-- Of the key panels, or the one panel whose fields stand beside the figure's.
local function read_panels(f)
  local panels, list = rawget(f.t, "panels"), {}
  if panels == nil then return {read_panel(f)} end
  for _, key in ipairs(PANEL) do
    if rawget(f.t, key) ~= nil then refuse(f, key, "it inside a panel, where there are panels") end
  end
  if type(panels) ~= "table" then refuse(f, "panels", "an array of panels") end
  if #panels == 0 then miss(f, "panels", "an array of panels") end
  for k = 1, #panels do list[k] = read_panel(open(f.call, format("panels[%d]", k), panels[k], PANEL)) end
  return list
end

-- The keys mm, {width, height} in millimetres, and tex.
local function read_paper(f, figure)
  local tex, mm = rawget(f.t, "tex"), read(f, "mm", "finite")
  if type(tex) == "table" then
    for text, latex in next, tex do
      if type(text) ~= "string" or type(latex) ~= "string" then
        host.refuse(f.call, "tex", latex, 'true, or {["a text of the figure"] = "its LaTeX"}')
      end
    end
    figure.tex, figure.spelt = true, tex
  else
    figure.tex, figure.spelt = read(f, "tex", "flag") or false, {}
  end
  if not mm then return end
  if #mm ~= 2 or max(mm[1], mm[2]) > 1000 or mm[1] <= 0 or mm[2] <= 0 then
    refuse(f, "mm", "{width, height} in millimetres, above 0, at most 1000")
  end
  figure.width, figure.height, figure.fixed = mm[1] / 10, mm[2] / 10, true
end

local function read_figure(call, spec)
  local f = open(call, "", spec, FIGURE)
  local figure = {name = read(f, "name", "text") or miss(f, "name", "the file's name without extension"),
                  caption = read(f, "caption", "text") or "", width = read(f, "width", "positive"),
                  height = read(f, "height", "positive"), columns = read(f, "columns", "count", 1) or 1,
                  order = read(f, "order", "count", 0) or 0}
  if not find(figure.name, "^[%w_][%w._-]*$") then
    refuse(f, "name", "letters, digits and ._-, of which a letter, a digit or _ comes first")
  end
  for _, key in ipairs{"width", "height"} do
    if (figure[key] or 0) > 100 then refuse(f, key, "at most 100 cm") end
  end
  read_paper(f, figure)
  figure.panels = read_panels(f)
  return figure
end

-- ---- ranges -----------------------------------------------------------------------------------------

local function on_axis(value, is_log) return abs(value) <= LARGEST and (not is_log or value >= 1 / LARGEST) end

-- Whether the panel's axes can show the point: both are finite, positive where the axis is logarithmic, and not so
-- near the ends of the doubles that gnuplot's arithmetic overflows.
function host.plot_shows(p, x, y) return on_axis(x, p.logx) and on_axis(y, p.logy) end
local shows = host.plot_shows

local function stretch(a, value)
  if value <= a.lo then a.lo = value end
  if value >= a.hi then a.hi = value end
  if a.log and a.binary then a.binary = find(format("%a", value), "^0x1p") ~= nil end
end

-- A range where there is nothing to show: it obeys the limits that the caller set (not NaN).
local function invent(a, least, most)
  if a.log then
    a.lo, a.hi = most > 0 and most / 10 or 0.1, least > 0 and least * 10 or 1
  else
    a.lo, a.hi = most ~= most and 0 or most - 1, least ~= least and 1 or least + 1
  end
  a.binary = false
end

-- Room around the data, in powers of ten on a logarithmic axis. A constant gets some on both sides too.
local function pad(a, margin)
  local lo, hi = a.log and log(a.lo, 10) or a.lo, a.log and log(a.hi, 10) or a.hi
  local scale, room = max(abs(lo), abs(hi)), margin * (hi - lo)
  if hi - lo <= RESOLVED * scale or hi == lo then
    room = (a.log or scale == 0) and 0.5 or 0.05 * scale
  end
  a.lo = a.log and 10 ^ (lo - room) or lo - room
  a.hi = a.log and 10 ^ (hi + room) or hi + room
end

-- The range that holds the data with a margin, or as the caller set it (least, most not NaN).
local function settle(a, least, most, margin)
  if not (a.lo <= a.hi) then invent(a, least, most) end
  pad(a, margin)
  a.lo, a.hi = least ~= least and a.lo or least, most ~= most and a.hi or most
  if not (a.lo < a.hi) then -- the data lie beyond a limit that the caller set on one side
    local gap = abs(a.lo) > 0 and abs(a.lo) or 1
    a.lo = least ~= least and (a.log and a.hi / 10 or a.hi - gap) or a.lo
    a.hi = most ~= most and (a.log and a.lo * 10 or a.lo + gap) or a.hi
  end
end

-- To at least `least`, about its middle.
local function widen(a, least)
  local more = 0.5 * (least - (a.hi - a.lo))
  if more > 0 then a.lo, a.hi = a.lo - more, a.hi + more end
end

-- Equal scales make a strip of a long thin set, and gnuplot warns of the extreme ones.
local function fatten(p)
  local dx, dy = p.x.hi - p.x.lo, p.y.hi - p.y.lo
  if not p.equal or p.logx or p.logy then return end
  if p.xmin ~= p.xmin and p.xmax ~= p.xmax then widen(p.x, dy / THINNEST) end
  if p.ymin ~= p.ymin and p.ymax ~= p.ymax then widen(p.y, dx / THINNEST) end
end

-- Scans the points of a series: how many can be shown, how many are left out and why, and the range within the
-- limits of the other axis.
local function measure_series(figure, p, s)
  local xs, ys, radius = s.x, s.y, s.radius
  s.shown, s.lost = 0, 0
  for i = 1, s.n do
    local x, y = xs[i], ys[i]
    if shows(p, x, y) then
      local r = radius and is_finite(radius[i]) and radius[i] or 0
      s.shown = s.shown + 1
      if not (y < p.ymin or y > p.ymax) then
        stretch(p.x, x - r)
        if r ~= 0 then stretch(p.x, x + r) end
      end
      if not (x < p.xmin or x > p.xmax) then
        stretch(p.y, y - r)
        if r ~= 0 then stretch(p.y, y + r) end
      end
    elseif not (is_finite(x) and is_finite(y)) then
      s.lost = s.lost + 1
    elseif p.logx or p.logy then
      figure.dropped = figure.dropped + 1
    end
  end
  figure.shown, figure.lost = figure.shown + s.shown, figure.lost + s.lost
end

local function measure_panel(figure, p)
  local touches_zero, only_points = false, true
  p.x = {lo = huge, hi = -huge, log = p.logx, binary = true}
  p.y = {lo = huge, hi = -huge, log = p.logy, binary = true}
  for _, s in ipairs(p.series) do
    touches_zero = touches_zero or s.style == "impulses" or s.style == "filled"
    only_points = only_points and (s.style == "points" or s.style == "linespoints")
    s.block = figure.blocks
    if s.n > 0 then figure.blocks = figure.blocks + 1 end
    measure_series(figure, p, s)
  end
  if touches_zero and not p.logy and p.y.lo <= p.y.hi then stretch(p.y, 0) end
  settle(p.x, p.xmin, p.xmax, (p.logx or only_points or p.equal) and MARGIN or 0)
  settle(p.y, p.ymin, p.ymax, MARGIN)
  fatten(p)
end

-- ---- the data file ----------------------------------------------------------------------------------

-- gnuplot would stretch an axis to infinity.
local function number(x) return x - x == 0 and format("%.17g", x) or "NaN" end

-- Text from outside, for a comment of one line.
local function line_of(text) return (gsub(text, "[%z\1-\31\127]", " ")) end

-- What rows have behind x and y.
local MORE = {
  steps = {", 3 x up to which y holds", function(s, i) return number(s.x[i < s.n and i + 1 or i]) end},
  discs = {", 3 radius, 4 value", function(s, i) return number(s.radius[i]) .. " " .. number(s.value and s.value[i] or 0) end},
  arrows = {", 3 and 4 the arrow from there", function(s, i)
    if i % 2 == 0 then return "NaN NaN" end
    return number(s.x[i + 1] - s.x[i]) .. " " .. number(s.y[i + 1] - s.y[i])
  end}}

-- For each series that has points one block of all of them, with 17 digits.
local function data_of(figure)
  local text = {format("# data of figure %s; blocks are separated by two blank lines\n", figure.name)}
  for k, p in ipairs(figure.panels) do
    for _, s in ipairs(p.series) do
      local more = MORE[s.style]
      if s.n > 0 then
        text[#text + 1] = format("# block %d: panel %d, %s\n# columns: 1 x = %s, 2 y = %s%s\n", s.block, k, line_of(s.label or "no label"),
                                 line_of(p.xlabel or "x"), line_of(p.ylabel or "y"), more and more[1] or "")
      end
      for i = 1, s.n do
        text[#text + 1] = number(s.x[i]) .. " " .. number(s.y[i]) .. (more and " " .. more[2](s, i) or "") .. "\n"
      end
      if s.n > 0 then text[#text + 1] = "\n\n" end
    end
  end
  return concat(text)
end

-- ---- the figure in words ----------------------------------------------------------------------------

-- What was left out, in sentences.
local function note_of(figure)
  local notes, n = {}, figure.dropped
  if n > 0 then
    notes[1] = format("%d point%s that a logarithmic axis cannot show %s left out.", n, n == 1 and "" or "s", n == 1 and "is" or "are")
  end
  for k, p in ipairs(figure.panels) do
    for i, s in ipairs(p.series) do
      if s.shown == 0 then notes[#notes + 1] = format("Series %d of panel %d has no point to show.", i, k) end
    end
  end
  return concat(notes, " ")
end

-- The caption, then the note as sentences of their own.
local function caption_of(caption, note)
  if note == "" or caption == "" then return caption .. note end
  return caption .. (find(caption, "[.!?]$") and " " or ". ") .. note
end

-- One sentence a panel: "t = 0.3: z against x; coloured by load." What the curves show is left to the caption.
local function words_of(figure)
  local sentences = {}
  for k, p in ipairs(figure.panels) do
    local labels = {}
    for _, s in ipairs(p.series) do labels[#labels + 1] = s.label end
    local scales = p.logx and p.logy and "logarithmic scales" or p.logx and "a logarithmic scale of x" or
                   p.logy and "a logarithmic scale of y"
    sentences[k] = concat{p.title and p.title .. ": " or "", p.ylabel or "y", " against ", p.xlabel or "x",
                          scales and " on " .. scales or "", #labels > 0 and "; " .. concat(labels, ", ") or "",
                          p.colorlabel and "; coloured by " .. p.colorlabel or "", "."}
  end
  return concat(sentences, " ")
end

-- ---- the figure -------------------------------------------------------------------------------------

local function say_lost(figure)
  for p, panel in ipairs(figure.panels) do
    for k, s in ipairs(panel.series) do
      local verb = s.lost == 1 and "is" or "are"
      if s.lost > 0 then
        host.say(format("figure %s: %d of %d point%s of panels[%d].series[%d]%s %s not finite and %s not drawn", figure.name, s.lost,
                        s.n, s.n == 1 and "" or "s", p, k, s.label and " (" .. s.label .. ")" or "", verb, verb))
      end
    end
  end
end

function host.figure(call, spec, result, folder)
  local figure = read_figure(call, spec)
  figure.shown, figure.dropped, figure.lost, figure.blocks = 0, 0, 0, 0
  for _, p in ipairs(figure.panels) do measure_panel(figure, p) end
  say_lost(figure)
  if figure.shown == 0 and host.failed() then
    return host.draw_nothing(figure.name, "it has no point, and runs have failed")
  elseif figure.shown == 0 then
    host.raise(format("%s: figure '%s' has no point to show: %s", call, figure.name, figure.dropped > 0 and
                      "none is positive and finite on its logarithmic axes" or "its series are empty or not finite"))
  end
  local note = note_of(figure)
  return host.draw(call, {name = figure.name, caption = caption_of(figure.caption, note), note = note ~= "" and note or nil, shows = words_of(figure),
                          dropped = figure.dropped, not_finite = figure.lost, order = figure.order, tex = figure.tex,
                          script = host.plot_script(call, figure), data = data_of(figure)}, result, folder)
end
