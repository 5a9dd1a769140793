-- Engines' schemes: numbers that others published, and the law of several contacts.
local common = ...
local lab = require "impactlab"

local ball = {spec = {"bouncing_ball", e = 1, q0 = 4.9}, scale = 1}
local MASS, GRAVITY, HEIGHT, TIME = 490, 9.81, 4.9, 20

-- Mean over the steps 0..n-1 of (E - E_0)^2, as SimBenchmark takes it, of 49 balls of 10 kg.
local function mean_square(case, h)
  local n = math.floor(TIME / h + 0.5)
  local run = common.run(case, {steps = n, horizon = TIME, norms = "none", trajectory = true})
  local q, u, sum = run.trajectory:q(1), run.trajectory:u(1), 0
  for k = 1, n do
    local change = MASS * (u[k] ^ 2 / 2 + GRAVITY * (q[k] - HEIGHT))
    sum = sum + change * change
  end
  return sum / n
end

lab.claim{
  id = "SB-energy", source = "SimBenchmark (ETH Zurich), data/bouncing/sample.csv: six digits",
  statement = "ODE and Bullet miss the energy of bouncing balls by the mean squares that SimBenchmark prints",
  cases = {{problem = ball, scheme = "impulse:as=ode,cfm=0", published = {18808.3, 185.027}},
           {problem = ball, scheme = "impulse:erp=0,restitution=after", published = {7.40664e6, 75245.4}}},
  controls = {{what = "restitution after the force, for ODE", scheme = "impulse:as=ode,cfm=0,restitution=after"},
              {what = "restitution before the force, for Bullet", case = 2, scheme = "impulse:erp=0"}},
  check = function(case)
    local rows = {}
    for k, h in ipairs{1e-2, 1e-3} do
      -- half a unit of the sixth digit
      rows[k] = common.row(case, {what = ("relative distance from the printed mean square, h = %g"):format(h),
                                  measured = math.abs(mean_square(case, h) / case.published[k] - 1), bound = 5e-6})
    end
    return rows
  end}

-- The first of N + 1 equal balls strikes the others, which touch, at speed 1: u+ = P_C u- - e P_N u- with
-- P_C u- = 1/(N+1) for all.
local function row(e) return {spec = {"cradle", N = 4, e = e}, scale = 0.2, e = e} end

lab.claim{
  id = "MB-law", source = "Mabrouk 1998; Dzonou, Monteiro Marques & Paoli 2009; Paoli 2013",
  statement = "mabrouk obeys the impact law u+ = P_C u- - e P_N u- where several contacts are struck at once",
  cases = {{problem = row(0.5), scheme = "mabrouk"}, {problem = row(1), scheme = "mabrouk"}},
  controls = {{what = "contact after contact (moreau_jean)", scheme = "moreau_jean"},
              {what = "reflections of those that approach (reflect)", case = 2, scheme = "reflect"}},
  check = function(case)
    local u = common.run(case, {steps = 200}).final.u
    local mean, worst = 1 / #u, 0
    for k = 1, #u do
      worst = math.max(worst, math.abs(u[k] - (mean - case.problem.e * ((k == 1 and 1 or 0) - mean))))
    end
    -- speeds below 1 after 200 steps of a few roundings
    return common.row(case, {what = "largest |u - (P_C u- - e P_N u-)| at the end", measured = worst, bound = 1e-13})
  end}
