-- simbenchmark.lua - the bouncing balls of SimBenchmark (ETH Zurich, data/bouncing/sample.csv), whose
-- published energy errors two formulas give to the last digit.
--
--   build/impactlab sweep scripts/simbenchmark.lua
--
-- 49 balls of 10 kg fall 4.9 m under 9.81, e = 1, for 20 s; printed is the mean over the steps 0..n-1 of
-- (E - E_0)^2, E the mechanical energy of all balls. The number of ODE is not an error of contact: half of
-- an explicit Euler step of free flight, (M g h u/2)^2 on average; its runs switch ODE's CFM off. Bullet's
-- takes the restitution after the force of the step, and a bounce gains about g h |u|.
local lab = require "impactlab"

local MASS, GRAVITY, HEIGHT, TIME = 490, 9.81, 4.9, 20
local PUBLISHED = {
  {engine = "ODE", scheme = "impulse:as=ode,cfm=0", color = "#a63603", error = {"18808.3", "185.027", "1.85055"}},
  {engine = "Bullet", scheme = "impulse:erp=0,restitution=after", color = "#08306b", error = {"7.40664e+06", "75245.4", "752.345"}}}
local STEPS = {1e-2, 1e-3, 1e-4}

local function mean_square(scheme, h)
  local n = math.floor(TIME / h + 0.5)
  local run = lab.run{problem = {"bouncing_ball", e = 1, gravity = GRAVITY, q0 = HEIGHT}, scheme = scheme,
                      steps = n, horizon = TIME, norms = "none", trajectory = true}
  local q, u, sum = run.trajectory:q(1), run.trajectory:u(1), 0
  for k = 1, n do
    local change = MASS * (u[k] ^ 2 / 2 + GRAVITY * (q[k] - HEIGHT))
    sum = sum + change * change
  end
  return sum / n
end

local rows, series = {}, {}
for _, p in ipairs(PUBLISHED) do
  local printed, found = {}, {}
  for k, h in ipairs(STEPS) do
    local ours = ("%.6g"):format(mean_square(p.scheme, h))
    printed[k], found[k] = tonumber(p.error[k]), tonumber(ours)
    rows[#rows + 1] = {p.engine, p.scheme, ("%g"):format(h), p.error[k], ours}
    lab.check(ours == p.error[k], ("%s, h = %g: published %s, %s %s"):format(p.engine, h, p.error[k], p.scheme, ours))
  end
  series[#series + 1] = {label = p.scheme, x = STEPS, y = found, color = p.color}
  series[#series + 1] = {label = p.engine .. ", published", x = STEPS, y = printed, style = "points", color = p.color}
end
lab.figure{name = "simbenchmark", width = 18, height = 10, xlabel = "h", ylabel = "mean square of the energy error, J^2", logx = true, logy = true,
           key = "outside", series = series, caption = "SimBenchmark's bouncing balls, e = 1: published (marks), and two formulas (lines)."}
lab.table{name = "simbenchmark", caption = "SimBenchmark's bouncing balls, e = 1: mean square of the energy error, J^2",
          heads = {"engine", "scheme", "h", "published", "ours"}, rows = rows}
