-- board.lua - lab.board: schemes x questions, every cell by the same claim.
--
--   lab.board{schemes = {...}, problems = {...}, questions = {...}, claim = "converges" | "bound:1" | "sharp:1",
--             question_time = 8, page = false}
--       -> {schemes = {NAME, ...}, questions = {ID, ...}, problems = {...}, cells = {CELL, ...}, rows =, columns =,
--           claim =, version =, build =}, page, results
--   CELL: scheme, question, problem, value (nil: none), verdict ("PASS", "FAIL", "INCONCLUSIVE", "REPORTED",
--         "REFUSED", "FAILED"), text, reason, command, and of an order: order, low, high, error, floor
--
-- Each list may hold "A,B,..."; "catalogue" among the schemes stands for those of the program. page is HTML
-- (board_page.lua), with figures. results[ID] is the sweep's result of a problem. board_read.lua reads what is asked,
-- board_questions.lua has the questions that are about one problem. A run that fails is a cell that says so, and no failure of a script.
local lab, host = ...
local CALL = "lab.board"
local ipairs, pairs, type, tostring, pcall = ipairs, pairs, type, tostring, pcall
local sort, concat = table.sort, table.concat
local log, exp, floor, max, min, huge = math.log, math.exp, math.floor, math.max, math.min, math.huge

-- Five octaves, which a FAIL takes, and five places of every event in its step; rows that these leave undecided
-- have a second round, if their own pace makes it in a minute, or, of other programs, in the time that a question has.
-- The two rounds share the levels of verdicts.
local STEPS = {from = 64, ratio = 2, count = 6, jitter = 5, seed = 7}
local ROUNDS, PATIENCE = {STEPS, {from = 128, ratio = 2, count = 9, jitter = 24, seed = 8}}, 60
local PRICES = {1e-3, 1e-6, 1e-9}

-- Where no solution is known, a run of another scheme, whose own error the orders allow for. Measuring against it
-- takes longer than the steps, so that seconds are not asked.
local REFERENCE = {pile = {"self", steps = 65536, scheme = "mabrouk"}}

-- ---- sweeps -------------------------------------------------------------------------------------------

-- In a shell's quotes, where it needs any.
local function quoted(text)
  return text:find("^[%w_:=.,/+-]+$") and text or "'" .. text:gsub("'", "'\\''") .. "'"
end

local function command(row, column)
  return ("impactlab board --schemes %s --problems %s --questions %s"):format(
    quoted(row.typed), quoted(column.problem), column.question)
end

local function sweep_of(name, problem, schemes, more)
  local t = {name = name, problem = problem, schemes = schemes, norms = "none"}
  for key, value in pairs(more) do t[key] = value end
  return host.new_sweep(t, true, true)
end

-- The rows that take the problem, and of the others why not. limit: programs that would take longer are others.
local function takers(rows, name, problem, more, limit, smaller)
  local taking, programs, refused = {}, {}, {}
  for _, row in ipairs(rows) do
    local fine, why = pcall(sweep_of, name, problem, {row.scheme}, more)
    if not fine then
      refused[row] = {host.board_reason(why), "REFUSED"}
    else
      taking[#taking + 1] = row
      if limit and row.whose == "other" then programs[#programs + 1] = row end
    end
  end
  local ask = {steps = more.steps, smaller = smaller, probe = function(schemes, small, steps)
    local short = {horizon = more.horizon, samples = more.samples, steps = steps, reference = "none"}
    return sweep_of(name .. "-pace", small or problem, schemes, short):run()
  end}
  for row, why in pairs(host.board_pace(programs, ask, limit)) do refused[row] = why end
  return taking, refused
end

-- Runs of one problem by all schemes that take it: {name =, problem =, reference =, result =, place = {[row] = of its
-- scheme there}, refused = {[row] = {why, verdict}}, pace = function(row) -> seconds a step}.
function host.board_sweep(rows, name, problem, more, limit, smaller)
  local schemes, place = {}, {}
  local taking, refused = takers(rows, name, problem, more, limit, smaller)
  for _, row in ipairs(taking) do
    if not refused[row] then
      schemes[#schemes + 1] = row.scheme
      place[row] = #schemes
    end
  end
  local runs = {name = name, problem = problem, reference = more.reference, place = place, refused = refused}
  if #schemes == 0 then return runs end
  host.say(("board: %s, %d schemes"):format(name, #schemes))
  runs.result = sweep_of(name, problem, schemes, more):run()
  function runs.pace(row)
    local first, n = host.board_runs(runs, row)
    local spent, steps = 0, 0
    for k, s in ipairs(first and host.numbers(runs.result, "work.seconds", first, n) or {}) do
      spent, steps = spent + s, steps + host.numbers(runs.result, "work.steps", first + k - 1, 1)[1]
    end
    return steps > 0 and spent / steps or huge
  end
  return runs
end

-- What a row's runs are: first and number in the result; or the sentence that says why there are none.
function host.board_runs(runs, row)
  local result = runs.result
  if not runs.place[row] then return nil, nil, table.unpack(runs.refused[row]) end
  local n = host.sweep(result).sizes
  local first, well = (runs.place[row] - 1) * n + 1, 0
  for _, status in ipairs(host.texts(result, "status", first, n)) do well = well + (status == "ok" and 1 or 0) end
  if well > 0 then return first, n, nil, n - well end
  return nil, nil, host.texts(result, "message", first, n)[1], "FAILED"
end

-- ---- orders, overlaps, prices -------------------------------------------------------------------------

local function fits(x) return type(x) == "number" and x - x == 0 and x or nil end

-- Seconds of whole runs, measuring included; of another program without its start.
local function seconds(result, first, n)
  local all = host.numbers(result, "work.seconds", first, n)
  for k, start in ipairs(host.numbers(result, "program.times.start", first, n)) do
    if start == start then all[k] = all[k] - start end
  end
  return all
end
host.board_seconds = seconds

-- Into the curve of work and precision, a list of {error =, steps =, seconds =, projections =} from the coarsest
-- on: geometric means over octaves of the steps. Runs without error are left out.
local function add_octaves(curve, result, first, n, norm)
  local columns = {error = host.numbers(result, "error." .. norm, first, n), steps = host.numbers(result, "work.steps", first, n),
                   seconds = seconds(result, first, n), projections = host.numbers(result, "work.projections", first, n)}
  local sums, octaves = {}, {}
  for k, e in ipairs(columns.error) do
    if e > 0 and e < huge then
      local o = floor(log(columns.steps[k] / STEPS.from, 2) + 0.5)
      if not sums[o] then octaves[#octaves + 1], sums[o] = o, {n = 0, error = 0, steps = 0, seconds = 0, projections = 0} end
      for key, column in pairs(columns) do sums[o][key] = sums[o][key] + log(max(column[k], 1e-300)) end
      sums[o].n = sums[o].n + 1
    end
  end
  sort(octaves)
  for _, o in ipairs(octaves) do
    local mean = {}
    for key in pairs(columns) do mean[key] = exp(sums[o][key] / sums[o].n) end
    curve[#curve + 1] = mean
  end
  return curve
end

-- What an error costs, interpolated on the curve; nil and why.
local function price(curve, key, target)
  for k, at in ipairs(curve) do
    if at.error <= target then
      if at[key] < 1e-200 then return nil, "none are counted" end
      if k == 1 then return at[key], "its coarsest runs are as good" end
      local before = curve[k - 1]
      local part = log(before.error / target) / log(before.error / at.error)
      return exp(log(before[key]) + part * log(at[key] / before[key])), "interpolated on its curve of work and precision"
    end
  end
  local last = curve[#curve]
  return nil, last and ("its best error here is %.2g, in %.0f steps"):format(last.error, last.steps) or "no run has an error"
end

-- Of each row and norm the cell of its order, decided or after the last round that its pace allows.
local function judge(board, runs, norm, round, rows, orders)
  if runs.result then host.rounds[runs.result] = {most = #ROUNDS, now = round} end
  local undecided = {}
  for _, row in ipairs(rows) do
    local first, n, why, word = host.board_runs(runs, row)
    orders[row] = orders[row] or {}
    local cell = {verdict = word, reason = why, text = "-"}
    if first then
      local o = runs.result:orders{schemes = {row.name}, norms = {norm}, claim = board.claim, quiet = true}[1]
      local curve = add_octaves({}, runs.result, first, n, norm)
      local finest = curve[#curve] and curve[#curve].error
      cell = {value = fits(o.order), order = fits(o.order), low = fits(o.low), high = fits(o.high), error = finest,
              verdict = o.verdict, reason = o.text .. (word > 0 and ("; %d of %d runs failed"):format(word, n) or ""),
              text = o.verdict == "PASS" and (fits(o.order) and ("h^%.2f"):format(o.order) or "exact") or finest and ("%.2g"):format(finest) or "no order"}
      if o.verdict ~= "PASS" then cell.floor = finest end
      if o.verdict == "INCONCLUSIVE" then undecided[#undecided + 1] = row end
    end
    orders[row][norm] = cell
  end
  return undecided
end

local function orders_of(board, runs, norms)
  local orders, waiting, steps = {}, {}, {}
  for _, norm in ipairs(norms) do waiting[norm] = judge(board, runs, norm, 1, board.rows, orders) end
  for round = 2, #ROUNDS do
    local rows, listed = {}, {}
    steps = lab.levels(ROUNDS[round])
    local all = 0
    for _, n in ipairs(steps) do all = all + n end
    for _, norm in ipairs(norms) do
      for _, row in ipairs(waiting[norm]) do
        if not listed[row] and runs.pace(row) * all < (row.whose == "other" and board.limit or PATIENCE) then rows[#rows + 1], listed[row] = row, true end
      end
    end
    if #rows == 0 then break end
    local more = host.board_sweep(rows, ("%s-round-%d"):format(runs.name, round), runs.problem, {steps = steps, reference = runs.reference})
    for _, norm in ipairs(norms) do
      local again = {}
      for _, row in ipairs(waiting[norm]) do
        if listed[row] then again[#again + 1] = row end
      end
      waiting[norm] = judge(board, more, norm, round, again, orders)
    end
  end
  return orders
end

-- A number of the runs: the worst of the record's field, or what of(first, n) makes of them.
local function add_numbers(column, rows, add, of)
  local cells, some = {}, not column.optional
  for k, row in ipairs(rows) do
    local first, n, why, word = host.board_runs(column.runs, row)
    local cell = {verdict = word, reason = why, text = "-"}
    if first then
      local value, text
      value, why, text = of(first, n, row)
      cell = {value = fits(value), verdict = "REPORTED", reason = why, text = text or fits(value) and ("%.2g"):format(value) or "-"}
      some = some or cell.value ~= nil
    end
    cells[k] = cell
  end
  for k, row in ipairs(some and rows or {}) do add(row, column, cells[k]) end
end

local function worst(result, path, sign)
  return function(first, n)
    local most
    for _, x in ipairs(host.numbers(result, path, first, n)) do
      if x == x then most = max(most or 0, sign * x) end
    end
    return most, most and "the worst of its runs" or "not defined for this problem"
  end
end

local COSTS = {
  {id = "seconds", text = function(x) return x < 1e-3 and ("%.2g ms"):format(1e3 * x) or ("%.2g s"):format(x) end},
  {id = "projections", text = function(x) return ("%.0f"):format(x) end}}

-- Finer runs for prices: by whoever still converges, fast enough for the next price to be reached by the finest of
-- them, as far as its own pace makes them in two seconds.
local FINER, PACE, FALLS = {8192, 32768, 131072, 524288}, 2, 0.7

local function goes_on(curve, steps)
  local last, before = curve[#curve], curve[#curve - 1]
  if not before or last.error <= PRICES[#PRICES] or last.error >= FALLS * before.error then return false end
  local order, nearest = log(before.error / last.error) / log(last.steps / before.steps), 0
  for _, target in ipairs(PRICES) do nearest = target < last.error and max(nearest, target) or nearest end
  return last.error * (FINER[#FINER] / last.steps) ^ -order < nearest and last.seconds / last.steps * steps < PACE
end

local function add_finer(board, runs, curves)
  for _, steps in ipairs(FINER) do
    local rows = {}
    for _, row in ipairs(board.rows) do
      if curves[row] and goes_on(curves[row], steps) then rows[#rows + 1] = row end
    end
    if #rows == 0 then return end
    local more = host.board_sweep(rows, ("%s-%d"):format(runs.name, steps), runs.problem,
      {steps = lab.levels{from = steps, count = 1, jitter = 2, seed = 5}, reference = runs.reference})
    for _, row in ipairs(rows) do
      local first, n = host.board_runs(more, row)
      if first then add_octaves(curves[row], more.result, first, n, "u_L1") end
    end
  end
end

local function priced(curves, cost, target)
  return function(_, _, row)
    if cost.id == "seconds" and row.typed:find("^file:") then return nil, "its steps were made elsewhere" end
    local value, why = price(curves[row], cost.id, target)
    return value, why, value and cost.text(value)
  end
end

-- Questions that every problem is asked: id, title, what its cells are.
local general = {
  {id = "order_u", title = "order in u_L1", norm = "u_L1"}, {id = "order_q", title = "order in q_Linf", norm = "q_Linf"},
  {id = "overlap", title = "largest overlap at nodes", path = "feasibility.nodes_min", sign = -1},
  {id = "overlap_between", title = "largest overlap between nodes", path = "feasibility.between_min", sign = -1},
  {id = "momentum", title = "largest drift of momentum", path = "momentum.largest_drift", sign = 1, optional = true}}
for _, cost in ipairs(COSTS) do
  for _, target in ipairs(PRICES) do
    general[#general + 1] = {id = ("%s_1e%d"):format(cost.id, floor(log(target, 10) + 0.5)), cost = cost, target = target,
                             title = ("%s for an error of %g in u_L1"):format(cost.id, target)}
  end
end

host.board_general = general

local function is_priced(board)
  for _, q in ipairs(general) do
    if q.cost and board.asked[q.id] then return true end
  end
end

-- The curve of work and precision of each row that has runs.
local function curves_of(board, runs)
  local curves = {}
  for _, row in ipairs(board.rows) do
    local first, n = host.board_runs(runs, row)
    curves[row] = first and add_octaves({}, runs.result, first, n, "u_L1") or nil
  end
  if is_priced(board) then add_finer(board, runs, curves) end
  return curves
end

-- What a column's cells are made of; nil: it has none.
local function numbers_of(q, runs, curves)
  if not q.cost then return worst(runs.result, q.path, q.sign) end
  return (q.cost.id ~= "seconds" or runs.reference == "exact") and priced(curves, q.cost, q.target)
end

local function ask_general(board, problem, add)
  local runs = host.board_sweep(board.rows, "board-" .. host.board_file(problem.id), problem.spec,
    {steps = lab.levels(STEPS), reference = REFERENCE[problem.name] or "exact"}, board.limit)
  local curves, norms, orders = curves_of(board, runs), {}, nil
  for _, q in ipairs(general) do
    if q.norm and board.asked[q.id] then norms[#norms + 1] = q.norm end
  end
  if #norms > 0 then orders = orders_of(board, runs, norms) end
  problem.runs, problem.curves = runs, curves
  for _, q in ipairs(general) do
    local column = {question = q.id, problem = problem.id, title = q.title, runs = runs, optional = q.optional}
    local of = board.asked[q.id] and not q.norm and numbers_of(q, runs, curves)
    if of then add_numbers(column, board.rows, add, of) end
    for _, row in ipairs(board.asked[q.id] and q.norm and board.rows or {}) do add(row, column, orders[row][q.norm]) end
  end
end

-- ---- the board ----------------------------------------------------------------------------------------

-- Calls add for every cell.
local function ask(board, add)
  local some = false
  for _, q in ipairs(general) do some = some or board.asked[q.id] end
  for _, problem in ipairs(some and board.problems or {}) do ask_general(board, problem, add) end
  for _, q in ipairs(host.board_questions) do
    if board.asked[q.id] and (not board.named or board.named[q.problem]) then
      local column = {question = q.id, problem = q.problem, title = q.title}
      column.runs = host.board_sweep(board.rows, "board-" .. q.id, q.spec, q.runs(), board.limit, q.smaller)
      add_numbers(column, board.rows, add, function(first, n) return q.read(column.runs.result, first, n) end)
    end
  end
end

function lab.board(spec)
  local board = host.board_read(spec or {})
  local report = {claim = board.claim_text, version = lab.version, build = lab.build, schemes = {}, problems = {},
                  questions = {}, cells = {}, rows = {}, columns = {}}
  for k, row in ipairs(board.rows) do
    report.schemes[k] = row.name
    report.rows[k] = {scheme = row.name, group = row.group, color = row.color}
  end
  for k, problem in ipairs(board.problems) do report.problems[k] = problem.id end
  local seen, questions = {}, {}
  ask(board, function(row, column, cell)
    local key = column.question .. " " .. column.problem
    if not seen[key] then
      seen[key] = true
      report.columns[#report.columns + 1] = {question = column.question, problem = column.problem, title = column.title}
      if not questions[column.question] then report.questions[#report.questions + 1] = column.question end
      questions[column.question] = true
    end
    cell.scheme, cell.question, cell.problem, cell.command = row.name, column.question, column.problem, command(row, column)
    report.cells[#report.cells + 1] = cell
  end)
  if #report.cells == 0 then
    host.refuse(CALL, "questions", concat(board.ids, ", "), "questions that one of the problems answers")
  end
  local left
  for _, cell in ipairs(report.cells) do left = left or cell.verdict ~= "REFUSED" end
  if not left then host.raise(("%s: nothing is left: %s"):format(CALL, report.cells[1].reason)) end
  local results = {}
  for _, problem in ipairs(board.problems) do results[problem.id] = problem.runs and problem.runs.result end
  return report, spec and spec.page and host.board_page(board, report) or nil, results
end
