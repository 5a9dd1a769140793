-- findings.lua - figures for what the board shows (harness/manual/board.md, "What the board shows"): findings 1 and 4 to 9.
--
--   build/impactlab sweep scripts/findings.lua --results results/findings -j 2          figures finding-1, finding-4, ...
--   build/impactlab sweep scripts/findings.lua --results results/findings -j 2 -- 5     one of them
--
-- The others are drawn by the commands that stand with them there.
local lab = require "impactlab"

local COLORS = {"#08306b", "#d94801", "#238b45", "#6a51a3", "#bf9000", "#cb181d", "#525252", "#4292c6", "#e7298a"}
local U2_G = 2 -- U^2/g of a ball that falls from 1

-- Errors of runs of many numbers of steps, the impact anywhere in its step; lines = {{label, error}, ...}.
local function errors(t)
  local steps = lab.levels{from = 64, count = t.octaves, jitter = 6, seed = 7}
  local r = lab.sweep{name = "finding-" .. t.finding, problem = t.problem, schemes = t.schemes, steps = steps, norms = "none", reference = "exact"}:run()
  local series, at = {}, {}
  for k, scheme in ipairs(t.schemes) do
    at[scheme] = {label = scheme, x = {}, y = {}, style = "points", color = COLORS[k]}
    series[k] = at[scheme]
  end
  for _, one in ipairs(r:records()) do
    local s = at[one.scheme]
    s.x[#s.x + 1], s.y[#s.y + 1] = one.steps, one.error[t.norm or "u_L1"] or 0 / 0
  end
  for _, line in ipairs(t.lines or {}) do
    series[#series + 1] = {label = line[1], x = {steps[1], steps[#steps]}, y = {line[2], line[2]}, style = "dashes", color = "#7f7f7f"}
  end
  lab.figure{name = "finding-" .. t.finding, caption = t.caption, width = 18, height = 10, xlabel = "steps",
             ylabel = "error in " .. (t.norm or "u_L1"), logx = true, logy = true, key = "outside", series = series}
end

local findings = {}

findings[1] = function()
  local s = 0.2 ^ 2 / 3
  errors{finding = 1, problem = {"bouncing_ball", e = 0}, octaves = 10, schemes = {"impulse:as=ode", "impulse:as=ode,erp=0"},
         lines = {{"law of the mean, erp = 0.2", U2_G * s / (1 - s)}},
         caption = "A push by overlap keeps its velocity: with erp = 0.2 errors end at a floor, whose mean over the phases is the dashed line (LAW-erp-floor)."}
end

-- 1600 sweeps over the whole motion: few steps of many sweeps, or many of few.
findings[4] = function()
  local piles, series = {{"crystal"}}, {}
  for seed = 1, 3 do piles[seed + 1] = {"pile", N = 60, radius = 0.5, seed = seed} end
  for k, pile in ipairs(piles) do
    local x, y = {}, {}
    for i, sweeps in ipairs{16, 8, 4, 2, 1} do
      local run = lab.run{problem = pile, scheme = "impulse:as=ode", steps = 1600 // sweeps, horizon = k == 1 and 1 or 2, norms = "none",
                          projector = "gauss_seidel", max_iterations = sweeps, accept_stalled = true}
      x[i], y[i] = 1600 // sweeps, -run.feasibility.nodes_min
    end
    print(("%s: %.2g of the overlap"):format(pile[1], y[5] / y[1]))
    series[k] = {label = k == 1 and "crystal" or "pile of 60, seed " .. pile.seed, x = x, y = y, style = "linespoints", color = COLORS[k]}
  end
  lab.figure{name = "finding-4", width = 18, height = 10, xlabel = "steps, of 1600 sweeps in all", ylabel = "deepest overlap", logx = true, logy = true,
             key = "outside", series = series, caption = "More steps leave less overlap than more sweeps a step (LAW-substeps)."}
end

findings[5] = function()
  errors{finding = 5, problem = {"bouncing_ball", e = 0}, octaves = 11, schemes = {"ipc:kappa=1e6,dhat=1e-3", "ipc:kappa=1e6,dhat=1e-2", "maury"},
         caption = "A barrier has a best step: below it the barrier is resolved, and returns the energy that an inelastic impact loses (LAW-ipc)."}
end

findings[6] = function()
  errors{finding = 6, problem = {"bouncing_ball", e = 0}, octaves = 9, schemes = {"soft:as=mujoco", "soft:as=sap", "soft:as=sap,k=1e4,beta=0"},
         caption = "Soft contacts whose stiffness grows with the steps tend to the solution, those of fixed stiffness to a motion with springs (LAW-soft, LAW-soft-joint)."}
end

findings[7] = function()
  errors{finding = 7, norm = "q_Linf", problem = {"graze", s = 0.618}, octaves = 6,
         schemes = {"maury", "midpoint", "mabrouk", "impulse:as=simbody", "impulse:as=simbody,margin=0"},
         caption = "A point that grazes a bump: closed contacts alone are exact to rounding, a look ahead has order 1, a margin leaves a floor."}
end

-- Velocities after a ball has struck a row of four, e = 1, beside the law of each.
findings[8] = function()
  local laws = {{"Moreau", {-0.6, 0.4, 0.4, 0.4, 0.4}}, {"pairs, one after the other", {0, 0, 0, 0, 1}}, {"all together", {0.2, 0.2, 0.2, 0.2, 0.2}}}
  local series = {}
  for k, law in ipairs(laws) do
    series[k] = {label = law[1], x = {1, 2, 3, 4, 5}, y = law[2], style = "dashes", color = COLORS[k]}
  end
  for k, scheme in ipairs{"mabrouk", "impulse:as=ode", "impulse:as=dart", "impulse:as=simbody", "reflect", "impulse:as=chipmunk", "impulse:as=jolt",
                          "impulse:as=box2d", "impulse:as=bullet"} do
    local u, x = lab.run{problem = {"cradle", radius = 0.125, e = 1}, scheme = scheme, steps = 1303, norms = "none"}.final.u, {}
    for i = 1, 5 do x[i] = i + 0.06 * (k - 5) end
    series[#series + 1] = {label = scheme, x = x, y = u, style = "points", color = COLORS[k]}
  end
  lab.figure{name = "finding-8", width = 18, height = 10, xlabel = "ball", ylabel = "velocity after the impact", xrange = {0.5, 5.5}, key = "outside", series = series,
             caption = "A ball strikes a row of four, e = 1: three laws (dashed), and what schemes make of it (marks, side by side)."}
end

findings[9] = function()
  local schemes, series = {"maury", "moreau_jean", "impulse:as=ode", "xpbd"}, {}
  local speed = lab.board{schemes = schemes, problems = {"crystal"}, questions = {"contact"}}
  local deep = lab.board{schemes = schemes, problems = {"pile:N=2,columns=1,radius=0.5,T=1"}, questions = {"overlap"}}
  for k, scheme in ipairs(schemes) do
    series[k] = {label = scheme, x = {speed.cells[k].value}, y = {math.max(deep.cells[k].value, 1e-17)}, style = "points", color = COLORS[k]}
  end
  lab.figure{name = "finding-9", width = 18, height = 10, xlabel = "microseconds a step and contact, 990 discs, of this machine",
             ylabel = "deepest overlap, pile of two", logx = true, logy = true, key = "outside", series = series,
             caption = "What a contact costs and what it leaves."}
end

local one = arg[1] and (findings[tonumber(arg[1])] or error("finding " .. arg[1] .. "; allowed: 1, 4 to 9"))
for k = 1, 10 do
  if findings[k] and (not one or one == findings[k]) then findings[k]() end
end
