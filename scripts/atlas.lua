-- Which solutions problem nonuniqueness has for which (alpha, m): where they begin, touch, attract and
-- end. Closed forms (problems/README.md, Atlas) beside periodic orbits that Newton's method finds from
-- random states by the exact motion, which knows no closed form. In `make report`.
local lab = require "impactlab"

local function larger(a, b, c) return (math.sqrt(b * b - 4 * a * c) - b) / (2 * a) end
local function smaller(a, b, c) return (-math.sqrt(b * b - 4 * a * c) - b) / (2 * a) end

-- The borders for mu = 2^m.
local function borders(mu)
  local k = (20 * mu + 17) / (32 * mu + 16)
  local rA = smaller(8 * mu * mu + 5 / 2, k * (1 - 16 * mu * mu) - 9,
                     k * (4 * mu + 8 * mu * mu + 9 / 2) - 7 / 2 * mu - 2 * mu * mu)
  local rC = (19 + 20 * mu - math.sqrt(16 * mu * mu + 184 * mu + 241)) / (32 * mu + 8)
  return {
    begin = larger(4 * mu - 1, 4 * mu * mu - 4 * mu - 1, 8 * mu - 12 * mu * mu),
    attract = (rA * (1 - 16 * mu * mu) + 4 * mu + 8 * mu * mu + 9 / 2) / (4 * mu + 2),
    rest = (12 * mu + 11) / (4 * mu + 9),
    twice = larger(1, mu - 2, 1 - 3 * mu),
    C_attracts = 3 / 2 + 2 * mu - (4 * mu - 1) * rC,
    ends = larger(4, 4 * mu - 1, -8 * mu - 10) ^ 2 - 1}
end

local function exact(alpha, m, name)
  local ok, e = pcall(lab.exact, {problem = {"nonuniqueness", alpha = alpha, m = m}, name = name, points = 4, horizon = 1})
  return ok and e or nil
end

-- The multiplier of the orbit of that period, shortest first; nil if Newton's method finds none.
local function multiplier(alpha, m, period)
  for _, orbit in ipairs(lab.orbits{problem = {"nonuniqueness", alpha = alpha, m = m}, starts = 50, longest = 2}) do
    if orbit.period == period then return orbit.multiplier end
  end
end

-- ---- the borders, from both sides ---------------------------------------------------------------

local NEAR = 1e-6 -- of a border: existence is decided by closing to 1e-13 in states of size one
local rows = {}
for m = 0, 4 do
  local b = borders(2 ^ m)
  for _, border in ipairs{{b.begin, -1}, {b.ends, 1}} do
    local alpha, out = table.unpack(border)
    lab.check(exact(alpha - out * NEAR, m, "A") and not exact(alpha + out * NEAR, m, "A"),
              ("m = %d: A and B %s at alpha = %.6f"):format(m, out < 0 and "begin" or "end", alpha))
  end
  -- Multipliers fall like (alpha - begin)^(-1/2) at first: by half a percent over this way.
  for _, border in ipairs{{b.attract, 2}, {b.C_attracts, 1}} do
    local alpha, period = table.unpack(border)
    local way = 0.01 * (alpha - b.begin)
    local below, above = multiplier(alpha - way, m, period), multiplier(alpha + way, m, period)
    lab.check(below and above and below < -1 and above > -1 and below > -1.05 and above < -0.95,
              ("m = %d: the orbit of period %d attracts from alpha = %.6f"):format(m, period, alpha))
  end
  rows[#rows + 1] = {m}
  for _, key in ipairs{"begin", "attract", "rest", "twice", "C_attracts", "ends"} do
    table.insert(rows[#rows], ("%.6f"):format(b[key]))
  end
end

lab.section{title = "Atlas of several solutions", text = "Problem nonuniqueness with a force O(t^m): for every m there is an " ..
  "interval of alpha with several solutions from the same data; it shrinks as 2^-m."}
lab.table{name = "atlas-borders", rows = rows,
  caption = "alpha where A and B begin and attract, rest before they take off, touch a second time; where C attracts; where A and B " ..
            "end. Closed forms, checked from both sides.",
  heads = {"m", "A, B begin", "attract", "rest", "touch twice", "C attracts", "A, B end"}}

-- ---- the picture --------------------------------------------------------------------------------

local panels = {}
for m = 0, 3 do
  local b = borders(2 ^ m)
  local low, high = 1.1 * b.begin - 0.1 * b.ends, 1.2 * b.ends - 0.2 * b.begin
  local curves, found = {}, {{x = {}, y = {}}, {x = {}, y = {}}}
  for _, name in ipairs{"A", "B", "C"} do
    local c = {label = name, x = {}, y = {}, color = ({A = "#d55e00", B = "#e69f00", C = "#009e73"})[name]}
    for k = 0, 200 do
      local alpha = low + (high - low) * k / 200
      local e = exact(alpha, m, name)
      if e then c.x[#c.x + 1], c.y[#c.y + 1] = alpha, e.q[1][#e.t] end
    end
    curves[#curves + 1] = c
  end
  for k = 0, 48 do
    local alpha = low + (high - low) * (k + 0.5) / 49
    for _, orbit in ipairs(lab.orbits{problem = {"nonuniqueness", alpha = alpha, m = m}, starts = 60}) do
      local f = found[orbit.attracts and 1 or 2]
      for _, state in ipairs(orbit.states) do f.x[#f.x + 1], f.y[#f.y + 1] = alpha, state[1] end
    end
  end
  local series = {
    {label = "orbit that attracts", x = found[1].x, y = found[1].y, style = "points", color = "#0072b2"},
    {label = "orbit that repels", x = found[2].x, y = found[2].y, style = "points", color = "#9a9a9a"}}
  for _, c in ipairs(curves) do series[#series + 1] = c end
  panels[#panels + 1] = {title = ("m = %d"):format(m), xlabel = "alpha", ylabel = "q(1)", series = series,
                         key = m == 3 and "auto" or "off"}
end
lab.figure{name = "atlas", panels = panels, columns = 2, width = 17, height = 15,
  caption = "Heights at t = 1 of periodic orbits of the motion over an octave, scaled, against alpha. Lines: closed forms of A, B " ..
            "and C. Points: orbits of up to eight octaves, found from 60 random states each. Between the ends of A and B and where C " ..
            "begins to attract three limits exist at once."}
