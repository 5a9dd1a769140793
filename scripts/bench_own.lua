-- What a scheme in Lua costs a step, beside the compiled scheme of the same bits: the least of many short runs, so that
-- other work on the machine counts little. `impactlab sweep scripts/bench_own.lua`; on a quiet machine. Fails above 20.
local lab = require "impactlab"
local function velocity(s)
  local u = s:project_linearised{velocity = s:free_velocity()}
  return s.q + s.h * u, u
end
local function position(s)
  local x = s:project_linearised{displacement = s.h * s:free_velocity()}
  return s.q + x, x / s.h
end
local function exact(s)
  local x = s:project_exact{displacement = s.h * s:free_velocity()}
  return s.q + x, x / s.h
end
local twins = {{"maury", lab.scheme{name = "lua_maury", step = velocity}},
               {"venel", lab.scheme{name = "lua_venel", step = position}},
               {"catching_up", lab.scheme{name = "lua_catching_up", step = exact}}}
local STEPS, RUNS = 1000, 60

local rows = {}
for _, problem in ipairs{"bouncing_ball", "two_spheres", "cradle", "sticky"} do
  for _, twin in ipairs(twins) do
    local best = {math.huge, math.huge}
    for _ = 1, RUNS do
      for k = 1, 2 do
        local run = lab.run{problem = problem, scheme = twin[k], steps = STEPS, record = "final"}
        best[k] = math.min(best[k], run.work.seconds / STEPS)
      end
    end
    rows[#rows + 1] = {problem, twin[1], 1e9 * best[1], 1e9 * best[2], best[2] / best[1]}
    lab.check(best[2] / best[1] <= 20, ("%s by %s: %.1f times the compiled scheme"):format(problem, twin[1],
                                                                                            best[2] / best[1]))
  end
end
lab.table{name = "bench-own", heads = {"problem", "scheme", "ns a step", "in Lua", "ratio"}, rows = rows,
          caption = "Schemes in Lua and compiled, nanoseconds a step."}
