-- present.lua - reports of verbs as text and figures: FORM(report, path), by its name (harness/lua/present.h).
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

-- ---- list ----

function forms.members(r)
  for _, family in ipairs{"problems", "schemes", "projectors"} do
    for k, m in ipairs(r[family] or {}) do
      if k == 1 then say("%s", family) end
      say("  %-15s %s", m.name, m.title)
    end
  end
end

function forms.matrix(r)
  local row, problem = {("%-15s"):format("")}, r.pairs[1].problem
  for _, p in ipairs(r.pairs) do
    if p.problem == problem then row[#row + 1] = ("%-17s"):format(p.scheme) end
  end
  problem = nil
  for _, p in ipairs(r.pairs) do
    if p.problem ~= problem then
      say("%s", table.concat(row, " "))
      row, problem = {("%-15s"):format(p.problem)}, p.problem
    end
    row[#row + 1] = ("%-17s"):format(p.status)
  end
  say("%s", table.concat(row, " "))
  say("")
  say("ok: %d steps ran, each with its certificate; parameters at their defaults, but N = %s where it is above %d.",
      r.steps, r.few, r.many)
  for _, p in ipairs(r.pairs) do
    if p.status ~= "ok" then say("%s on %s %s: %s", p.scheme, p.problem, p.status, p.reason) end
  end
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

-- ---- figures ----

-- spec as lab.figure has it, but its name.
function forms.draw(spec, path)
  host.draw_at(path, spec)
  say("wrote %s.png", path)
end

-- Errors against their steps with the curves that were fitted: drawn has runs as host.order takes them, with a name.
function forms.orders_figure(r, path)
  local series = {}
  for _, d in ipairs(r.drawn) do
    for k = 1, #d.h do d.error[k] = d.error[k] or 0 / 0 end
    local o, points = host.order(nil, d.name, d, 0.95, r.claim), {x = {}, y = {}, style = "points"}
    local range = o.curve and ("%.2f [%.2f, %.2f] "):format(o.order, o.low, o.high) or ""
    points.label = ("%s: %s%s"):format(d.name, range, o.verdict):sub(1, 95)
    for k, y in ipairs(d.error) do
      if y - y == 0 then points.x[#points.x + 1], points.y[#points.y + 1] = d.h[k], y end
    end
    series[#series + 1] = points
    if o.curve then series[#series + 1] = host.trace(o, "lines", nil, o.h_min, o.h_max) end
  end
  forms.draw({xlabel = "h", ylabel = "error", logx = true, logy = true, series = series, caption = r.caption}, path)
end

-- ---- law ----

function forms.law(r)
  local n, q = #r.h, r.quantiles
  say("%s by %s, %d runs of %d to %d steps: %s = c h^%.6g", r.problem, r.scheme, n, r.steps, r.steps + n - 1, r.norm,
      r.order)
  if not r.observed then return say("  the errors are roundings, at most %.1e", r.rounding) end
  say("  c: least %.6g  mean %.6g%s  geometric mean %.6g  largest %.6g", r.least, r.mean,
      r.mean_within and (" +- %.2g"):format(r.mean_within) or "", r.geometric, r.largest)
  say("  shares: 5 %% below %.6g, 25 %% %.6g, 50 %% %.6g, 75 %% %.6g, 95 %% %.6g", table.unpack(q))
  if r.atom_share > 0 then say("  an atom: %.0f %% of all c are near %.6g", 100 * r.atom_share, r.atom) end
  for k, t in ipairs(r.events) do r.events[k] = ("%.6g"):format(t) end
  if #r.events > 0 then
    say("  events at t = %s; their phases leave out at most %.2g of a step", table.concat(r.events, ", "), r.widest_gap)
  end
  say("  order between %d and %d steps: %.3f", r.steps // 2, r.steps, r.observed)
end

-- c against the phase of the one event, or the share of all c that are at most x.
function forms.law_figure(r, path)
  local one, x, y = #r.events == 1, {}, {}
  local name = (r.order == 1 and "c = %s/h" or "c = %s/h^%.6g"):format(r.norm, r.order)
  for k, h in ipairs(r.h) do x[k], y[k] = r.events[1] and r.events[1] / h % 1, r.error[k] / h ^ r.order end
  if not one then
    x, y = y, {}
    table.sort(x)
    for k = 1, #x do y[k] = k / #x end
  end
  forms.draw({series = {{style = one and "points" or "steps", color = r.color, x = x, y = y}},
              xrange = one and {0, 1} or nil, xlabel = one and "part of the step before the event" or name,
              ylabel = one and name or "share of runs with at most that",
              caption = ("%s by %s, %d runs of %d steps and more."):format(r.problem, r.scheme, #x, r.steps)}, path)
end

-- ---- judge ----

-- The errors of files in each of r.norms, as host.order takes them; that in q_Linf is never larger than that in u_L1.
local function judged_runs(r)
  local all = {}
  for i, norm in ipairs(r.norms) do
    local size, steps, h, error, below = 0, 1, {}, {}, {}
    for k, file in ipairs(r.files) do
      local sum, factor = 0, norm == "u_L1" and file.horizon or 1
      for _, x in ipairs(file.final[norm:match("_?(u)") or "q"]) do sum = sum + (factor * x) ^ 2 end
      size, steps = math.max(size, math.sqrt(sum)), math.max(steps, file.steps)
      h[k], error[k], below[k] = file.h, file.error[norm] or 0 / 0, file.error.q_Linf or 0 / 0
    end
    all[i] = host.causes(nil, 0, steps, size, 0, 0)
    all[i].name, all[i].h, all[i].error, all[i].below = norm, h, error, norm == "u_L1" and below or nil
  end
  return all
end

function forms.orders(r)
  local list = {}
  for k, runs in ipairs(judged_runs(r)) do
    local o = host.order(nil, runs.name, runs, 0.95, r.claim)
    say("%s", o.text)
    list[k] = {n = 22, "norm", runs.name, "order", o.order, "low", o.low, "high", o.high, "fold", o.fold, "octaves",
               o.octaves, "finest", o.finest, "floor_high", o.floor_high, "verdict", o.verdict, "reason", o.reason,
               "text", o.text:sub(#runs.name + 3)}
  end
  return list
end

function forms.judge_figure(r, path)
  r.drawn = judged_runs(r)
  forms.orders_figure(r, path)
end

function forms.plan(r)
  local horizon, norms, h = r.files[1].horizon, {}, {}
  local p = host.plan(judged_runs(r), r.claim, horizon)
  for k, o in ipairs(p.norms) do
    say("%s: order %.2f, scatter %.2g by these files: %s%s", r.norms[k], o.order, o.scatter, o.verdict, #p.steps > 0 and
        ("; decided in %d of %d drawn studies"):format(o.decided, p.studies) or "")
    norms[k] = {n = 10, "norm", r.norms[k], "order", o.order, "scatter", o.scatter, "verdict", o.verdict, "decided",
                o.decided / p.studies}
  end
  if #p.steps > 0 then
    say("plan: %d more runs, %d in each of %d octaves, with these numbers of steps:", #p.steps, p.each, p.octaves)
    say(" " .. (" %.0f"):rep(#p.steps), table.unpack(p.steps))
    say("then judge all files together")
  else
    say(p.open and "no plan decides: the errors scatter too much, or the order is too near the claim's; more first " ..
        "files may tell" or "these files decide; no more runs are needed")
  end
  for k, steps in ipairs(p.steps) do h[k] = horizon / steps end
  return {n = 8, "norms", norms, "open", p.open, "steps", p.steps, "h", h}
end

-- ---- test cases ----

-- XML has no control characters but three.
local XML = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"}
local function escaped(text) return (text:gsub("[\1-\31]", " "):gsub('[&<>"]', XML)) end

function forms.junit(r)
  local TAG, n, cases = {failed = "failure", skipped = "skipped"}, {passed = 0, failed = 0, skipped = 0}, r.cases or {}
  for _, c in ipairs(cases) do n[c.outcome] = n[c.outcome] + 1 end
  say('<?xml version="1.0" encoding="UTF-8"?>')
  say('<testsuite name="impactlab %s" tests="%d" failures="%d" skipped="%d" errors="0">', r.verb, #cases, n.failed,
      n.skipped)
  for _, c in ipairs(cases) do
    local tag = TAG[c.outcome]
    local open = tag and ('%s message="%s"'):format(tag, escaped(c.verdict)) or "system-out"
    lines[#lines + 1] = ('  <testcase classname="%s" name="%s"><%s>%s</%s></testcase>'):format(
      escaped(c.class), escaped(c.name), open, escaped(c.text), tag or "system-out")
  end
  say("</testsuite>")
end

return function(form, report, path)
  local answer = forms[form](report, path)
  return #lines > 0 and table.concat(lines, "\n") .. "\n" or "", answer
end
