-- Other programs beside ours: Siconos' Moreau-Jean scheme, where it is installed, and forty lines of Python.
--
--   build/impactlab sweep scripts/external/beside.lua --trust -j 2
--   impactlab sweep PREFIX/share/impactlab/scripts/external/beside.lua --trust    where it is installed
--
-- A part of `make report`. Each program makes its own steps (`--scheme exec:COMMAND`); impactlab measures them
-- as it measures its own schemes. Siconos with theta = 1 is to make the steps of moreau_jean:theta=1.
local lab = require "impactlab"

local HERE = arg[0]:match("^(.*)/") or "."
-- Debian's where it is there: what a version manager puts before it takes longer to start than forty lines to run.
local PYTHON = os.execute("/usr/bin/python3 -c 0 2>/dev/null") and "/usr/bin/python3" or "python3"
local BALL = "exec:name=ball.py:" .. PYTHON .. " " .. HERE .. "/ball.py"
local SICONOS = "exec:name=Siconos:/usr/bin/python3 " .. HERE .. "/siconos_scheme.py"
local has_python = os.execute(PYTHON .. " -c 0 2>/dev/null")
local has_siconos = os.execute("/usr/bin/python3 -c 'import siconos.kernel' 2>/dev/null")

if not has_siconos then
  lab.section{title = "Siconos was skipped", text = "It is not installed: apt-get install python3-siconos. " ..
    "Where it is, its steps stand here beside those of `moreau_jean` and `maury`."}
  print("Siconos is not installed: skipped")
end

local function beside(problem, schemes, name)
  local r = lab.sweep{name = name, problem = problem, schemes = schemes,
                      steps = lab.levels{from = 64, ratio = 2, count = 5, jitter = 4, seed = 7}}:run()
  for _, scheme in ipairs(schemes) do
    print(r:order{scheme = scheme:match("name=([^:]*)") or scheme, norm = "u_L1"})
  end
  r:figure{"convergence", norm = "u_L1", caption = "Other programs beside ours, by the same measure: " .. name .. "."}
  return r
end

if has_python then
  beside({"bouncing_ball", e = 0}, has_siconos and {"maury", "moreau_jean:theta=1", BALL, SICONOS} or {"maury", BALL}, "beside-ball")
end

if has_siconos then
  for _, problem in ipairs{{"cradle", radius = 0.125}, {"sticky", N = 10}} do
    local r = beside(problem, {"maury", "moreau_jean:theta=1", SICONOS}, "beside-" .. problem[1])
    -- By the same rule, two programs differ by rounding alone. (The radius is a binary fraction: of a gap
    -- of 0 that is rounded each program decides in its own way whether the contact is predicted.)
    local worst, of = 0, {Siconos = {}, ["moreau_jean:theta=1"] = {}, maury = {}}
    for _, one in ipairs(r:records()) do
      of[one.scheme][one.steps] = one.error.u_L1
    end
    for steps, error in pairs(of.Siconos) do
      worst = math.max(worst, math.abs(error - of["moreau_jean:theta=1"][steps]))
    end
    lab.check(worst <= 1e-10, ("Siconos and moreau_jean agree on %s: u_L1 differs by %.1e"):format(problem[1], worst))
  end
end

-- A pile of spheres in a box. Its contacts are found by Siconos' own mechanics (Bullet), so Siconos makes the whole motion
-- and its file is the scheme. There is no exact solution: overlaps, energy and impulses are compared.
local PILE = {"pile", N = 30, space = 3, radius = 0.5}
local STEPS = 150

local function pile(scheme, label)
  local Q = lab.set{problem = PILE}
  local run = lab.run{problem = PILE, scheme = scheme, h = 0.005, steps = STEPS, norms = {"none"}, series = true,
                      trajectory = true}
  local t, columns, gap = run.trajectory:t(), {}, {}
  for k = 1, run.trajectory:dimension() do columns[k] = run.trajectory:q(k) end
  for n = 1, #t do
    local q = {}
    for k = 1, #columns do q[k] = columns[k][n] end
    gap[n] = math.min(Q:gap(t[n], q), 0)
  end
  local gained = run.energy.balance.largest_step
  return {row = {label, run.feasibility.nodes_min, run.energy.final, gained, run.contacts.impulse_total, run.contacts.active_max},
          gap = {label = label, x = t, y = gap}, energy = {label = label, x = run.series.t, y = run.series.energy}}
end

if has_siconos and os.execute("/usr/bin/python3 -c 'import h5py, scipy' 2>/dev/null") then
  local file = os.tmpname()
  local made = os.execute(("/usr/bin/python3 %s/../siconos_pile.py --spheres %d --steps %d --judge %s.npz >/dev/null 2>&1"):format(
    HERE, PILE.N, STEPS, file))
  if lab.check(made, "Siconos makes the pile's motion") then
    local all = {pile("maury", "maury"), pile("moreau_jean", "moreau_jean"), pile("file:" .. file .. ".npz,name=Siconos", "Siconos")}
    os.remove(file .. ".npz")
    local rows, gaps, energies = {}, {}, {}
    for k, one in ipairs(all) do rows[k], gaps[k], energies[k] = one.row, one.gap, one.energy end
    lab.table{name = "beside-pile", rows = rows, caption = "A pile of 30 spheres of radius 0.4 to 0.5, 150 steps of h = 0.005.",
      heads = {"program", "least gap", "energy at the end", "energy gained in a step", "impulse, total", "contacts at most"}}
    lab.figure{name = "beside-pile", columns = 2, height = 7,
      caption = "A pile of 30 spheres by Siconos (Moreau-Jean, Bullet's contacts) beside our schemes.",
      panels = {{xlabel = "t", ylabel = "kinetic energy", series = energies},
                {xlabel = "t", ylabel = "least gap, if below 0", series = gaps}}}
    lab.check(all[3].row[2] < -1e-3 and all[1].row[2] >= -1e-7, "Siconos' spheres overlap by more than 1e-3, maury's do not")
  end
  os.remove(file)
end
