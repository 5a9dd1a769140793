-- The constant of an error as a function of where in its step an event falls (problems/README.md,
-- "Laws of events"), and how many contacts carry a pile at rest.
local common = ...
local lab = require "impactlab"

local GOLDEN = (math.sqrt(5) - 1) / 2
local FIRST, PHASES = 2000, 55 -- a Fibonacci number: gaps of at most 2/55 between phases

local function cradle(e, gap) return {spec = {"cradle", N = 1, gap = gap or GOLDEN, speed = 1, e = e or 0}, scale = 1} end
local GRAVITY = 9.81
local function fall(s)
  return {spec = {"bouncing_ball", gravity = GRAVITY, q0 = GRAVITY * (s or GOLDEN) ^ 2 / 2}, scale = 1}
end
local function graze(k, s) return {spec = {"graze", k = k, s = s or GOLDEN}, scale = 1} end

-- Two points that fly at walls of their own, at speeds v, w, and get there at s, t: impacts at once or one after the other.
local function walls(v, s, w, t)
  return {scale = 1, spec = lab.problem{
    name = ("two_walls_%.3g_%.3g"):format(s, t), horizon = 1, q0 = {v * s, w * t}, u0 = {-v, -w},
    force = function() return {0, 0} end,
    constraints = {{g = 0, grad = {1, 0}}, {g = 0, grad = {0, 1}}},
    exact = function(x, side)
      local function of(speed, hit)
        local flies = x < hit or x == hit and side < 0
        return flies and speed * (hit - x) or 0, flies and -speed or 0
      end
      local q, u = of(v, s)
      local y, z = of(w, t)
      return {q, y}, {u, z}
    end,
    exact_breaks = s == t and {s} or {math.min(s, t), math.max(s, t)}}}
end

local half = 1 / math.sqrt(2) -- of the relative velocity each ball has half
local left = 1 - GOLDEN

-- The largest |error/(scale h^p) - c(theta)| over the largest c, and the widest gap between phases.
local function deviation(case)
  local apart, largest, phases = 0, 0, {}
  for N = FIRST, FIRST + PHASES - 1 do
    local run = common.run(case, {steps = N, horizon = 1})
    local theta = N * (case.event or GOLDEN) % 1
    local c = case.law(theta, N)
    apart = common.worst(apart, math.abs(run.error[case.norm or "u_L1"] / (case.size * run.h ^ case.order) - c))
    largest = math.max(largest, c)
    phases[#phases + 1] = theta
  end
  table.sort(phases)
  local widest = phases[1] + 1 - phases[#phases]
  for k = 2, #phases do widest = math.max(widest, phases[k] - phases[k - 1]) end
  return apart / largest, widest
end

-- The next term: after a bump T - s is off by up to k h, 2/2000/0.382 = 2.6e-3 of it, and u by the slope's square, 4 (2 h)^2.
local CLOSE = 3e-3

local function check(case)
  local apart, widest = deviation(case)
  return {
    common.row(case, {what = "largest deviation of error/h^p from the law, over the law's largest",
                      measured = apart, bound = case.close or CLOSE}),
    common.row(case, {what = "part of a step that no phase falls into", measured = widest,
                      bound = 2 / PHASES})}
end

local function times(factor, law) return function(theta) return factor * law(theta) end end
local function parabola(x) return 2 * x * (1 - x) end
local function hat(x) return math.min(x, 1 - x) end
local function bump(x) return math.max(1 - x * x, 2 * x - 1) end
local function shifted(x)
  local y = (x + 0.5) % 1
  return 1 + math.max(0, y * (1 - 2 * y))
end
local function waits(x) return x + math.max(0.5, x) end
local OTHER = math.sqrt(2) - 1 -- independent of the golden ratio
local function both(theta, N) return parabola(theta) + 0.5 * parabola(N * OTHER % 1) end
local function paoli(e) return function(x) return 2 * e + 2 * x * math.max(0, 1 - e - (1 + e) * x) end end

lab.claim{
  id = "LAW-impact", cost = {8}, source = "problems/README.md, Laws of events",
  statement = "an impact at relative speed v: u_L1 = c(theta) v h, 2 theta (1 - theta) by maury, " ..
    "(1 + e) min(theta, 1 - theta) by moreau_jean, 2 e + 2 theta max(0, 1 - e - (1 + e) theta) by paoli; " ..
    "impacts at once add as vectors, impacts at other times as numbers",
  cases = {
    {problem = cradle(), scheme = "maury", order = 1, size = half, law = parabola},
    {problem = cradle(), scheme = "moreau_jean", order = 1, size = half, law = hat},
    {problem = cradle(0.5), scheme = "moreau_jean", order = 1, size = half, law = times(1.5, hat)},
    {problem = cradle(0.5), scheme = "paoli", order = 1, size = half, law = paoli(0.5)},
    {problem = walls(1, GOLDEN, 0.5, GOLDEN), scheme = "maury", order = 1, size = math.sqrt(1.25), law = parabola},
    {problem = walls(1, GOLDEN, 0.5, OTHER), scheme = "maury", order = 1, size = 1, law = both}},
  controls = {
    {what = "half the constant", law = times(0.5, parabola)},
    {what = "the law of another scheme", case = 2, law = parabola},
    {what = "e a tenth off", case = 4, law = paoli(0.55)},
    {what = "impacts at once that add as numbers", case = 5, size = 1.5},
    {what = "impacts at two times that add as vectors", case = 6, size = math.sqrt(1.25), law = parabola},
    {what = "locked phases", problem = cradle(0, 0.5), event = 0.5}},
  check = check}

-- After a fall for GOLDEN to the ground at speed U = g GOLDEN, e = 1/2, in flight up to 1: the velocity is off by
-- g (1 - theta - e theta) h where restitution is of u_n and acts at the node, by (1 + e) g (1 - theta) h where it is of the free velocity there.
local function bounce(e)
  return {spec = {"bouncing_ball", gravity = GRAVITY, q0 = GRAVITY * GOLDEN ^ 2 / 2, e = e}, scale = 1}
end
local E = 0.5
local function of_start(x) return (1 + E) * x + math.abs(1 - (1 + E) * x) * left / GOLDEN end
local function of_end(x) return (1 + E) * x + (1 + E) * (1 - x) * left / GOLDEN end
local function waiting(x) return (1 + E) * x end
local function late(x) return E * (1 - x) end
local function deep(x) return (1 + E) * (1 - x) end

lab.claim{
  id = "LAW-order-two", cost = {8}, source = "schemes/README.md, What an impact inside a step costs",
  statement = "an impact at relative speed v inside a step of rattle, generalized_alpha, d1minus: u_L1 = (1 + e) theta v h, and " ..
    "positions are late by e (1 - theta) v h, of d1minus (1 + e) (1 - theta) v h; a force f changes the velocity after it by " ..
    "f (1 - (1 + e) theta) h, of d1minus (1 + e) f (1 - theta) h",
  cases = {
    {problem = cradle(E), scheme = "rattle", order = 1, size = half, law = waiting},
    {problem = cradle(E), scheme = "generalized_alpha", order = 1, size = half, law = waiting},
    {problem = cradle(E), scheme = "d1minus", order = 1, size = half, law = waiting},
    {problem = cradle(E), scheme = "rattle", order = 1, size = half, law = late, norm = "final_q"},
    {problem = cradle(E), scheme = "generalized_alpha", order = 1, size = half, law = late, norm = "final_q"},
    {problem = cradle(E), scheme = "d1minus", order = 1, size = half, law = deep, norm = "final_q"},
    {problem = bounce(E), scheme = "rattle", order = 1, size = GRAVITY * GOLDEN, law = of_start},
    {problem = bounce(E), scheme = "generalized_alpha", order = 1, size = GRAVITY * GOLDEN, law = of_start},
    {problem = bounce(E), scheme = "d1minus", order = 1, size = GRAVITY * GOLDEN, law = of_end}},
  controls = {
    {what = "e a tenth off", case = 4, problem = cradle(0.55)},
    {what = "the law of another scheme", case = 6, law = late},
    {what = "restitution of the velocity at the node", case = 7, law = of_end},
    {what = "impacts where they are (fesd)", case = 9, scheme = "fesd"},
    {what = "locked phases", problem = cradle(E, 0.5), event = 0.5}},
  check = check}

-- moreau_jean may stop above the ground, at most v h/2, and falls again: to a speed of (g v h)^(1/2) at most, whose own
-- impact adds at most 9/8 h of it to the law's 2 v h.
local WAITED = 9 / 16 / math.sqrt(GOLDEN * FIRST)

lab.claim{
  id = "LAW-rest", cost = {8}, source = "problems/README.md, Laws of events",
  statement = "an impact after a fall from rest, then rest: u_L1 = c(theta) v h, 1 + max(0, y (1 - 2 y)), y = frac(theta + 1/2) " ..
    "by maury and paoli, theta + max(1/2, theta) by moreau_jean",
  cases = {
    {problem = fall(), scheme = "maury", order = 1, size = GRAVITY * GOLDEN, law = shifted},
    {problem = fall(), scheme = "paoli", order = 1, size = GRAVITY * GOLDEN, law = shifted},
    {problem = fall(), scheme = "moreau_jean", order = 1, size = GRAVITY * GOLDEN, law = waits, close = WAITED}},
  controls = {
    {what = "half the constant", law = times(0.5, shifted)},
    {what = "the law of another scheme", case = 3, law = shifted},
    {what = "gravity a tenth off", case = 2, size = 0.9 * GRAVITY * GOLDEN},
    {what = "locked phases", problem = fall(0.5), size = GRAVITY * 0.5, event = 0.5}},
  check = check}

lab.claim{
  id = "LAW-graze", cost = {20}, source = "problems/README.md, Laws of events",
  statement = "a flight past a bump with the gap c |v (t - s)|^k: u_L1 = W(theta) c v^k (T - s) h^(k-1), for k = 2 " ..
    "W = max(1 - theta^2, 2 theta - 1) by maury, 2 theta by moreau_jean; the exact motion has no impact",
  cases = {
    {problem = graze(2), scheme = "maury", order = 1, size = left, law = bump},
    {problem = graze(2), scheme = "moreau_jean", order = 1, size = left, law = times(2, function(x) return x end)}},
  controls = {
    {what = "half the constant", law = times(0.5, bump)},
    {what = "a bump of k = 2.1", problem = graze(2.1)},
    {what = "locked phases", problem = graze(2, 0.5), event = 0.5}},
  check = check}

-- Thrown up at U, braked evenly until BRAKED, then q = c |t - s|^k: positions are U h/2 too low when the wall is near.
local BRAKED = 0.3
local function thrown(k, U)
  local c, s = 2, GOLDEN
  local g = (U + k * c * (s - BRAKED) ^ (k - 1)) / BRAKED
  local start = c * (s - BRAKED) ^ k - U * BRAKED + g * BRAKED ^ 2 / 2
  local function speed(t)
    local x = s - t
    return t <= BRAKED and U - g * t or (x > 0 and -1 or 1) * k * c * math.abs(x) ^ (k - 1)
  end
  return {scale = 1, spec = lab.problem{
    name = ("thrown_%.3g_%.3g"):format(k, U), horizon = 1, q0 = {start}, u0 = {U}, constraints = {{g = 0, grad = {1}}},
    force_mean = function(t, t1) return {(speed(t1) - speed(t)) / (t1 - t)} end,
    exact = function(t)
      return {t <= BRAKED and start + U * t - g * t * t / 2 or c * math.abs(s - t) ^ k}, {speed(t)}
    end,
    exact_breaks = {BRAKED, s}}}
end

-- |final_u/w - 1| over what a contact up to two steps from s - x may change, c x^k = U h/2 + h w/2, w = k c x^(k-1).
local function thrown_by(case)
  local k, c, worst = case.k, 2, 0
  for _, N in ipairs{2000, 5003, 12007} do
    local run = common.run(case, {steps = N, horizon = 1})
    local x = (case.U * run.h / (2 * c)) ^ (1 / k)
    for _ = 1, 60 do x = (run.h / 2 * (case.U + k * c * x ^ (k - 1)) / c) ^ (1 / k) end
    local open = 1 - (1 - 2 * run.h / x) ^ (k - 1)
    worst = common.worst(worst, math.abs(run.error.final_u / (k * c * x ^ (k - 1)) - 1) / open)
  end
  return common.row(case, {what = "deviation of the final velocity's error from w, over what two steps change", measured = worst,
                           bound = 1})
end

lab.claim{
  id = "LAW-graze-force", cost = {6}, source = "problems/README.md, Laws of events",
  statement = "a point thrown up at U that grazes the wall with the gap c |t - s|^k under a force keeps the velocity's error " ..
    "w = k c (U h/(2 c))^((k-1)/k), by maury, paoli and moreau_jean: order (k - 1)/k",
  cases = {
    {problem = thrown(2, 0.5), scheme = "maury", k = 2, U = 0.5}, {problem = thrown(3, 0.5), scheme = "maury", k = 3, U = 0.5},
    {problem = thrown(1.5, 0.5), scheme = "maury", k = 1.5, U = 0.5},
    {problem = thrown(2, 0.8), scheme = "paoli", k = 2, U = 0.8}, {problem = thrown(3, 0.8), scheme = "moreau_jean", k = 3, U = 0.8},
    {problem = thrown(2, 0.5), scheme = "moreau_jean", k = 2, U = 0.5}},
  controls = {
    {what = "U a tenth off", case = 2, U = 0.55},
    {what = "the order of another k", case = 2, k = 3.1},
    {what = "thrown down, where nothing is met", problem = thrown(2, -0.1)},
    {what = "positions without the drift U h/2", case = 6, scheme = "moreau_jean:theta=0.5"}},
  check = thrown_by}

-- ---- piles ----------------------------------------------------------------------------------------

local function pile(space, seed) return {spec = {"pile", N = 20, space = space, seed = seed}, scale = 0.1} end

-- Of twelve piles that were tried (20 and 60 bodies, discs and spheres, seeds 1 to 3) eleven are at
-- rest by t = 8 and so; 20 spheres of seed 1 still creep then, with 58 contacts of 60 unknowns.
-- What rounding leaves of the kinetic energy: positions of size one rounded by 1e-16 over h = 3.2e-3 are speeds of 3e-14, and
-- twenty bodies of masses below 1e-2 (area or volume of radius 0.05) have 0.1 (3e-14)^2 = 1e-28; ten thousand times that.
local REST = 1e-24

lab.claim{
  id = "ROUX-isostatic", cost = {60}, source = "Roux 2000, Geometric origin of mechanical properties of granular materials",
  statement = "a pile of frictionless bodies of different radii at rest has as many contacts as unknowns, and one " ..
    "set of contact forces",
  cases = {
    {problem = pile(2, 1), scheme = "maury"}, {problem = pile(2, 2), scheme = "maury"},
    {problem = pile(2, 3), scheme = "maury"}, {problem = pile(3, 2), scheme = "maury"},
    {problem = pile(3, 3), scheme = "maury"}},
  controls = {{what = "equal radii, where forces are not unique", steps = 5,
               problem = {spec = {"crystal", rows = 4}, scale = 1}}},
  check = function(case)
    local run = common.run(case, {steps = case.steps or 2500, horizon = not case.steps and 8 or nil,
                                  multipliers = "last"})
    local set, energy = run.multipliers, run.energy.final
    if not (energy <= REST) then
      return common.row(case, {inconclusive = ("not at rest: kinetic energy %.1e, %d contacts of %d unknowns"):format(
        energy, set.contacts, set.unknowns)})
    end
    return {common.row(case, {what = "|contacts - unknowns|", measured = math.abs(set.contacts - set.unknowns), bound = 0}),
            common.row(case, {what = "dimension of the set of contact forces", measured = set.dimension, bound = 0})}
  end}
