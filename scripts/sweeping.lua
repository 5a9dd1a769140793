-- sweeping.lua - sweeping processes, order 1: Venel's balls that are rolled round (2011, figure 1),
-- projections (figure 2), the chain (figure 4), the labyrinth (figure 3) with its orders, and crowds in a room. How long they take: scripts/ensembles.lua.
--
--   build/impactlab sweep scripts/sweeping.lua -j 2
local lab = require "impactlab"

local COLOR = {venel = "#0072b2", catching_up = "#d55e00", wall = "#404040", hole = "#303030",
               pale = "#c8c8c8", exact = "#808080",
               shade = "#7fa8d0"}

---- drawing ---------------------------------------------------------------------------------------

-- Walls {x1, y1, x2, y2, ...}, a series each, put before the series of a panel.
local function with_walls(list, series)
  for k = 1, #list, 4 do
    table.insert(series, 1, {x = {list[k], list[k + 2]}, y = {list[k + 1], list[k + 3]},
                             color = COLOR.wall, width = 2.5})
  end
  return series
end

-- {x, y, R, ...} as filled discs.
local function rounds(list, color)
  local x, y, r = {}, {}, {}
  for k = 1, #list, 3 do x[#x + 1], y[#y + 1], r[#r + 1] = list[k], list[k + 1], list[k + 2] end
  return {x = x, y = y, radius = r, style = "discs", color = color}
end

-- A circle by ((1 - s^2)/(1 + s^2), 2 s/(1 + s^2)) in each quarter: points without a library's
-- sine.
local function circle(cx, cy, R)
  local x, y, n = {}, {}, 30
  for k = 0, 4 * n do
    local s = k % n / n
    local c, d = (1 - s * s) / (1 + s * s), 2 * s / (1 + s * s)
    for _ = 1, k // n do c, d = -d, c end
    x[#x + 1], y[#y + 1] = cx + R * c, cy + R * d
  end
  return x, y
end

---- Venel, figures 1 and 4: how large a ball, and the chain ------------------------------------------

-- The chain: N discs of radius r on a line, each touching the next. G_k = (.., -1, 1, ..) along it, |G_k|^2 = 2, and with
-- a_k = k (N - k) the normal v = -sum a_k G_k is (2 i - N - 1)_i: |v|^2 = (N^3 - N)/3, sum a_k = (N^3 - N)/6.
local function tension(N)
  local a = {}
  for k = 1, N - 1 do a[k] = k * (N - k) end
  return a
end

-- Across the chain by d, contacts shorten by (d_{k+1} - d_k)^2/(4 r): a ball along v covers feasible points beside the chain once its
-- radius is above 2 r |v|/L, L the largest eigenvalue of the path's Laplacian with weights a_k. d_k = (-1)^k binomial(N - 1, k - 1),
-- which changes its sign at every step as that of the largest does, has the eigenvalue N (N - 1).
local function rolled(N) return 2 * math.sqrt((N + 1) / (3 * N * (N - 1))) end

local function is_largest(N)
  local a, d, off = tension(N), {-1}, 0
  for k = 2, N do d[k] = -d[k - 1] * (N - k + 1) / (k - 1) end
  for k = 1, N do
    local y = (a[k - 1] or 0) * (d[k] - (d[k - 1] or 0)) + (a[k] or 0) * (d[k] - (d[k + 1] or 0))
    off = math.max(off, math.abs(y / (N * (N - 1) * d[k]) - 1))
  end
  return off <= 1e-12
end

local function gamma_of(N) return math.sqrt((N ^ 3 - N) / 6) end

-- The same from rows: 1/least |sum lambda_k G_k| over sum |lambda_k G_k| = 1, as the program finds it.
local function measured_gamma(N)
  local q = {}
  for k = 1, N do q[2 * k - 1], q[2 * k] = k, 0 end
  local Q = lab.set{problem = {"crowd", N = N, radius = 0.5, room = "open", side = 3 * N, q0 = q}}
  return 1 / Q:independence(0, q, 1e-9).inverse
end

-- Outlines of balls of radius R about points {x, y, ...}.
local function balls(list, R, color, width)
  local series = {}
  for k = 1, #list, 2 do
    local x, y = circle(list[k], list[k + 1], R)
    series[#series + 1] = {x = x, y = y, color = color, width = width}
  end
  return series
end

local function rolling_figure()
  local c, eta = 0.8, 0.6 -- circles of radius 1 about (-c, 0), (c, 0): the neck is 2 (1 - c^2)^(1/2) high
  local left, right, low, high = -2.1, 2.1, -1.3, 1.3
  local series = {
    {x = {left, right}, y = {high, high}, style = "filled", color = COLOR.shade},
    {x = {left, right}, y = {low, low}, style = "filled", color = COLOR.shade},
    {x = {-c, c}, y = {0, 0}, radius = {1, 1}, style = "discs", color = "#ffffff"}}
  local around = {0, 0}
  for _, way in ipairs{{1, 0}, {0.6, 0.8}, {0.6, -0.8}, {-0.6, 0.8}, {-0.6, -0.8}} do
    for side = -1, 1, 2 do
      around[#around + 1], around[#around + 2] = side * (c + 0.4 * way[1]), 0.4 * way[2]
    end
  end
  for _, one in ipairs(balls(around, eta, COLOR.venel)) do series[#series + 1] = one end
  for _, one in ipairs(balls({0, eta - 0.85}, 0.85, COLOR.catching_up, 2)) do series[#series + 1] = one end
  series[#series + 1] = {x = {0, 0}, y = {eta, -eta}, style = "points", color = COLOR.wall}
  series[#series + 1] = {x = {left + 0.1}, y = {low + 0.1}, style = "texts", text = "Q", color = COLOR.wall}
  local N, radius, law = {}, {}, {}
  for _, n in ipairs{2, 3, 4, 5, 7, 10, 20, 50, 100, 200} do
    N[#N + 1], radius[#radius + 1], law[#law + 1] = n, rolled(n), 2 / math.sqrt(3 * n)
  end
  lab.check(is_largest(3) and is_largest(10) and is_largest(20), "the vector that bends a chain most")
  lab.figure{name = "venel-fig1-rolling", columns = 2, width = 22, height = 9.5,
    panels = {{title = "the outside of two circles", xlabel = "x", ylabel = "y", equal = true, xrange = {left, right}, yrange = {low, high},
               series = series},
              {title = "straight chains of discs", xlabel = "N", ylabel = "radius of the ball over r", logx = true, logy = true,
               series = {{x = N, y = law, style = "dashes", color = COLOR.exact, label = "2/(3 N)^{1/2}"},
                         {x = N, y = radius, style = "points", color = COLOR.venel, label = "at most"}}}},
    caption = "A ball that is rolled round a prox-regular set Q (Venel 2011, figure 1). Left: Q (shaded) lies outside of two circles of " ..
      "radius 1; a ball of the neck's half height, 0.6, touches Q at one point wherever it is, at the neck at two; one of 0.85 that touches " ..
      "the upper corner covers points of Q below. Right: for N discs of radius r the radius depends on N: straight chains allow 2 r ((N + 1)/(3 N (N - 1)))^{1/2} at most."}
end

local function chain_figure()
  local N = 7
  local series = {}
  for k = 1, N do
    local x, y = circle(k, 0, 0.5)
    series[#series + 1] = {x = x, y = y, color = COLOR.wall, width = 2}
  end
  for k, a in ipairs(tension(N)) do
    series[#series + 1] = {x = {k + 0.5, k + 0.5}, y = {0.6, 0.6 + a / 12}, color = COLOR.venel, width = 4}
    series[#series + 1] = {x = {k + 0.38}, y = {0.75 + a / 12}, style = "texts", text = ("%d"):format(a), color = COLOR.venel}
  end
  for k = 1, N do
    local pull = (N + 1 - 2 * k) / 12 -- the k-th part of sum a_k G_k
    if pull ~= 0 then
      series[#series + 1] = {x = {k, k - pull}, y = {-0.75, -0.75}, style = "arrows", color = COLOR.catching_up}
    end
  end
  local n, gamma, line, bound = {}, {}, {}, {}
  for m = 2, 14 do
    n[#n + 1], gamma[#gamma + 1], line[#line + 1] = m, measured_gamma(m), gamma_of(m)
    bound[#bound + 1] = m > 2 and 3 * math.sqrt(2) * m * (3 / math.sin(2 * math.pi / m)) ^ m or 0 / 0
    lab.check(math.abs(gamma[#gamma] / line[#line] - 1) <= 1e-6, ("gamma of a chain of %d"):format(m))
  end
  lab.figure{name = "venel-fig4-chain", columns = 2, width = 22, height = 9.5,
    panels = {{title = "lambda_k = k (N - k)", xlabel = "x", ylabel = "y", equal = true, xrange = {0, N + 1}, yrange = {-1.6, 2.6},
               series = series},
              {title = "gamma", xlabel = "N", ylabel = "gamma", logy = true, key = "left",
               series = {{x = n, y = bound, style = "dashes", color = COLOR.catching_up, label = "Venel, Proposition 4.2"},
                         {x = n, y = line, color = COLOR.exact, label = "((N^3 - N)/6)^{1/2}"},
                         {x = n, y = gamma, style = "points", color = COLOR.venel, label = "chains, as computed"}}}},
    caption = "The chain (Venel 2011, figure 4): multipliers k (N - k) of its contacts (bars) add up to forces on the discs (arrows) that " ..
      "are small beside them. gamma, the largest sum |lambda_k G_k|/|sum lambda_k G_k|, is ((N^3 - N)/6)^{1/2} for chains; the bound " ..
      "that is proved for all configurations grows like N^N."}
end

---- Venel, figure 2: two projections --------------------------------------------------------------

-- A point outside of two circles, such as the centre of a disc between two that do not move: one
-- step of a scheme from q.
local function one_step(scheme, q, f, h)
  local p = lab.problem{
    name = "pair-" .. scheme, order = 1, dimension = 2, horizon = h, q0 = q,
    force = function() return f end,
    constraints = function(_, x)
      local rows = {}
      for k, c in ipairs{{-0.9, 0}, {0.9, 0}} do
        local w = {x[1] - c[1], x[2] - c[2]}
        local d = math.sqrt(w[1] * w[1] + w[2] * w[2])
        rows[k] = {g = d - 1, grad = {w[1] / d, w[2] / d}, dt = 0}
      end
      return rows
    end}
  local run = lab.run{problem = p, scheme = scheme, steps = 1}
  lab.check(run.status == "ok", "one step of " .. scheme)
  return run.final.q
end

-- The boundary of Q~(q): half-planes { x : d + <n, x - q> >= 1 }, n from the centre c to q.
local function tangent(c, q)
  local w = {q[1] - c[1], q[2] - c[2]}
  local d = math.sqrt(w[1] * w[1] + w[2] * w[2])
  local n = {w[1] / d, w[2] / d}
  local at = {c[1] + n[1], c[2] + n[2]}
  return {at[1] - 3 * n[2], at[1] + 3 * n[2]}, {at[2] + 3 * n[1], at[2] - 3 * n[1]}
end

-- Q pale, the discs that it excludes white, what lies where named beside it; the name of the projection onto
-- Q stands aside and above by so much, clear of the arcs.
local function projection_panel(title, q, f, aside, above, beside)
  local left, right, low, high = -2, 2, -1, 1.8
  local target = {q[1] + f[1], q[2] + f[2]}
  local series = {
    {x = {left, right}, y = {high, high}, style = "filled", color = COLOR.shade},
    {x = {left, right}, y = {low, low}, style = "filled", color = COLOR.shade},
    {x = {-0.9, 0.9}, y = {0, 0}, radius = {1, 1}, style = "discs", color = "#ffffff"}}
  for _, c in ipairs{-0.9, 0.9} do
    local x, y = circle(c, 0, 1)
    series[#series + 1] = {x = x, y = y, color = COLOR.wall, width = 2}
    x, y = tangent({c, 0}, q)
    series[#series + 1] = {x = x, y = y, style = "dashes", color = COLOR.exact}
  end
  local numerical, theoretical = one_step("venel", q, f, 1), one_step("catching_up", q, f, 1)
  for _, arrow in ipairs{{q, target, COLOR.wall}, {target, numerical, COLOR.venel},
                         {target, theoretical, COLOR.catching_up}} do
    series[#series + 1] = {x = {arrow[1][1], arrow[2][1]}, y = {arrow[1][2], arrow[2][2]}, style = "arrows",
                           color = arrow[3]}
  end
  for _, point in ipairs{{q, "q", COLOR.wall, 0, 0.02}, {target, "q + h f", COLOR.wall, 0, -0.2},
                         {numerical, "venel", COLOR.venel, beside[1], beside[2]},
                         {theoretical, "catching_up", COLOR.catching_up, aside, above}} do
    local at = point[1] -- and where its name stands from there
    series[#series + 1] = {x = {at[1]}, y = {at[2]}, style = "points", color = point[3]}
    series[#series + 1] = {x = {math.max(at[1] + point[4], left)}, y = {at[2] + point[5]}, style = "texts",
                           text = point[2], color = point[3]}
  end
  series[#series + 1] = {x = {-1.9}, y = {-0.97}, style = "texts", text = "Q", color = COLOR.wall}
  return {title = title, xlabel = "x", ylabel = "y", equal = true, xrange = {left, right}, yrange = {low, high},
          series = series}
end

local function projections_figure()
  local q = {-0.35, 0.95}
  lab.figure{name = "venel-fig2-projections", columns = 2, width = 22, height = 9.5,
    panels = {projection_panel("one constraint", q, {-0.75, -0.75}, -0.45, 0.33, {-0.05, 0.28}),
              projection_panel("both constraints", q, {0.5, -1.1}, -1.2, -0.2, {0.18, 0.12})},
    caption = "Theoretical and numerical projection: one step from q by catching_up onto Q (shaded), the outside " ..
              "of two circles, and by venel onto its linearisation at q, above the dashed tangents, which lies " ..
              "in Q (Venel 2011, figure 2)."}
end

---- Venel, figure 3: the labyrinth ----------------------------------------------------------------

local BOARD = {
  walls = {0, 0, 12, 0, 12, 0, 12, 8, 12, 8, 0, 8, 0, 8, 0, 0, 0, 3.5, 5, 3.5, 9, 0, 9, 4, 6, 8, 6, 6.5,
           10.5, 2, 12, 2},
  holes = {2.5, 5.5, 0.5, 8, 3, 0.6, 10, 6, 0.7, 6.8, 1.6, 0.4, 3.5, 1.5, 0.6}}

local function labyrinth_figure()
  local problem = {"labyrinth", walls = BOARD.walls, holes = BOARD.holes}
  local exact = lab.exact{problem = problem, points = 600}
  local run = lab.run{problem = problem, scheme = "venel", steps = 140, trajectory = true}
  local stops = {{0, "S", 0.1}, {9, "P1", 0.2}, {17, "P2", -0.9, -0.45}, {28, "T", -0.7}}
  local series = {rounds(BOARD.holes, COLOR.hole),
    {x = exact.q[1], y = exact.q[2], style = "underlay", color = COLOR.exact, label = "exact"},
    {x = run.trajectory:q(1), y = run.trajectory:q(2), style = "points", color = COLOR.venel,
     label = "venel, 140 steps"}}
  for k, stop in ipairs(stops) do
    local n = 1
    while n < #exact.t and exact.t[n] < stop[1] do n = n + 1 end
    local x, y = exact.q[1][n], exact.q[2][n]
    local color = ({"#009e73", "#e69f00", "#cc79a7", "#d55e00"})[k]
    series[#series + 1] = {x = {x}, y = {y}, radius = {0.2}, style = "discs", color = color}
    series[#series + 1] = {x = {x + stop[3]}, y = {y + (stop[4] or 0)}, style = "texts", text = stop[2]}
  end
  local f = run.parameters.f
  for k, at in ipairs{{3.6, 6.6}, {10.2, 1.2}, {8.6, 5.6}} do -- free places near each of the three ways
    local fx, fy = f[2 * k - 1], f[2 * k]
    local size = math.sqrt(fx * fx + fy * fy)
    series[#series + 1] = {x = {at[1], at[1] + fx / size}, y = {at[2], at[2] + fy / size}, style = "arrows", color = COLOR.wall}
    series[#series + 1] = {x = {at[1]}, y = {at[2]}, style = "texts", text = ({"f₁", "f₂", "f₃"})[k]}
  end
  lab.figure{name = "venel-fig3-labyrinth", width = 20, height = 14, xlabel = "x", ylabel = "y",
    equal = true, key = "outside", series = with_walls(BOARD.walls, series),
    caption = "The labyrinth: a ball goes from S over P1 and P2 to T under three tilts, whose directions the arrows " ..
              "show, along walls and around holes (Venel 2011, figure 3; the board is our own). Walls are drawn " ..
              "without the radius of the ball, 0.2, which its centre keeps from them."}
end

local function labyrinth_orders()
  local r = lab.sweep{name = "labyrinth", problem = "labyrinth", schemes = {"venel", "catching_up"},
                      steps = lab.levels{from = 500, ratio = 2, count = 5, jitter = 6, seed = 1},
                      norms = {"none"}, reference = "exact"}:run()
  for _, scheme in ipairs{"venel", "catching_up"} do
    print(r:order{scheme = scheme, norm = "q_Linf"})
  end
  r:figure{"convergence", norm = "q_Linf", order = 72}
end

---- crowds ----------------------------------------------------------------------------------------

-- The walls of the hall and what stands in it, as crowd draws them.
local function hall(room, L, w)
  local low, high = (L - w) / 2, (L + w) / 2
  local list = {0, 0, L, 0, L, 0, L, low, L, high, L, L, L, L, 0, L, 0, L, 0, 0}
  local posts = room == "posts" and
    {L - 1.2 * w, L / 2, w / 4, 0.45 * L, L / 4, 0.06 * L, 0.45 * L, 0.75 * L, 0.06 * L} or {}
  return list, posts
end

-- Pair i < j, from 0, with that number; obstacles' numbers lie beyond the pairs.
local function pair_of(id)
  local j = math.floor((1 + math.sqrt(1 + 8 * id)) / 2)
  while j * (j - 1) // 2 > id do j = j - 1 end
  while (j + 1) * j // 2 <= id do j = j + 1 end
  return id - j * (j - 1) // 2, j
end

-- What presses on every disc in step n: the sum of its contact forces.
local function pressures(contacts, n, N, h, obstacles)
  local p, pairs_ = {}, N * (N - 1) // 2
  for i = 1, N do p[i] = 0 end
  for _, c in ipairs(contacts) do
    if c.step == n then
      local force = c.impulse / h
      if c.id < pairs_ then
        local i, j = pair_of(c.id)
        p[i + 1], p[j + 1] = p[i + 1] + force, p[j + 1] + force
      else
        local i = (c.id - pairs_) // obstacles
        p[i + 1] = p[i + 1] + force
      end
    end
  end
  return p
end

-- One start, drawn at some times. What happens later depends on the last digits of the start: how
-- long crowds take is a matter of many starts, scripts/ensembles.lua.
local function crowd_figure(room, N, h, times, order)
  local seed = 1
  local run = lab.run{problem = {"crowd", N = N, room = room, seed = seed}, scheme = "venel", h = h,
                      horizon = times[#times], trajectory = true, norms = {"none"}}
  local p = run.parameters
  lab.check(run.status == "ok", room .. ": the run ends well")
  lab.check(run.feasibility.nodes_min >= -1e-12 and run.feasibility.between_min >= -1e-12,
            string.format("%s: no overlap beyond 1e-12 at or between the steps", room))
  local traj = run.trajectory
  local contacts, x, y = traj:contacts(), {}, {}
  for i = 1, N do x[i], y[i] = traj:q(2 * i - 1), traj:q(2 * i) end
  local list, posts = hall(room, p.side, p.door)
  local panels, most, pressed = {}, 0, {}
  for k, time in ipairs(times) do
    local n = math.floor(time / h + 0.5)
    pressed[k] = pressures(contacts, n, N, h, (#list // 4) + (#posts // 3))
    for _, v in ipairs(pressed[k]) do most = math.max(most, v) end
  end
  for k, time in ipairs(times) do
    local n = math.floor(time / h + 0.5)
    local cx, cy, r = {}, {}, {}
    for i = 1, N do cx[i], cy[i], r[i] = x[i][n + 1], y[i][n + 1], p.radius end
    local series = {{x = cx, y = cy, radius = r, value = pressed[k], style = "discs"}}
    if #posts > 0 then table.insert(series, 1, rounds(posts, COLOR.exact)) end
    panels[k] = {title = string.format("t = %g", time), xlabel = "x", ylabel = "y", equal = true,
                 key = "off", xrange = {-0.3, 1.3 * p.side}, yrange = {-0.3, p.side + 0.3},
                 colorlabel = "contact forces on a disc", crange = {0, most}, series = with_walls(list, series)}
  end
  lab.figure{name = "crowd-" .. room, columns = 2, width = 24, height = 17, order = order,
    panels = panels,
    caption = string.format("A crowd leaves room '%s', one start of many: %d discs by venel, h = %g, seed %d, " ..
      "coloured by the sum of the contact forces on each. Who is where at the end differs from start to start; " ..
      "what all starts have in common is the figure of their shares out.", room, N, h, seed)}
end

-- venel and catching_up from the same start: their distance at the same h.
local function two_schemes()
  local steps, d = {100, 200, 400, 800, 1600}, {}
  local hs = {}
  for k, n in ipairs(steps) do
    local ends = {}
    for _, scheme in ipairs{"venel", "catching_up"} do
      local run = lab.run{problem = {"crowd", N = 12, seed = 3}, scheme = scheme, steps = n, horizon = 4,
                          norms = {"none"}}
      lab.check(run.status == "ok", string.format("%s runs in %d steps", scheme, n))
      ends[scheme] = run.final.q
    end
    d[k], hs[k] = 0, 4 / n
    for i, v in ipairs(ends.venel) do d[k] = math.max(d[k], math.abs(v - ends.catching_up[i])) end
  end
  lab.check(d[#d] < 0.3 * d[1], "venel and catching_up tend to the same limit on a crowd")
  lab.figure{name = "crowd-two-schemes", order = 74, xlabel = "h", ylabel = "largest distance at t = 4",
    logx = true, logy = true, key = "off",
    series = {{x = hs, y = d, style = "linespoints", color = COLOR.venel}},
    caption = "Distance of venel and catching_up at the same step, 12 discs in a square room: they tend to " ..
              "the same limit (Venel 2011, Theorem 3.4)."}
  local r = lab.sweep{name = "crowd", problem = {"crowd", N = 12, seed = 3}, horizon = 4, scheme = "venel",
                      steps = lab.levels{from = 60, ratio = 2, count = 4, jitter = 5, seed = 1},
                      norms = {"none"}, reference = {"self", steps = 20000, scheme = "catching_up"}}:run()
  print(r:order{scheme = "venel", norm = "q_Linf"})
  r:figure{"convergence", norm = "q_Linf", order = 73}
end

lab.section{title = "Figures of Venel (2011)", order = 140}
if arg[1] == "figure" then -- one of them alone: `impactlab figure NAME`
  return ({["venel-1"] = rolling_figure, ["venel-2"] = projections_figure, ["venel-3"] = labyrinth_figure,
           ["venel-4"] = chain_figure})[arg[2]]()
end
rolling_figure()
projections_figure()
labyrinth_figure()
chain_figure()
lab.section{title = "Sweeping processes: labyrinth and crowds", order = 90, text = "Motion of first order: the " ..
  "velocity that is wished for is projected onto those that the walls and the others allow."}
labyrinth_orders()
two_schemes()
crowd_figure("square", 200, 0.05, {0, 4, 10, 20}, 78)
crowd_figure("posts", 100, 0.05, {0, 4, 9, 14}, 79)
