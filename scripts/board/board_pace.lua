-- board_pace.lua - what a question would take a program: forecast from short runs, before it is asked.
--
--   host.board_pace(programs, ask, limit) -> {[row] = {why, verdict}} of those that are not to be asked
--     ask: steps (step sizes are never too many), probe = function(schemes, problem, steps) -> a result, and, of a question
--          that is large, smaller = problems of about doubled size, the last half of what is asked
--
-- Two short runs give a line over the number of steps; smaller problems, a power of the size. A program that ends before
-- its first step in a short run is not run again.
local lab, host = ...
local ipairs, max = ipairs, math.max

local SHORT = {64, 512}
local WORTH = 10 -- a question of fewer steps than ten times those of the short runs is asked without them

local function sentence(seen, all, forecast, limit)
  return ("not asked: %s, so that %s would take %s s, longer than --question-time %g"):format(seen, all, forecast, limit)
end

local function digits(x) return ("%.2g"):format(x) end

local function by_steps(t, ask, limit)
  local runs, steps = #ask.steps, ask.total
  local all = ("%d steps in %d run%s"):format(steps, runs, runs == 1 and "" or "s")
  if not t[2] then
    local most = t[1] / SHORT[1] * steps
    if most <= limit then return end
    local least = runs * t[1]
    if least <= limit and t[1] * SHORT[2] / SHORT[1] <= limit then return "more" end
    return sentence(("%d steps took %.2g s"):format(SHORT[1], t[1]), all, least > limit and "at least " .. digits(least) or digits(most), limit)
  end
  local per = max((t[2] - t[1]) / (SHORT[2] - SHORT[1]), 0)
  local forecast = runs * max(t[1] - per * SHORT[1], 0) + steps * per
  return forecast > limit and
         sentence(("%d steps took %.2g s and %d took %.2g s"):format(SHORT[1], t[1], SHORT[2], t[2]), all, digits(forecast), limit) or nil
end

-- One size is to the next as that is to the one behind it; from the third on without what the smallest takes, which is mostly
-- the start. Less than a quarter of that is its scatter: then the question is asked rather than not.
local function by_size(t, ask, limit)
  local k, most = #t, t[#t]
  local start = k > 2 and t[1] or 0
  if k > 1 then most = t[k] * max(1, (t[k] - start) / max(t[k - 1] - start, start / 4)) ^ (#ask.smaller + 1 - k) end
  if most <= limit then return k < #ask.smaller and "more" or nil end
  return sentence(("%d steps of %s took %s s"):format(ask.total, t.of, digits(t[k])), "this size", digits(most), limit)
end

-- The runs of rung k of a question: of one problem by schemes.
local function short_runs(ask, schemes, k)
  if ask.smaller then return ask.probe(schemes, ask.smaller[k], ask.steps) end
  return ask.probe(schemes, nil, {SHORT[k]})
end

function host.board_pace(programs, ask, limit)
  local refused, times, waiting, judge = {}, {}, programs, ask.smaller and by_size or by_steps
  ask.total = 0
  for _, n in ipairs(ask.steps or {}) do ask.total = ask.total + n end
  if not ask.smaller and ask.total < WORTH * (SHORT[1] + SHORT[2]) then return refused end
  for k = 1, #(ask.smaller or SHORT) do
    local schemes, again = {}, {}
    for i, row in ipairs(waiting) do schemes[i] = row.scheme end
    if #schemes == 0 then break end
    local result = short_runs(ask, schemes, k)
    for i, row in ipairs(waiting) do
      local status, made = host.texts(result, "status", i, 1)[1], host.numbers(result, "work.steps", i, 1)[1]
      times[row] = times[row] or {}
      times[row].of, times[row][k] = host.sweep(result).problems[1], host.numbers(result, "work.seconds", i, 1)[1]
      if status == "ok" then
        local why = judge(times[row], ask, limit)
        if why == "more" then again[#again + 1] = row elseif why then refused[row] = {why, "REFUSED"} end
      elseif not (made > 0) then
        refused[row] = {host.texts(result, "message", i, 1)[1], "FAILED"}
      end
    end
    waiting = again
  end
  return refused
end
