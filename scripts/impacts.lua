-- impacts.lua - what becomes of impacts: the fan of limits of a corner, a ball with restitution
-- past the accumulation of its impacts, a pendulum whose mass matrix is not diagonal, and a second
-- opinion by events on a pile of two.
--
--   build/impactlab sweep scripts/impacts.lua -j 2

local lab = require "impactlab"

local BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#808080"
local RESTITUTION = { -- schemes that know e, and their colours as everywhere
  {"paoli", lab.colors.paoli}, {"moreau_jean", lab.colors.moreau_jean}, {"moreau_jean:theta=0.5", PURPLE},
  {"penalty", lab.colors.penalty}}
local ORDER = 60 -- place in the report

-- ---- the corner ---------------------------------------------------------------------------------

-- A point falls from (x, 1): the velocity with which it ends, along the left face (> 0) or the
-- right one (< 0), against x. At obtuse angles it jumps at x = 0, and there the exact solution
-- stops.
local function fan()
  local series, checks = {}, {}
  local degrees = {60, 90, 105, 120, 150}
  -- their cosines by square roots alone: those of a library may differ in their last digits
  local cosines = {0.5, 0, (math.sqrt(2) - math.sqrt(6)) / 4, -0.5, -math.sqrt(3) / 2}
  local colors = {BLUE, GREEN, PURPLE, ORANGE, "#404040"}
  for k, degree in ipairs(degrees) do
    local exact, found, at = {}, {}, {}
    for n = -20, 20 do
      local x = n / 100
      local problem = {"corner", angle = math.rad(degree), q0 = {x, 1}, T = 4}
      local run = lab.run{problem = problem, scheme = "maury", steps = 401, norms = {"none"}}
      local solution = lab.exact{problem = problem, points = 2}
      local last = #solution.t
      local function slide(u1, u2) return (u1 < 0 and 1 or -1) * math.sqrt(u1 * u1 + u2 * u2) end
      at[#at + 1] = x
      exact[#exact + 1] = slide(solution.u[1][last], solution.u[2][last])
      found[#found + 1] = slide(run.final.u[1], run.final.u[2])
    end
    local left, right = exact[22], exact[20] -- x = 0.01 and -0.01
    local jump = left - right
    -- s -> s cos(angle/2) at the first face, times |cos angle| at the apex
    local cosine = cosines[k]
    local expected = degree > 90 and 2 * math.sqrt((1 + cosine) / 2) * math.abs(cosine) or 0
    checks[#checks + 1] = {degree, jump, expected, found[22] - found[20]}
    lab.check(math.abs(jump - expected) <= 1e-9, "the fan at " .. degree .. " degrees")
    lab.check(math.abs(found[22] - found[20] - expected) <= 1e-9, "maury has the same")
    -- a break at x = 0, where the point stops in the apex
    local x, y = {}, {}
    for n = 1, #at do
      if at[n] == 0 then x[#x + 1], y[#y + 1] = 0, 0 / 0 end
      if at[n] ~= 0 then x[#x + 1], y[#y + 1] = at[n], exact[n] end
    end
    series[#series + 1] = {label = degree .. "°", x = x, y = y, color = colors[k], width = 2}
    series[#series + 1] = {x = at, y = found, style = "points", color = colors[k]}
  end
  lab.figure{name = "impacts-corner-fan", order = ORDER, height = 8,
    caption = "The fan of limits of a corner: a point falls from (x, 1) between two half-planes and " ..
      "ends with this speed, up the left face (> 0) or the right one (< 0); lines exact, marks " ..
      "maury. At right and acute angles it stops in the apex whatever x is. At obtuse ones it goes " ..
      "on, and the speed jumps at x = 0, from which it stops: solutions are discontinuous in their data.",
    xlabel = "start beside the axis, x", ylabel = "final speed up the left face",
    key = "outside", series = series}
  lab.table{name = "impacts-corner-fan", order = ORDER,
    caption = "Jump of the final speed across x = 0, exact, by formula, and as maury has it.",
    heads = {"angle", "exact", "2 cos(angle/2) |cos angle|", "maury"}, rows = checks}
end

-- ---- the ball -----------------------------------------------------------------------------------

local function heights(e, T, steps)
  local problem = {"bouncing_ball", e = e}
  local exact = lab.exact{problem = problem, horizon = T, points = 1500}
  local series = {{label = "exact", x = exact.t, y = exact.q[1], style = "underlay", color = GREY, width = 6}}
  for _, scheme in ipairs(RESTITUTION) do
    local run = lab.run{problem = problem, scheme = scheme[1], steps = steps, horizon = T,
                        norms = {"none"}, trajectory = true}
    lab.check(run.final.q[1] <= 0.05 and run.final.q[1] >= -0.05, scheme[1] .. " has come to rest")
    series[#series + 1] = {label = scheme[1], x = run.trajectory:t(), y = run.trajectory:q(1),
                           color = scheme[2], style = scheme[1] == "penalty" and "dashes" or "lines", width = 1.5}
  end
  return {title = "e = " .. e .. ", " .. steps .. " steps", xlabel = "t", ylabel = "height",
          yrange = {-0.05, 1.05}, series = series}
end

-- Total energy of flight k + 1 over that of flight k, k = 1, ..., most, by the highest node of
-- each: there all of it is potential.
local function ratios(run, most)
  local q = run.trajectory:q(1)
  local tops = {q[1]}
  for n = 2, #q - 1 do
    if #tops > most then break end
    if q[n] > 0 and q[n] >= q[n - 1] and q[n] > q[n + 1] then tops[#tops + 1] = q[n] end
  end
  local out = {}
  for k = 2, #tops do out[k - 1] = tops[k] / tops[k - 1] end
  return out
end

local function energies()
  local panels = {}
  for _, e in ipairs{0.5, 0.9} do
    local series = {}
    for _, scheme in ipairs(RESTITUTION) do
      local h, off = {}, {}
      for _, steps in ipairs{250, 500, 1000, 2000, 4000, 8000, 16000} do
        local worst = 0
        for jitter = 0, 4 do -- where in its step an impact falls is a matter of luck
          local run = lab.run{problem = {"bouncing_ball", e = e, T = 2}, scheme = scheme[1],
                              steps = steps + jitter * (steps // 40), norms = {"none"}, record = "final", trajectory = true}
          local of = ratios(run, 2)
          for _, ratio in ipairs(of) do worst = math.max(worst, math.abs(ratio - e * e)) end
          if #of < 2 then worst = 0 / 0 end
        end
        h[#h + 1], off[#off + 1] = 2 / steps, worst
      end
      lab.check(off[#off] <= 0.1 * off[1], "energy after over before tends to e^2: " .. scheme[1] .. ", e = " .. e)
      series[#series + 1] = {label = scheme[1], x = h, y = off, style = "linespoints", color = scheme[2]}
    end
    panels[#panels + 1] = {title = "e = " .. e, xlabel = "h", ylabel = "|E+/E- - e²|", logx = true,
                           logy = true, key = "outside", series = series}
  end
  lab.figure{name = "impacts-ball-energy", order = ORDER + 2, columns = 2, width = 20, height = 9, panels = panels,
    caption = "Total energy after an impact over that before tends to e²: the larger difference of the first " ..
      "two impacts, the largest of five step counts near T/h. Energies are taken from the highest node of a flight."}
end

local function ball()
  lab.figure{name = "impacts-ball-heights", order = ORDER + 1, columns = 1, width = 20, height = 18,
    panels = {heights(0.5, 2, 400), heights(0.9, 10, 4000)},
    caption = "A ball with restitution past the accumulation of its impacts, at t = 1.355 (e = 0.5) and " ..
      "8.58 (e = 0.9), after which it rests."}
  energies()
end

-- ---- orders -------------------------------------------------------------------------------------

-- Five octaves of 24: what the phases of steps scatter here, four octaves of 4 do not decide; a sixth changes no verdict.
local function orders()
  local schemes, rows = {}, {}
  for k, scheme in ipairs(RESTITUTION) do schemes[k] = scheme[1] end
  local studies = {
    {"impacts-ball-e05", {"bouncing_ball", e = 0.5}, 2, schemes, 400},
    {"impacts-ball-e09", {"bouncing_ball", e = 0.9}, 10, schemes, 1000},
    {"impacts-pendulum", {"pendulum"}, 3, {"maury", "venel", "paoli", "moreau_jean", "penalty"}, 100},
    {"impacts-pendulum-e05", {"pendulum", e = 0.5}, 3, schemes, 100}}
  for _, study in ipairs(studies) do
    local name, problem, T, list, from = table.unpack(study)
    local r = lab.sweep{name = name, problem = problem, schemes = list, horizon = T, reference = "exact",
                        norms = {"none"}, steps = lab.levels{from = from, ratio = 2, count = 5, jitter = 24, seed = 5}}:run()
    for _, scheme in ipairs(list) do
      local o = r:order{scheme = scheme, norm = "u_L1"}
      rows[#rows + 1] = {problem[1] .. (problem.e and " e = " .. problem.e or ""), scheme, o.order, o.low, o.high, o.verdict,
                        o.verdict == "INCONCLUSIVE" and o.reason or ""}
    end
    r:figure{"convergence", norm = "u_L1"}
  end
  lab.table{name = "impacts-orders", order = ORDER + 3,
    caption = "Observed orders of u_L1 past the accumulation of impacts, with 95 % intervals.",
    heads = {"problem", "scheme", "order", "from", "to", "verdict", "what would decide"}, rows = rows}
end

-- ---- two in a pile, by events -------------------------------------------------------------------

-- A step is dear beside this reference, which is no polynomial: three octaves are enough for the verdicts.
local function pile_of_two()
  local r = lab.sweep{name = "impacts-pile-two", problem = {"pile", N = 2, radius = 0.5, seed = 1}, horizon = 1,
                      schemes = {"maury", "paoli", "moreau_jean"}, reference = "event_driven", norms = {"none"},
                      steps = lab.levels{from = 200, ratio = 2, count = 3, jitter = 8, seed = 3}}:run()
  for _, scheme in ipairs{"maury", "paoli", "moreau_jean"} do
    print(r:order{scheme = scheme, norm = "u_L1"})
  end
  r:figure{"convergence", norm = "u_L1"}
end

lab.section{title = "Vibro-impact", order = 50}
fan()
lab.section{title = "A ball, a pendulum: restitution", order = 60}
ball()
orders()
lab.section{title = "Many spheres", order = 100}
pile_of_two()
