-- rebound.lua - the rebound test of Newton's verification suite, at every phase of the impact in its step.
--
--   build/impactlab sweep scripts/rebound.lua
--
-- A ball falls from about 1 under g = 10, e = 1/2, h = 1e-3: it is to leave at e (2 g H)^(1/2) and to rise to e^2 H
-- again, each within 1 %. One drop looks at one phase. Here heights H between 1 and 1 + (2 g)^(1/2) h put the
-- impact everywhere in its step, and printed is the share of them that pass, with the worst that was measured.
-- Schemes whose contacts have no restitution are left out.
local lab = require "impactlab"

local G, E, H, STEP, WITHIN, DROPS = 10, 0.5, 1e-3, 800, 0.01, 200
local SCHEMES = {"moreau_jean", "moreau_jean:theta=0.5", "paoli", "midpoint", "mabrouk", "projected", "reflect",
                 "poisson", "impulse:as=ode", "impulse:as=bullet", "impulse:as=box2d", "impulse:as=chipmunk",
                 "impulse:as=jolt", "impulse:as=dart", "impulse:as=simbody", "impulse:as=chrono", "xpbd", "dem:k=1e4", "dem:k=1e6"}
local GOLDEN = (5 ^ 0.5 - 1) / 2

-- Speed and height of the first rebound, as parts of what they are to be: to t = 0.8, before the second impact.
local function rebound(scheme, height)
  local run = lab.run{problem = {"bouncing_ball", gravity = G, e = E, q0 = height}, scheme = scheme,
                      h = H, steps = STEP, norms = "none", trajectory = true}
  if run.status ~= "ok" then return 0, 0 end
  local q, u, speed, rise, fell = run.trajectory:q(1), run.trajectory:u(1), 0, 0, false
  for n = 1, #q do
    fell = fell or (n > 1 and u[n] > u[n - 1]) -- the floor has acted
    if fell then speed, rise = math.max(speed, u[n]), math.max(rise, q[n]) end
  end
  return speed / (E * (2 * G * height) ^ 0.5), rise / (E ^ 2 * height)
end

local rows = {}
for _, scheme in ipairs(SCHEMES) do
  local passed, worst = {{}, {}}, {0, 0}
  for k = 1, DROPS do
    local found = {rebound(scheme, 1 + (2 * G) ^ 0.5 * H * (k * GOLDEN % 1))}
    for i = 1, 2 do
      local off = math.abs(found[i] - 1)
      passed[i][k], worst[i] = off <= WITHIN, math.max(worst[i], off)
    end
  end
  local speed, rise = lab.share{values = passed[1]}, lab.share{values = passed[2]}
  rows[#rows + 1] = {scheme, ("%.0f %%"):format(100 * speed.share), ("%.2f %%"):format(100 * worst[1]),
                     ("%.0f %%"):format(100 * rise.share), ("%.2f %%"):format(100 * worst[2])}
  print(table.concat(rows[#rows], "  "))
  if scheme == "moreau_jean" then -- u+ = -e u_n, and u_n is off by its place in the fall and by the step of the impact
    lab.check(worst[1] <= 1.5 * G * H / (2 * G) ^ 0.5, "moreau_jean's speed is off by at most 3/2 g h")
  end
end
lab.table{name = "rebound", caption = "A ball that drops from 1, e = 1/2, h = 1e-3: share of phases within 1 %",
          heads = {"scheme", "speed", "worst", "height", "worst"}, rows = rows}
