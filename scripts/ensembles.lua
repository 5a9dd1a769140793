-- ensembles.lua - what can be said of runs that forget their start: how long crowds take to leave,
-- how long piles take to rest, each over many starts.
--
--   build/impactlab sweep scripts/ensembles.lua -j 2            40 starts each: part of `make report`
--   build/impactlab sweep scripts/ensembles.lua -j 2 -- full    larger crowds and piles: `make ensembles`
--
-- Two runs whose starts differ in their last digits part ways here, so that the number of one run
-- says nothing. Shares have Clopper and Pearson's 95 % interval, medians that of two order
-- statistics. A run that has not ended at T counts as longer than all others, not as missing.

local lab = require "impactlab"

local FULL = arg[1] == "full"
if arg[1] and not FULL then error("'" .. arg[1] .. "'; allowed: full, or nothing") end

local RUNS = 40
local BLUE, ORANGE, PALE, GREY = "#0072b2", "#d55e00", "#d4d4d4", "#808080"
local LEVELS = " Grey: the starts one by one; line: the median; dashes: the quantiles of 10 and 90 %."

local rows = {}

-- ---- statistics ---------------------------------------------------------------------------------

-- Sorted copy, the unended ones at its end.
local function sorted(values)
  local out = table.move(values, 1, #values, 1, {})
  table.sort(out)
  return out
end

local function finite(x) return x < math.huge and x > -math.huge and x or nil end

-- A row of the table: of `times` that events took in as many runs, `horizon` being where runs
-- ended.
local function add_row(what, bodies, options, horizon, times)
  local median = lab.median{values = times}
  local ended = {}
  for k, t in ipairs(times) do ended[k] = t <= horizon end
  local share = lab.share{values = ended}
  local tenth, ninetieth = lab.quantile{values = times, p = 0.1}, lab.quantile{values = times, p = 0.9}
  local list = sorted(times)
  rows[#rows + 1] = {what, bodies, options, string.format("1 to %d", #times), horizon, share.hits, share.share,
                     share.low, share.high, finite(list[1]), finite(tenth.value), finite(median.value),
                     finite(median.low), finite(median.high), finite(ninetieth.value), finite(list[#list])}
  return median, share
end

local function median_text(m)
  local function show(x) return x < math.huge and string.format("%.3g", x) or "beyond the end" end
  return string.format("%s [%s, %s]", show(m.value), show(m.low), show(m.high))
end

local function share_text(s)
  return string.format("%d of %d, %.0f %% [%.0f, %.0f]", s.hits, s.n, 100 * s.share, 100 * s.low, 100 * s.high)
end

-- ---- drawing ------------------------------------------------------------------------------------

-- Single runs in grey, their band and their median.
local function band_series(t, members)
  local series = {}
  for k, member in ipairs(members) do
    series[k] = {x = t, y = member, color = PALE, width = 0.7, label = k == 1 and "one start" or nil}
  end
  local band = lab.band{members = members}
  local function add(y, style, width, label)
    series[#series + 1] = {x = t, y = y, style = style, color = BLUE, width = width, label = label}
  end
  add(band.low, "dashes", 1.2, "10 and 90 %")
  add(band.high, "dashes", 1.2)
  add(band.median, "lines", 2.5, "median")
  return series
end

-- The share of the runs whose time is not above t, with its interval.
local function share_series(t, times)
  local low, middle, high = {}, {}, {}
  for k, at in ipairs(t) do
    local hits = 0
    for _, time in ipairs(times) do hits = hits + (time <= at and 1 or 0) end
    local s = lab.share{hits = hits, runs = #times}
    low[k], middle[k], high[k] = s.low, s.share, s.high
  end
  return {{x = t, y = low, style = "dashes", color = ORANGE, width = 1.2, label = "95 % interval"},
          {x = t, y = high, style = "dashes", color = ORANGE, width = 1.2},
          {x = t, y = middle, style = "lines", color = ORANGE, width = 2.5, label = "share of the starts"}}
end

local function grid(horizon, n)
  local t = {}
  for k = 0, n do t[k + 1] = horizon * k / n end
  return t
end

-- The projector keeps linearised gaps within 1e-12, and gaps are convex, so not below what is
-- linearised; beside that there is the rounding of a few operations on positions up to some 30,
-- 1e-14.
local OVERLAP = 1e-12 + 1e-14

-- ---- crowds -------------------------------------------------------------------------------------

-- Of every start: when the last of N was out (math.huge if somebody stayed), and the share that was
-- out at the times of the grid. A disc is out when its centre is past the exit's line. door: the
-- exit's width in radii.
local RADIUS = 0.25
local function leaving(room, N, h, horizon, door)
  local at = grid(horizon, 100)
  local title = string.format("room=%s door=%g", room, (door or 6) * RADIUS)
  local e = lab.ensemble{problem = {"crowd", N = N, room = room, door = (door or 6) * RADIUS}, scheme = "venel",
    h = h, horizon = horizon, norms = {"none"}, runs = RUNS, vary = "seed", seed = 1, trajectory = true,
    of = function(run)
      if run.status ~= "ok" then return {last = math.huge} end
      local traj, L, times = run.trajectory, run.parameters.side, {}
      local t = traj:t()
      for i = 1, N do
        local x = traj:q(2 * i - 1)
        local n = #x
        while n > 1 and x[n - 1] > L do n = n - 1 end
        times[i] = x[#x] <= L and math.huge or n == 1 and t[1] or
                   t[n - 1] + (t[n] - t[n - 1]) * (L - x[n - 1]) / (x[n] - x[n - 1])
      end
      table.sort(times)
      local out, left = {}, 0
      for k, time in ipairs(at) do
        while left < N and times[left + 1] <= time do left = left + 1 end
        out[k] = left / N
      end
      return {last = times[N], out = out, overlap = math.min(run.feasibility.nodes_min,
                                                             run.feasibility.between_min)}
    end}
  lab.check(e.failed == 0, string.format("crowd, %s, N = %d, h = %g: all %d runs end well", title, N, h, e.runs))
  local last, out, worst = {}, {}, 0
  for k, of in ipairs(e.of) do
    last[k] = of.last
    if of.out then out[#out + 1], worst = of.out, math.max(worst, -of.overlap) end
  end
  lab.check(worst <= OVERLAP, string.format("crowd, %s, N = %d, h = %g: no overlap beyond the projector's 1e-12 " ..
                                            "at or between the steps of %d runs (%.1e)", title, N, h, e.runs, worst))
  return {at = at, last = last, out = out, title = title, door = door or 6, room = room, N = N, h = h,
          horizon = horizon}
end

local function crowd_row(e)
  return add_row("last of a crowd is out", e.N, string.format("%s h=%g", e.title, e.h), e.horizon, e.last)
end

local function evacuation_figure(studies)
  local panels, text = {}, {}
  for k, e in ipairs(studies) do
    local median, share = crowd_row(e)
    panels[#panels + 1] = {title = string.format("'%s', N = %d, an exit %g radii wide", e.room, e.N, e.door),
      xlabel = "t", ylabel = "share of the people out", yrange = {0, 1.02}, key = k == 1 and "bottom right" or "off",
      series = band_series(e.at, e.out)}
    panels[#panels + 1] = {title = "everybody is out", xlabel = "t", ylabel = "share of the starts",
      yrange = {0, 1.02}, key = k == 1 and "center left" or "off", series = share_series(e.at, e.last)}
    text[k] = string.format("'%s', N = %d, door = %g: everybody is out at t = %g in %s; the median time of the " ..
      "last is %s", e.room, e.N, e.door * RADIUS, e.horizon, share_text(share), median_text(median))
  end
  lab.figure{name = "crowd-evacuation", order = 77, columns = 2, width = 22, height = 7.5 * #studies, panels = panels,
    caption = string.format("Crowds leave a room: %d starts each (crowd, seeds 1 to %d, venel, h = %g).%s " ..
      "Right: the share of the starts in which everybody is out, with its 95 %% interval. %s. Who stays is held by " ..
      "an arch before the exit.", #studies[1].last, #studies[1].last, studies[1].h, LEVELS, table.concat(text, ". "))}
end

-- Medians with their intervals as bars over x, a logarithmic axis; every start a grey mark beside,
-- those that did not end at `top`. Whether there are such comes back too.
local function medians(list, top)
  local sx, sy, jx, jy, mx, my, bars = {}, {}, {}, {}, {}, {}, {}
  for _, e in ipairs(list) do
    for k, time in ipairs(e.times) do
      local x, y = time < math.huge and sx or jx, time < math.huge and sy or jy
      x[#x + 1], y[#y + 1] = e.x * (1 + (k % 9 - 4) / 60), time < math.huge and time or top
    end
    local m = lab.median{values = e.times}
    mx[#mx + 1], my[#my + 1] = e.x, math.min(m.value, top)
    bars[#bars + 1] = {x = {e.x, e.x}, y = {math.max(m.low, 0), math.min(m.high, top)}, color = BLUE, width = 5,
                       label = #bars == 0 and "its 95 % interval" or nil}
  end
  local series = {{x = sx, y = sy, style = "points", color = PALE, label = "one start"},
                  {x = mx, y = my, style = "lines", color = BLUE, label = "median"}}
  for _, bar in ipairs(bars) do series[#series + 1] = bar end
  if #jx > 0 then
    series[#series + 1] = {x = jx, y = jy, style = "points", color = ORANGE, label = "somebody is inside at T"}
  end
  return series, #jx > 0
end

-- The study of 40 people comes back. 80 of them beside the 100 that are known cost as much as all fewer ones, and are on the
-- line of these.
local function against_number(known)
  local list, top, forty = {}, 0, nil
  for _, N in ipairs(FULL and {10, 20, 40, 80, 160} or {10, 20, 40}) do
    local e = leaving("square", N, 0.05, 8 + N / 4)
    crowd_row(e)
    forty = N == 40 and e or forty
    list[#list + 1], top = {x = N, times = e.last}, math.max(top, e.horizon)
  end
  list[#list + 1] = {x = known.N, times = known.last}
  top = 1.25 * math.max(top, known.horizon)
  local series, jammed = medians(list, top)
  lab.figure{name = "crowd-evacuation-N", order = 76, xlabel = "N", ylabel = "time until all are out", logx = true,
    logy = true, key = "outside", yrange = {2, jammed and 1.3 * top or 0 / 0}, series = series,
    caption = string.format("Evacuation time of a square room against the number of people, %d starts each " ..
      "(crowd, seeds 1 to %d, venel, h = 0.05, T = 8 + N/4, the largest N to T = %g); the room grows with them, the " ..
      "exit stays six radii wide. Starts in which somebody is still inside at T are drawn at the top and count as " ..
      "longer than all others.", RUNS, RUNS, known.horizon)}
  return forty
end

local function against_step(known)
  local list = {}
  for k = 0, FULL and 5 or 3 do
    local h = 0.2 / 2 ^ k
    local e = h == known.h and known or leaving("square", 40, h, known.horizon)
    if e ~= known then crowd_row(e) end
    list[#list + 1] = {x = h, times = e.last}
  end
  lab.figure{name = "crowd-evacuation-h", order = 75, xlabel = "h", ylabel = "time until all are out", logx = true,
    key = "outside", series = (medians(list, 1.1 * known.horizon)),
    caption = string.format("Evacuation time of 40 people from a square room against the step, %d starts each " ..
      "(crowd, N = 40, seeds 1 to %d, venel, T = %g). Which of two comes first through an exit changes with h, and " ..
      "the time of a start with it; the distribution does not show it.", RUNS, RUNS, known.horizon)}
end

-- ---- piles --------------------------------------------------------------------------------------

local REST = 1e-4 -- of the peak: below it for good, a pile is at rest
local H, HORIZON = 0.005, 4

-- sqrt(R/g), the unit of time that a pile has.
local function unit(parameters)
  return math.sqrt(parameters.radius / parameters.gravity)
end

-- Of every start: kinetic energy over its peak on a grid, when the pile came to rest (math.huge:
-- not by the end), its energy at the end, and by how much the mean force on the floor over the last
-- steps misses the weight, beside the bound 2 sqrt(2 E M)/(time weight), E the largest energy then:
-- the mean force is the weight and the change of momentum P in that time, |P| <= sqrt(2 E M).
local function settling(N, runs)
  local at = grid(HORIZON, 200)
  local e = lab.ensemble{problem = {"pile", N = N, space = 2}, scheme = "maury", h = H,
    steps = math.tointeger(HORIZON / H), norms = {"none"}, runs = runs, vary = "seed", seed = 1, trajectory = true,
    of = function(run)
      if run.status ~= "ok" then return {rest = math.huge} end
      local traj, energy, peak, M = run.trajectory, {}, 0, 0
      local mass = lab.bodies{problem = {"pile", N = N, space = 2, seed = run.seed}}.masses
      local t = traj:t()
      for n = 1, #t do energy[n] = 0 end
      for i = 1, N do
        M = M + mass[i]
        for c = -1, 0 do
          local u = traj:u(2 * i + c)
          for n = 1, #t do energy[n] = energy[n] + 0.5 * mass[i] * u[n] * u[n] end
        end
      end
      for n = 1, #t do peak = math.max(peak, energy[n]) end
      local last = #t
      while last > 0 and energy[last] <= REST * peak do last = last - 1 end
      local floor, late = run.walls[1], 0
      for n = #t - floor.last_steps, #t do late = math.max(late, energy[n]) end
      local shown = {}
      for k, time in ipairs(at) do
        shown[k] = math.max(energy[1 + math.floor(time / H + 0.5)] / peak, 1e-18)
      end
      return {rest = last < #t and t[last + 1] or math.huge, shown = shown, final = energy[#t] / peak,
              off = math.abs(floor.force_mean_last / floor.weight - 1),
              bound = 2 * math.sqrt(2 * late * M) / (floor.last_steps * H * floor.weight)}
    end}
  lab.check(e.failed == 0, string.format("piles of %d: all %d runs end well", N, e.runs))
  local rest, shown, worst, final = {}, {}, -math.huge, {}
  for k, of in ipairs(e.of) do
    rest[k], shown[#shown + 1], final[k] = of.rest, of.shown, of.final or math.huge
    -- Momentum is kept to the rounding of as many impulses as there are contacts and steps: 1e-9 is
    -- far above.
    if of.off then worst = math.max(worst, of.off - of.bound) end
  end
  lab.check(worst <= 1e-9, string.format(
    "piles of %d: the floor carries the weight, up to what the momentum of each pile explains (%.1e beyond)", N, worst))
  return {at = at, rest = rest, shown = shown, final = final, N = N, unit = unit(e.records[1].parameters)}
end

local function pile_figures(studies)
  local panels, text = {}, {}
  for k, e in ipairs(studies) do
    local median, share = add_row("pile is at rest", e.N, string.format("space=2 h=%g", H), HORIZON, e.rest)
    add_row("pile is at rest, in sqrt(R/g)", e.N, string.format("space=2 h=%g", H), HORIZON / e.unit,
            (function() local u = {}; for i, t in ipairs(e.rest) do u[i] = t / e.unit end return u end)())
    local final = sorted(e.final)
    panels[#panels + 1] = {title = string.format("%d discs", e.N), xlabel = "t", ylabel = "kinetic energy / its peak",
      logy = true, yrange = {1e-18, 2}, key = k == 1 and "top right" or "off", series = band_series(e.at, e.shown)}
    panels[#panels + 1] = {title = string.format("below %.0e of the peak for good", REST), xlabel = "t",
      ylabel = "share of the starts", yrange = {0, 1.02}, key = k == 1 and "bottom right" or "off",
      series = share_series(e.at, e.rest)}
    text[k] = string.format("%d discs: at rest by T = %g in %s; the median time is %s, %s sqrt(R/g); energies at T " ..
      "from %.0e to %.0e of the peak", e.N, HORIZON, share_text(share), median_text(median),
      median_text{value = median.value / e.unit, low = median.low / e.unit, high = median.high / e.unit}, final[1],
      final[#final])
    lab.check(share.low >= 0.5, string.format("piles of %d: more than half of the starts are at rest by T = %g (%s)",
                                              e.N, HORIZON, share_text(share)))
  end
  lab.figure{name = "pile-history", order = 104, columns = 2, width = 22, height = 8 * #studies, panels = panels,
    caption = string.format("Piles come to rest: %d starts (pile, space = 2, radius = 0.05, seeds 1 to %d, maury, " ..
      "h = %g). Left: kinetic energy over its peak.%s Right: the share of the starts that are at rest, with its " ..
      "95 %% interval. %s.", #studies[1].rest, #studies[1].rest, H, LEVELS, table.concat(text, ". "))}
end

-- ---- all of it ----------------------------------------------------------------------------------

-- Exits 3.6 radii wide do not let two pass side by side, and arches before them stop many a crowd
-- for good.
local square = leaving("square", FULL and 400 or 100, 0.05, FULL and 110 or 26)
local posts = leaving("posts", FULL and 400 or 60, 0.05, FULL and 110 or 20)
local narrow = leaving("square", FULL and 100 or 40, 0.05, FULL and 80 or 30, 3.6)
lab.section{title = "Sweeping processes: labyrinth and crowds", order = 90}
evacuation_figure{square, posts, narrow}
against_step(against_number(square))
lab.section{title = "Many spheres", order = 100}
pile_figures(FULL and {settling(200, RUNS), settling(500, RUNS), settling(2000, RUNS)} or {settling(200, RUNS)})

lab.section{title = "Summary", order = 1}
lab.table{name = "ensembles", order = 70, rows = rows,
  heads = {"event", "bodies", "parameters", "seeds", "T", "ended", "share", "share low", "share high", "earliest",
           "10 %", "median", "median low", "median high", "90 %", "latest"},
  caption = "Runs that forget their start, over many starts: how many ended by T, the share with its 95 % interval; " ..
    "times: earliest, 10 %, median with its 95 % interval, 90 %, latest. No number: not by T. Crowds by venel, " ..
    "piles by maury; made by `impactlab sweep scripts/ensembles.lua" .. (FULL and " -- full" or "") .. "`."}
