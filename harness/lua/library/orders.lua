-- orders.lua - observed orders of a sweep, or of any numbers, judged by claims (harness/study/order).
--
--   r:order{problem =, scheme =, norm =, level =, claim = {order =, kind =, source =}}
--   r:orders{problems =, schemes =, norms =, level =, claim =, quiet =}    an array of such orders
--   lab.order{h = {...}, error = {...}, claim =, level =, title =, rounding =, tolerance =, reference =, rounds =}
local lab, host = ...
local known, read, refuse, miss = host.known, host.read, host.refuse, host.miss
local type, ipairs, next, tostring, concat, setmetatable = type, ipairs, next, tostring, table.concat, setmetatable
local floor, max, huge, find = math.floor, math.max, math.huge, string.find

local ROUNDING = 64 * 0x1p-52 -- of a solution of size one

-- claim = {order = 1, kind = "bound", source = "..."}; inapplicable = "why" if it does not speak of the problem.
local function read_claim(call, spec)
  local claim = spec.claim
  if claim == nil then return nil end
  if type(claim) ~= "table" then refuse(call, "claim", claim, 'a table such as {order = 1, kind = "bound"}') end
  local at = call .. " claim"
  known(at, claim, {"order", "kind", "source", "hypothesis", "inapplicable", "factor"})
  local kind = read(at, claim, "kind", "choice", "converges|bound|sharp") or "bound"
  if kind == "converges" and claim.order ~= nil then
    refuse(call, "claim.order", claim.order, "none, of a claim of kind 'converges'")
  end
  local order = read(at, claim, "order", "positive")
  if kind ~= "converges" and not order then
    miss(at, claim, "order", "a number > 0, of a claim of kind 'bound' or 'sharp'")
  end
  return {kind = kind, order = order, source = read(at, claim, "source", "text"),
          hypothesis = read(at, claim, "hypothesis", "text"), factor = read(at, claim, "factor", "positive"),
          inapplicable = read(at, claim, "inapplicable", "text")}
end

-- What bars a claim of a script's own.
local function barred(claim) return claim.inapplicable and "the claim does not apply: " .. claim.inapplicable end

local printed = {__tostring = function(order) return order.text end}

local function order_of(...) return setmetatable(host.order(...), printed) end

-- ---- of a sweep -------------------------------------------------------------------------------------

local function quoted(texts)
  local list = {}
  for k, text in ipairs(texts) do list[k] = "'" .. text .. "'" end
  return concat(list, ", ")
end

-- The number of a problem: by its label, or its name where there is one such problem alone.
local function find_problem(call, key, name, s)
  local hits, found = 0, nil
  for k, label in ipairs(s.problems) do
    if label == name then return k end
    if name == nil or s.types[k] == name then hits, found = hits + 1, k end
  end
  return hits == 1 and found or refuse(call, key, name, quoted(s.problems))
end

local function find_scheme(call, key, name, s)
  if name == nil and #s.schemes == 1 then return 1 end
  for k, scheme in ipairs(s.schemes) do
    if scheme == name then return k end
  end
  refuse(call, key, name, concat(s.schemes, ", "))
end

-- The numbers of what the key problem, problems, scheme or schemes names; all where problems or schemes is absent.
function host.find(r, call, spec, key)
  local s, found, several = host.sweep(r), {}, find(key, "s$")
  local of_problems = find(key, "^p")
  local place = of_problems and find_problem or find_scheme
  local names = of_problems and (several and read(call, spec, key, "texts") or {read(call, spec, key, "text")})
    or host.schemes(call, spec, key)
  if several and #names == 0 then names = of_problems and s.problems or s.schemes end
  for k, name in ipairs(names) do found[k] = place(call, key, name, s) end
  if #found == 0 then found[1] = place(call, key, nil, s) end
  return found
end

-- The largest number of a list that is above 0; 0 without one. NaN is passed over.
local function largest(list, sign)
  local most = 0
  for _, x in ipairs(list) do
    if sign * x > most then most = sign * x end
  end
  return most
end

local NORMS = {"u_L1", "q_Linf", "final_q", "final_u", "graph_H", "flat_lambda", "flat_lambda_max", "TV"}

-- The name of a norm that key gives: one of NORMS, or a script's own, which the records of r then have.
local function name_norm(r, call, key, norm)
  if type(norm) == "table" then return host.measure(r, call, norm, key) end
  for _, name in ipairs(NORMS) do
    if norm == name then return norm end
  end
  refuse(call, key, norm, type(norm) == "string" and concat(NORMS, ", ")
    or "the name of a norm, or {name =, of = function(run, reference) ... end}")
end

function host.norm(r, call, spec)
  return spec.norm == nil and NORMS[1] or name_norm(r, call, "norm", spec.norm)
end

-- Of one or several: without the key, and for {}, of velocities and positions.
function host.norms(r, call, spec)
  local norms, names = spec.norms, {}
  if norms == nil or type(norms) == "table" and next(norms) == nil then return {NORMS[1], NORMS[2]} end
  if type(norms) ~= "table" or #norms == 0 then norms = {norms} end
  for k, norm in ipairs(norms) do names[k] = name_norm(r, call, "norms", norm) end
  return names
end

-- The size of what a norm measures, of each run: of the state that it ends with, over the whole time for an
-- integral, the total impulse for contact forces; graphs are scaled already.
local function sizes_of(r, norm, first, n, q, u)
  if find(norm, "^q") or norm == "final_q" then return q end
  if norm == "final_u" then return u end
  if find(norm, "^u") then
    local sizes = {}
    for k, T in ipairs(host.numbers(r, "horizon", first, n)) do sizes[k] = T > 0 and T * u[k] or u[k] end
    return sizes
  end
  if norm == "TV" then return host.numbers(r, "total_variation", first, n) end
  return find(norm, "^flat_lambda") and host.numbers(r, "contacts.impulse_total", first, n) or {1}
end

-- Which solution each run is nearest to: the number of the first run that is nearest to the same.
local function limits_of(names)
  local limit, seen = {}, {}
  for k, name in ipairs(names) do
    seen[name] = seen[name] or k
    limit[k] = name == "" and 1 or seen[name]
  end
  return limit
end

-- Runs that ended well, whose positions have an error and this norm has none: it was not measured, as by
-- default in runs of many numbers.
local function count_unmeasured(r, error, first, n)
  local count, status, placed = 0, host.texts(r, "status", first, n), host.numbers(r, "error.q_Linf", first, n)
  for k, e in ipairs(error) do
    if e ~= e and placed[k] - placed[k] == 0 and status[k] == "ok" then count = count + 1 end
  end
  return count
end

-- What an order is of: the problem, and where it has several solutions which one all runs are nearest to.
local function subject_of(label, names, several)
  for _, name in ipairs(names) do several = several and name ~= "" and name == names[1] end
  return several and label .. " to " .. names[1] or label
end

-- Steps and errors of a problem by a scheme, how large errors are that have another cause than the step, and of what.
local function runs_of(r, s, problem, scheme, norm)
  local n = s.sizes
  local first = ((problem - 1) * #s.schemes + scheme - 1) * n + 1
  local names = host.texts(r, "error.reference", first, n)
  local q, u, several = host.finals(r, first, n)
  local error = host.numbers(r, "error." .. norm, first, n)
  local size = largest(sizes_of(r, norm, first, n, q, u), 1)
  local runs = host.causes(r, first, largest(host.numbers(r, "work.steps", first, n), 1), size > 0 and size or 1,
                           largest(host.numbers(r, "certificate.primal", first, n), -1),
                           largest(host.numbers(r, "error.reference_error." .. norm, first, n), 1))
  runs.h, runs.error, runs.limit = host.numbers(r, nil, first, n), error, limits_of(names)
  if norm == "u_L1" then runs.below = host.numbers(r, "error.q_Linf", first, n) end
  runs.unmeasured = count_unmeasured(r, error, first, n)
  runs.doubt = host.doubt_order(r, problem, scheme, norm)
  return runs, subject_of(s.problems[problem], names, several)
end

-- The order of a problem by a scheme, judged by the script's claim or by what the scheme's literature claims.
local function judge(r, problem, scheme, norm, level, claim)
  local s = host.sweep(r)
  local runs, subject = runs_of(r, s, problem, scheme, norm)
  if claim then runs.barred = barred(claim) else claim, runs.barred = host.claim(r, problem, scheme, norm) end
  local rounds = host.rounds[r] or {most = 1, now = 1}
  runs.rounds = rounds.most
  local order = order_of("r:order", ("%s %s on %s"):format(s.schemes[scheme], norm, subject), runs, level, claim)
  order.scheme, order.problem, order.norm, order.rounds = s.schemes[scheme], s.problems[problem], norm, rounds.now
  return order, subject
end

-- The same, counted and noted.
local function judge_aloud(r, ...)
  local order, subject = judge(r, ...)
  host.note_order(order, host.sweep(r).name, subject)
  return order
end

-- One for a figure or a table, with what it is of.
function host.fit(r, problem, scheme, norm, level)
  local order, subject = judge(r, problem, scheme, norm, level)
  order.subject = subject
  return order
end

function host.result_methods.order(r, spec)
  local call = "r:order"
  host.complete(r, call)
  known(call, spec, {"scheme", "norm", "problem", "claim", "level"})
  local problem, scheme = host.find(r, call, spec, "problem")[1], host.find(r, call, spec, "scheme")[1]
  local norm, level = host.norm(r, call, spec), host.level(call, spec)
  return judge_aloud(r, problem, scheme, norm, level, read_claim(call, spec))
end

local listed = {__tostring = function(orders)
  local lines = {}
  for k, order in ipairs(orders) do lines[k] = tostring(order) end
  return concat(lines, "\n")
end}

function host.result_methods.orders(r, spec)
  local call, orders = "r:orders", {}
  host.complete(r, call)
  known(call, spec, {"schemes", "norms", "problems", "claim", "level", "quiet"})
  local problems, schemes = host.find(r, call, spec, "problems"), host.find(r, call, spec, "schemes")
  local norms, level = host.norms(r, call, spec), host.level(call, spec)
  local claim, judged = read_claim(call, spec), read(call, spec, "quiet", "flag") and judge or judge_aloud
  for _, problem in ipairs(problems) do
    for _, scheme in ipairs(schemes) do
      for _, norm in ipairs(norms) do
        local order = judged(r, problem, scheme, norm, level, claim)
        orders[#orders + 1] = order
      end
    end
  end
  return setmetatable(orders, listed)
end

-- ---- of any numbers ---------------------------------------------------------------------------------

local CALL = "lab.order"

-- Errors up to this are rounding unless the script says: of a solution of size one, or of the largest error.
local function rounding_of(error)
  local size = 1
  for _, e in ipairs(error) do
    if e < huge then size = max(size, e) end
  end
  return ROUNDING * size
end

local function at_least_zero(spec, key)
  local x = read(CALL, spec, key, "number")
  if x and not (x >= 0) then refuse(CALL, key, x, "a number >= 0") end
  return x
end

-- h and error, of one length; numbers are checked here, where their place is known.
local function read_runs(spec)
  local h, error = read(CALL, spec, "h", "numbers"), read(CALL, spec, "error", "numbers")
  if not h then miss(CALL, spec, "h", "an array of numbers") end
  if not error then miss(CALL, spec, "error", "an array of numbers") end
  if #error ~= #h then refuse(CALL, "#error", #error, ("%d, the length of h"):format(#h)) end
  for k = 1, #h do
    if not (h[k] > 0 and h[k] < huge) then refuse(CALL, ("h[%d]"):format(k), h[k], "a finite number > 0") end
    if error[k] < 0 then
      refuse(CALL, ("error[%d]"):format(k), error[k], "a number >= 0, or NaN of a run that failed")
    end
  end
  return h, error
end

-- A verdict FAIL on numbers of the script's own is an answer, not counted as a failure.
function lab.order(spec)
  known(CALL, spec, {"h", "error", "claim", "level", "title", "rounding", "tolerance", "reference", "rounds"})
  local h, error = read_runs(spec)
  local runs = {h = h, error = error, rounding = at_least_zero(spec, "rounding") or rounding_of(error),
                tolerance = at_least_zero(spec, "tolerance"), reference = at_least_zero(spec, "reference"),
                rounds = floor(read(CALL, spec, "rounds", "positive") or 1)}
  local claim, level, title = read_claim(CALL, spec), host.level(CALL, spec), read(CALL, spec, "title", "text")
  runs.barred = claim and barred(claim)
  return order_of(CALL, title or "errors", runs, level, claim)
end
