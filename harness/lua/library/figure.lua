-- figure.lua - what a script draws itself, and what the page says around it.
--
--   lab.figure{name =, caption =, width =, height =, mm =, tex =, columns =, order =, ensemble =,
--              panels = {PANEL, ...}}          returns the path of the PNG
--   PANEL: title =, xlabel =, ylabel =, logx =, logy =, xrange = {a, b}, yrange = {a, b},
--          key = "top left", equal =, colorlabel =, crange = {a, b}, series = {SERIES, ...}
--   SERIES: x = {...}, y = {...}, label =, style =, color = "#rrggbb", width =; for style "discs" radius =
--           {...} in the units of the axes, and value = {...} that colours them; "arrows" go from every
--           other point to the next; for style "texts" text = {...}, beside points
--
--   lab.section("Sticky particles")   lab.section{title =, text =, order =}   lab.section()
--   lab.finding("At h = 1 the ball ...")       stands on top of the page
--
-- The fields of a single panel may stand beside name. A number of y that is not finite breaks the line; how
-- many there are is said. What is drawn from lab.section on belongs to it; after lab.section() to none.
local lab, host = ...
local pairs, type, format, gsub, match = pairs, type, string.format, string.gsub, string.match

-- Failed runs are data, and a figure that they leave empty is no error of the script.
function host.draw_nothing(name, why)
  host.say(format("figure %s is not drawn: %s", name, why))
  return nil, why
end

-- Lua's functions as they are now: what is loaded later does not get those that a script has replaced.
local globals = {}
for name, value in pairs(_G) do
  globals[name] = value
  if type(value) == "table" then
    globals[name] = {}
    for key, inner in pairs(value) do globals[name][key] = inner end
  end
end

-- plot.lua puts its own in the place of this.
function host.figure(...)
  host.part("plot", globals)(lab, host)
  host.part("plot_script", globals)(lab, host)
  return host.figure(...)
end

-- For the command line: path is FOLDER/NAME, also with .png behind it.
function host.draw_at(path, spec)
  local folder, name = match(gsub(path, "%.png$", ""), "^(.*)/(.*)$")
  spec.name = name or gsub(path, "%.png$", "")
  return host.figure("--figure", spec, nil, folder == "" and "/" or folder or ".")
end

function lab.figure(spec)
  if type(spec) ~= "table" then return host.figure("lab.figure", spec) end
  local figure = {}
  for key, value in pairs(spec) do figure[key] = value end
  local caption = host.read("lab.figure", spec, "caption", "text")
  figure.caption, figure.ensemble = host.doubt("lab.figure", spec, caption), nil
  return host.figure("lab.figure", figure)
end

function lab.section(section)
  if section == nil then return host.section() end
  if type(section) == "string" then return host.section{title = section} end
  local call = "lab.section"
  host.known(call, section, {"title", "text", "order"})
  host.section{
    title = host.read(call, section, "title", "text") or host.miss(call, section, "title", "the section's heading"),
    text = host.read(call, section, "text", "text"),
    order = host.read(call, section, "order", "count", 0)}
end

function lab.finding(text)
  if type(text) ~= "string" then host.refuse("lab.finding", "text", text, "a sentence") end
  host.journal("finding", "FINDING", text)
  host.say("finding: " .. text)
end
