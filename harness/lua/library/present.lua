-- present.lua - reports of verbs as text: FORM(report), by the name of the form (harness/lua/present.h).
--
-- A report is the JSON that --json prints; what is null there is nil here.
local host = ...
local printable, duration = host.printable, host.duration
local forms, lines = {}, {}

-- A line as string.format makes it, without control characters: names from outside may hold some.
local function say(format, ...)
  lines[#lines + 1] = printable(format:format(...))
end

local function plural(n) return n == 1 and "" or "s" end

-- text behind before, if there is any; else "".
local function behind(before, text)
  return (text or "") ~= "" and before .. text or ""
end

-- Why the end of a script was not read; what Lua says of nil is no help to whoever wrote no nil.
local function say_unread(why)
  if not why then return end
  say("not read on, as nothing was run: %s%s", why, why:find("a nil value", 1, true) and
      "; what stands in lists of what is not run is nil" or "")
end

-- ---- show ----

-- Before what is said of a theorem.
local function applying(applies, unknown) return applies and "applies: " or unknown and "not known: " or "no: " end

local function show_theorems(list, closed)
  say("")
  say("theorems, at the default parameters, by measured hypotheses")
  for _, one in ipairs(list) do
    say("  %-11s %s%s (%s)", one.theorem, applying(one.admits, one.unknown), one.admits and one.says or one.reason,
        one.source)
  end
  if closed then
    say("(A5), (A6) and A2 hold for so many balls, whatever the radii and rho: one direction raises all constraints")
    say("at a rate of %.3g at least (scripts/claims, Clusters of N balls)", closed)
  end
end

local function show_parameters(kind, list)
  say("")
  say(kind == "scheme" and "parameters (--scheme NAME:key=value,key=value)" or "parameters (--set key=value)")
  for _, one in ipairs(list) do
    say("  %-10s %s", one.key, one.text)
    say("             default %s; allowed: %s; unit: %s", one.default or "derived", one.allowed,
        one.unit ~= "1" and one.unit or "dimensionless")
  end
end

-- A number, or the first of a vector.
local function value_text(value)
  if type(value) ~= "table" then return host.numeral(value) end
  local SHOWN, list = 6, {}
  for k = 1, math.min(#value, SHOWN) do list[k] = host.numeral(value[k]) end
  return table.concat(list, ",") .. (#value > SHOWN and (",... (%d numbers)"):format(#value) or "")
end

local function show_derived(list, parameters)
  say("")
  say("derived, where all else has its default")
  for _, one in ipairs(list) do
    if one.set then say("  %s", one.set) end
    for _, parameter in ipairs(parameters) do
      local value = one.values[parameter.key]
      if value ~= nil then say("%s%s=%s", one.set and "    " or "  ", parameter.key, value_text(value)) end
    end
  end
end

-- A text that has lines.
local function say_lines(text)
  for line in (text .. "\n"):gmatch("(.-)\n") do say("%s", line) end
end

function forms.show(r)
  say("%s (%s): %s", r.name, r.kind, r.title)
  say("")
  say_lines(r.statement)
  say("")
  say("source: %s", r.source)
  if r.hypotheses then
    say("")
    say("hypotheses of the theorems")
    say_lines(r.hypotheses)
  end
  if r.theorems then show_theorems(r.theorems, r.closed_form) end
  if r.parameters then show_parameters(r.kind, r.parameters) end
  if r.derived then show_derived(r.derived, r.parameters) end
end

-- ---- show --data ----

-- Numbers in one line; a matrix row by row.
local function say_numbers(name, list)
  if type(list[1]) == "table" then
    for k, row in ipairs(list) do say_numbers(k == 1 and name or "", row) end
    return
  end
  local words = {}
  for k, x in ipairs(list) do words[k] = host.numeral(x) end
  say("%-7s  %s", name, #words > 0 and table.concat(words, " ") or "none")
end

function forms.data(r)
  say("%s: order %d, %d coordinates, %d constraints, to t = %s, restitution %s", r.problem, r.order, r.dimension,
      r.constraints, host.numeral(r.horizon), host.numeral(r.restitution))
  say_numbers("q0", r.q0)
  if r.u0 then say_numbers("u0", r.u0) end
  if r.mass then say_numbers("M", r.mass) end
  say_numbers(r.order == 2 and "force" or "drift", r.force)
  say("         %s", r.force_constant and "the same at all times and places" or "at the start; it varies")
  say_numbers("radii", r.radii)
  for _, wall in ipairs(r.walls) do
    say_numbers("wall", wall.normal)
    say("         offset %s: %s", host.numeral(wall.offset), wall.name)
  end
end

-- ---- check ----

function forms.check(r)
  for _, problem in ipairs(r.problems) do
    say("%s", problem.name)
    for _, one in ipairs(problem.checks) do
      say("  %-4s  %-15s  %s", one.outcome == "fail" and "FAIL" or one.outcome, one.check, one.text)
    end
    for _, one in ipairs(problem.theorems or {}) do
      say("        %-15s  %s%s", one.theorem, applying(one.applies, one.unknown), one.text)
    end
  end
  say_unread(r.unread)
  say("%d problem%s, %d check%s failed", #r.problems, plural(#r.problems), r.failed, plural(r.failed))
end

-- ---- verify ----

local JUDGED = {PASS = true, FAIL = true, FINDING = true, EVIDENCE = true, caught = true, MISSED = true}

local function number(x) return x and ("%.4g"):format(x) or "nan" end

local function say_row(row)
  local what = ""
  if JUDGED[row.verdict] and row.what then
    what = (": %s %s %s %s"):format(row.what, number(row.measured), row.sense or "", number(row.bound))
  end
  say("  %-14s  %s%s%s", row.verdict, row.problem or "", behind(" by ", row.scheme), what)
  if behind("", row.reason) ~= "" then say("  %-14s    %s", "", row.reason) end
  if behind("", row.evidence) ~= "" then say("  %-14s    %s", "", row.evidence) end
end

function forms.claims(r)
  local id = ""
  for k, row in ipairs(r.claims) do
    if row.id ~= id then
      id = row.id
      if k > 1 then say("") end
      say("%s: %s", id, row.statement)
      say("  %s", row.source)
    end
    say_row(row)
  end
  say("")
  say("%d checks: %d hold, %d fail, %d findings, %d evidence, %d not applicable, %d inconclusive", r.checked, r.passed,
      r.failed, r.findings, r.evidence, r.not_applicable, r.inconclusive)
end

function forms.controls(r)
  for _, row in ipairs(r.controls) do
    say("%s: %s", row.id, row.control)
    say_row(row)
  end
  for _, id in ipairs(r.uncontrolled) do say("%s: has no control", id) end
  for _, row in ipairs(r.unbroken) do say("%s: no control makes this fail: %s", row.id, row.what or "") end
  say("")
  say("%d controls: %d caught, %d missed; %d claims without, %d rows that none breaks", r.checked, r.caught, r.missed,
      #r.uncontrolled, #r.unbroken)
end

function forms.list(r)
  for _, claim in ipairs(r) do
    say("%-14s %s", claim.id, claim.statement)
    say("%-14s %s", "", claim.source)
  end
end

-- ---- status ----

-- A word as a shell reads it.
local function quoted(word)
  return word:find("^[%w_./:=,+%-%%@]+$") and word or "'" .. word:gsub("'", "'\\''") .. "'"
end

local function say_head(s)
  local words = s.arguments and #s.arguments > 0 and " -- " .. table.concat(s.arguments, " ") or ""
  local line = ("%s%s%s: %s"):format(s.script, words, behind(", shard ", s.shard), s.state)
  if s.state == "at work" or s.state == "killed" then
    say("%s (process %d on %s, since %s)", line, s.pid, s.host, s.began)
  elseif s.state == "elsewhere" then
    say("%s (at work on %s at %s)", line, s.host, s.saved)
  else
    say("%s at %s%s%s", line, s.saved or "", behind(", ", s.ending), behind(": ", s.reason))
  end
end

-- The command that runs what is missing.
local function say_command(s, results)
  local line = {quoted(s.script), "--resume", "--results", quoted(results)}
  if s.shard then line[#line + 1] = "--shard " .. s.shard end
  for k, word in ipairs(s.arguments or {}) do line[#line + 1] = (k == 1 and "-- " or "") .. quoted(word) end
  say("  to go on: impactlab sweep %s", table.concat(line, " "))
end

function forms.status(r)
  for _, s in ipairs(r.scripts) do
    local open, left = s.missing + s.at_work, ""
    say_head(s)
    if s.seconds_left and open > 0 then
      left = ("; about %s left, until %s"):format(duration(s.seconds_left), s.expected_end or "")
    end
    say("  %d cases: %d done, %d failed, %d at work, %d missing%s", s.cases, s.done, s.failed, s.at_work, s.missing, left)
    if open > 0 and s.state ~= "at work" then say_command(s, r.results) end
  end
  for _, trouble in ipairs(r.troubles) do say("%s", trouble) end
  say("%s: %d stored cases, %d damaged, %d set aside", r.results, r.stored, r.damaged, r.set_aside)
end

-- ---- results list ----

function forms.names(r)
  for _, one in ipairs(r.names) do
    local range = one.least and ("%.6g to %.6g"):format(one.least, one.most) or "text"
    if one.cases > 0 then say("%-36s %6d  %s", one.name, one.cases, range) end
  end
end

function forms.references(r)
  for _, one in ipairs(r.references) do
    local what = one.kind == "run" and ("run of %s by %s, %d steps: "):format(one.problem, one.scheme, one.steps)
      or behind("", one.kind) ~= "" and ("event-driven, %s: "):format(one.problem) or ""
    local made = one.damaged and ("damaged: %s; it is made again"):format(one.damaged)
      or ("%.3g MB, made in %.3g s, %s"):format(one.bytes / 1e6, one.seconds, one.date)
    say("%.12s  %s%s", one.name, what, made)
  end
  say("%d reference%s", #r.references, plural(#r.references))
end

-- ---- results compare ----

local function order_text(o)
  return o.order and ("%.3f [%.3f, %.3f]"):format(o.order, o.low, o.high) or "not told"
end

function forms.compare(r)
  for _, s in ipairs(r.studies) do
    say("%s on %s", s.scheme, s.problem)
    for _, norm in ipairs{"q_Linf", "u_L1"} do
      local ratios, n = s[norm], 0
      for _, case in ipairs(ratios and s.cases or {}) do
        if (case[norm].ratio or 0) > 0 then n = n + 1 end
      end
      if ratios then
        say("  %-6s  %d cases, ratio %.6g (%.6g to %.6g)%s", norm, n, ratios.ratio, ratios.least, ratios.most,
            #s.cases < 5 and "" or (", order %s in %s, %s in %s"):format(order_text(ratios.second), r.second,
                                                                        order_text(ratios.first), r.first))
      end
    end
  end
  for _, one in ipairs(r.worse) do
    say("worse: %s: %s in %s, %s in %s", one.what, one.second, r.second, one.first, r.first)
  end
  say("%s cases in both folders, %d in %s alone, %d in %s alone", r.matched == 0 and "no" or r.matched, r.first_alone,
      r.first, r.second_alone, r.second)
  if r.first_limits + r.second_limits > 0 then
    say("limits are not compared: %d in %s, %d in %s", r.first_limits, r.first, r.second_limits, r.second)
  end
end

-- ---- solve ----

function forms.solve(r)
  say("%s: a %s problem, %d unknowns, %d contacts%s", r.file, r.kind, r.unknowns, r.contacts,
      r.friction_dropped > 0 and ", friction dropped" or "")
  for _, a in ipairs(r.answers) do
    local c, nan = a.certificate, -(0 / 0) -- printed as nan; 0 / 0 itself is -nan on x86
    say("%-12s %s, %d iterations: residual %.2e in gaps of size %.3g   primal %.2e, dual %.2e, complementarity %.2e, "
        .. "stationarity %.2e   distance %.2e   %.3g s", a.projector, a.status, a.iterations, a.residual or nan,
        a.size or nan, c.primal or nan, c.dual or nan, c.complementarity or nan, c.stationarity or nan,
        a.distance_to_first or nan, a.seconds)
  end
end

-- ---- board ----

function forms.board(r)
  for _, c in ipairs(r.columns) do
    say("%s, %s", c.title, c.problem)
    for _, cell in ipairs(r.cells) do
      if cell.question == c.question and cell.problem == c.problem then
        local why = (cell.verdict == "REFUSED" or cell.verdict == "FAILED") and cell.reason or ""
        say("  %-28s %-12s %s", cell.scheme, cell.verdict, why ~= "" and why or cell.text)
      end
    end
  end
end

return function(form, report)
  forms[form](report)
  return table.concat(lines, "\n") .. "\n"
end
