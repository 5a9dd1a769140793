-- Rates that are proved of schemes of order 1: bounds, h^(1/2) at least. The proof for catching_up
-- stands in README.md beside this file.
local common = ...
local lab = require "impactlab"

-- ---- the bound itself, where it is nearly attained ----------------------------------------------

-- d points on half lines x_n >= b_n(t), whose ends rise and fall again one after the other, within
-- the n-th of d equal parts of [0, 1], at the given speed. A grid of d steps sees none of it; every
-- point is left as high as its end came, (h/2 each, in d directions) while q_h stays at 0: the error
-- is sqrt(d) h/2 = h^(1/2)/2. The corners are rounded over a hundredth of a part.
local ROUND = 0.01

local function bump(s, h, speed) -- height and rate at s of (0, h)
  local r = ROUND * h
  local down = s > h / 2
  local x = down and h - s or s
  local height, rate
  if x < r then
    height, rate = x * x / (2 * r), x / r
  elseif x > h / 2 - r then
    local back = h / 2 - x
    height, rate = h / 2 - r - back * back / (2 * r), back / r
  else
    height, rate = x - r / 2, 1
  end
  return speed * height, speed * (down and -rate or rate)
end

local function bumps_of(d, speed)
  local h = 1 / d
  local function of(n, t)
    local s = t - (n - 1) * h
    if s <= 0 or s >= h then return 0, 0 end
    return bump(s, h, speed)
  end
  local breaks = {}
  for k = 1, 2 * d - 1 do breaks[k] = k * h / 2 end
  return lab.problem{
    name = ("bumps_%d"):format(d), order = 1, horizon = 1, q0 = common.repeated(d, 0),
    force = function() return common.repeated(d, 0) end,
    constraints = function(t, q)
      local rows = {}
      for n = 1, d do
        local b, rate = of(n, t)
        local grad = common.repeated(d, 0)
        grad[n] = 1
        rows[n] = {g = q[n] - b, grad = grad, dt = -rate}
      end
      return rows
    end,
    exact = function(t, side)
      local q, u = common.repeated(d, 0), common.repeated(d, 0)
      for n = 1, d do
        local top = (n - 0.5) * h
        q[n] = of(n, math.min(t, top))
        if t < top or t == top and side < 0 then
          local _, rate = of(n, t)
          u[n] = rate
        end
      end
      return q, u
    end,
    exact_breaks = breaks}
end

-- The problem itself is made by the check: that of 64 points takes a second, and whoever wants
-- another claim, or their list, waits for it.
local function bumps(d) return {key = "bumps", d = d, speed = 1, scheme = "catching_up"} end

-- L (11/12 h T)^(1/2), see README.md.
local CONSTANT = math.sqrt(11 / 12)

lab.claim{
  id = "CU-bound", cost = {1, 4, 55}, source = "scripts/claims, The order of catching-up, after Moreau 1977",
  statement = "convex Q(t) of speed L, no drift: |q_h - q| <= L (11/12 h T)^(1/2)",
  cases = {bumps(4), bumps(16), bumps(64)},
  controls = {
    {what = "half of the bound", constant = 0.5},
    {what = "half of the bound, d = 64", case = 3, constant = 0.5},
    {what = "a set that moves twice as fast", speed = 2},
    {what = "h^(2/3) in place of h^(1/2)", case = 3, order = 2 / 3}},
  check = function(case)
    case.problem = {spec = bumps_of(case.d, case.speed), scale = 1 / case.d}
    local run = common.run(case, {steps = case.d})
    return common.row(case, {
      what = "sup |q_h - q| over h^(1/2), T = L = 1", bound = CONSTANT, near = 2,
      measured = run.error.q_Linf / (case.order and run.h ^ case.order or math.sqrt(run.h))})
  end}

-- ---- orders on problems that stay the same ------------------------------------------------------

-- What the judge of orders leaves to chance (harness/study/order/order.h).
local MARGIN = 0.1

local function order_at_least(case, order)
  local board = case.key == "labyrinth"
  local h, error = {}, {}
  for _, counts in ipairs(common.levels(board and 64 or 16, board and common.LEVELS or 5)) do
    for _, N in ipairs(counts) do
      local run = common.run(case, {steps = N})
      h[#h + 1], error[#error + 1] = run.h, run.error.q_Linf or 0 / 0
    end
  end
  local o = lab.order{h = h, error = error, claim = {kind = "bound", order = order}}
  local floor = o.verdict == "FAIL" and not (o.sure_high < order) -- no order at all
  local row = common.row(case, {
    what = "least order of q_Linf (95 %)", measured = floor and 0 or o.low, sense = ">=",
    bound = order - MARGIN, evidence = o.text})
  if o.verdict == "INCONCLUSIVE" then row.inconclusive = o.reason end
  return row
end

-- Errors that h^(1/4) is added to.
local function slow(run) run.error.q_Linf = run.error.q_Linf + math.sqrt(math.sqrt(run.h)) end

-- Springs ten times as stiff err so that the judge leaves open whether their errors still fall.
local CONTROLS = {
  {what = "springs of fixed stiffness 1e3", scheme = "penalty:stiffness=1e3"},
  {what = "errors that h^(1/4) is added to", bend = slow},
  {what = "order 3/2", claimed = 1.5}}

lab.claim{
  id = "CU-order", cost = {170, 165}, source = "scripts/claims, The order of catching-up, after Moreau 1977",
  statement = "Q(t) prox-regular and Lipschitz: catching_up converges uniformly, of order 1/2 at least",
  cases = common.cases({"round_disc", "labyrinth"}, {"catching_up"}),
  controls = CONTROLS,
  check = common.where("CU-order", function(case) return order_at_least(case, case.claimed or 0.5) end)}

lab.claim{
  id = "BV-2013", cost = {160, 160}, source = "Bernicot & Venel 2013, by its abstract",
  statement = "venel's scheme converges uniformly, of order 1/2 at least",
  cases = common.cases({"round_disc", "labyrinth"}, {"venel"}),
  controls = CONTROLS,
  check = common.where("BV-2013", function(case) return order_at_least(case, case.claimed or 0.5) end)}
