-- lab.run against free fall and the balance of momentum, both of which maury meets to rounding.
local lab = require "impactlab"
local g, N, T = 9.81, 40, 0.4
local ROUNDING = 1e-13 -- some hundred roundings of numbers below 5

-- Before the impact at 0.4515 the scheme sums h g exactly: u_n = -g t_n, q_N = 1 - g h^2 N(N+1)/2.
local r = lab.run{problem = "bouncing_ball", scheme = "maury", steps = N, horizon = T,
                  samples = {0, 0.2}}
local h = T / N
lab.check(r.status == "ok" and r.message == "", "status")
lab.check(r.problem == "bouncing_ball" and r.scheme == "maury" and r.order == 2, "names")
lab.check(r.steps == N and math.abs(r.h - h) <= ROUNDING and r.horizon == T, "steps")
lab.check(math.abs(r.final.u[1] + g * T) <= ROUNDING, "velocity of free fall")
lab.check(math.abs(r.final.q[1] - (1 - g * h * h * N * (N + 1) / 2)) <= ROUNDING, "sum of heights")
lab.check(r.samples[1].q[1] == 1 and math.abs(r.samples[2].u[1] + g * 0.2) <= ROUNDING, "samples")
lab.check(r.error.reference == "exact" and r.error.q_Linf > 0, "error")
-- u_h = -g t_{n+1} on step n: the difference to -g t falls from g h to 0 in every step.
lab.check(math.abs(r.error.u_L1 - g * h / 2 * T) <= ROUNDING, "u_L1 in closed form")
lab.check(r.parameters.gravity == g and r.seed == nil, "parameters; null is nil")
lab.check(r.trajectory == nil, "no trajectory unless asked for")

-- Beyond the impact: impulses minus weight is the change of momentum.
local s = lab.run{problem = "bouncing_ball", scheme = "maury", h = 0.01, trajectory = true}
local traj, sum = s.trajectory, 0
for _, c in ipairs(traj:contacts()) do
  sum = sum + c.impulse
  lab.check(c.id == 0 and c.step >= 1 and c.step <= 200, "a contact of constraint 0 in a step")
end
lab.check(#traj == 201 and traj:dimension() == 1 and #traj:t() == 201, "nodes")
lab.check(math.abs(sum - g * 2 - s.final.u[1]) <= 200 * ROUNDING, "momentum")
lab.check(math.abs(sum - s.contacts.impulse_total) <= 200 * ROUNDING, "impulses")
lab.check(traj:q(1)[1] == 1 and traj:q(1)[201] == s.final.q[1], "ends of q")
lab.check(traj:u(1)[201] == s.final.u[1] and math.abs(traj:t()[201] - 2) <= ROUNDING, "ends of u")
lab.check(not pcall(traj.q, traj, 2), "there is no second coordinate")

-- What is left out is nil, what fails is data, what goes to a file is named.
local f = lab.run{problem = "bouncing_ball", scheme = "maury", steps = 10, record = "final"}
lab.check(f.error == nil and f.energy == nil and f.final.t == 2, "record = final")
local bad = lab.run{problem = {"sticky", N = 8}, scheme = "maury", steps = 4, seed = 2,
                    projector = "uzawa", max_iterations = 1}
lab.check(bad.status == "not_converged" and bad.message ~= "", "a failed run is data")
lab.check(bad.error.u_L1 == nil and bad.seed == 2, "without errors")
local seeded = lab.run{problem = "bouncing_ball", scheme = "maury", steps = 10, seed = 7}
lab.check(seeded.seed == 7 and seeded.parameters.seed == nil, "a seed that nothing draws from")
local file = lab.run{problem = "bouncing_ball", scheme = "maury", steps = 10,
                     trajectory = "ball.csv"}
lab.check(file.trajectory:match("/trajectories/ball%.csv$"), "the path of a trajectory")

-- The exact solution: every break inside twice, and there the velocity jumps to rest.
local e = lab.exact{problem = "bouncing_ball", points = 100}
local t1, twice = math.sqrt(2 / g), 0
lab.check(#e.breaks == 3 and math.abs(e.breaks[2] - t1) <= ROUNDING, "breaks")
for k = 1, #e.t - 1 do
  if e.t[k] == e.breaks[2] and e.t[k + 1] == e.t[k] then
    twice = twice + 1
    lab.check(math.abs(e.u[1][k] + g * t1) <= ROUNDING and e.u[1][k + 1] == 0, "jump to rest")
  end
end
lab.check(twice == 1 and #e.q[1] == #e.t and #e.t >= 100, "one jump")
local none, why = lab.exact{problem = {"nonuniqueness", q0 = 0.1}}
lab.check(none == nil and type(why) == "string", "no exact solution, and why")

-- The force of Maury's example: 1, then -alpha, octave by octave.
local force = lab.force{problem = "nonuniqueness", t = {0.55, 0.8, 1.1, 1.9}}
lab.check(table.concat(force[1], ",") == "1.0,-1.8,1.0,-1.8", "force")

-- An impact at the end itself is the reference's too: with gravity 2 a ball falls from 1 in a time of 1.
for _, T in ipairs{1, 1.5} do
  local r = lab.run{problem = {"bouncing_ball", gravity = 2}, scheme = "maury", steps = 24, horizon = T}
  lab.check(r.error.impacts.events == 1 and r.error.impacts.missed == 0, "impacts in [0, T]")
end

-- moreau_jean looks gamma h ahead of the step: a wall that comes with speed 1 meets 0.35 in the step from 0.4 for gamma = 1/4,
-- 0.4 + 0.025 >= 0.35 but 0.3 + 0.025 < 0.35, in that from 0.3 for gamma = 3/4, and 0.2 + 0.075 < 0.35.
for gamma, at in pairs{[0.25] = 0.5, [0.75] = 0.4} do
  local wall = lab.problem{name = "coming", horizon = 0.8, q0 = {0.35}, u0 = {0},
                           constraints = function(t, q) return {{g = q[1] - t, grad = {1}, dt = -1}} end}
  local run = lab.run{problem = wall, scheme = ("moreau_jean:gamma=%g"):format(gamma), steps = 8, trajectory = true}
  local t, u, first = run.trajectory:t(), run.trajectory:u(1)
  for n = #t, 1, -1 do first = u[n] ~= 0 and t[n] or first end
  lab.check(math.abs(first - at) <= 1e-12, ("gamma = %g: it is met in the step that ends at %g"):format(gamma, first))
end
