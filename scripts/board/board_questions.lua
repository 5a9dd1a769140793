-- board_questions.lua - questions of the board that are about one problem: what a bounce gains, rebounds, rest,
-- accumulation, several contacts, nonuniqueness, the price of a contact.
--
-- host.board_questions = {{id =, title =, problem = NAME, spec = PROBLEM, runs = function() -> keys of lab.sweep,
--                          read = function(result, first, n, row) -> value, reason, text}, ...}
--
-- All expected numbers are closed forms of the ball and of the row of balls.
local lab, host = ...
local ipairs, sqrt, abs, max, min, floor, concat = ipairs, math.sqrt, math.abs, math.max, math.min, math.floor, table.concat
local GOLDEN = (sqrt(5) - 1) / 2

-- Records of runs that went well, of a row.
local function records(result, first, n)
  local list, all = {}, result:records()
  for k = first, first + n - 1 do
    if all[k] and all[k].status == "ok" then list[#list + 1] = all[k] end
  end
  return list
end

local function range(from, count)
  local list = {}
  for k = 1, count do list[k] = from + k - 1 end
  return list
end

local questions = {}
host.board_questions = questions

-- ---- e = 1: what a bounce gains -----------------------------------------------------------------------

-- The height 1 under g: U = sqrt(2 g) at the floor, a bounce takes 2 U/g. If a bounce gains c g h |u|, then
-- u du = c g h u dn and dn = g dt/(2 u) give E(T) - E(0) = c g^2 h T/2, however the speed changes.
local G, BOUNCES = 9.81, 50
local LONG = BOUNCES * 2 * sqrt(2 / G)

questions[#questions + 1] = {
  id = "energy", title = "what a bounce gains at e = 1, in g h |u|", problem = "bouncing_ball", spec = {"bouncing_ball", e = 1},
  runs = function()
    return {steps = lab.levels{from = 20000, count = 1, jitter = 4, seed = 3}, horizon = LONG, reference = "none"}
  end,
  read = function(result, first, n)
    local sum, left, list = 0, 0, records(result, first, n)
    for _, r in ipairs(list) do
      local gained = r.final.u[1] ^ 2 / 2 + G * r.final.q[1] - G
      sum, left = sum + gained / (G * G * r.h * LONG / 2), left + (gained + G) / G
    end
    local c, part = sum / #list, left / #list
    return c, ("mean over %d runs of fifty bounces in 20000 steps; %.3g of the energy is left"):format(#list, part),
           part < 0.05 and "stays down" or ("%+.2f"):format(c)
  end}

-- ---- the rebound test of 1 % --------------------------------------------------------------------------

-- A drop from 1 under 10 with e = 1/2 rises to e^2 = 1/4 at t_1 (1 + e), t_1 = sqrt(2/10). The horizon is t_1 over
-- the golden ratio, so that consecutive numbers of steps put the impact everywhere in its step; it ends before
-- the second impact, at 2 t_1.
local DROP, PHASES = sqrt(0.2), 13
for _, rebound in ipairs{{"1e-2", 72}, {"3e-3", 241}, {"1e-3", 724}, {"3e-4", 2412}} do
  questions[#questions + 1] = {
    id = "rebound_" .. rebound[1], title = ("share of phases whose rebound is within 1 %%, h = %s"):format(rebound[1]),
    problem = "bouncing_ball", spec = {"bouncing_ball", gravity = 10, e = 0.5},
    runs = function()
      return {steps = range(rebound[2] - floor(PHASES / 2), PHASES), horizon = DROP / GOLDEN, samples = {1.5 * DROP}, reference = "none"}
    end,
    read = function(result, first, n)
      local within, worst, list = 0, 0, records(result, first, n)
      for _, r in ipairs(list) do
        local off = abs(r.samples[1].q[1] / 0.25 - 1)
        within, worst = within + (off <= 0.01 and 1 or 0), max(worst, off)
      end
      return within / n, ("%d of %d phases; the height is off by up to %.2g %%"):format(within, n, 100 * worst),
             ("%.0f %%"):format(100 * within / n)
    end}
end

-- ---- rest, accumulation -------------------------------------------------------------------------------

questions[#questions + 1] = {
  id = "rest", title = "drift of six discs at rest over the second 5000 of 10000 steps", problem = "crystal", spec = {"crystal"},
  runs = function() return {steps = {10000}, horizon = 10, samples = {0, 5, 10}, reference = "none"} end,
  read = function(result, first, n)
    local drift, moved, s = 0, 0, records(result, first, n)[1].samples
    for i, q in ipairs(s[3].q) do drift, moved = max(drift, abs(q - s[2].q[i])), max(moved, abs(q - s[1].q[i])) end
    return drift, ("the discs, of radius 1/2, are %.2g from where they lay"):format(moved)
  end}

-- e = 1/2: impacts accumulate at 3 t_1, t_1 = sqrt(2/g). The last time above 1e-3: bounce 5 rises to 4^-4 = 0.0039,
-- bounce 6 to 9.8e-4. It begins at t_1 (1 + 2 (e + e^2 + e^3)) = 2.75 t_1 with v = U/16 and ends above 1e-3 at
-- (v + sqrt(v^2 - 2 g 1e-3))/g.
local FIRST, SPEED = sqrt(2 / G), sqrt(2 * G)
local LAST = 2.75 * FIRST + (SPEED / 16 + sqrt((SPEED / 16) ^ 2 - 2e-3 * G)) / G
local GRID = {}
for k = 0, 400 do GRID[k + 1] = FIRST * (2.5 + k / 400 * 1.5) end

questions[#questions + 1] = {
  id = "accumulation", title = "e = 1/2: the last time above 1e-3, over the right one", problem = "bouncing_ball",
  spec = {"bouncing_ball", e = 0.5},
  runs = function() return {steps = range(8192, 3), horizon = 4.1 * FIRST, samples = GRID, reference = "none"} end,
  read = function(result, first, n)
    local list, sum, speed = records(result, first, n), 0, 0
    for _, r in ipairs(list) do
      local last = 0
      for _, s in ipairs(r.samples) do
        if s.q[1] > 1e-3 then last = s.t end
        if s.t > 3.1 * FIRST then speed = max(speed, abs(s.u[1])) end
      end
      sum = sum + last / LAST
    end
    local over = sum / #list
    return over, ("8192 steps; afterwards the speed is %.2g at most, where rest is right%s"):format(
      speed, over == 0 and "; it is below 1e-3 from 2.5 t_1 on" or ""), over > 0 and ("%.3f"):format(over) or "too early"
  end}

-- ---- several contacts, nonuniqueness ------------------------------------------------------------------

-- Four balls at rest, struck by a fifth at speed 1, e = 1: u+ = P_C u- - P_N u- = (-0.6, 0.4, 0.4, 0.4, 0.4) by Moreau's
-- law, (0, 0, 0, 0, 1) by impacts of pairs one after the other.
local MOREAU, PAIRS = {-0.6, 0.4, 0.4, 0.4, 0.4}, {0, 0, 0, 0, 1}

local function apart(u, v)
  local most = 0
  for i = 1, #v do most = max(most, abs(u[i] - v[i])) end
  return most
end

questions[#questions + 1] = {
  id = "several", title = "a row of balls, e = 1: which law", problem = "cradle", spec = {"cradle", radius = 0.125, e = 1},
  runs = function() return {steps = {501, 809, 1009, 1303}, reference = "none"} end,
  read = function(result, first, n)
    local moreau, pairs_, u = 0, 0, nil
    for _, r in ipairs(records(result, first, n)) do
      u = r.final.u
      moreau, pairs_ = max(moreau, apart(u, MOREAU)), max(pairs_, apart(u, PAIRS))
    end
    local shown = {}
    for i = 1, 5 do shown[i] = ("%.2f"):format(u[i]) end
    return moreau, ("distance of the velocities after it from Moreau's law; the last run ends at (%s)"):format(concat(shown, ", ")),
           moreau < 0.02 and "Moreau" or pairs_ < 0.02 and "pairs" or "neither"
  end}

questions[#questions + 1] = {
  id = "limits", title = "nonuniqueness: solutions that fine runs meet", problem = "nonuniqueness", spec = {"nonuniqueness"},
  runs = function() return {steps = lab.phases{c = {1, 1.1, 1.22, 1.34, 1.48, 1.63, 1.8}, m = {8, 9, 10, 11}}} end,
  read = function(result, first, n)
    local names, met, far, list = {}, 0, 0, records(result, first, n)
    for _, r in ipairs(list) do
      if (r.error.u_L1 or 1) < 0.1 then
        names[r.error.reference] = (names[r.error.reference] or 0) + 1
      else
        far = far + 1
      end
    end
    local shown, counts = {}, {}
    for _, name in ipairs{"A", "B", "C"} do
      if names[name] then
        met, shown[#shown + 1] = met + 1, name
        counts[#counts + 1] = ("%s %d"):format(name, names[name])
      end
    end
    return met, ("of %d runs: %s; %d farther than 0.1 in u_L1 from all"):format(#list, #counts > 0 and concat(counts, ", ") or "none",
                                                                                 far),
           met > 0 and concat(shown, ", ") or "none"
  end}

-- ---- the price of a contact ---------------------------------------------------------------------------

-- Rows of 1 to 44 discs in a wedge: 990 discs; 3 * 44 * 43/2 contacts of two, 2 * 44 with the walls.
local CONTACTS = 3 * 44 * 43 // 2 + 2 * 44

questions[#questions + 1] = {
  id = "contact", title = "microseconds a step and contact, 990 discs at rest", problem = "crystal", spec = {"crystal", rows = 44},
  smaller = {{"crystal", rows = 5}, {"crystal", rows = 11}, {"crystal", rows = 22}},
  runs = function() return {steps = {10}, horizon = 0.01, reference = "none"} end,
  read = function(result, first, n)
    local spent = host.board_seconds(result, first, n)[1]
    local micro = 1e6 * spent / (10 * CONTACTS)
    return micro, ("10 steps of %d contacts, the first with what is set up once"):format(CONTACTS), (micro < 10 and "%.2g" or "%.0f"):format(micro)
  end}
