-- Contacts that hold, in a row (Bernicot & Lefebvre-Lepot, Remark 4.3; problems/gluey_row.c).
local common = ...
local lab = require "impactlab"

local function row(N, masses)
  local list, force, u0 = {}, {}, {}
  for i = 1, N do list[i], force[i], u0[i] = masses and masses[i] or 1, (N + 1) / 2 - i, 0.3 * math.cos(5 * i) end
  return {spec = {"gluey_row", N = N, masses = list, force = force, u0 = u0}, scale = 1, masses = list, force = force, u0 = u0}
end

-- The largest |M u + sum gamma_i G_i - M u_0 - int f| over all nodes; gamma is minus the impulses so far, G_i = (.., -1, 1, ..).
local function off(case, run)
  local p, t, u, impulse, worst = case.problem, run.trajectory:t(), {}, {}, 0
  for i = 1, #p.masses do u[i] = run.trajectory:u(i) end
  for _, c in ipairs(run.trajectory:contacts()) do
    impulse[c.step] = impulse[c.step] or {}
    impulse[c.step][c.id + 1] = c.impulse
  end
  local gamma = {}
  for n = 1, #t do
    for i, x in pairs(impulse[n - 1] or {}) do gamma[i] = (gamma[i] or 0) - x end
    local push = math.min(t[n], 0.8) - (case.pull or 2) * math.max(0, t[n] - 0.8)
    for i, m in ipairs(p.masses) do
      worst = common.worst(worst, math.abs(m * (u[i][n] - p.u0[i]) + (gamma[i - 1] or 0) - (gamma[i] or 0) - push * p.force[i]))
    end
  end
  return worst
end

lab.claim{
  id = "BL-R4.3-row", cost = {2}, source = "Bernicot & Lefebvre-Lepot 2010, Remark 4.3; problems/gluey_row.c",
  statement = "a row of gluey contacts: M u + sum gamma_i G_i is exact at every node, and as a sweeping process of first order " ..
    "it converges to the unique solution, by order 1/2 at least",
  cases = {
    {problem = row(2), scheme = "gluey_maury"}, {problem = row(5), scheme = "gluey_maury"},
    {problem = row(9, {1, 3, 0.5, 2, 1, 4, 0.7, 1, 2}), scheme = "gluey_maury"}},
  controls = {
    {what = "another force from its turn on", case = 2, pull = 2.001},
    {what = "other masses", case = 3, problem = (function()
      local p = row(9, {1, 3, 0.5, 2, 1, 4, 0.7, 1, 2})
      p.masses = row(9).masses
      return p
    end)()},
    {what = "a step that does not shrink", case = 2, finer = 1}},
  check = function(case)
    local coarse = common.run(case, {steps = 300, trajectory = true})
    local fine = common.run(case, {steps = 300 * (case.finer or 16), trajectory = true})
    return {
      common.row(case, {what = "|M u + sum gamma_i G_i - M u_0 - int f| at nodes",
                        measured = common.worst(off(case, coarse), off(case, fine)), bound = common.ROUNDING}),
      common.row(case, {what = "error of q with steps a sixteenth as long, of that before", measured = fine.error.q_Linf / coarse.error.q_Linf,
                        bound = 1 / 4})}
  end}
