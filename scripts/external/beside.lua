-- Other programs beside ours: Siconos' Moreau-Jean scheme, where it is installed, and forty lines of Python.
--
--   build/impactlab sweep scripts/external/beside.lua --trust -j 2
--
-- A part of `make report`. Each program makes its own steps (`--scheme exec:COMMAND`); impactlab measures them
-- as it measures its own schemes. Siconos with theta = 1 is to make the steps of moreau_jean:theta=1.
local lab = require "impactlab"

local BALL = "exec:python3 scripts/external/ball.py"
local SICONOS = "exec:/usr/bin/python3 scripts/external/siconos_scheme.py"
local has_python = os.execute("python3 -c 0 2>/dev/null")
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
    print(r:order{scheme = scheme, norm = "u_L1"})
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
    local worst, of = 0, {[SICONOS] = {}, ["moreau_jean:theta=1"] = {}, maury = {}}
    for _, one in ipairs(r:records()) do
      of[one.scheme][one.steps] = one.error.u_L1
    end
    for steps, error in pairs(of[SICONOS]) do
      worst = math.max(worst, math.abs(error - of["moreau_jean:theta=1"][steps]))
    end
    lab.check(worst <= 1e-10, ("Siconos and moreau_jean agree on %s: u_L1 differs by %.1e"):format(problem[1], worst))
  end
end
