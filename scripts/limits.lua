-- limits.lua - which limits do the runs of Maury's example of non-uniqueness have, and which step
-- leads to which? In less than a minute.
--
--   impactlab sweep scripts/limits.lua
--
-- The problem is unchanged by t -> 2t, q -> 4q, u -> 2u: a run with h/2 is the run with h, one octave
-- longer. So the limit depends on c alone, but for an exchange of A and B from one m to the next. The
-- phases in [1,2) fall into 28 intervals (limits-borders) that lead to A or to B.
--
-- A solution is a sequence of states, one an octave, each the image of the one before. That map, scaled
-- back, is continuous once all states q = 0, u <= 0 are taken for one, and maps the rectangle
-- 0 <= q <= alpha/2, |u| <= alpha into itself. So the states of all solutions at t = 1 are a connected
-- set: there is a continuum of solutions (proof: problems/nonuniqueness.c). Its fixed point is the
-- solution C with q(2t) = 4 q(t), which repels with alpha = 1.8.
--
-- The state of a run depends continuously on c: between phases that lead to A and to B are borders whose
-- runs follow C (limits-border), known to 1e-13. They move with the data in proportion
-- (limits-border-moves). A start off the wall has one limit for all phases (limits-starts). Beside the
-- borders exact arithmetic agrees with doubles (limits-exact).
--
-- Other alpha (limits-attractors, limits-orbits, limits-alpha): up to 4/3 C alone; from 4/3 to 77/48
-- windows of periods three, four and others, and chaos between them; from 77/48 to 2.165592 A and B
-- attract, up to 1.6097 beside an orbit of period 4, from 43/20 on beside C; above, C alone.
--
-- The connected set, the fixed point and orbits that close in rational numbers are proved; the rest is
-- evidence.

local lab = require "impactlab"

local T = 4
lab.section{title = "Non-uniqueness", order = 10}

local function range(first, last, step)
  local list = {}
  for x = first, last, step or 1 do list[#list + 1] = x end
  return list
end

-- n phases c in [1, 2), beginning with 1.
local function phases(n)
  local list = {}
  for k = 0, n - 1 do list[#list + 1] = 1 + k / n end
  return list
end

local function limits_of(name, problem, c, m)
  return lab.sweep{name = name, problem = problem, scheme = "maury",
                   steps = lab.phases{c = c, m = m}}:limits{norm = "u_L1"}
end

-- The exact solution that a table {A = distance, ...} puts nearest, and its distance.
local function nearest(distances)
  local best, name = math.huge, "none"
  for _, key in ipairs{"A", "B", "C"} do
    if distances[key] and distances[key] < best then best, name = distances[key], key end
  end
  return name, best
end

---- Maury's own steps: h = 2^-m -------------------------------------------------------------------

local function dyadic()
  local limits = limits_of("limits-dyadic", "nonuniqueness", {1}, range(3, 12))
  print(limits)
  lab.check(limits.verdict == "several limits" and #limits.clusters == 2, "dyadic steps: two limits")
  local parities = true
  for _, cluster in ipairs(limits.clusters) do
    local name = nearest(cluster.distances)
    for _, run in ipairs(cluster.members) do
      parities = parities and run.m % 2 == (name == "A" and 0 or 1)
    end
  end
  lab.check(parities, "dyadic steps: even exponents lead to A, odd ones to B")
  limits:figure{"distances", order = 61}
  limits:figure{"tails", order = 62}
end

---- every phase -----------------------------------------------------------------------------------

local function chart()
  local limits = limits_of("limits-chart", "nonuniqueness", phases(64), range(5, 11))
  print(limits)
  lab.check(limits.verdict == "several limits" and #limits.clusters == 2, "64 phases: two limits")
  local agree, undecided, by = true, 0, {}
  for _, run in ipairs(limits.runs) do
    -- with twice the step it is the same run, one octave shorter: the limits change places, unless
    -- it was still on its way
    local name, distance = nearest(run.distances)
    local before = by[run.c]
    if name ~= "C" and distance <= 0.1 then
      agree = agree and (not before or before ~= run.cluster)
      by[run.c] = run.cluster
    else
      by[run.c] = nil
    end
    if run.m == 11 and not run.cluster then undecided = undecided + 1 end
  end
  lab.check(agree, "h and h/2 lead to different limits wherever both have settled")
  lab.check(undecided <= 3, "at m = 11 at most 3 of 64 phases are undecided")
  limits:figure{"map", order = 63, caption =
    "Which limit the step h = c 2^-m of maury leads to, alpha = 1.8, at 64 phases. Halving h exchanges the " ..
    "limits. The phases fall into 28 intervals (table limits-borders), of which 64 phases meet some fifteen; " ..
    "runs near a border have not settled by T = 4. " .. limits.evidence .. "."}
  limits:figure{"tails", order = 64}
  return limits
end

---- the borders -----------------------------------------------------------------------------------

-- All of them by the exact motion, on grids that are refined until their number settles. On each
-- the limit changes from one level to the next alike, so the level that is asked at is no matter:
-- two.
local function borders(limits)
  local list, again = limits:borders{c = {1, 2}, m = 9}, limits:borders{c = {1, 2}, m = 10}
  local rows, near, widest, same = {}, true, 0, #list == #again
  for k, b in ipairs(list) do
    near = near and nearest(b.distances) == "C"
    widest = math.max(widest, b.high - b.low)
    same = same and again[k] and b.low <= again[k].high and again[k].low <= b.high and b.from == again[k].to
    rows[k] = {string.format("%.15f", b.low), b.high - b.low, b.from, b.to, b.distances.A, b.distances.B,
               b.distances.C}
  end
  lab.check(list.settled and #list == 27, string.format("%d borders, 27 expected; met on grids from 64 phases on: %s",
            #list, table.concat(list.counts, ", ")))
  lab.check(widest <= 1e-12, string.format("borders are known to %.1e", widest))
  lab.check(same, "odd levels have the borders of even ones, with the limits exchanged")
  lab.check(near, "on all borders the run is nearest to C")
  lab.table{name = "limits-borders", order = 61,
    caption = string.format("Phases c at which the limit changes, all that grids of up to %d phases meet " ..
              "(from 64 phases on: %s). c and c + width lead to different limits by the exact motion, and what " ..
              "lies between cannot be told. Clusters at m = 9, and the distance in u_L1 of the run in the middle " ..
              "to the exact solutions: it follows C, which repels.", list.phases, table.concat(list.counts, ", ")),
    heads = {"c", "width", "from", "to", "A", "B", "C"}, rows = rows}
  return list
end

-- Both sides of the borders in exact arithmetic: that the limit changes between them is a fact
-- about two step sizes and no accident of rounding.
local function exact_sides(list)
  local rows, follow, apart, n = {}, true, 0, 0
  for _, b in ipairs(list) do
    local ends = {}
    for side, phase in ipairs{b.low - 1e-4, b.high + 1e-4} do
      -- a fraction that is a double, so that both runs have the same h
      local part = math.floor(phase * 2.0 ^ 40)
      local c = part / 2.0 ^ 40
      local run = lab.run{problem = "nonuniqueness", scheme = "maury", exact_arithmetic = true,
                          h = string.format("%d/%d", part, 2.0 ^ 52)}
      local e = run.exact
      follow = follow and e.difference.largest_q <= 1e-9
      ends[side] = run.final.q[1]
      rows[#rows + 1] = {c, e.final.q[1] == "0" and 0 or run.final.q[1], e.final.q[1] == "0", e.bits, e.difference.largest_q,
                         e.difference.contacts}
    end
    n = n + 1
    local near_a, near_b = math.min(ends[1], ends[2]), math.max(ends[1], ends[2])
    apart = apart + (near_a < 0.05 and math.abs(near_b - 0.6) < 0.05 and 1 or 0)
  end
  lab.check(follow, "beside every border doubles follow the exact runs to 1e-9")
  print(string.format("beside %d of %d borders one run ends within 0.05 of A's q(4) = 0, the other of " ..
        "B's 0.6; beside the others one is on its way", apart, n))
  lab.table{name = "limits-exact", order = 66,
    caption = "0.0001 beside each border at m = 12, in rational arithmetic: q at the last node (to 1e-9), whether it is " ..
              "0, the bits of the longest number, how far doubles stray on the way, and the steps at " ..
              "which their contacts differ. So near a border some runs are still on their way at T = 4; the exact " ..
              "motion calls a limit by states known to four steps, and doubles stray by far less.",
    heads = {"c", "q", "is 0", "bits", "doubles off by", "contacts differ"}, rows = rows}
  local a = lab.run{problem = "nonuniqueness", scheme = "maury", steps = 1024, exact_arithmetic = true}
  local b = lab.run{problem = "nonuniqueness", scheme = "maury", steps = 2048, exact_arithmetic = true}
  lab.check(a.exact.final.q[1] == "0" and a.exact.final.u[1] == "0", "h = 2^-8: q(4) = u(4) = 0, proved")
  lab.check(b.exact.final.q[1] == "767/1280" and b.exact.final.u[1] == "-4/5",
            "h = 2^-9: q(4) = 767/1280, u(4) = -4/5, proved")
end

-- One border by level: the run on it tends to C. By the nearest medoid at T = 4 a border belongs to
-- its level; by the exact motion it does not.
local function border_by_level(limits)
  local flow = limits:border{c = {1.83, 1.84}, m = range(5, 13)}
  local level = limits:border{c = {1.83, 1.84}, m = range(5, 13), by = "level"}
  local h, to, rows, worst = {}, {A = {}, B = {}, C = {}}, {}, 0
  for k, b in ipairs(flow) do
    h[k] = 2.0 ^ -b.m
    for name, x in pairs(to) do x[k] = b.distances[name] end
    worst = math.max(worst, math.abs(b.low - flow[#flow].low))
    rows[k] = {b.m, string.format("%.15f", b.low), b.high - b.low, string.format("%.15f", level[k].low),
               b.from, b.to, b.distances.C}
  end
  lab.check(worst <= 1e-12, "by the exact motion the border is the same at every level")
  lab.check(to.C[#h] < 0.5 * to.C[1] and to.C[#h] < 0.02 and to.A[#h] > 0.5 and to.B[#h] > 0.5,
            "the run on the border tends to C and to neither A nor B")
  lab.figure{name = "limits-border", order = 65, xlabel = "h", ylabel = "distance, u_L1",
    logx = true, logy = true, key = "outside",
    caption = "The run on the border near c = 1.8346 by level: its distance to the three exact solutions. " ..
              "From m = 12 on no double is near enough to the border for the run to stay with C up to T = 4.",
    series = {{label = "A", x = h, y = to.A, style = "linespoints"},
              {label = "B", x = h, y = to.B, style = "linespoints"},
              {label = "C", x = h, y = to.C, style = "linespoints"}}}
  lab.table{name = "limits-border", order = 62,
    caption = "The border near c = 1.8346, asked at level m: c by the exact motion and how far it is known, c by " ..
              "the nearest medoid at T = 4, which wavers from even to odd m, the clusters on both sides, and the " ..
              "distance of the run on the border to C.",
    heads = {"m", "c", "width", "c by level", "from", "to", "to C"}, rows = rows}
end

-- The same border with other data.
local function border_moves(limits)
  local rows = {}
  local base = limits:border{c = {1.2, 1.23}, m = 11}[1].low
  for _, data in ipairs{{alpha = 1.8 + 1e-4}, {alpha = 1.8 - 1e-4}, {alpha = 1.8 + 1e-6},
                        {q0 = 1e-7}, {q0 = 2e-7}, {q0 = 1e-6},
                        {u0 = 1e-4}, {u0 = 3e-4}, {u0 = 1e-3}} do
    local key, value = next(data)
    local ok, b = pcall(function()
      return limits:border{c = {1.19, 1.24}, m = 11, problem = {"nonuniqueness", [key] = value}}[1]
    end)
    rows[#rows + 1] = {key, value, ok and b.low or nil, ok and b.low - base or nil,
                       ok and "" or tostring(b):find("cannot be told") and "an end cannot be told" or
                       "both ends lead to the same limit"}
  end
  lab.table{name = "limits-border-moves", order = 63,
    caption = "How the border near c = 1.212 moves with the data, m = 11, h about 6e-4. A start off the " ..
              "wall is forgotten in the first step up to q0 = 0.4 h^2 or u0 = 0.4 h; beyond, it takes part, and the border is that of the level.",
    heads = {"parameter", "value", "c", "moved by", "note"}, rows = rows}
end

-- From q(0) = eps the solution is unique, and eps chooses as h did.
local function starts_off_the_wall()
  local rows, one = {}, true
  for k = 8, 15 do
    local eps = 2.0 ^ -k
    local L = limits_of("limits-start-" .. k, {"nonuniqueness", q0 = eps}, phases(8), range(8, 12))
    one = one and L.verdict == "one limit"
    local q, u = 0, 0
    if L.clusters[1] then
      local run = lab.run{problem = {"nonuniqueness", q0 = eps}, scheme = "maury", h = 2.0 ^ -13}
      q, u = run.final.q[1], run.final.u[1]
    end
    rows[#rows + 1] = {"2^-" .. k, L.verdict, q, u}
  end
  lab.check(one, "from q(0) > 0 every phase has the same limit")
  lab.table{name = "limits-starts", order = 64,
    caption = "From q(0) = eps > 0 all phases tend to one limit. Its state at T = 4, by h = 2^-13: that " ..
              "of A is (0, 0), that of B (0.6, -0.8). Four times eps is twice the time scale.",
    heads = {"q(0)", "verdict", "q(4)", "u(4)"}, rows = rows}
end

---- the motion over an octave ---------------------------------------------------------------------

local function motion(alpha, states, periods)
  return lab.motion{problem = {"nonuniqueness", alpha = alpha}, states = states, periods = periods}
end

-- n random states of the box.
local function random_states(alpha, n)
  local list, U = {}, math.max(1, alpha)
  for k = 1, n do
    list[2 * k - 1], list[2 * k] = 0.5 * U * math.random(), U * (2 * math.random() - 1)
  end
  return list
end

-- Where random states are after many octaves, against alpha.
local function attractors()
  local x, y, cx, cy = {}, {}, {}, {}
  for alpha = 1.25, 2.45, 0.004 do
    local states = motion(alpha, random_states(alpha, 12), 400)
    for _ = 1, 6 do
      states = motion(alpha, states, 1)
      for k = 1, #states, 2 do x[#x + 1], y[#y + 1] = alpha, states[k] end
    end
    local c = lab.exact{problem = {"nonuniqueness", alpha = alpha}, name = "C", points = 4, horizon = 1}
    cx[#cx + 1], cy[#cy + 1] = alpha, c and c.q[1][#c.t] or 0 / 0
  end
  lab.figure{name = "limits-attractors", order = 66, xlabel = "alpha", ylabel = "q(1)", key = "outside",
    caption = "States at t = 1 of the solutions that attract, from 12 random states 400 octaves before, " ..
              "and C, which attracts below 4/3 and above 43/20. A and B attract from 77/48 to 2.165592, beside them " ..
              "up to 1.6097 an orbit of period 4 and from 43/20 on C; between 4/3 and 77/48 there are windows of " ..
              "period 3 and 4, and chaos.",
    series = {{label = "attracting", x = x, y = y, style = "points", color = "#0072b2"},
              {label = "C", x = cx, y = cy, color = "#d55e00"}}}
end

-- How many of 400 starts come to which orbit: several attract where no step size may show it.
local function coexisting()
  local rows, both, slow = {}, true, 0
  for _, alpha in ipairs{1.2, 1.34, 1.4, 1.5, 1.55, 1.6, 77 / 48, 1.607, 1.6096, 1.6098, 1.65, 1.7, 1.8, 2, 2.1, 2.155,
                         2.16, 2.165, 2.17, 2.5, 3.5} do
    local orbits = lab.orbits{problem = {"nonuniqueness", alpha = alpha}, starts = 400}
    local periods = {}
    for _, orbit in ipairs(orbits) do
      if orbit.attracts then
        periods[orbit.period] = orbit.starts
        rows[#rows + 1] = {string.format("%.4f", alpha), orbit.period, orbit.starts,
                           string.format("%.4f", orbit.multiplier),
                           orbit.rational and table.concat(orbit.rational[#orbit.rational], ", ") or ""}
        if alpha == 2.16 and orbit.period == 1 then slow = orbit.multiplier end
      end
    end
    if orbits.wandering > 0 then rows[#rows + 1] = {string.format("%.4f", alpha), nil, orbits.wandering, nil, ""} end
    if alpha == 1.607 or alpha == 1.6096 then both = both and periods[2] and periods[4] end
    if alpha == 1.6098 then both = both and periods[2] and not periods[4] end
  end
  lab.check(both, "an orbit of period 4 attracts beside A and B at 1.607 and 1.6096, and not at 1.6098")
  lab.check(math.abs(slow + 0.988) < 5e-4, "alpha = 2.16: C attracts by -0.988 an octave")
  lab.table{name = "limits-orbits", order = 67,
    caption = "Orbits of the exact motion over an octave that attract, by Newton's method from 400 random states: " ..
              "how many of them come to each, its multiplier over the whole orbit, and its last state at t = 1 " ..
              "where it closes in rational numbers. Without a period: states that come to no orbit of period up to 8.",
    heads = {"alpha", "period", "starts", "multiplier", "state (q, u)"}, rows = rows}
end

-- With alpha = 1.8 random states fall to A or B; and what has always solved the equation: the
-- images of a segment of states draw the set of all solutions at t = 1, an arc from A over C to B.
local function all_solutions()
  local orbits = lab.orbits{problem = "nonuniqueness", starts = 2000}
  lab.check(orbits.wandering == 0 and orbits[2].period == 2 and orbits[2].starts == 2000,
            "alpha = 1.8: 2000 random states come to A or B")
  local segment, x, y = {}, {}, {}
  for k = 0, 200000 do
    segment[2 * k + 1], segment[2 * k + 2] = 0.1 * k / 200000, -0.5 + k / 200000
  end
  local states = motion(1.8, segment, 14)
  for k = 0, 200000 do
    local q, u = states[2 * k + 1], states[2 * k + 2]
    if k % 20 == 0 or (q > 0 and math.abs(q - 0.0375) > 1e-4) then x[#x + 1], y[#y + 1] = q, u end
  end
  local points = {}
  for k, name in ipairs{"A", "B", "C"} do
    local e = lab.exact{problem = "nonuniqueness", name = name, points = 4, horizon = 1}
    points[k] = {label = name, x = {e.q[1][#e.t]}, y = {e.u[1][#e.t]}, style = "points"}
  end
  table.insert(points, 1, {label = "14 octaves after a segment of states", x = x, y = y,
                           style = "points", color = "#9a9a9a"})
  lab.figure{name = "limits-solutions", order = 67, xlabel = "q(1)", ylabel = "u(1)", key = "outside",
    caption = "States at t = 1 of all solutions from (0,0), alpha = 1.8: a connected set with A, B and " ..
              "C in it once a point on the wall with u <= 0 is taken for one that rests, A. Between C and the ends " ..
              "lie solutions that follow C for t -> 0 and fall to A or B: a continuum.", series = points}
end

---- other alpha -----------------------------------------------------------------------------------

local function other_alpha()
  local rows, invented = {}, 0
  for k, case in ipairs{{1.2, 1}, {4 / 3, 1}, {1.4, 0}, {1.5, 3}, {1.6, 4}, {1.65, 2}, {1.7, 2}, {23 / 13, 2}, {1.8, 2},
                        {1.9, 2}, {2, 2}, {2.1, 2}, {2.16, 3}, {2.2, 1}, {2.5, 1}, {3, 1}, {3.5, 1}} do
    local alpha, most = table.unpack(case)
    local L = limits_of("limits-alpha-" .. k, {"nonuniqueness", alpha = alpha}, phases(12), range(6, 11))
    local found = {}
    for i, cluster in ipairs(L.clusters) do
      local name, distance = nearest(cluster.distances)
      found[i] = string.format("%d runs, %.3f from %s%s", #cluster.members, distance, name, cluster.transient and
        string.format(", a transient, multiplier %.3f", cluster.multiplier) or "")
    end
    if L.limits > most then invented = invented + 1 end
    rows[#rows + 1] = {string.format("%.4f", alpha), most, L.verdict, L.limits, table.concat(found, "; ")}
  end
  lab.check(invented == 0, "for other alpha no limit is invented")
  lab.table{name = "limits-alpha", order = 65,
    caption = "The verdict on 12 phases and levels 6 to 11 for other alpha, beside the number of states that attract, " ..
              "and what the clusters' medoids are near to. Clusters that only fall to an orbit are transients: at 2.16 " ..
              "all three, to C. Where limits attract slowly these levels do not tell.",
    heads = {"alpha", "attract", "verdict", "limits", "medoids"}, rows = rows}
end

dyadic()
local limits = chart()
local list = borders(limits)
exact_sides(list)
border_by_level(limits)
border_moves(limits)
starts_off_the_wall()
attractors()
coexisting()
all_solutions()
other_alpha()
