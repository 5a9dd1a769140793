-- limits.lua - which limits do the runs of Maury's example of non-uniqueness have, and which step
-- leads to which? Tables and figures go to RESULTS; scripts/README.md explains them.
--
--   impactlab sweep scripts/limits.lua

local lab = require "impactlab"

local T = 4

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

---- Maury's own steps: h = 2^-m --------------------------------------------------------------------

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

---- every phase ------------------------------------------------------------------------------------

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
    "Which limit the step h = c 2^-m of maury leads to, alpha = 1.8. Halving h exchanges the limits; " ..
    "the phases fall into intervals, and between them runs have not settled by T = 4. " ..
    limits.evidence .. "."}
  limits:figure{"tails", order = 64}
  return limits
end

---- the border -------------------------------------------------------------------------------------

-- Changes of cluster along c at level m, as pairs of neighbouring phases.
local function changes(limits, m)
  local list, last = {}, nil
  for _, run in ipairs(limits.runs) do
    if run.m == m and run.cluster then
      if last and last.cluster ~= run.cluster then list[#list + 1] = {last.c, run.c} end
      last = run
    end
  end
  return list
end

local function borders(limits)
  local rows, all = {}, true
  for k, pair in ipairs(changes(limits, 11)) do
    local b = limits:border{c = pair, m = 11}[1]
    local name, distance = nearest(b.distances)
    all = all and name == "C"
    rows[k] = {b.low, b.high - b.low, b.from, b.to, b.distances.A, b.distances.B, b.distances.C}
  end
  lab.check(#rows > 0 and all, string.format("on all %d borders the run is nearest to C", #rows))
  lab.table{name = "limits-borders", order = 61,
    caption = "Phases c at which the limit changes, m = 11, and the distance in u_L1 of the run there " ..
              "to the exact solutions: it follows C, which repels.",
    heads = {"c", "width", "from", "to", "A", "B", "C"}, rows = rows}
end

-- Both sides of the borders in exact arithmetic: that the limit changes between them is a fact about
-- two step sizes and no accident of rounding.
local function exact_sides(limits)
  local rows, follow, apart, n = {}, true, 0, 0
  for k, pair in ipairs(changes(limits, 11)) do
    local b = limits:border{c = pair, m = 12}[1]
    local ends = {}
    for side, phase in ipairs{b.low - 1e-3, b.high + 1e-3} do
      -- a fraction that is a double, so that both runs have the same h
      local part = math.floor(phase * 2.0 ^ 40)
      local c = part / 2.0 ^ 40
      local run = lab.run{problem = "nonuniqueness", scheme = "maury", exact_arithmetic = true,
                          h = string.format("%d/%d", part, 2.0 ^ 52)}
      local e = run.exact
      follow = follow and e.difference.largest_q <= 1e-9
      ends[side] = run.final.q[1]
      rows[#rows + 1] = {c, run.final.q[1], e.final.q[1] == "0", e.bits, e.difference.largest_q,
                         e.difference.contacts}
    end
    n = n + 1
    local near_a, near_b = math.min(ends[1], ends[2]), math.max(ends[1], ends[2])
    apart = apart + (near_a < 0.05 and math.abs(near_b - 0.6) < 0.05 and 1 or 0)
  end
  lab.check(follow, "beside every border doubles follow the exact runs to 1e-9")
  lab.check(n - apart <= 4, string.format("beside %d of %d borders one exact run ends within 0.05 of " ..
            "A's q(4) = 0, the other of B's 0.6; beside the others one is on its way", apart, n))
  lab.table{name = "limits-exact", order = 66,
    caption = "0.001 beside each border at m = 12, in rational arithmetic: q at the last node, whether it is " ..
              "0, the bits of the longest number, how far doubles stray on the way, and the steps at " ..
              "which their contacts differ.",
    heads = {"c", "q", "is 0", "bits", "doubles off by", "contacts differ"}, rows = rows}
  local a = lab.run{problem = "nonuniqueness", scheme = "maury", steps = 1024, exact_arithmetic = true}
  local b = lab.run{problem = "nonuniqueness", scheme = "maury", steps = 2048, exact_arithmetic = true}
  lab.check(a.exact.final.q[1] == "0" and a.exact.final.u[1] == "0", "h = 2^-8: q(4) = u(4) = 0, proved")
  lab.check(b.exact.final.q[1] == "767/1280" and b.exact.final.u[1] == "-4/5",
            "h = 2^-9: q(4) = 767/1280, u(4) = -4/5, proved")
end

-- One border at many levels: the run on it tends to C.
local function border_by_level(limits)
  local list = limits:border{c = {1.2, 1.23}, m = range(5, 13)}
  local h, to, rows = {}, {A = {}, B = {}, C = {}}, {}
  for k, b in ipairs(list) do
    h[k] = 2.0 ^ -b.m
    for name, x in pairs(to) do x[k] = b.distances[name] end
    rows[k] = {b.m, string.format("%.15f", b.low), b.from, b.to, b.distances.C}
  end
  lab.check(to.C[#h] < 0.5 * to.C[1] and to.C[#h] < 0.02 and to.A[#h] > 0.5 and to.B[#h] > 0.5,
            "the run on the border tends to C and to neither A nor B")
  lab.figure{name = "limits-border", order = 65, xlabel = "h", ylabel = "distance, u_L1",
    logx = true, logy = true, key = "outside",
    caption = "The run on the border near c = 1.212, found by bisection at each level: its distance to " ..
              "the three exact solutions.",
    series = {{label = "A", x = h, y = to.A, style = "linespoints"},
              {label = "B", x = h, y = to.B, style = "linespoints"},
              {label = "C", x = h, y = to.C, style = "linespoints"}}}
  lab.table{name = "limits-border", order = 62,
    caption = "The border near c = 1.212 by level: c, the clusters on both sides, and the distance of " ..
              "the run on it to C.",
    heads = {"m", "c", "from", "to", "to C"}, rows = rows}
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
                       ok and "" or "both ends lead to the same cluster"}
  end
  lab.table{name = "limits-border-moves", order = 63,
    caption = "How the border near c = 1.212 moves with the data, m = 11, h about 6e-4. A start off the " ..
              "wall is forgotten in the first step up to q0 = 0.4 h^2 or u0 = 0.4 h; beyond, it takes part.",
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

---- the period map ---------------------------------------------------------------------------------

-- Exact flow over one octave and back to its beginning: (q,u) at t = 1 to (q/4,u/2) at t = 2.
local function phi(q, u, alpha)
  local t = 1
  while t < 2 do
    local push = t < 1.5
    local stop, f = push and 1.5 or 2, push and 1 or -alpha
    if q == 0 and u == 0 and not push then break end
    local s, d = stop - t, u * u - 2 * f * q
    local hit = math.huge
    if not push then hit = (u + math.sqrt(d)) / alpha
    elseif u < 0 and d >= 0 then hit = 2 * q / (math.sqrt(d) - u) end
    if hit <= s and (q > 0 or u ~= 0) then
      t, q, u = t + hit, 0, 0
    else
      q, u, t = q + s * (u + 0.5 * f * s), u + f * s, stop
    end
  end
  return q / 4, u / 2
end

-- Where random states are after many octaves, against alpha.
local function attractors()
  local x, y, cx, cy = {}, {}, {}, {}
  for alpha = 1.25, 2.45, 0.004 do
    for _ = 1, 12 do
      local q, u = 0.3 * math.random(), math.random() - 0.5
      for _ = 1, 400 do q, u = phi(q, u, alpha) end
      for _ = 1, 6 do
        q, u = phi(q, u, alpha)
        x[#x + 1], y[#y + 1] = alpha, q
      end
    end
    local c = lab.exact{problem = {"nonuniqueness", alpha = alpha}, name = "C", points = 4, horizon = 1}
    cx[#cx + 1], cy[#cy + 1] = alpha, c and c.q[1][#c.t] or 0 / 0
  end
  lab.figure{name = "limits-attractors", order = 66, xlabel = "alpha", ylabel = "q(1)", key = "outside",
    caption = "States at t = 1 of the solutions that attract, from random states 400 octaves before, " ..
              "and C, which attracts below 4/3 and above 43/20. A and B attract from 77/48 to 2.1657; " ..
              "between 4/3 and 77/48 there are windows of period 3 and 4, and chaos.",
    series = {{label = "attracting", x = x, y = y, style = "points", color = "#0072b2"},
              {label = "C", x = cx, y = cy, color = "#d55e00"}}}
end

-- With alpha = 1.8 everything but C falls to A or B; and what has always solved the equation: the
-- images of a segment of states draw the set of all solutions at t = 1, an arc from A over C to B.
local function all_solutions()
  local settled = true
  for _ = 1, 2000 do
    local q, u = 0.5 * math.random(), 2 * math.random() - 1
    for _ = 1, 80 do q, u = phi(q, u, 1.8) end
    settled = settled and (q == 0 and u == 0 or math.abs(q - 0.0375) + math.abs(u + 0.2) <= 1e-14)
  end
  lab.check(settled, "alpha = 1.8: 2000 random states come to A or B within 80 octaves")
  local x, y = {}, {}
  for k = 0, 200000 do
    local q, u = 0.1 * k / 200000, -0.5 + k / 200000
    for _ = 1, 14 do q, u = phi(q, u, 1.8) end
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
              "C in it, for a point that meets the wall, (0, u) with u < 0, is one that rests, A. Between C and the ends lie solutions that follow C for t -> 0 and fall to A or " ..
              "B: a continuum.", series = points}
end

---- other alpha ------------------------------------------------------------------------------------

local function other_alpha()
  local rows = {}
  for k, alpha in ipairs{1.2, 4 / 3, 1.4, 1.5, 1.65, 1.7, 23 / 13, 1.8, 1.9, 2, 2.1, 2.16, 2.2, 2.5, 3, 3.5} do
    local L = limits_of("limits-alpha-" .. k, {"nonuniqueness", alpha = alpha}, phases(12), range(6, 11))
    local found = {}
    for i, cluster in ipairs(L.clusters) do
      local name, distance = nearest(cluster.distances)
      found[i] = string.format("%d runs, %.3f from %s", #cluster.members, distance, name)
    end
    rows[#rows + 1] = {string.format("%.4f", alpha), L.verdict, #L.clusters, table.concat(found, "; ")}
  end
  lab.table{name = "limits-alpha", order = 65,
    caption = "The verdict on 12 phases and levels 6 to 11 for other alpha, and what the clusters' medoids " ..
              "are near to. Where A and B attract slowly, or more than they do, these levels do not tell.",
    heads = {"alpha", "verdict", "clusters", "medoids"}, rows = rows}
end

dyadic()
local limits = chart()
borders(limits)
exact_sides(limits)
border_by_level(limits)
border_moves(limits)
starts_off_the_wall()
attractors()
all_solutions()
other_alpha()
