-- colors.lua - one colour a scheme, the same in every figure of a report; lab.colors, the same for scripts.
--
-- A scheme with settings ("moreau_jean:theta=0.5"), or a script's, has no colour of its own to keep: its colour
-- goes by its text, and where another scheme of the figure has that, it takes the next that none of them has.
-- Beyond eight schemes colours return.
local lab, host = ...
local ipairs = ipairs

-- Okabe and Ito's colours, but for those that schemes have of their own.
local further = {"#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f"}

local all, own, rank = {}, {}, 0 -- all colours; that of each built-in scheme; how many have none of their own
for k, color in ipairs(further) do all[k] = color end
for _, scheme in ipairs(host.scheme_types()) do
  own[scheme.name] = scheme.color or further[rank % #further + 1]
  if scheme.color then all[#all + 1] = scheme.color else rank = rank + 1 end
end

lab.colors = {}
for name, color in pairs(own) do lab.colors[name] = color end

-- FNV-1a.
local function hash(text)
  local sum = 2166136261
  for k = 1, #text do sum = ((sum ~ text:byte(k)) * 16777619) & 0xffffffff end
  return sum
end

-- The colours of schemes by their names, in one figure; chosen[k] is what a script has chosen for scheme k,
-- whoever else has it.
local function colors_of(names, chosen)
  local colors = {}
  for k, name in ipairs(names) do colors[k] = own[name] or further[(hash(name) + rank) % #further + 1] end
  local function is_taken(k, color)
    for i, name in ipairs(names) do
      if (i < k or own[name]) and i ~= k and colors[i] == color then return true end
    end
  end
  for k, name in ipairs(names) do
    local color, i = colors[k], 0
    while not own[name] and is_taken(k, color) and i < #all do
      i = i + 1
      color = all[i]
    end
    if not is_taken(k, color) then colors[k] = color end
  end
  for k in ipairs(names) do colors[k] = chosen[k] or colors[k] end
  return colors
end

-- The sweep of a result, with colors.
local describe = host.sweep
function host.sweep(r)
  local sweep = describe(r)
  sweep.colors = colors_of(sweep.schemes, sweep.chosen)
  return sweep
end
