-- ensemble.lua - one run many times.
--
--   lab.ensemble{runs =, vary = "data" | "seed", perturb =, of = function(run) ... end, trajectory = false,
--                records = true, and what lab.run takes}
--
-- vary = "data": harness/study/ensemble/ensemble.h has what is moved, and what the numbers say.
-- vary = "seed": runs from as many starts as the problem draws with seeds first, first + 1, ...
local lab, host = ...
local read, refuse = host.read, host.refuse
local type, ipairs, format = type, ipairs, string.format

local CALL = "lab.ensemble"
local RUNS_MAX = 100000

local function read_runs(spec)
  local runs = read(CALL, spec, "runs", "count", 0)
  if not runs then host.miss(CALL, spec, "runs", "an integer >= 2") end
  if runs < 2 or runs > RUNS_MAX then refuse(CALL, "runs", runs, "an integer from 2 to 100000") end
  return runs
end

-- Of the runs, whose list has a text in place of one whose start is refused: how many failed, how many starts
-- were refused, and why the last of them was.
local function count(runs)
  local failed, refused, why = 0, 0, nil
  for k, run in ipairs(runs) do
    if type(run) == "string" then
      refused, why, runs[k] = refused + 1, run, false -- no holes in an array
    elseif run.status ~= "ok" then
      failed = failed + 1
    end
  end
  return failed, refused, why
end

function lab.ensemble(spec)
  local runs, of = read_runs(spec), spec.of
  local by_seed = read(CALL, spec, "vary", "choice", "data|seed") == "seed"
  local trajectory, keep = read(CALL, spec, "trajectory", "flag"), read(CALL, spec, "records", "flag") ~= false
  if of ~= nil and type(of) ~= "function" then refuse(CALL, "of", of, "a function of the run's record") end
  local e, records, values = host.ensemble(spec, runs, by_seed, trajectory, of, keep)
  local failed, refused, why = count(records)
  if by_seed then
    if refused == runs then host.raise(format("%s: all %d starts are refused: %s", CALL, runs, why)) end
    local first = e
    e = {runs = runs, seeds = {}}
    for k = 1, runs do e.seeds[k] = first + k - 1 end
  end
  e.failed, e.refused = failed, refused
  e.records, e.of = keep and records or nil, of and values or nil
  return e
end
