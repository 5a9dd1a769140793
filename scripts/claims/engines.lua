-- Engines' schemes: numbers that others published, and the law of several contacts.
local common = ...
local lab = require "impactlab"

local ball = {spec = {"bouncing_ball", e = 1, q0 = 4.9}, scale = 1}
local MASS, GRAVITY, HEIGHT, TIME = 490, 9.81, 4.9, 20

-- Mean over the steps 0..n-1 of (E - E_0)^2, as SimBenchmark takes it, of 49 balls of 10 kg.
local function mean_square(case, h)
  local n = math.floor(TIME / h + 0.5)
  local run = common.run(case, {steps = n, horizon = TIME, norms = "none", trajectory = true, record = "final"})
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

lab.claim{
  id = "MB-converges", source = "Mabrouk 1998; Dzonou, Monteiro Marques & Paoli 2009; Paoli 2013",
  statement = "mabrouk converges, with e > 0 and where several contacts are struck at once",
  cases = {{problem = row(0.5), scheme = "mabrouk"}, {problem = {spec = {"bouncing_ball", e = 0.5}, scale = 1}, scheme = "mabrouk"}},
  controls = {{what = "contact after contact (moreau_jean)", scheme = "moreau_jean"},
              {what = "a push that is added to restitution", case = 2, scheme = "impulse:erp=0.8,combine=add"}},
  check = function(case)
    return common.vanishing(case, "u_L1", 24, function(N) return common.run(case, {steps = N}).error.u_L1 end)
  end}

local function struck(spec) return {spec = spec, scale = 0.5} end

lab.claim{
  id = "PR-feasible", source = "Acary 2013; Siconos, TimeSteppingCombinedProjection",
  statement = "nodes of projected lie in Q, with restitution and several contacts too",
  cases = {{problem = struck{"bouncing_ball", e = 0.5}, scheme = "projected"}, {problem = row(0.5), scheme = "projected"},
           {problem = struck{"pile", N = 3, radius = 0.5, seed = 2}, scheme = "projected"},
           {problem = struck{"two_spheres", scenario = "pressed"}, scheme = "projected"}},
  controls = {{what = "velocities alone (moreau_jean)", scheme = "moreau_jean"},
              {what = "velocities alone, a pile", case = 3, scheme = "moreau_jean"}},
  check = function(case) return common.admissible(case, {100, 300}, "nodes_min", "least gap at nodes") end}

-- q'' = -q from (1, 0): cos t.
local spring = {scale = 1, spec = lab.problem{
  name = "spring", horizon = 10, q0 = {1}, u0 = {0}, force = function(_, q) return {-q[1]} end,
  constraints = {{g = 10, grad = {1}}}}}

lab.claim{
  id = "MP-smooth", source = "Moreau 1999; Hairer, Lubich & Wanner 2003, leapfrog",
  statement = "without contact midpoint is of order 2, and its energy stays within O(h^2) for all times",
  cases = {{problem = spring, scheme = "midpoint"}},
  controls = {{what = "the force at the start of the step", scheme = "moreau_jean:theta=0.5"},
              {what = "order 3", claimed = 3}},
  check = function(case)
    local function off(N)
      local run = common.run(case, {steps = N})
      return math.max(math.abs(run.final.q[1] - math.cos(10)), math.abs(run.final.u[1] + math.sin(10)))
    end
    local run = common.run(case, {steps = 40000, horizon = 2000, trajectory = true, record = "final"})
    local q, u, worst = run.trajectory:q(1), run.trajectory:u(1), 0
    for k = 1, #q do worst = common.worst(worst, math.abs((q[k] ^ 2 + u[k] ^ 2) / 2 - 0.5)) end
    return {
      -- the next term is h^2 of it, 4e-4 of the slope
      common.row(case, {what = "|slope of the error between 500 and 1000 steps - 2|", bound = 5e-3,
                        measured = math.abs(math.log(off(500) / off(1000), 2) - (case.claimed or 2))}),
      -- 2 H = q^2 (1 - h^2/4) + u^2 is kept exactly: 2 E = q^2 + u^2 is off by h^2/4 of q^2 <= 1 at most
      common.row(case, {what = "largest |E - E_0| over 2000 units of time, over h^2/8", measured = worst / (run.h ^ 2 / 8),
                        bound = 1.01})}
  end}
