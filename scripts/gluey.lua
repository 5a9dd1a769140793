-- gluey.lua - contacts that hold and let go: the gap, the adhesion potential and the contact force
-- of two bodies against the exact solution, and the observed orders.
--
--   build/impactlab sweep scripts/gluey.lua --results results
--
-- gamma(0) = 0 and gamma' = -lambda: gamma at a node is minus the sum of the impulses up to there.

local lab = require "impactlab"

local STEPS = 160
local PULSES = {"gluey", scenario = "spheres", masses = {1, 3}, press = 2, pull = 2.2, turn = 1.05,
                period = 2.1}
local HORIZON = 8
local HUE = lab.colors.gluey_maury

-- The force on the gap.
local function force(t)
  return t % PULSES.period < PULSES.turn and -PULSES.press or PULSES.pull
end

local function gap_of(q)
  local gap = {}
  for k = 1, #q[1] do gap[k] = q[2][k] - q[1][k] - 0.2 end
  return gap
end

-- ---- what the scheme did ------------------------------------------------------------------------

local run = lab.run{problem = PULSES, scheme = "gluey_maury", steps = STEPS, horizon = HORIZON,
                    trajectory = true}
local w = run.trajectory
local t, D = w:t(), gap_of{w:q(1), w:q(2)}
local impulse = {}
for _, contact in ipairs(w:contacts()) do
  impulse[contact.step] = (impulse[contact.step] or 0) + contact.impulse
end
local gamma, lambda, highest = {0}, {}, 0
for n = 1, STEPS do
  gamma[n + 1] = gamma[n] - (impulse[n] or 0)
  lambda[n] = (impulse[n] or 0) / run.h -- on the step from node n
  highest = math.max(highest, gamma[n + 1])
end
lambda[STEPS + 1] = lambda[STEPS]
lab.check(highest <= 1e-12, "gamma is never positive") -- rounding of 160 terms

-- ---- what is exact: m V + gamma has the impulse of F alone --------------------------------------

local exact = lab.exact{problem = PULSES, horizon = HORIZON, points = 1200}
local m = 1 * 3 / (1 + 3)
local eD, eV, egamma, elambda = gap_of(exact.q), {}, {}, {}
local W = 0 -- from rest
for k = 1, #exact.t do
  if k > 1 then
    local a, b = exact.t[k - 1], exact.t[k]
    W = W + (b - a) * force((a + b) / 2) -- the force switches at breaks alone
  end
  eV[k] = exact.u[2][k] - exact.u[1][k]
  egamma[k] = W - m * eV[k]
  elambda[k] = egamma[k] < -1e-9 and -force(math.min(exact.t[k] + 1e-6, HORIZON)) or 0
end

lab.section{title = "Gluey contact", order = 80, text = "Between the spheres is a fluid without thickness: contact " ..
  "holds while gamma, the sum of what has pressed, is negative, and its force may pull (Maury 2007)."}

local function panel(ylabel, known, computed, style, key, yrange)
  return {xlabel = "t", ylabel = ylabel, key = key, yrange = yrange, series = {
    {label = "exact", x = exact.t, y = known, style = "underlay"},
    {label = ("gluey_maury, h = %.3g"):format(run.h), x = t, y = computed, style = style, color = HUE}}}
end
-- An impact's percussion over h is far above the forces, which have a panel of their own below it.
lab.figure{
  name = "gluey", order = 40, columns = 1, height = 23,
  caption = "Two spheres pressed together (F = -2) and pulled apart (F = 2.2) in turn. While gamma < 0 the " ..
    "contact holds and its force may pull, lambda < 0; it lets go when gamma is 0 again. The peaks of " ..
    "lambda are impacts, percussion over h, of which the exact lambda has none; below, the forces between them.",
  panels = {panel("gap D", eD, D, "points", "auto", {-0.03, 0.55}),
            panel("gamma", egamma, gamma, "points", "off"),
            panel("lambda", elambda, lambda, "steps", "off"),
            panel("lambda, enlarged", elambda, lambda, "steps", "off", {-3, 5})}}

-- ---- orders -------------------------------------------------------------------------------------

local r = lab.sweep{
  name = "gluey", scheme = "gluey_maury", reference = "exact", norms = {"flat_lambda"},
  problems = {{"gluey", scenario = "wall"}, PULSES, {"gluey", gap = 0, gamma = -1}},
  steps = lab.levels{from = 64, ratio = 2, count = 8, jitter = 22, seed = 1}}:run()
-- Without an impact (gap = 0) the forces are wrong in two steps alone, and by less than h there: of
-- second order, with the scatter of where the switches fall in their steps.
for _, order in ipairs(r:orders{norms = {"u_L1", "q_Linf", "flat_lambda"}}) do
  print(order)
  if order.norm ~= "flat_lambda" then
    lab.check(order.low >= 0.9, "first order in " .. order.norm .. " on " .. order.problem)
  end
end

-- The records come problem by problem.
local records, series = r:records(), {}
for k, label in ipairs{"wall", "spheres, pulses", "glued at the start"} do
  local x, y = {}, {}
  for j = (k - 1) * #records // 3 + 1, k * #records // 3 do
    x[#x + 1], y[#y + 1] = records[j].h, records[j].error.u_L1
  end
  series[k] = {label = label, x = x, y = y, style = "points"}
end
series[#series + 1] = {label = "slope 1", x = {2e-3, 6e-2}, y = {1.5e-3, 4.5e-2}, color = "#808080", style = "dashes"}
lab.figure{
  name = "gluey-convergence", order = 41, xlabel = "h", ylabel = "error, u_L1", logx = true, logy = true,
  series = series,
  caption = "Errors of gluey_maury against the exact motion, beside a line of slope 1: of first order, whether " ..
    "glue comes from impacts (wall, spheres) or was there from the beginning."}
