-- plot_script.lua - host.plot_script(call, figure): what gnuplot reads to draw a figure that plot.lua has read, from
-- NAME.dat as NAME.pdf, .svg, .png, and NAME-tex.tex if asked for, all in the folder where it runs.
--
-- Every setting is written out, none is left to gnuplot's defaults. Text from outside is put in single quotes into
-- variables at the head of the script, never inside braces and never in double quotes, so no label is ever a
-- command. Each curve's legend entry is drawn apart from the curve. Lengths are in centimetres.
local _, host = ...
local ipairs, concat, tonumber = ipairs, table.concat, tonumber
local format, find, gsub, gmatch, lower, rep, sub = string.format, string.find, string.gsub, string.gmatch, string.lower,
                                                    string.rep, string.sub
local abs, ceil, floor, log, max, min = math.abs, math.ceil, math.floor, math.log, math.max, math.min
local letters, charpattern, shows = utf8.len, utf8.charpattern, host.plot_shows

local out -- the script that is being printed, in pieces

local function put(text, ...) out[#out + 1] = format(text, ...) end

local function each(list) return ipairs(list or {}) end

-- ---- LaTeX ------------------------------------------------------------------------------------------

-- Letters that LaTeX reads as commands, and letters of UTF-8 that not every engine has.
local LATEX = {
  ["\\"] = "\\textbackslash{}", ["^"] = "\\textasciicircum{}", ["~"] = "\\textasciitilde{}", ["{"] = "\\{", ["}"] = "\\}",
  ["$"] = "\\$", ["&"] = "\\&", ["#"] = "\\#", ["%"] = "\\%", ["_"] = "\\_", ["<"] = "$<$", [">"] = "$>$", ["|"] = "$|$",
  ["·"] = "$\\cdot$", ["×"] = "$\\times$", ["−"] = "$-$", ["±"] = "$\\pm$", ["≤"] = "$\\le$", ["≥"] = "$\\ge$",
  ["≈"] = "$\\approx$", ["∞"] = "$\\infty$", ["√"] = "$\\surd$", ["µ"] = "$\\mu$", ["α"] = "$\\alpha$", ["β"] = "$\\beta$",
  ["γ"] = "$\\gamma$", ["δ"] = "$\\delta$", ["ε"] = "$\\varepsilon$", ["η"] = "$\\eta$", ["θ"] = "$\\theta$",
  ["λ"] = "$\\lambda$", ["μ"] = "$\\mu$", ["π"] = "$\\pi$", ["ρ"] = "$\\rho$", ["σ"] = "$\\sigma$", ["τ"] = "$\\tau$",
  ["φ"] = "$\\varphi$", ["ω"] = "$\\omega$", ["Δ"] = "$\\Delta$"}
local RAISED = {["⁻"] = "-", ["⁺"] = "+", ["⁰"] = "0", ["¹"] = "1", ["²"] = "2", ["³"] = "3", ["⁴"] = "4", ["⁵"] = "5",
                ["⁶"] = "6", ["⁷"] = "7", ["⁸"] = "8", ["⁹"] = "9", ["ᵏ"] = "k", ["ᵐ"] = "m"}

-- "2·10⁻⁴ µs, u_L1" as LaTeX sets it: 2$\cdot$10$^{-4}$ $\mu$s, u\_L1. Raised letters in a row are one exponent.
local function latex_of(text)
  local parts, raised = {}, false
  for letter in gmatch(text, charpattern) do
    local exponent = RAISED[letter]
    if (exponent ~= nil) ~= raised then parts[#parts + 1] = raised and "}$" or "$^{" end
    raised = exponent ~= nil
    parts[#parts + 1] = exponent or LATEX[letter] or letter
  end
  return concat(parts) .. (raised and "}$" or "")
end

-- A string of gnuplot's. Single quotes stand apart as "'", joined by dots: gnuplot misreads doubled quotes when
-- several follow one another. Control characters become blanks.
local function quoted(text) return "'" .. gsub(gsub(text, "[%z\1-\31\127]", " "), "'", "'.\"'\".'") .. "'" end

-- ---- the legend -------------------------------------------------------------------------------------

local LETTER = 0.19 -- of 9 pt
local BESIDE = 2.7  -- what the smallest frame that any format leaves is narrower than its panel
local LINE = 0.42   -- of 9 pt
local AROUND = 3.1  -- what the lowest frame is lower than its panel
local SAMPLE = 1.9  -- beside an entry, with the room around both
local RIM = 0.35    -- of a legend
local BELOW = 1.4   -- numbers and name of the x axis
local LEAST = 1.6   -- the lowest frame on which the numbers of an axis stand apart
local MARKER = 0.15 -- half a marker
-- A text stands so many letters beside its point, and lines above it.
local ASIDE, ABOVE = 0.7, 0.5

-- Places in the order in which they are tried, by where the legend's lower left corner stands: 0, 1/2 and 1 are the
-- left (lower) edge, the centre and the right (upper) edge.
local PLACES = {{"top right", 1, 1}, {"top left", 0, 1}, {"bottom right", 1, 0}, {"bottom left", 0, 0}, {"top center", 0.5, 1},
                {"bottom center", 0.5, 0}, {"center right", 1, 0.5}, {"center left", 0, 0.5}}

-- The width of a letter and the height of a line as parts of the frame of a panel of that width or height.
local function letter_of(width) return LETTER / max(width - BESIDE, 1) end
local function line_of(height) return LINE / max(height - AROUND, 1) end

-- A value as a part of the axis.
local function along(a, value)
  if a.log then return log(value / a.lo) / log(a.hi / a.lo) end
  return (value - a.lo) / (a.hi - a.lo)
end

-- What a series draws, in parts of the frame: segments {x, y, x, y, ...} and texts {x, y, how many letters, ...}.
local function strokes_of(p, s)
  local lines, texts, before, fx, fy = {}, {}, false, 0, 0
  local zero = p.y.log and 0 or along(p.y, 0)
  local alone, rises = s.style == "points" or s.style == "texts", s.style == "impulses" or s.style == "filled"
  for i = 1, s.n do
    if not shows(p, s.x[i], s.y[i]) then
      before = false
    else
      local x, y = along(p.x, s.x[i]), along(p.y, s.y[i])
      local tx, ty, n = x, y, #lines
      if s.text and s.text[i] ~= "" then
        texts[#texts + 1], texts[#texts + 2], texts[#texts + 3] = x, y, letters(s.text[i])
      end
      if alone or not before or s.style == "arrows" and i % 2 == 1 then fx, fy = x, y end
      if s.style == "steps" then -- the step before ended here
        ty = fy
      elseif rises then
        fx, fy = x, zero
      end
      lines[n + 1], lines[n + 2], lines[n + 3], lines[n + 4] = fx, fy, tx, ty
      before, fx, fy = true, x, y
    end
  end
  return {lines = lines, texts = texts}
end

-- Whether anything of it is drawn within [x0, x1] x [y0, y1]. Segments are looked up at points that are closer than
-- any legend is small.
local function is_covered(strokes, x0, x1, y0, y1, letter, line)
  local lines, texts = strokes.lines, strokes.texts
  for i = 1, #texts, 3 do
    local x, y = texts[i], texts[i + 1]
    local right, top = x + (ASIDE + texts[i + 2]) * letter, y + (ABOVE + 1) * line
    if x <= x1 and right >= x0 and y <= y1 and top >= y0 then return true end
  end
  for i = 1, #lines, 4 do
    local ax, ay, bx, by = lines[i], lines[i + 1], lines[i + 2], lines[i + 3]
    if not (ax < x0 and bx < x0 or ax > x1 and bx > x1 or ay < y0 and by < y0 or ay > y1 and by > y1) then
      for k = 0, 16 do
        local x, y = ax + (bx - ax) * k / 16, ay + (by - ay) * k / 16
        if x >= x0 and x <= x1 and y >= y0 and y <= y1 then return true end
      end
    end
  end
  return false
end

-- How many entries the legend has, and how many letters the longest.
local function entries(p)
  local lines, longest = 0, 0
  for _, s in ipairs(p.series) do
    if s.label then lines, longest = lines + 1, max(longest, letters(s.label)) end
  end
  return lines, longest
end

-- Where the legend of a panel of width x height goes: the panel's key, or the first place where it hides nothing,
-- else "outside".
local function legend_place(p, width, height)
  if p.key and p.key ~= "auto" then return p.key end
  local lines, longest = entries(p)
  if lines == 0 then return "off" end
  local wide, high, strokes = max(width - BESIDE, 1), max(height - AROUND, 1), {}
  local w, h = (SAMPLE + MARKER + LETTER * longest) / wide, (RIM + MARKER + LINE * lines) / high
  if w > 1 or h > 1 then return "outside" end
  for k, s in ipairs(p.series) do strokes[k] = strokes_of(p, s) end
  for _, place in ipairs(PLACES) do
    local x, y, hides = place[2] * (1 - w), place[3] * (1 - h), false
    for _, one in ipairs(strokes) do
      hides = hides or is_covered(one, x, x + w, y, y + h, LETTER / wide, LINE / high)
    end
    if not hides then return place[1] end
  end
  return "outside"
end

-- The lines of the panel's legend where a line is so long.
local function legend_lines(p, width)
  local n, longest = entries(p)
  return ceil(n / max(floor(width / (SAMPLE + LETTER * longest)), 1))
end

-- ---- colours, dashes, marks, widths -----------------------------------------------------------------

-- Series with equal values must all be visible: their marks fit inside one another, and a line that others cover is
-- drawn broader beneath them, unless its width was given.

-- Okabe and Ito's colours, ordered so that the first three differ most in grey (luminance 0, 0.40, 0.68); later ones
-- are told apart by dash patterns too.
local PALETTE = {"#000000", "#e69f00", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#7f7f7f"}
local PALE = "#b9cfe4"
local DASHES = {"(8,7)", "(12,6,1,6)", "(1,5)", "(18,7)", "(8,6,1,6,1,6)"}
-- gnuplot's point types, and sizes such that each of the first three fits into the one before. The third is filled:
-- the lines of small marks are faint in SVG, where they shrink with the mark.
local MARKS = {{6, 2.1}, {4, 1.25}, {9, 0.7}, {12, 2.6}, {10, 1.6}, {14, 2.0}, {2, 1.1}, {1, 1.6}}
local SOLID_LINES = 3
local TOLD_APART = 32 -- lines of a legend; more are solid
local EDGED_MAX = 500 -- discs; of more the edges would be all that is seen
local COMPARED = 33   -- points at which two lines are compared
local GREY = 20       -- of a lightness of 100: told apart on grey paper
local THICKER = 1.5   -- the ratio of two widths that is seen
local NEAR = 0.005    -- of the axis: a tenth of a centimetre or less
local BROADER = 1.1   -- of a line's width, for each line that covers it
local POINT_SIZE = 0.5 -- of all marks of a panel, the same in all figures but for clouds of points

-- How each style is drawn, how its legend shows it, and its own width.
local STYLE = {lines = {"lines", "lines", 1.4}, points = {"points", "points", 1.2}, linespoints = {"linespoints", "linespoints", 1.2},
               steps = {"vectors nohead", "lines", 1.6}, impulses = {"impulses", "lines", 1.2}, dashes = {"lines", "lines", 1.4},
               underlay = {"lines", "lines", 5.0}, filled = {"filledcurves", "filledcurves", 1.2},
               discs = {"circles", "points pt 7", 0.3}, arrows = {"vectors head filled size screen 0.012,20", "lines", 1.4},
               texts = {"points pt -1", "points pt -1", 1.0}}
local IS_LINE, HAS_MARKS, HAS_DASHES = {lines = true, steps = true}, {points = true, linespoints = true}, {dashes = true}

-- The series of a panel that have such styles, each by the one that it is drawn as: a series without a label goes on
-- with that of the first of its kind and colour (the second coordinate of a body, say). numbers counts these from 0.
local function leads_of(p, kinds)
  local leads, numbers, first, n = {}, {}, {}, 0
  for k, s in ipairs(p.series) do
    if kinds[s.style] then
      local color = s.color and lower(s.color)
      leads[k] = not s.label and color and first[color] or k
      if color then first[color] = first[color] or k end
      if leads[k] == k then numbers[k], n = n, n + 1 end
    end
  end
  return leads, numbers, n
end

local function is_near(a, p, q)
  return abs(a.log and log(p / q) / log(a.hi / a.lo) or (p - q) / (a.hi - a.lo)) <= NEAR
end

-- Whether two lines agree over half of their length.
local function agree(p, a, b)
  local same = 0
  if a.n ~= b.n or a.n < 2 then return false end
  for j = 0, COMPARED - 1 do
    local i = j * (a.n - 1) // (COMPARED - 1) + 1
    if is_near(p.x, a.x[i], b.x[i]) and is_near(p.y, a.y[i], b.y[i]) then same = same + 1 end
  end
  return 2 * same >= COMPARED
end

-- Lines of other colours that come after line k, above it, and agree with it.
local function covers_of(p, k)
  local s, covers = p.series[k], 0
  for i = k + 1, s.style == "lines" and #p.series or 0 do
    local above = p.series[i]
    if above.style == "lines" and lower(above.paint) ~= lower(s.paint) and agree(p, s, above) then covers = covers + 1 end
  end
  return covers
end

-- Red, green, blue of "#rrggbb", 0 to 255.
local function channels(color) return tonumber(sub(color, 2, 3), 16), tonumber(sub(color, 4, 5), 16), tonumber(sub(color, 6), 16) end

-- CIE's L* of "#rrggbb", 0 to 100: what is left of a colour on grey paper.
local function lightness(color)
  local function linear(byte)
    local c = byte / 255
    return c <= 0.04045 and c / 12.92 or ((c + 0.055) / 1.055) ^ 2.4
  end
  local r, g, b = channels(color)
  local y = 0.0722 * linear(b) + 0.7152 * linear(g) + 0.2126 * linear(r)
  return y > 216 / 24389 and 116 * y ^ (1 / 3) - 16 or y * 24389 / 27
end

-- "#rrggbb" mixed with white.
local function paler(color, share)
  local function mixed(byte) return floor(255 - share * (255 - byte) + 0.5) end
  local r, g, b = channels(color)
  return format("#%02x%02x%02x", mixed(r), mixed(g), mixed(b))
end

local function is_alike(a, b)
  local wide = a.wide / b.wide
  return wide < THICKER and wide > 1 / THICKER and abs(lightness(a.paint) - lightness(b.paint)) < GREY
end

-- The patterns of lines with colours of their own or the first ones, by their numbers: of those in the legend before
-- it that differ from a line too little on grey paper, none has its pattern.
local function patterns_of(p)
  local lines, patterns = {}, {}
  for k, s in ipairs(p.series) do
    if IS_LINE[s.style] and s.label and #lines < TOLD_APART then
      local taken, pattern = {}, nil
      for _, other in ipairs(lines) do
        if is_alike(p.series[other], s) then taken[patterns[other]] = true end
      end
      if taken.solid then
        for i = 1, #DASHES do pattern = pattern or (not taken[DASHES[i]] or i == #DASHES) and DASHES[i] end
      end
      lines[#lines + 1], patterns[k] = k, pattern or "solid"
    end
  end
  return patterns
end

-- Each series of the panel gets its colour, width, dashes (nil: the style has none) and marks.
local function choose_styles(p)
  local ranks, rank, most = {}, 0, 0
  for k, s in ipairs(p.series) do
    ranks[k] = rank
    s.paint = s.color or s.style == "underlay" and PALE or PALETTE[rank % #PALETTE + 1]
    if not s.color and s.style ~= "underlay" then rank = rank + 1 end
    if HAS_MARKS[s.style] then most = max(most, s.shown) end
  end
  p.point_size = most <= 600 and POINT_SIZE or most <= 2000 and 0.3 or 0.15
  for k, s in ipairs(p.series) do s.wide = s.width or STYLE[s.style][3] * (1 + BROADER * covers_of(p, k)) end
  local patterns, line_leads = patterns_of(p), leads_of(p, IS_LINE)
  local dash_leads, dash_numbers = leads_of(p, HAS_DASHES)
  local mark_leads, mark_numbers, marks = leads_of(p, HAS_MARKS)
  for k, s in ipairs(p.series) do
    if HAS_DASHES[s.style] then
      s.dash = DASHES[dash_numbers[dash_leads[k]] % #DASHES + 1]
    elseif IS_LINE[s.style] or s.style == "linespoints" then
      local of_palette = not s.color and ranks[k] >= SOLID_LINES
      s.dash = of_palette and DASHES[(ranks[k] - SOLID_LINES) % #DASHES + 1] or patterns[line_leads[k]] or "solid"
    end
    if HAS_MARKS[s.style] then s.mark = marks == 1 and {7, 1.0} or MARKS[mark_numbers[mark_leads[k]] % #MARKS + 1] end
  end
end

-- What follows `with` for a series: the curve itself, or its sample in the legend.
local function style_of(p, s, is_sample)
  local with = STYLE[s.style][is_sample and 2 or 1]
  if s.style == "filled" then
    return format("%s y1=%.17g fc rgb '%s' fs solid 1 noborder", with, p.y.log and p.y.lo or 0, paler(s.paint, 0.35))
  elseif s.style == "discs" and not is_sample then
    local color = s.value and "palette" or format("rgb '%s'", s.paint)
    if s.shown > EDGED_MAX then return format("%s lc %s fs solid 1 noborder", with, color) end
    return format("%s lc %s lw %g fs solid 1 border lc rgb '#303030'", with, color, s.wide)
  end
  local mark = s.mark and format(" pt %d ps %g", s.mark[1], s.mark[2] * (is_sample and POINT_SIZE or p.point_size)) or ""
  local color = s.style == "underlay" and paler(s.paint, s.color and 0.4 or 1) or s.paint
  return format("%s%s lc rgb '%s' lw %g%s", with, mark, color, s.wide, s.dash and " dt " .. s.dash or "")
end

-- ---- tics -------------------------------------------------------------------------------------------

-- gnuplot's own tics, except on two kinds of axes. On a linear axis it chooses distances for wide pictures, so that
-- numbers overlap on narrow and on low ones: here their number is bounded. On a logarithmic axis it marks powers of
-- ten alone, which leaves an axis of less than three of them almost without numbers: there each tic is written out.

local LINEAR = 7                         -- intervals between the tics of a linear axis, at most
local NARROW_MAX = 50                    -- tics of a narrow axis; numbers too near to be told apart end there
local PLAIN_LEAST, PLAIN_MOST = -4, 5    -- powers of ten of numbers that are written as they are: 0.0002
local SLACK = 1e-9                       -- of a power of ten: a limit on one still has its tic
local APART = 0.6                        -- digits between two numbers

local function power_of(x) return floor(log(x, 10) + SLACK) end

-- The distance is the least of 1, 2, 5 times a power of ten that gives few intervals; none where the range is next to
-- the least double. line: the height of a number as a part of the axis, or 0.
local function put_step(name, lo, hi, line)
  local room = max(floor(1 / max(line, 1e-3)), 2)
  local raw = (hi - lo) / min(room, LINEAR) * (1 - SLACK)
  local unit = 10 ^ floor(log(raw, 10))
  local step = (raw <= unit and 1 or raw <= 2 * unit and 2 or raw <= 5 * unit and 5 or 10) * unit
  if step > 0 then put("    set %stics %.17g\n", name, step) else put("    set %stics autofreq\n", name) end
end

-- x, or the m of m 10^k, as text, and the leading digit.
local function spell(x, is_plain)
  local mantissa = x / 10 ^ power_of(x)
  return is_plain and format("%.6g", x) or format("%.4g", mantissa), floor(mantissa + SLACK)
end

-- How many digits wide that is: a point or a dot is half as wide as a digit; 1 10^k is 10^k.
local function digits_of(m, is_plain, k)
  local n = #m - (find(m, ".", 1, true) and 0.5 or 0)
  if is_plain then return n end
  return n + 3.5 + (k < 0 and 1 or 0) + (abs(k) > 9 and 1 or 0) + (abs(k) > 99 and 1 or 0) - (m == "1" and 1.5 or 0)
end

-- Labels those tics whose leading digit is one of digits (0: any), as far as numbers do not run into one another; are
-- all labelled, and two at least? letter: of put_axis.
local function label(a, letter, tics, digits)
  local wanted, given = 0, 0
  for _, t in ipairs(tics) do
    t.centre = log(t.at / a.lo) / log(a.hi / a.lo)
    t.half = 0.5 * letter * (digits_of(t.text, tics.plain, power_of(t.at)) + APART)
    t.labelled = false
  end
  for _, digit in ipairs(digits) do
    for _, t in ipairs(tics) do
      if not t.labelled and (digit == 0 or t.digit == digit) then
        local fits = true
        for _, other in ipairs(tics) do
          fits = fits and (not other.labelled or abs(t.centre - other.centre) >= t.half + other.half)
        end
        t.labelled = fits
        wanted, given = wanted + 1, given + (fits and 1 or 0)
      end
    end
  end
  return given == wanted and given >= 2
end

-- The same digits in every power of ten: all, or the first of these choices that fits as a whole and leaves two
-- numbers. Where none does, as many numbers as there is room for.
local CHOICES = {{1, 5, 0}, {1, 5}, {1, 2}, {1}, {2, 5}, {2}, {5}}

-- 1, 2, 5 of each power of ten, and when that gives fewer than three tics, equal distances.
local function tics_of(a, lo, hi)
  local at = {}
  for k = lo - 1, hi do -- at most three powers: nine tics
    for _, leading in ipairs{1, 2, 5} do
      local x = leading * 10 ^ k
      if x >= a.lo and x <= a.hi then at[#at + 1] = x end
    end
  end
  if #at >= 3 then return at end
  local raw = (a.hi - a.lo) / 4
  local unit = 10 ^ floor(log(raw, 10))
  local step = raw >= 5 * unit and 5 * unit or raw >= 2 * unit and 2 * unit or unit
  local m = ceil(a.lo / step) + 0.0
  at = {}
  while m * step <= a.hi and #at < NARROW_MAX do at[#at + 1], m = m * step, m + 1 end
  return at
end

-- A tic without a label is a minor one.
local function put_narrow(name, a, letter, lo, hi)
  local tics, at, words = {}, tics_of(a, lo, hi), {}
  tics.plain = #at == 0 or power_of(at[1]) >= PLAIN_LEAST and power_of(at[#at]) <= PLAIN_MOST
  for k, x in ipairs(at) do
    tics[k] = {at = x}
    tics[k].text, tics[k].digit = spell(x, tics.plain)
  end
  local fits = false
  for _, digits in ipairs(CHOICES) do fits = fits or label(a, letter, tics, digits) end
  if not fits then label(a, letter, tics, CHOICES[1]) end
  for k, t in ipairs(tics) do
    words[k] = not t.labelled and format("'' %.17g 1", t.at) or tics.plain and format("'%s' %.17g", t.text, t.at) or
               format("power('%s','%d') %.17g", t.text, power_of(t.at), t.at)
  end
  put("    set %stics (%s)\n", name, concat(words, ", "))
end

local function put_format(name, text, tex)
  put("    set format %s %s\n", name, tex and format("format eq 'tex' ? '$%s$' : '%s'", text, text) or "'" .. text .. "'")
end

-- Scale, range and tics of the axis "x" or "y". letter: the width of a letter as a part of the axis, 0 where numbers
-- stand above one another; line: the height of a line of them there, else 0.
local function put_axis(name, a, letter, line, tex)
  put("    set %srange [%.17g:%.17g]\n", name, a.lo, a.hi)
  if not a.log then
    put_format(name, "%h", tex)
    return put_step(name, a.lo, a.hi, line)
  end
  local lo, hi = ceil(log(a.lo, 10) - SLACK), power_of(a.hi)
  local binary = a.binary and log(a.hi / a.lo, 2) >= 2
  if not binary and hi - lo < 2 then
    put("    set logscale %s\n", name)
    return put_narrow(name, a, letter, lo, hi)
  end
  -- Powers of two where all values are such, else powers of ten; small numbers as they are.
  put("    set logscale %s %d\n    set %stics autofreq\n", name, binary and 2 or 10, name)
  local is_plain = binary and a.lo >= 1 and a.hi < 32768 or not binary and a.lo > 1e-3 and a.hi < 1e5
  put_format(name, is_plain and "%h" or binary and "2^{%L}" or "10^{%T}", tex)
end

-- ---- sizes ------------------------------------------------------------------------------------------

local DPI = 200 -- of the PNG
local INCH = 2.54
local WIDTH = 15
local FLAT = 0.58 -- height of a panel over its width, where the data leave it open
-- Where panels share a colour bar: for the names of the axes, a title, the bar with its own.
local SIDE, FOOT, HEAD, GAP = 1.7, 1.3, 0.8, 0.4
local BAR = 2.3 -- with numbers of five letters

-- Whether both axes get the same scale, and how high the panel is for its width: gnuplot refuses extreme shapes.
local function keeps_scale(p)
  local aspect = (p.y.hi - p.y.lo) / (p.x.hi - p.x.lo)
  return p.equal and not p.logx and not p.logy and aspect < 100 and aspect > 0.01, aspect
end

local function has_values(p)
  for _, s in ipairs(p.series) do
    if s.style == "discs" and s.value then return true end
  end
  return false
end

-- Whether one colour bar beside all panels serves them: equal scales, one range, one label.
local function shares_bar(panels)
  local first = panels[1]
  for _, p in ipairs(panels) do
    if not (keeps_scale(p) and has_values(p) and p.colorlabel and p.cmin < p.cmax and p.cmin == first.cmin and
            p.cmax == first.cmax and p.colorlabel == first.colorlabel) then
      return false
    end
  end
  return #panels > 1
end

-- If one of several panels has a legend, which has no place in it, and the others have none, it serves all and stands
-- above them, so that all keep one size: how many lines it has, else 0.
local function shared_legend(panels, l)
  local lines, outside = 0, 0
  for _, p in ipairs(panels) do
    if p.place == "outside" then
      lines, outside = legend_lines(p, l.width), outside + 1
    elseif p.place ~= "off" then
      return 0
    end
  end
  return outside == 1 and #panels > 1 and l.bar == 0 and lines or 0
end

local function lay_out(figure)
  local panels = figure.panels
  local l = {columns = min(figure.columns, #panels), width = figure.width or WIDTH, bar = shares_bar(panels) and BAR or 0}
  l.rows = (#panels + l.columns - 1) // l.columns
  local wide, tallest = l.width / l.columns, 0
  for _, p in ipairs(panels) do
    local keeps, aspect = keeps_scale(p)
    local height = 1.8 + (wide - 2.2) * (keeps and aspect or FLAT)
    if not keeps and l.columns == 1 and l.rows > 1 then height = 5.6 end -- read along one time axis
    tallest = max(tallest, min(max(height, 4), 1.3 * wide))
  end
  l.height = figure.height or min(tallest * l.rows, 100)
  for _, p in ipairs(panels) do p.place = legend_place(p, wide, l.height / l.rows) end
  l.legend = shared_legend(panels, l)
  return l
end

-- A size that is given cannot grow if a legend would cover what it explains. In LaTeX it has an entry a line.
local function expect_room(call, figure, l)
  local wide, high = l.width / l.columns, l.height / l.rows
  for k, p in ipairs(figure.fixed and figure.panels or {}) do
    local n, longest = entries(p)
    local lines = figure.tex and n or legend_lines(p, wide - BESIDE)
    local least_wide, least_high = SAMPLE + LETTER * longest, RIM + LINE * lines + BELOW + LEAST
    if n > 0 and p.place == "outside" and (wide < least_wide or high < least_high) then
      host.raise(format("%s: figure '%s' has %g x %g mm, and its panel %d no room for its legend; allowed: at least %.0f x %.0f mm " ..
                        "for %d panel%s a row, fewer or shorter labels, or the key \"off\"", call, figure.name, 10 * l.width,
                        10 * l.height, k, ceil(10 * l.columns * max(wide, least_wide)), ceil(10 * l.rows * max(high, least_high)),
                        l.columns, l.columns == 1 and "" or "s"))
    end
  end
end

-- ---- curves -----------------------------------------------------------------------------------------

local DOT = 2e-4 -- of the range: a tenth of a line's width or less

-- `using`: what a logarithmic axis cannot show becomes NaN, which breaks the line. A step shorter than a dot would
-- not be drawn at all, though it may be a percussion: it is drawn as a dot.
local function using(p, style)
  local text = (p.x.log and "($1>0?$1:NaN)" or "1") .. ":" .. (p.y.log and "($2>0?$2:NaN)" or "2")
  if style == "discs" or style == "arrows" then return text .. ":3:4" end
  if style ~= "steps" then return text end
  if p.x.log then return text .. ":($3-$1):(0)" end
  local dot = DOT * (p.x.hi - p.x.lo)
  return text .. format(":($3>$1&&$3-$1<%.3g?%.3g:$3-$1):(0)", dot, dot)
end

-- Curves, and their legend entries apart: a sample is then the same size whatever the data. Broad and filled curves
-- lie beneath the others.
local function put_plot(name, p, panel)
  local list = {}
  for pass = 1, 2 do
    for k, s in ipairs(p.series) do
      if (s.style == "underlay" or s.style == "filled") == (pass == 1) then
        if s.shown > 0 then
          list[#list + 1] = format("'%s.dat' index %d using %s with %s notitle", name, s.block, using(p, s.style), style_of(p, s))
        end
        if s.label then list[#list + 1] = format("keyentry with %s title label%d_%d", style_of(p, s, true), panel, k) end
      end
    end
  end
  list[#list + 1] = "NaN notitle" -- an empty panel keeps its frame
  put("    plot %s\n", concat(list, ", \\\n         "))
end

-- ---- panels -----------------------------------------------------------------------------------------

-- Above the panel the legend stands between the title and the frame, so the title is its own.
local function put_key(place, panel, shared, tex)
  if place == "off" then
    put("    set key off\n")
  elseif shared > 0 then
    put("    set key on at screen 0.5,screen 0.995 center top vertical maxrows %d Left reverse noopaque\n    set key title ''\n", shared)
  elseif place == "outside" then
    put("    set key on tmargin center horizontal Left reverse noopaque\n    set key title title%d noenhanced\n    set title ''\n", panel)
    -- gnuplot does not know how wide LaTeX's texts are
    if tex then put("    if (format eq 'tex') { set key vertical maxcols 1 }\n") end
  else
    put("    set key on inside %s vertical Left reverse opaque\n    set key title ''\n", place)
  end
end

-- The colour bar of discs: dark for little, light for much, in print too.
local function put_colors(p, k, l)
  if not has_values(p) then return put("    unset colorbox\n") end
  put("    set palette defined (0 '#2d1160', 0.25 '#721f81', 0.5 '#b73779', 0.75 '#f1605d', 1 '#fcfdbf')\n")
  if p.cmin < p.cmax then
    put("    set cbrange [%.17g:%.17g]\n", p.cmin, p.cmax)
    put_step("cb", p.cmin, p.cmax, 0)
  end
  if not p.colorlabel or l.bar > 0 and k > 1 then
    put("    unset colorbox\n")
  elseif l.bar > 0 then
    put("    set colorbox vertical user origin screen %.3f,0.25 size screen 0.02,0.5\n    set cblabel colorlabel1 noenhanced\n",
        1 - l.bar / l.width)
  else
    put("    set colorbox\n    set cblabel colorlabel%d noenhanced\n    set rmargin 12\n", k)
  end
end

-- The texts of panel k, beside their points: what each says stands in a variable.
local function put_labels(p, k)
  for i, s in ipairs(p.series) do
    for j, text in each(s.text) do
      if text ~= "" and shows(p, s.x[j], s.y[j]) then
        put("    set label text%d_%d_%d at first %.17g,%.17g left offset character %g,%g front noenhanced textcolor rgb '%s'\n", k, i, j,
            s.x[j], s.y[j], ASIDE, ABOVE, s.color or "#000000")
      end
    end
  end
end

local function put_panel(figure, l, k)
  local p = figure.panels[k]
  choose_styles(p)
  put("\n    unset logscale\n    set autoscale\n    unset label\n")
  put_labels(p, k)
  put("    set title title%d noenhanced\n    set xlabel xlabel%d noenhanced\n    set ylabel ylabel%d noenhanced\n", k, k, k)
  put_axis("x", p.x, letter_of(l.width / l.columns), 0, figure.tex)
  put_axis("y", p.y, 0, line_of(l.height / l.rows), figure.tex)
  put_key(p.place, k, l.legend, figure.tex)
  put(keeps_scale(p) and "    set size ratio -1\n" or "    set size noratio\n")
  put_colors(p, k, l)
  put_plot(figure.name, p, k)
end

-- ---- the whole --------------------------------------------------------------------------------------

local function put_texts(figure, tex)
  local function set(name, text)
    put("%s = %s\n", name, quoted(tex and (figure.spelt[text] or latex_of(text)) or text))
  end
  for k, p in ipairs(figure.panels) do
    set("title" .. k, p.title or "")
    set("xlabel" .. k, p.xlabel or "")
    set("ylabel" .. k, p.ylabel or "")
    if p.colorlabel then set("colorlabel" .. k, p.colorlabel) end
    for i, s in ipairs(p.series) do
      if s.label then set(format("label%d_%d", k, i), s.label) end
      for j, text in each(s.text) do
        if text ~= "" then set(format("text%d_%d_%d", k, i, j), text) end
      end
    end
  end
end

-- Lines are measured in points in all formats, text is 9 pt (cairo counts letters at 96 dots an inch, svg in pixels of
-- 1/96 inch). LaTeX's is the last in the loop: its texts replace the others.
local function put_terminals(figure, l)
  local wide, high = l.width / INCH, l.height / INCH
  put("    if (format eq 'pdf') {\n        set terminal pdfcairo color rounded font 'Sans,9' fontscale 0.75 linewidth 2 " ..
      "size %gcm,%gcm\n    }\n", l.width, l.height)
  put("    if (format eq 'svg') {\n        set terminal svg rounded font 'Sans,12' linewidth 1.333 size %.0f,%.0f " ..
      "background '#ffffff'\n    }\n", 96 * wide, 96 * high)
  put("    if (format eq 'png') {\n        set terminal pngcairo color rounded font 'Sans,9' fontscale %.4g linewidth %.4g " ..
      "pointscale %.4g size %.0f,%.0f background '#ffffff'\n    }\n", DPI / 96, DPI / 72, DPI / 72, DPI * wide, DPI * high)
  if figure.tex then
    put("    if (format eq 'tex') {\n        set terminal cairolatex pdf input color rounded linewidth 2 size %gcm,%gcm\n" ..
        "        unset minussign\n", l.width, l.height)
    put_texts(figure, true)
    put("    }\n")
  end
  -- svg leaves more between lines; a legend has one size, so that it hides nothing in any
  put("    set key spacing (format eq 'svg' ? 0.8 : 1.05)\n")
end

-- power spells numbers with a power of ten.
local SETTINGS = [[

set encoding utf8
set minussign
set clip two
set border 3 lw 0.7 lc rgb '#404040'
set tics out nomirror scale 0.6,0.3
set grid lt 1 lc rgb '#e4e4e4' lw 0.5 dt solid
set key noenhanced samplen 2.2
power(m, k) = m eq '1' ? (format eq 'tex' ? '$10^{'.k.'}$' : '10^{'.k.'}') : format eq 'tex' ? '$'.m.'{\cdot}10^{'.k.'}$' : m.'·10^{'.k.'}'

]]

-- Of a multiplot with one colour bar: room for it on the right and for the axes' names between the panels. svg's lines
-- are higher: titles and names would leave that room.
local function put_margins(l)
  put(" margins screen %.3f,%.3f,%.3f,%.3f spacing screen %.3f,%.3f", SIDE / l.width, 1 - (l.bar + GAP) / l.width, FOOT / l.height,
      1 - HEAD / l.height, SIDE / l.width, (FOOT + HEAD) / l.height)
  put("\n    set title offset 0,(format eq 'svg' ? -0.45 : 0)\n    set xlabel offset 0,(format eq 'svg' ? 0.6 : 0)" ..
      "\n    set cblabel offset (format eq 'svg' ? -0.8 : 0),0")
end

function host.plot_script(call, figure)
  local name, tex, several, l = figure.name, figure.tex, #figure.panels > 1, lay_out(figure)
  expect_room(call, figure, l)
  out = {}
  put("# `gnuplot %s.gp` in this folder draws %s.pdf, %s.svg and %s.png.\n%s", name, name, name, name, SETTINGS)
  put_texts(figure, false)
  put("\ndo for [format in 'pdf svg png%s'] {\n", tex and " tex" or "")
  put_terminals(figure, l)
  put("    set output '%s%s.'.format\n", name, tex and "'.(format eq 'tex' ? '-tex' : '').'" or "")
  if several then put("    set multiplot layout %d,%d", l.rows, l.columns) end
  if l.legend > 0 then put(" title \" %s\"", rep("\\n", l.legend - 1)) end -- room for it above the panels
  if l.bar > 0 then put_margins(l) end
  if several then put("\n") end
  if l.rows > 1 and l.bar == 0 then put("    set lmargin 10\n    set rmargin 2\n") end
  for k = 1, #figure.panels do put_panel(figure, l, k) end
  put(several and "\n    unset multiplot\n" or "\n")
  put("    set output\n}\n")
  return concat(out)
end
