-- scheme.lua - lab.scheme: what a script declares of a scheme, checked.
--
--   lab.scheme{name =, order = 1 | 2 | {1, 2}, restitution = false, title =, statement =, source =,
--              color = "#rrggbb", version =, certified = true, dense = false,
--              step = function(s) ... return q, u end}
--
-- It stands wherever the name of a scheme does, by its value or its name, once it is declared; a name is
-- declared once. What a step is given and may ask is in harness/lua/scripted/scheme.c.
local lab, host = ...
local call = "lab.scheme"
local known, read, refuse, miss = host.known, host.read, host.refuse, host.miss
local type, ipairs, rawget, find = type, ipairs, rawget, string.find

local declared = {} -- names of the program's schemes and the script's, and whose they are
for _, scheme in ipairs(host.scheme_types()) do declared[scheme.name] = "built-in scheme" end

local keys = {"name", "order", "restitution", "title", "statement", "source", "color", "version", "certified", "dense",
  "step"}

local function read_name(t)
  local name = read(call, t, "name", "text") or
               miss(call, t, "name", "letters, digits and ._-, as tables and legends call it")
  if not find(name, "^[A-Za-z0-9_][A-Za-z0-9._-]*$") then
    refuse(call, "name", name, "letters, digits and ._-, a letter, digit or _ first")
  end
  if declared[name] then refuse(call, "name", name, "a name that no " .. declared[name] .. " has") end
  return name
end

-- Bits of the orders; both without a word.
local function read_orders(t)
  local orders, bits = read(call, t, "order", "finite"), 0
  for _, order in ipairs(orders or {1, 2}) do bits = bits | (order == 1 and 1 or order == 2 and 2 or 4) end
  if bits == 0 or bits > 3 then
    refuse(call, "order", t.order, "1 (sweeping process), 2 (contact dynamics), or {1, 2}, as without it")
  end
  return bits
end

function lab.scheme(t)
  known(call, t, keys)
  local p = {
    name = read_name(t),
    title = read(call, t, "title", "text") or "a scheme written in Lua",
    statement = read(call, t, "statement", "text") or "given by its script",
    source = read(call, t, "source", "text") or "a Lua script",
    orders = read_orders(t),
    restitution = read(call, t, "restitution", "flag"),
    color = read(call, t, "color", "text"),
    certified = read(call, t, "certified", "flag"),
    dense = read(call, t, "dense", "flag"),
    step = rawget(t, "step")}
  if p.color and not find(p.color, "^#%x%x%x%x%x%x$") then refuse(call, "color", p.color, '"#rrggbb"') end
  if p.dense and p.certified ~= false then
    refuse(call, "dense", true, "with certified = false: no certificate is about the motion between nodes")
  end
  if p.step == nil then miss(call, t, "step", "a function(s) that returns q, u") end
  if type(p.step) ~= "function" then refuse(call, "step", p.step, "a function(s) that returns q, u") end
  local scheme = host.scheme(p, t)
  declared[p.name] = "scheme of this script"
  return scheme
end
