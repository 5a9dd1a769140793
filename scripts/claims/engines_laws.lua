-- What steps of engines do to a ball that falls on a floor, as h -> 0 (schemes/README.md, "What they tend to").
-- A ball from height q0 strikes at speed U; at the first node where it overlaps the gap is -theta h U. All is
-- derived of one contact and of velocities; what gravity adds within a few steps is of order g h/U.
local common = ...
local lab = require "impactlab"

local GRAVITY, HEIGHT = 9.81, 1
local U, FALL = math.sqrt(2 * GRAVITY * HEIGHT), math.sqrt(2 * HEIGHT / GRAVITY)
local function ball(e) return {spec = {"bouncing_ball", e = e, q0 = HEIGHT, gravity = GRAVITY}, scale = 1, e = e} end

-- Runs of many phases: see(q, u, h) of each. Flights by q_{n+1} = q_n + h u_{n+1}: q_n = q0 - g h^2 n (n + 1)/2.
local FIRST, PHASES = 4000, 144
local function phases(case, see)
  for N = FIRST, FIRST + PHASES - 1 do
    local run = common.run(case, {steps = N, horizon = 1.4 * FALL, trajectory = true, record = "final"})
    see(run.trajectory:q(1), run.trajectory:u(1), run.h)
  end
end

-- The phase of the first node with an overlap, by the closed form of the fall.
local function phase(h)
  local n = math.ceil((math.sqrt(1 + 8 * HEIGHT / (GRAVITY * h * h)) - 1) / 2)
  return (GRAVITY * h * h * n * (n + 1) / 2 - HEIGHT) / (h * U)
end

local function fastest(u)
  local most = 0
  for k = 1, #u do most = common.worst(most, u[k]) end
  return most / U
end

-- A few steps of gravity, of which the first 4000 have g h/U = 4e-4.
local CLOSE = 3e-3

local ERP = 0.3
lab.claim{
  id = "LAW-erp", source = "schemes/README.md, What they tend to",
  statement = "a push by overlap leaves its velocity: whatever h, a ball struck at U leaves at erp theta U with e = 0, at " ..
              "(e + erp theta) U where the push is added to restitution",
  cases = {{problem = ball(0), scheme = "impulse:erp=0.3", law = function(theta) return ERP * theta end},
           {problem = ball(0.5), scheme = "impulse:erp=0.3,combine=add", law = function(theta) return 0.5 + ERP * theta end}},
  controls = {{what = "a push that moves positions alone", scheme = "impulse:erp=0.3,split=yes"},
              {what = "a tenth less of the overlap", scheme = "impulse:erp=0.27"},
              {what = "the larger of both in place of their sum", case = 2, scheme = "impulse:erp=0.3"}},
  check = function(case)
    local apart = 0
    phases(case, function(_, u, h) apart = common.worst(apart, math.abs(fastest(u) - case.law(phase(h)))) end)
    return common.row(case, {what = "largest |rebound - law|/U over the phases", measured = apart, bound = CLOSE})
  end}

lab.claim{
  id = "LAW-erp-floor", source = "schemes/README.md, What they tend to",
  statement = "with e = 0 it hops on: the mean over phases of the error in u_L1 ends at (U^2/g) s/(1 - s), s = erp^2/3",
  cases = {{problem = ball(0), scheme = "impulse:erp=0.3"}},
  controls = {{what = "no push", scheme = "impulse:erp=0"}, {what = "a law without hops after the first", first = true}},
  check = function(case)
    local sum, square = 0, 0
    for N = FIRST, FIRST + PHASES - 1 do
      local x = common.run(case, {steps = N, horizon = 2}).error.u_L1
      sum, square = sum + x, square + x * x
    end
    local mean, s = sum / PHASES, ERP * ERP / 3
    local law = U * U / GRAVITY * (case.first and s * 0.8 or s / (1 - s))
    local spread = math.sqrt((square / PHASES - mean * mean) / PHASES)
    -- two standard errors of a mean over 144 phases, 7.5 % each
    return common.row(case, {what = "relative distance of the mean from the law", measured = math.abs(mean / law - 1),
                             bound = 0.15, evidence = ("mean %.4g, its standard error %.2g, law %.4g"):format(mean, spread, law)})
  end}

-- Heights of a ball with e = 1 after each bounce, in units of h U of the bounce: 0 keeps, 1 gains g h U of energy.
-- Flights keep u^2/2 + g q - g h u/2 exactly where q_{n+1} = q_n + h u_{n+1}, and + g h u/2 where q_{n+1} = q_n + h u_n.
-- A bounce from u to u' = -u adds g h |u| - g h |u| to the first, that of u - g h to |u| + g h adds g h |u| more.
local function gains(case)
  local run = common.run(case, {steps = 20000, horizon = 6 * FALL, trajectory = true, record = "final"})
  local q, tops, k = run.trajectory:q(1), {}, 2
  while k < #q do
    if q[k] >= q[k - 1] and q[k] > q[k + 1] and q[k] > HEIGHT / 2 then tops[#tops + 1] = q[k] end
    k = k + 1
  end
  local worst = 0
  common.enough(#tops, 2, "bounces")
  for n = 1, #tops do
    local before = n > 1 and tops[n - 1] or HEIGHT
    local gain = (tops[n] - before) / (run.h * math.sqrt(2 * GRAVITY * before))
    worst = common.worst(worst, math.abs(gain - case.gain))
  end
  return worst
end

lab.claim{
  id = "LAW-order-of-lines", source = "schemes/README.md, What they tend to",
  statement = "a bounce with e = 1 keeps its energy where restitution is of the velocity before the force, and gains g h |u| where " ..
              "it is of the velocity after it, whichever velocity moves the positions",
  cases = {{problem = ball(1), scheme = "impulse:erp=0", gain = 0}, {problem = ball(1), scheme = "moreau_jean", gain = 0},
           {problem = ball(1), scheme = "mabrouk", gain = 0}, {problem = ball(1), scheme = "midpoint", gain = 0},
           {problem = ball(1), scheme = "impulse:erp=0,restitution=after", gain = 1},
           {problem = ball(1), scheme = "reflect", gain = 1}, {problem = ball(1), scheme = "poisson", gain = 1}},
  controls = {{what = "restitution after the force", scheme = "impulse:erp=0,restitution=after"},
              {what = "restitution before the force", case = 5, scheme = "impulse:erp=0"}},
  check = function(case)
    -- theta h U below the floor changes a height by the next order, h^2
    return common.row(case, {what = "largest |gain of a bounce/(g h U) - law|", measured = gains(case), bound = 5e-3})
  end}

lab.claim{
  id = "LAW-threshold", source = "schemes/README.md, What they tend to",
  statement = "a threshold v of restitution ends bounces at the first n with e^n U <= v: the error in u_L1 tends to " ..
              "(e^(n+1) U)^2/(g (1 - e^2))",
  cases = {{problem = ball(0.5), scheme = "impulse:erp=0,threshold=0.4", threshold = 0.4},
           {problem = ball(0.5), scheme = "impulse:erp=0,threshold=0.8", threshold = 0.8}},
  controls = {{what = "no threshold", scheme = "impulse:erp=0"}, {what = "a bounce more", scheme = "impulse:erp=0,threshold=0.2"}},
  check = function(case)
    local e, n = case.problem.e, 0
    while e ^ n * U > case.threshold do n = n + 1 end
    local law = (e ^ (n + 1) * U) ^ 2 / (GRAVITY * (1 - e * e))
    -- beside the floor: each of n impacts is off by up to h, over which velocities differ by (1 + e) e^k U; all of it is
    -- h (1 + e) U/(1 - e) = 1.3e-4 at most, 5 % of the smaller floor; the bound is twice that
    local x = common.run(case, {steps = 200000}).error.u_L1
    return common.row(case, {what = "relative distance of the error from the law", measured = math.abs(x / law - 1), bound = 0.1,
                             evidence = ("%d bounces, error %.4g, law %.4g"):format(n, x, law)})
  end}

-- A bounce needs e |v_k| > g_k/h. After a step that braked, g_k = e h |v_{k-1}|, and approaches do not grow; before the
-- first one, v >= -g/h - e r did not brake a step earlier, so that g_k >= e h |v_k|.
lab.claim{
  id = "LAW-margin", source = "schemes/README.md, What they tend to",
  statement = "v >= -g/h - e r within a margin takes the speed of an approach away in steps and gives none back: as h -> 0 the " ..
              "ball stays down, whatever e",
  cases = {{problem = ball(0.5), scheme = "impulse:erp=0,margin=0.02,combine=add"},
           {problem = ball(1), scheme = "impulse:erp=0,margin=0.02,combine=add"}},
  controls = {{what = "no margin", scheme = "impulse:erp=0,combine=add"},
              {what = "a margin that a step crosses", case = 2, scheme = "impulse:erp=0,margin=1e-4,combine=add"}},
  check = function(case)
    local most = 0
    phases(case, function(_, u) most = common.worst(most, fastest(u)) end)
    return common.row(case, {what = "largest rebound/U over the phases", measured = most, bound = CLOSE})
  end}

lab.claim{
  id = "LAW-ipc", source = "schemes/README.md, What they tend to",
  statement = "a barrier keeps energy as h -> 0: a ball returns with all of its speed, whatever restitution is meant",
  cases = {{problem = ball(0), scheme = "ipc:kappa=1e6,dhat=1e-2"}},
  controls = {{what = "a step at which implicit Euler damps", steps = 500}, {what = "the inelastic solution", scheme = "maury"}},
  check = function(case)
    local run = common.run(case, {steps = case.steps or 100000, horizon = 1.4 * FALL, trajectory = true, record = "final"})
    -- between a step that resolves the barrier and one that does not (the control): what implicit Euler loses falls with h
    return common.row(case, {what = "rebound/U", measured = fastest(run.trajectory:u(1)), sense = ">=", bound = 0.95,
                             evidence = ("h = %.2g"):format(run.h)})
  end}

-- At rest the springs of a soft contact carry the weight: m g = k |gap|, whatever h.
lab.claim{
  id = "LAW-soft", source = "schemes/README.md, What they tend to",
  statement = "soft contacts of stiffness k rest at an overlap g m/k for every h: their limit is a motion with springs",
  cases = {{problem = ball(0), scheme = "soft:as=sap,k=1e4,beta=0", k = 1e4}, {problem = ball(0), scheme = "soft:as=sap,k=1e5,beta=0", k = 1e5}},
  controls = {{what = "ten times as stiff", scheme = "soft:as=sap,k=1e5,beta=0"}, {what = "hard contacts", scheme = "moreau_jean"}},
  check = function(case)
    local rows, _, info = {}, common.set(case)
    for k, N in ipairs{2000, 20000} do
      local q = common.run(case, {steps = N, horizon = 4}).final.q[1]
      rows[k] = common.row(case, {what = ("relative distance of the rest from -m g/k, %d steps"):format(N),
                                  measured = math.abs(q / (-info.masses[1] * GRAVITY / case.k) - 1), bound = 1e-3})
    end
    return rows
  end}

-- Two limits, of k and of h: fixed stiffness leaves a floor, a stiffness that grows like 1/h^2 leaves none.
lab.claim{
  id = "LAW-soft-joint", source = "schemes/README.md, What they tend to",
  statement = "soft contacts tend to the solution where their stiffness grows with the steps, k = 10/h^2, as it does for MuJoCo's " ..
              "time constant of at least 2 h",
  cases = {{problem = ball(0), scheme = "soft:as=sap"}},
  controls = {{what = "a stiffness of 1e3 for all h", k = 1e3}},
  check = function(case)
    return common.vanishing(case, "u_L1", 24, function(N)
      local k = case.k or 10 * (N / 2) ^ 2
      local with = setmetatable({scheme = ("soft:as=sap,k=%.17g,beta=0"):format(k)}, {__index = case})
      return common.run(with, {steps = N, horizon = 2}).error.u_L1
    end)
  end}

-- 1600 sweeps of the loop inside engines over 2 units of time: 100 steps of 16 sweeps, or 1600 of one.
local function deepest(case, steps, sweeps)
  return -common.run(case, {steps = steps, horizon = case.problem.horizon, projector = "gauss_seidel", max_iterations = sweeps,
                            accept_stalled = true}).feasibility.nodes_min
end
local function heap(seed) return {spec = {"pile", N = 60, radius = 0.5, seed = seed}, scale = 1, horizon = 2} end

lab.claim{
  id = "LAW-substeps", source = "schemes/README.md, What they tend to; asked by Macklin et al. 2019, Small steps",
  statement = "at equal numbers of sweeps, more steps leave smaller overlaps than more sweeps a step: a third at most",
  cases = {{problem = heap(1), scheme = "impulse:as=ode"}, {problem = heap(2), scheme = "impulse:as=ode"},
           {problem = heap(3), scheme = "impulse:as=ode"},
           {problem = {spec = {"crystal"}, scale = 1, horizon = 1}, scheme = "impulse:as=ode"}},
  controls = {{what = "the other way round", swap = true}},
  check = function(case)
    local steps, sweeps = deepest(case, 1600, 1), deepest(case, 100, 16)
    if case.swap then steps, sweeps = sweeps, steps end
    return common.row(case, {what = "deepest overlap of 1600 x 1 over that of 100 x 16", measured = steps / sweeps, bound = 1 / 3,
                             evidence = ("%.3g, %.3g"):format(steps, sweeps)})
  end}
