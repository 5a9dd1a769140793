-- plots.lua - a figure says what it left out, and no text from outside is ever a command. Trusted: the files of
-- figures are read back.
local lab = require "impactlab"
local NAN, X = 0 / 0, {0, 1, 2, 3}

local path, name -- of the last figure

local function draw(figure)
  name, path = figure.name, lab.figure(figure):gsub("png$", "")
end

local function read(suffix)
  local file = io.open(path .. suffix, "rb") or io.open(path:sub(1, -2) .. suffix, "rb")
  local text = file and file:read "a"
  if file then file:close() end
  return text
end

local function has(suffix, text) lab.check(read(suffix):find(text, 1, true), name .. suffix .. " has " .. text) end
local function lacks(suffix, text) lab.check(not read(suffix):find(text, 1, true), name .. suffix .. " lacks " .. text) end

-- How many files the folder of figures has.
local function files()
  local list = io.popen("ls " .. path:match("^.*/"))
  local _, n = list:read("a"):gsub("\n", "")
  list:close()
  return n
end

local function refused(what, figure)
  local ok, why = pcall(lab.figure, figure)
  lab.check(not ok and why:find(what, 1, true), what .. ": " .. tostring(why))
end

-- ---- drawing ----------------------------------------------------------------------------------------

-- What a script puts in the place of Lua's functions is its own: figures are loaded by the first one and draw all the same.
local format, len = string.format, utf8.len
string.format, utf8.len = error, error
draw{name = "small", caption = "A caption", series = {{label = "a line", x = X, y = {1, -0.5, NAN, 2}}}}
string.format, utf8.len = format, len
for suffix, head in pairs{png = "\x89PNG\r\n\x1a\n", pdf = "%PDF-", svg = "<?xml"} do
  lab.check(read(suffix):sub(1, #head) == head and #read(suffix) > 1000, suffix)
end
has("svg", "a line")
has("json", '"kind": "figure"')
has("json", '"caption": "A caption"')
has("json", '"small.svg"')
lab.check(files() == 6, "data, script, three pictures, manifest")

-- Numbers in the data file are read back exactly.
local exact, n = {0.1, 1 / 3, NAN, 6.02214076e23}, 0
draw{name = "data", series = {{x = X, y = exact}}}
for x, y in read("dat"):gmatch("\n([%d.e+-]+) (%S+)") do
  n = n + 1
  lab.check(tonumber(x) == X[n] and (exact[n] ~= exact[n] and y == "NaN" or tonumber(y) == exact[n]), "number " .. n)
end
lab.check(n == 4, "four points")

-- Every style, both kinds of axes, several panels, a constant, a single point, an empty series: gnuplot has nothing to
-- warn about, for a warning would be a failure.
for _, style in ipairs{"lines", "points", "linespoints", "steps", "impulses", "dashes", "underlay", "filled"} do
  local up = {1e-9, 1e-3, 10, 1e4}
  local all = {{label = "a", style = style, x = {1, 2, 3}, y = {1e-9, 1e-3, 10}}, {label = "b", style = style, x = up, y = {1, 1, 1, 1}},
               {label = "c", style = style, x = {1}, y = {1}}, {label = "d", style = style, x = {}, y = {}}}
  local panels = {}
  for k, key in ipairs{"auto", "outside", "off", "bottom left"} do
    panels[k] = {series = {table.unpack(all, k)}, logx = k % 2 == 1, logy = k < 3, key = key, equal = k == 3}
  end
  draw{name = "styles", columns = 2, panels = panels}
end

-- Arrows go from every other point to the next, to the tip and not by the tip's coordinates; the legend stands where
-- no text is.
local arrows = {label = "f", style = "arrows", x = {0, 1, 0.5, 0.5}, y = {0, 0.25, 1, 0.5}}
local texts = {style = "texts", x = {0.5, 1}, y = {1, 0}, text = {"a text that reaches far to the right", ""}}
draw{name = "signs", series = {arrows, texts}}
has("dat", "\n0 0 1 0.25\n")
has("dat", "\n0.5 1 0 -0.5\n")
has("svg", texts.text[1])
lacks("gp", "inside top right")
draw{name = "signs", series = {arrows}}
has("gp", "inside top right")

-- Points in all eight places but one: the legend stands there; in all of them: outside.
local spots = {{1, 1, "inside top right"}, {0, 1, "inside top left"}, {1, 0, "inside bottom right"}, {0, 0, "inside bottom left"},
               {0.5, 1, "inside top center"}, {0.5, 0, "inside bottom center"}, {1, 0.5, "inside center right"},
               {0, 0.5, "inside center left"}, {nil, nil, "tmargin center"}}
local panels = {}
for k = 1, #spots do
  local s = {style = "points", label = "a", x = {}, y = {}}
  for i, spot in ipairs(spots) do
    if i ~= k then s.x[#s.x + 1], s.y[#s.y + 1] = spot[1], spot[2] end
  end
  panels[k] = {series = {s}}
end
draw{name = "key", panels = panels, columns = 3, width = 45, height = 27}
n = 0
for place in read("gp"):gmatch("set key on ([^\n]*)") do
  n = n % #spots + 1
  lab.check(place:sub(1, #spots[n][3]) == spots[n][3], "the legend of panel " .. n .. ": " .. place)
end
lab.check(n == #spots, "a legend for each panel")

-- ---- axes -------------------------------------------------------------------------------------------

-- The numbers along a linear axis do not run into one another: at most eight of them.
local spans = {1e-12, 0.37, 0.999, 1, 2, 3.05, 4, 6.9, 7.1, 1e5, 1e300}
panels = {}
for k, span in ipairs(spans) do panels[k] = {series = {{x = {0, 0, 0, span}, y = X}}} end
draw{name = "tics", panels = panels, columns = 2}
n = 0
for step in read("gp"):gmatch("set xtics (%S+)") do
  n = n + 1
  local intervals = math.floor(spans[n] / tonumber(step) * (1 + 1e-9)) -- more than the step's rounding
  lab.check(intervals >= 2 and intervals <= 7, intervals .. " intervals of " .. spans[n])
end
lab.check(n == #spans, "steps of all axes")

-- Nor do those of a low one: a frame is at least 3.1 cm lower than its panel, a line of 9 pt, with what is between two
-- of them, 0.42 cm high.
spans = {0.54, 0.13, 3.05, 7.1}
for _, height in ipairs{4.25, 5, 5.6, 9} do
  panels, n = {}, 0
  for k, span in ipairs(spans) do panels[k] = {series = {{x = X, y = {0, 0, 0, span}}}} end
  draw{name = "low", panels = panels, height = 4 * height}
  for step in read("gp"):gmatch("set ytics (%S+)") do
    n = n + 1
    step = tonumber(step)
    lab.check(step / spans[n] * (height - 3.1) >= 0.42 and spans[n] / step * (1 + 1e-9) >= 1, step .. " on " .. spans[n])
  end
  lab.check(n == #spans, "steps of all low axes")
end

-- ---- paper ------------------------------------------------------------------------------------------

-- #0072b2 has the lightness 46, #d55e00 54, #009e73 58, #56b4e9 70, black 0 (CIE 1976): the first three are less than
-- 20 apart, the fourth is so from the second and third, black is alone.
local lines, dash = {}, {}
for k, color in ipairs{"#0072b2", "#d55e00", "#009e73", "#56b4e9", "#000000"} do
  lines[k] = {label = "l" .. k, color = color, width = 2, x = {0, 1}, y = {k, k}}
end
draw{name = "grey", series = lines}
for pattern in read("gp"):gmatch("keyentry with lines [^\n]* dt (%S+)") do dash[#dash + 1] = pattern end
lab.check(dash[1] == "solid" and dash[5] == "solid" and dash[2] ~= "solid" and dash[3] ~= "solid" and dash[2] ~= dash[3] and
          dash[4] ~= dash[2] and dash[4] ~= dash[3], "lines are apart in grey: " .. table.concat(dash, " "))

-- LaTeX reads no text as a command, and has its pair of files only where it is asked for.
local spelt = {["u_L1"] = [[$\|u\|_{L^1}$]], ["f'"] = "$f'$"}
n = files()
for text, latex in pairs{
  ["plain 1.5"] = "plain 1.5", ["u_L, 50 % of #2 & $x$"] = [[u\_L, 50 \% of \#2 \& \$x\$]],
  [ [[\input{a}^~]] ] = [[\textbackslash{}input\{a\}\textasciicircum{}\textasciitilde{}]],
  ["2·10⁻¹² µs"] = [[2$\cdot$10$^{-12}$ $\mu$s]], ["it's\n"] = [[it'."'".'s ]],
  ["Größe"] = "Größe", -- LaTeX has these letters
  ["u_L1"] = spelt["u_L1"], ["f'"] = [[$f'."'".'$]]} do
  draw{name = "tex", xlabel = text, logy = true, yrange = {1e-6, 10}, series = {{label = "a_b", x = {0, 1}, y = {0.3, 1}}}, tex = spelt}
  lab.check(read("gp"):find("'tex'%) {.*xlabel1 = '" .. latex:gsub("%p", "%%%0") .. "'\n"), text .. " is " .. latex)
  if latex ~= text then lacks("svg", latex) end
end
lab.check(files() == n + 8, "two more files for LaTeX")
has("-tex.tex", "\\includegraphics")
has("-tex.tex", "tex-tex}")
has("-tex.tex", "a\\_b")
has("-tex.tex", "$10^{-4}$")
lacks("-tex.tex", "⁻")
has("-tex.pdf", "%PDF-")
has("json", '"tex-tex.tex"')
draw{name = "tex", series = {{x = X, y = X}}}
lab.check(files() == n + 6, "they go where they are no longer asked for")

-- In a size that is not to grow a legend finds room above the frame, or the figure is refused with the size that has
-- room: the next one drawn.
local full = {}
for k = 1, 4 do
  full[k] = {label = "of fifteen let.", style = "points", x = {0, 0, 0, 0.5, 0.5, 1, 1, 1}, y = {0, 0.5, 1, 0, 1, 0, 0.5, 1}}
end
local function fixed(wide, high, key)
  return {name = "fixed", mm = {wide, high}, panels = {{series = full, key = key}, {series = full, key = key}}}
end
local _, why = pcall(lab.figure, fixed(80, 80))
local least = tonumber(why:match("80 x 80 mm, and its panel 1 no room.* at least 80 x (%d+) mm for 1 panel a row"))
lab.check(least and least > 90 and least < 120, why)
draw(fixed(80, least))
has("gp", "tmargin center")
refused("at least 48 x ", fixed(40, least)) -- 15 letters of 1.9 mm and their sample of 19
draw(fixed(40, least, "off"))

-- ---- what is left out, what is refused --------------------------------------------------------------

draw{name = "log", caption = "A caption", logy = true, series = {{x = X, y = {1e-3, 0, -1, NAN}}}}
has("json", '"dropped": 2')
has("json", '"not_finite": 1') -- the NaN is no matter of the axis
has("json", "A caption. 2 points that a logarithmic axis cannot show are left out.")
n = files()
refused("no point to show: none is positive and finite on its logarithmic axes", {name = "none", logy = true, series = {{x = X, y = {-1, 0, -2, -3}}}})
refused("no point to show: its series are empty or not finite", {name = "none", series = {{x = X, y = {NAN, NAN, 1 / 0, NAN}}}})
refused("panels is empty", {name = "none", panels = {}})
for _, bad in ipairs{"a/b", "a b", "../x", "-d", ".hidden", "a'b"} do
  refused("name is '" .. bad .. "'", {name = bad, series = {{x = X, y = X}}})
end
refused("series[1].color is 'red'; system 'true'; allowed: #rrggbb", {name = "none", series = {{x = X, y = X, color = "red'; system 'true"}}})
refused("key is 'top\nsystem 'true''; allowed: corners", {name = "none", key = "top\nsystem 'true'", series = {{x = X, y = X}}})
refused("xrange is '{2, 1}'; allowed: {a, b} with a < b", {name = "none", xrange = {2, 1}, series = {{x = X, y = X}}})
refused("xrange is '{0, 1}'; allowed: {a, b} with a < b, finite (NaN: automatic), above 0", {name = "none", xrange = {0, 1}, logx = true, series = {{x = X, y = X}}})
refused("series[1].label is", {name = "none", series = {{x = X, y = X, label = "\xff\xfe"}}})
refused("series[1].text[1] is", {name = "none", series = {{x = {1}, y = {1}, text = {"\xff\xfe"}}}})
refused("series[1].x is a table; allowed: an even number of points for arrows, not 3", {name = "none", series = {{x = {1, 2, 3}, y = {1, 2, 3}, style = "arrows"}}})
refused("series[1].y is a table; allowed: as many numbers as x has: 1, not 2", {name = "none", series = {{x = {1}, y = {1, 2}}}})
lab.check(files() == n, "what is refused leaves no file")

-- Nothing is executed, and each label arrives in the picture as it was given.
local labels = {"'; system \"touch x\"; print '", "\"; system 'touch x'; print \"", "''; system \"touch x\"; print ''",
                "'''; system \"touch x\"; print '''", "`touch x`", "a\nsystem 'touch x'", "} system 'touch x' {", "\\'; system 'touch x' #",
                "ends in a backslash \\", "'", "'''''", "@x $0 %d # <&>", "it''s"}
panels = {}
for k, l in ipairs(labels) do
  panels[k] = {title = l, xlabel = l, ylabel = l, series = {{label = l, x = X, y = X}, {style = "texts", x = {0}, y = {1}, text = {l}}}}
end
draw{name = "quoted", caption = labels[1], columns = 2, panels = panels}
lab.check(files() == n + 6, "the figure's, no x")
for _, l in ipairs(labels) do has("svg", (l:gsub("[&<\n]", {["&"] = "&amp;", ["<"] = "&lt;", ["\n"] = " "}))) end
