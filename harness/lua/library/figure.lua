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
local ipairs, pairs, type, tostring = ipairs, pairs, type, tostring

local function array(value) return type(value) == "table" and value or {} end

local function is_lost(x) return type(x) == "number" and x - x ~= 0 end

local function can_show(x, is_log) return type(x) == "number" and x - x == 0 and (not is_log or x > 0) end

-- Points that the axes can show, in all. What is not finite is said. Anything else that is wrong is for
-- host.figure to refuse.
local function look(spec)
  local shown = 0
  for p, panel in ipairs(array(spec.panels or {spec})) do
    panel = array(panel)
    for k, s in ipairs(array(panel.series)) do
      local x, y = array(array(s).x), array(array(s).y)
      local lost = 0
      for i = 1, #x do
        if is_lost(x[i]) or is_lost(y[i]) then
          lost = lost + 1
        elseif can_show(x[i], panel.logx) and can_show(y[i], panel.logy) then
          shown = shown + 1
        end
      end
      if lost > 0 then
        local label = s.label and " (" .. tostring(s.label):sub(1, 60) .. ")" or ""
        local verb = lost == 1 and "is" or "are"
        host.say(("figure %s: %d of %d point%s of panels[%d].series[%d]%s %s not finite and %s not drawn")
          :format(tostring(spec.name), lost, #x, #x == 1 and "" or "s", p, k, label, verb, verb))
      end
    end
  end
  return shown
end

-- Failed runs are data, and a figure that they leave empty is no error of the script.
function host.draw_nothing(name, why)
  host.say(("figure %s is not drawn: %s"):format(name, why))
  return nil, why
end

function lab.figure(spec)
  local figure = {}
  for key, value in pairs(array(spec)) do figure[key] = value end
  if type(spec) == "table" then
    local caption = host.read("lab.figure", spec, "caption", "text")
    figure.caption, figure.ensemble = host.doubt("lab.figure", spec, caption), nil
    if look(spec) == 0 and spec.name and host.failed() then
      return host.draw_nothing(tostring(spec.name), "it has no point, and runs have failed")
    end
  end
  return host.figure("lab.figure", type(spec) == "table" and figure or spec)
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
