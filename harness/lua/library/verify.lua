-- verify.lua - the claims of the papers: declared, shared out to workers, judged, reported.
--
--   lab.claim{id =, source =, statement =, cases = {...}, cost = {...}, check = function(case) ... end,
--             controls = {{what =, case = 1, KEY = VALUE, ...}, ...}}
--
-- is known to claim files alone. check is called for every element of cases, in a worker. A control is a
-- wrong input that must make the claim fail: what says which, case is the element that it starts from, and
-- the other keys are put into a copy of that. cost says what cases take beside each other, 1 by default,
-- for the share that is done. What common.lua returns is handed to every other file.
--
-- A check returns a row or an array of rows, which host.judge judges (harness/study/verdict.h):
--
--   {problem =, scheme =, what =, measured =, bound =, sense = "<=" | ">=", near =, evidence =,
--    shows =, finding =, not_applicable =, inconclusive =}
local lab, host = ...
local claims = {}

-- ---- declaring --------------------------------------------------------------------------------------

local KINDS = {{"id", "string"}, {"source", "string"}, {"statement", "string"}, {"cases", "table"}, {"check", "function"}}

function lab.claim(claim)
  local call = "lab.claim"
  host.known(call, claim, {"id", "source", "statement", "cases", "check", "controls", "cost"})
  for _, of in ipairs(KINDS) do
    local key, kind = of[1], of[2]
    if type(claim[key]) ~= kind then host.refuse(call, key, claim[key], "a " .. kind) end
  end
  for k, control in ipairs(claim.controls or {}) do
    if type(control.what) ~= "string" or not claim.cases[control.case or 1] then
      host.refuse(call, ("controls[%d]"):format(k), control, "one that says what it is, of one of the cases")
    end
  end
  for _, other in ipairs(claims) do
    if other.id == claim.id then host.refuse(call, "id", claim.id, "one that no claim has yet") end
  end
  claims[#claims + 1] = claim
end

-- common.lua first, then its sequels common_*.lua, then the files of the papers, or text in their place.
local common
for _, is_common in ipairs{true, false} do
  for _, file in ipairs(host.files) do
    if (file.name:find("^common") ~= nil) == is_common and (is_common or not host.text) then
      local made = host.load(file.text, "@scripts/claims/" .. file.name .. ".lua")(common)
      common = common or made
    end
  end
end
if host.text then host.load(host.text, "=claims")(common) end

-- ---- what is asked ----------------------------------------------------------------------------------

-- Ids agree where their letters and digits do.
local function plain(id) return (id:gsub("%W", ""):lower()) end

local wanted = {} -- claims, in the order in which they were declared
do
  local ids, known, named = {}, {}, {}
  for k, claim in ipairs(claims) do ids[k], known[plain(claim.id)] = claim.id, true end
  for _, id in ipairs(host.ids) do
    if not known[plain(id)] then
      host.raise(("unknown claim '%.60s'; known: %s"):format(id, table.concat(ids, ", ")))
    end
    named[plain(id)] = true
  end
  for _, claim in ipairs(claims) do
    if #host.ids == 0 or named[plain(claim.id)] then wanted[#wanted + 1] = claim end
  end
end

-- A job is a case of a claim, or a control of it.
local function list_jobs()
  local jobs = {}
  for _, claim in ipairs(wanted) do
    if host.mode == "controls" then
      for _, control in ipairs(claim.controls or {}) do
        jobs[#jobs + 1] = {claim = claim, case = control.case or 1, control = control}
      end
    else
      for k = 1, #claim.cases do jobs[#jobs + 1] = {claim = claim, case = k} end
    end
  end
  return jobs
end

-- ---- one check, in a worker -------------------------------------------------------------------------

local function text(x) return type(x) == "string" and x or nil end
local function number(x) return type(x) == "number" and x + 0.0 or nil end

local function judge(row)
  if type(row) ~= "table" then return {verdict = "FAIL", reason = "the check returned no row"} end
  local out = {problem = text(row.problem), scheme = text(row.scheme), what = text(row.what),
               evidence = text(row.evidence), measured = number(row.measured) or 0 / 0,
               bound = number(row.bound) or 0 / 0, sense = row.sense == ">=" and ">=" or "<="}
  out.verdict, out.reason = host.judge(out.measured, out.bound, out.sense == ">=", number(row.near) or 0,
                                       text(row.shows), text(row.finding), text(row.not_applicable),
                                       text(row.inconclusive))
  return out
end

-- Random numbers depend on the claim's name and the case alone: not on what a worker did before, nor on
-- the claims that were declared before.
local function seed_of(id)
  local seed = 5381
  for k = 1, #id do seed = seed * 33 ~ id:byte(k) end
  return seed
end

local function work(job)
  local case = job.claim.cases[job.case]
  if job.control then
    local changed = {}
    for key, value in pairs(case) do changed[key] = value end
    for key, value in pairs(job.control) do changed[key] = value end
    case = changed
  end
  math.randomseed(seed_of(job.claim.id), job.case)
  local found, rows = job.claim.check(case), {}
  if type(found) ~= "table" or #found == 0 then return {judge(found)} end
  for k, row in ipairs(found) do rows[k] = judge(row) end
  return rows
end

-- The rows of every job: one that fails where a check broke.
local function run(jobs)
  local names, costs = {}, {}
  for k, job in ipairs(jobs) do
    names[k], costs[k] = job.claim.id, job.claim.cost and job.claim.cost[job.case] or 1
  end
  local all, broke = host.share(names, costs, function(k) return work(jobs[k]) end)
  for k = 1, #jobs do
    if broke[k] then all[k] = {{verdict = "FAIL", reason = broke[k]}} end
  end
  return all
end

-- ---- reports ----------------------------------------------------------------------------------------

-- An object of JSON, whose members are written in this order.
local function object(...) return table.pack(...) end

-- Did a row fail by what was measured, and not because the check broke?
local function fails_by_number(row)
  return row.verdict == "FAIL" and row.measured ~= nil and row.measured == row.measured
end

local function row_object(row, ...)
  local head = table.pack(...)
  local members = {"problem", row.problem, "scheme", row.scheme, "what", row.what, "measured", row.measured,
                   "sense", row.sense or "<=", "bound", row.bound, "verdict", row.verdict, "reason", row.reason,
                   "evidence", row.evidence}
  return object(table.unpack(table.move(members, 1, 18, head.n + 1, head), 1, head.n + 18))
end

local function report_claims(jobs, rows)
  local list, count, members = {}, {}, {}
  for k, job in ipairs(jobs) do
    local claim = job.claim
    for _, row in ipairs(rows[k]) do
      list[#list + 1] = row_object(row, "id", claim.id, "statement", claim.statement, "source", claim.source)
      count[row.verdict] = (count[row.verdict] or 0) + 1
    end
  end
  for _, verdict in ipairs(host.verdicts) do
    members[#members + 1] = verdict.key
    members[#members + 1] = count[verdict.word] or 0
  end
  table.move({"version", lab.version, "build", lab.build}, 1, 4, #members + 1, members)
  return object("claims", list, "checked", #list, table.unpack(members))
end

-- A control is caught where a row fails by its numbers. A check that broke down, or does not apply to the
-- wrong input, has not judged it.
local function control_object(job, rows)
  local shown, broken = rows[1], false
  local caught = false
  for _, row in ipairs(rows) do
    if fails_by_number(row) and not caught then shown, caught = row, true end
    broken = broken or row.verdict == "FAIL" and not fails_by_number(row)
  end
  local row = {}
  for key, value in pairs(shown) do row[key] = value end
  row.verdict = caught and "caught" or "MISSED"
  if not caught then
    local why = broken and "the check broke down before it measured anything" or "the claim does not notice"
    row.reason = shown.reason and #rows == 1 and why .. ": " .. shown.reason or why
  end
  return row_object(row, "id", job.claim.id, "control", job.control.what), caught
end

-- Rows have one name where they differ in digits or behind the first colon.
local function name_of(job, row)
  return job.claim.id .. " " .. (row.what or ""):match("^[^:]*"):gsub("%d", "")
end

-- The first row of every name that was judged under some control of its claim and failed under none: what
-- nothing breaks is not known to be tested. EVIDENCE claims no proof.
local function unbroken(jobs, rows)
  local known, list = {}, {}
  for k, job in ipairs(jobs) do
    for _, row in ipairs(rows[k]) do
      if fails_by_number(row) then known[name_of(job, row)] = true end
    end
  end
  for k, job in ipairs(jobs) do
    for _, row in ipairs(rows[k]) do
      local judged = row.what and row.verdict ~= "NOT APPLICABLE" and row.verdict ~= "EVIDENCE"
      if judged and not known[name_of(job, row)] then
        known[name_of(job, row)] = true
        list[#list + 1] = object("id", job.claim.id, "what", row.what)
      end
    end
  end
  return list
end

local function report_controls(jobs, rows)
  local list, caught, bare = {}, 0, {}
  for k, job in ipairs(jobs) do
    local found
    list[k], found = control_object(job, rows[k])
    caught = caught + (found and 1 or 0)
  end
  for _, claim in ipairs(wanted) do
    if #(claim.controls or {}) == 0 then bare[#bare + 1] = claim.id end
  end
  return object("controls", list, "checked", #jobs, "caught", caught, "missed", #jobs - caught, "uncontrolled",
                bare, "unbroken", unbroken(jobs, rows), "version", lab.version, "build", lab.build)
end

local function list_claims()
  local list = {}
  for k, claim in ipairs(claims) do
    list[k] = object("id", claim.id, "statement", claim.statement, "source", claim.source, "checks",
                     #claim.cases, "controls", #(claim.controls or {}))
  end
  return list
end

if host.mode == "list" then return list_claims() end
local jobs = list_jobs()
local report = host.mode == "controls" and report_controls or report_claims
return report(jobs, run(jobs))
