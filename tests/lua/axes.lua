-- Axes of a sweep: each case is the run of that projector, tolerance and seed, by itself.
local lab = require "impactlab"
local projectors, tols, seeds, steps = {"uzawa", "newton"}, {1e-5, 1e-9}, {4, 5, 7}, {20, 31}
local r = lab.sweep{problems = {{"sticky", N = 6}, {"impact", N = 5}}, schemes = {"maury", "paoli"}, steps = steps,
                    projectors = projectors, tols = tols, seeds = seeds}:run()
local all = r:records()
lab.check(#all == 2 * 2 * 2 * 3 * 2 * 2, "all of them")
local k, same, differ = 0, true, false
for _, problem in ipairs{{"sticky", N = 6}, {"impact", N = 5}} do
  for _, projector in ipairs(projectors) do
    for _, tol in ipairs(tols) do
      for _, seed in ipairs(seeds) do
        for _, scheme in ipairs{"maury", "paoli"} do
          for _, n in ipairs(steps) do
            k = k + 1
            local one = all[k]
            same = same and one.problem == problem[1] and one.projector == projector and one.seed == seed
                   and one.scheme == scheme and one.steps == n
            if n == 20 and seed == 5 then
              local alone = lab.run{problem = problem, scheme = scheme, steps = n, projector = projector, tol = tol,
                                    seed = seed}
              for i, q in ipairs(alone.final.q) do same = same and q == one.final.q[i] end
              differ = differ or all[k].final.q[1] ~= all[1].final.q[1]
            end
          end
        end
      end
    end
  end
end
lab.check(same and k == #all, "each is the run by itself")
lab.check(differ, "and not the same of all")

local function refused(words, t)
  t.problem, t.scheme, t.steps = t.problem or {"sticky", N = 3}, "maury", {10}
  local ok, why = pcall(lab.sweep, t)
  lab.check(not ok and tostring(why):find(words, 1, true) ~= nil, words .. ": " .. tostring(why))
end
refused("seed is 3; allowed: nothing beside seeds", {seeds = {1, 2}, seed = 3})
refused("tols[2] is 0.001; allowed: each once", {tols = {1e-3, 1e-3}})
refused("pendulum draws no numbers", {problem = "pendulum", seeds = {1}})
refused("unknown projector 'newtom'; did you mean 'newton'", {projectors = {"newtom"}})

-- What lab.run takes of an iteration a sweep takes: rho moves its iterates, accept_stalled goes on with them.
local function stalled(fields)
  local t = {problem = {"sticky", N = 8, seed = 1}, scheme = "maury", projector = "uzawa", max_iterations = 2}
  for key, value in pairs(fields) do t[key] = value end
  t.steps = 5
  local alone = lab.run(t)
  t.steps = {5}
  local swept = lab.sweep(t):run():records()[1]
  for i, q in ipairs(alone.final.q) do lab.check(q == swept.final.q[i], "the same iterates") end
  return swept
end
local first, second = stalled{accept_stalled = true, rho = 0.1}, stalled{accept_stalled = true, rho = 0.2}
lab.check(first.status == "ok" and first.work.stalled == 5 and first.total_variation ~= second.total_variation, "moved by rho")
lab.check(stalled{rho = 0.1}.status == "not_converged", "unless it is told to")
