-- Many sticky particles and the gas without pressure (Maury 2006, Remark 12; problems/pressureless.c).
local common = ...
local lab = require "impactlab"

local function gas(N) return {spec = {"pressureless", N = N}, scale = 1, N = N} end

-- Of N particles at the time T: the largest distance from the gas's paths, and the part of them that has met in the middle, less 2 a.
local function after(case, steps)
  local N, T = case.problem.N, case.late or 2.5
  local run = common.run(case, {steps = steps, horizon = 2.5, record = "final"})
  local off, met = 0, 0
  for i = 1, N do
    local y = (i - 0.5) / N - 0.5
    local free = y * (1 - T * (1 - 4 * y * y))
    off = common.worst(off, math.abs(run.final.q[i] - (y * free > 0 and free or 0)))
    if math.abs(run.final.q[i]) <= 1e-9 then met = met + 1 end
  end
  return off, math.abs(met / N - math.sqrt(1 - 1 / T))
end

lab.claim{
  id = "M-R12", cost = {2}, source = "Maury 2006, Remark 12; Brenier 2000",
  statement = "many sticky particles are a gas without pressure: from velocities -y (1 - 4 y^2) they follow its paths, " ..
    "(1 - 1/t)^(1/2) of the mass in one point at t > 1, up to 1/N and the step",
  cases = {
    {problem = gas(20), scheme = "maury"}, {problem = gas(201), scheme = "maury"}, {problem = gas(200), scheme = "paoli"}},
  controls = {
    {what = "the gas at another time", case = 2, late = 2.4},
    {what = "springs of fixed stiffness 1e4", case = 1, scheme = "penalty:stiffness=1e4"}},
  check = function(case)
    local off, mass = after(case, case.scheme:find("^penalty") and 250 or 2003)
    return {
      common.row(case, {what = "largest distance from the gas's paths over 2 h", measured = off / (2 * 2.5 / 2003), bound = 1}),
      common.row(case, {what = "mass in the middle, error over 1/N", measured = mass * case.problem.N, bound = 1})}
  end}
