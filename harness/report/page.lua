-- page.lua - the HTML page of a report, without external resources: what failed, verdicts, then figures and
-- tables section by section. Pictures are linked files, tables are part of the page. Text from outside is
-- escaped everywhere, and the page's content security policy allows its own script only (page.js, by hash).
--
-- r, from report.c: entries = {{table =, folder =, picture =, root = manifest}, ...}; journals of scripts
-- (harness/io/store/journal.h), each with tally = {{what, failed, all}, ...}; claims, the rows of `verify
-- --json`; troubles, sentences; scripts that are expected; manual, board, their addresses; problems and schemes, the names of
-- the catalogue in its order; results, the folder; date, version, build, css, js, sum (of js). names: page_names.lua. Returns the page and {scripts =, failed =, missing =, line =}.
local r, names = ...
local out = {}

local ESCAPED = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;",
                 ["\n"] = "\n", ["\t"] = "\t"}

-- HTML has no other control characters.
local function escape(text)
  return (text:gsub("[%c&<>\"']", function(c) return ESCAPED[c] or " " end))
end

-- format with its texts escaped, and numbers as they are.
local function put(format, ...)
  local texts = {...}
  for k, text in ipairs(texts) do texts[k] = type(text) == "string" and escape(text) or text end
  out[#out + 1] = format:format(table.unpack(texts))
end

local function plural(n) return n == 1 and "" or "s" end
local function ends_with(text, ending) return text:sub(-#ending) == ending end

-- ---- the order of entries ---------------------------------------------------------------------------

-- A place given comes before none, which is 0.
local function place(a, b) return a == b and 0 or a ~= 0 and (b == 0 or a < b) and -1 or 1 end

local function bytes(a, b) return a == b and 0 or a < b and -1 or 1 end

-- Section by section; there by order, tables, which sum up, before figures of the same order; then by name.
-- Scripts may give one section different ranks, or one a rank and others none: the first holds.
local function sort_entries()
  local rank = {}
  for _, e in ipairs(r.entries) do
    local section = e.root.section or {}
    e.section, e.order = section.title or "", e.root.order or 0
    local own = section.order or 0
    rank[e.section] = rank[e.section] and place(rank[e.section], own) < 0 and rank[e.section] or own
  end
  table.sort(r.entries, function(a, b)
    local function differ(is_a, is_b) return (is_a and 1 or 0) - (is_b and 1 or 0) end
    for _, by in ipairs{place(rank[a.section], rank[b.section]), differ(a.section == "", b.section == ""),
                        bytes(a.section, b.section), place(a.order, b.order), differ(b.table, a.table),
                        bytes(a.root.name, b.root.name)} do
      if by ~= 0 then return by < 0 end
    end
    return false
  end)
  local n = {figure = 0, table = 0}
  for _, e in ipairs(r.entries) do
    local kind = e.table and "table" or "figure"
    n[kind] = n[kind] + 1
    e.number, e.anchor = n[kind], kind .. "-" .. n[kind]
  end
end

-- ---- how scripts ended ------------------------------------------------------------------------------

-- {script =, journal = nil if it has not run}: those that are expected in their order, with whatever arguments
-- they were called, then the others.
local function runs()
  local list, expected = {}, {}
  for _, script in ipairs(r.scripts) do
    local found = false
    expected[script] = true
    for _, journal in ipairs(r.journals) do
      if journal.script == script then
        list[#list + 1] = {script = script, journal = journal}
        found = true
      end
    end
    if not found then list[#list + 1] = {script = script} end
  end
  for _, journal in ipairs(r.journals) do
    if not expected[journal.script] then list[#list + 1] = {script = journal.script, journal = journal} end
  end
  return list
end

-- "3 of 12 checks, 1 of 40 cases" that failed, or with failures false what there was in all.
local function counts(journal, failures)
  local parts = {}
  for _, count in ipairs(journal.tally) do
    local what, failed, all = table.unpack(count)
    if failures and failed > 0 then
      parts[#parts + 1] = ("%d of %d %s"):format(failed, all, what)
    elseif not failures and all > 0 then
      parts[#parts + 1] = ("%d %s"):format(all, what)
    end
  end
  return table.concat(parts, ", ")
end

-- Its outcome, and what became of it in a few words. One that was killed by other means than an interruption
-- has failed.
local function outcome(journal)
  local ending = journal and journal.ending
  if not journal then return "missing", "has not run" end
  if ending == "ok" then return "well", counts(journal, false) end
  if ending == "interrupted" then return "missing", "was interrupted" end
  if ending == "missing" then return "missing", "is without its cases of other shards" end
  if ending == "failed" then return "failed", counts(journal, true) .. " failed" end
  if ending == "error" then return "failed", "ended by an error" end
  return "failed", "did not come to its end: it was killed, or still runs"
end

local function sum_up(list)
  local sum, bad, first = {scripts = #list, well = 0, failed = #r.troubles, missing = 0}, {}, ""
  for _, run in ipairs(list) do
    local how, words = outcome(run.journal)
    run.well, run.words = how == "well", words
    sum[how] = sum[how] + 1
    if not run.well then bad[#bad + 1] = run.script .. " " .. words end
    local failure = not run.well and run.journal and run.journal.failures and run.journal.failures[1]
    if failure and first == "" then
      local place = failure.place or ""
      first = ("; first %s%s%s %s"):format(place, place ~= "" and ": " or "", failure.kind or "", failure.text or "")
    end
  end
  local broken = #r.troubles
  if broken > 0 then
    bad[#bad + 1] = ("%d figure%s or table%s cannot be shown"):format(broken, plural(broken), plural(broken))
  end
  sum.line = #bad == 0 and "" or ((sum.missing > 0 and "incomplete: " or "failed: ") .. table.concat(bad, "; ") ..
             first):gsub("[\r\n]", " ")
  return sum
end

local function put_failures(journal)
  if #(journal.failures or {}) > 0 then
    put("<ul>\n")
    for _, failure in ipairs(journal.failures) do
      put("<li><code>%s</code> %s: %s</li>\n", failure.place or "", failure.kind or "", failure.text or "")
    end
    put("</ul>\n")
  end
  if journal.ending == "error" and (journal.traceback or "") ~= "" then
    put("<pre>%s</pre>\n", journal.traceback)
  elseif journal.ending == "interrupted" or journal.ending == "missing" then
    put("<p>%s</p>\n", journal.reason or "")
  end
end

local function put_outcomes(list, sum)
  local bad, broken = sum.failed + sum.missing, #r.troubles
  if bad > 0 then
    put('<section class="bad" id="failures" aria-labelledby="failed">\n<h2 id="failed">Failures</h2>\n')
    if bad > broken then
      put("<p>%d of %d script%s did not end well. What they draw may be missing below, or older than the rest.</p>\n",
          bad - broken, sum.scripts, plural(sum.scripts))
    end
    put("<ul>\n")
    for _, trouble in ipairs(r.troubles) do put("<li>Not shown: %s</li>\n", trouble) end
    for _, run in ipairs(list) do
      if not run.well then
        put("<li><b>%s</b> %s.\n", run.script, run.words)
        if run.journal then put_failures(run.journal) end
        put("</li>\n")
      end
    end
    put("</ul>\n</section>\n")
  end
  if sum.well > 0 then
    put('<details class="about">\n<summary>%s scripts ended well</summary>\n<ul>\n', bad > 0 and "The other" or "All")
    for _, run in ipairs(list) do
      if run.well then put("<li>%s%s%s</li>\n", run.script, run.words ~= "" and ": " or "", run.words) end
    end
    put("</ul>\n</details>\n")
  end
end

-- ---- verdicts ---------------------------------------------------------------------------------------

local function judged()
  local all = {}
  for _, journal in ipairs(r.journals) do
    for _, entry in ipairs(journal.judged or {}) do
      entry.script = journal.script or ""
      all[#all + 1] = entry
    end
  end
  return all
end

-- How often each verdict fell on entries of a kind; those of words come first.
local function tally(entries, kind, words)
  local t = {words = words, all = 0}
  for _, word in ipairs(words) do t[word] = 0 end
  for _, entry in ipairs(entries) do
    if (entry.kind or "") == kind then
      local word = entry.verdict or ""
      if not t[word] then words[#words + 1] = word end
      t[word] = (t[word] or 0) + 1
      t.all = t.all + 1
    end
  end
  return t
end

local function put_tally(head, t)
  if t.all == 0 then return end
  put('<ul class="tally">\n<li class="head">%s</li>\n', head)
  for _, word in ipairs(t.words) do
    if t[word] > 0 then put('<li class="%s"><b>%d</b> %s</li>\n', word, t[word], word) end
  end
  put("</ul>\n")
end

-- The figure of convergence of an order's sweep.
local function figure_of(order)
  local sweep = order.sweep or ""
  for _, e in ipairs(sweep ~= "" and r.entries or {}) do
    local name = e.root.name
    if not e.table and name:find("convergence", 1, true) and name:find(sweep, 1, true) then return e end
  end
end

-- ---- orders at a glance -----------------------------------------------------------------------------

-- A number on its verdict's colour; the word, for whoever does not see colours, is there too.
local function put_cell(entry)
  if not entry then return put("<td></td>") end
  local figure, verdict = figure_of(entry), entry.verdict or ""
  put('<td class="%s" title="%s, %s: %s">', verdict, verdict, entry.norm or "", entry.text or "")
  if figure then put('<a href="#%s">', figure.anchor) end
  put('%s<span class="word"> %s</span>', entry.order and ("%.2f"):format(entry.order) or "none", verdict)
  put(figure and "</a></td>" or "</td>")
end

-- The orders by problem and scheme, in the main norm: u_L1, or what there is without it.
local function glance(entries)
  local problems, schemes, known = {}, {}, {}
  for _, entry in ipairs(entries) do
    local problem, scheme = entry.problem or "", entry.scheme or ""
    if scheme ~= "" then
      if not known[problem] then
        problems[#problems + 1] = problem
        known[problem] = {}
      end
      if not schemes[scheme] then
        schemes[#schemes + 1] = scheme
        schemes[scheme] = true
      end
      if not known[problem][scheme] or entry.norm == "u_L1" then known[problem][scheme] = entry end
    end
  end
  names.sort(problems, r.problems)
  names.sort(schemes, r.schemes)
  return problems, schemes, known
end

-- Heads may break behind a _; of many columns they stand upright.
local MANY = 10
local function put_matrix(entries)
  local problems, schemes, known = glance(entries)
  if #problems == 0 then return end
  local short = names.problems(problems)
  put('<h2 id="glance">Orders at a glance</h2>\n<p class="about">The order of convergence, on the colour of its ' ..
      'verdict: <span class="key PASS">PASS</span> <span class="key FAIL">FAIL</span> ' ..
      '<span class="key INCONCLUSIVE">INCONCLUSIVE</span> <span class="key REPORTED">REPORTED</span>, where nothing ' ..
      'is claimed. The norm is u_L1, or that which a cell names when it is pointed at.</p>\n' ..
      '<div class="glance%s"><div class="wide" tabindex="0" role="region" aria-labelledby="glance">' ..
      '<table class="matrix" aria-label="orders by problem and scheme">\n<thead>\n<tr><th scope="col">problem</th>',
      #schemes > MANY and " many" or "")
  for _, scheme in ipairs(schemes) do
    put('<th scope="col" title="%s">', scheme)
    out[#out + 1] = escape(names.scheme(scheme)):gsub("_", "_<wbr>") .. "</th>"
  end
  put("</tr>\n</thead>\n<tbody>\n")
  for k, problem in ipairs(problems) do
    put('<tr><th scope="row" title="%s">%s</th>', problem, short[k])
    for _, scheme in ipairs(schemes) do put_cell(known[problem][scheme]) end
    put("</tr>\n")
  end
  put("</tbody>\n</table></div></div>\n")
end

-- ---- what was found ---------------------------------------------------------------------------------

local MEANS = {
  {"PASS", "a claim holds, as far as it was measured"}, {"FAIL", "a claim is refuted"},
  {"INCONCLUSIVE", "what was measured decides nothing; the sentence says what would"},
  {"REPORTED", "a number of which nothing is claimed"},
  {"FINDING", "a statement that does not hold, as is known; its evidence says why"},
  {"EVIDENCE", "it holds, and could hardly not: nothing here comes near the bound"},
  {"NOT APPLICABLE", "a hypothesis fails on this problem"}}

-- What the words of tallies mean.
local function put_meanings(...)
  put('<p class="about">')
  local glue = ""
  for _, one in ipairs(MEANS) do
    local any = false
    for _, t in ipairs{...} do any = any or (t[one[1]] or 0) > 0 end
    if any then
      put("%s<b>%s</b>: %s", glue, one[1], one[2])
      glue = ". "
    end
  end
  put(".</p>\n")
end

local function put_judged()
  local entries = judged()
  local orders = tally(entries, "order", {"PASS", "FAIL", "INCONCLUSIVE", "REPORTED"})
  local limits = tally(entries, "limits", {"PASS", "FAIL", "INCONCLUSIVE", "REPORTED"})
  local findings = tally(entries, "finding", {})
  local claims = tally(r.claims, "", {"PASS", "FAIL", "INCONCLUSIVE", "FINDING"})
  local all = orders.all + limits.all + findings.all + claims.all
  if all == 0 then return end
  put('<section id="judged" aria-labelledby="found">\n')
  put_matrix(entries)
  put('<h2 id="found">What was found</h2>\n')
  if findings.all > 0 then
    put("<ul>\n")
    for _, entry in ipairs(entries) do
      if entry.kind == "finding" then put("<li>%s</li>\n", entry.text or "") end
    end
    put("</ul>\n")
  end
  put_tally("Orders", orders)
  put_tally("Limits of sequences of steps", limits)
  put_tally("Claims of the papers", claims)
  put_meanings(orders, limits, claims)
  put('<details>\n<summary>All %d verdicts</summary>\n<div class="long verdicts"><div class="wide" tabindex="0" ' ..
      'role="region" aria-label="verdicts"><table aria-label="verdicts">\n<thead>\n<tr><th scope="col" data-filter>' ..
      'verdict</th><th scope="col" data-filter>scheme</th><th scope="col">what was judged</th><th scope="col" ' ..
      'data-filter>norm</th><th scope="col">of</th><th scope="col">script</th></tr>\n</thead>\n<tbody>\n', all)
  local row = '<tr><td>%s</td><td>%s</td><th scope="row" class="t">%s</th><td>%s</td><td>%s</td><td>%s</td></tr>\n'
  for _, e in ipairs(entries) do
    put(row, e.verdict or "", e.scheme or "", e.text or "", e.norm or "", e.kind or "", e.script)
  end
  for _, c in ipairs(r.claims) do
    local what = ("%s on %s: %s"):format(c.id, c.problem, c.what or "")
    put(row, c.verdict or "", c.scheme or "", what, "", "claim", "verify")
  end
  put("</tbody>\n</table></div></div>\n</details>\n</section>\n")
end

-- The judge of trajectories, as `make coverage-judge` left it beside the results.
local function put_judge()
  local file = io.open(r.results .. "/reference/judge.txt")
  local text = file and file:read("a") or ""
  if file then file:close() end
  local judged, accused = text:match("\nall +(%d+) +(%d+)\n")
  local planted, found, named = text:match("\nall +(%d+) +(%d+) +(%d+)\n")
  if not (judged and planted) then return end
  put('<section aria-labelledby="judge">\n<h2 id="judge">The judge of trajectories</h2>\n<p class="statement">Of %s ' ..
      "right motions (runs and exact solutions of every problem, rounded, thinned, with and without velocities and " ..
      "impulses) it accuses %s. Of %s motions with a planted fault it finds %s, and names %s of them rightly. Faults " ..
      "smaller than what bodies move by in a step are not found: an overlap, a stop elsewhere, a coefficient of " ..
      "restitution; a program that holds a body where the drift leads away cannot be told from a contact that " ..
      'pulls.</p>\n<details>\n<summary>Both tables</summary>\n<pre tabindex="0">%s</pre>\n</details>\n</section>\n',
      judged, accused, planted, found, named, text)
end

-- ---- tables -----------------------------------------------------------------------------------------

local LINE = 40 -- letters; a longer text may break over lines
local LONG = 40 -- rows; a longer table scrolls

local function letters(text) return #text:gsub("[\x80-\xbf]", "") end

-- Numbers, also with an interval or a unit's sign: what must not break over lines.
local function is_number(text)
  return text:find("%d") ~= nil and not text:find("[^0-9+%-.,eE%[%]() %%]")
end

local function is_numeric(rows, column)
  local numbers, filled = 0, 0
  for _, row in ipairs(rows) do
    local text = row[column]
    if text ~= "" and text ~= "-" then
      filled = filled + 1
      numbers = numbers + (is_number(text) and 1 or 0)
    end
  end
  return numbers > 0 and 2 * numbers >= filled
end

-- The first cell of a row names the row, unless it is a number.
local function put_row(row, head, numeric)
  put("<tr>")
  for j, text in ipairs(row) do
    local heads = head or (j == 1 and not numeric[j] and text ~= "")
    local right = numeric[j] or (not head and is_number(text))
    local wraps = not head and letters(text) > LINE
    local tag = heads and "th" or "td"
    out[#out + 1] = "<" .. tag .. (head and ' scope="col"' or heads and ' scope="row"' or "") ..
                    (right and ' class="n"' or wraps and ' class="t"' or "") .. ">"
    put("%s", text)
    out[#out + 1] = "</" .. tag .. ">"
  end
  put("</tr>\n")
end

-- As the manifest has it, rounded; the page links the CSV, which has all digits.
local function put_table(e)
  local rows, numeric = e.root.cells, {}
  for j in ipairs(e.root.heads) do numeric[j] = is_numeric(rows, j) end
  out[#out + 1] = #rows >= LONG and '<div class="long">' or "<div>"
  put('<div class="wide" tabindex="0" role="region" aria-label="Table %d"><table aria-labelledby="%s-caption">\n' ..
      "<thead>\n", e.number, e.anchor)
  put_row(e.root.heads, true, numeric)
  put("</thead>\n<tbody>\n")
  for _, row in ipairs(rows) do put_row(row, false, numeric) end
  put("</tbody>\n</table></div></div>\n")
end

-- ---- figures and tables -----------------------------------------------------------------------------

local FILES = {{".pdf", "PDF"}, {".svg", "SVG"}, {".png", "PNG"}, {".gp", "gnuplot script"}, {".dat", "data"},
               {".txt", "text"}, {".csv", "CSV"}, {".tex", "LaTeX"}}

local function put_links(e)
  local glue = '<p class="files">'
  for _, kind in ipairs(FILES) do
    for _, file in ipairs(e.root.files) do
      if ends_with(file, kind[1]) then
        out[#out + 1] = glue
        put('<a href="%s/%s">%s</a>', e.folder, file, kind[2])
        glue = " · "
        break
      end
    end
  end
  put(glue == " · " and "</p>\n" or "")
end

local function put_entry(e)
  local caption = e.root.caption ~= "" and e.root.caption or e.root.name
  put('<figure id="%s" aria-labelledby="%s-caption">\n', e.anchor, e.anchor)
  if e.picture then -- what it shows says it to who cannot see it; the caption stands beside it
    put('<img src="%s/%s" alt="%s">\n', e.folder, e.picture, e.root.shows or caption)
  end
  put('<figcaption id="%s-caption"><b>%s %d.</b> %s</figcaption>\n', e.anchor, e.table and "Table" or "Figure",
      e.number, caption)
  if e.table then put_table(e) end
  put_links(e)
  put("</figure>\n")
end

-- Bytes of an entry in a list of contents, a line of the page; and of one that says something.
local SHORT, LEAST = 90, 20

-- A sentence cut to at most SHORT: before its last comma or semicolon outside parentheses, or its last
-- parenthesis, or else behind its last word.
local function cut(text)
  local clause, aside, word, depth = 0, 0, 0, 0
  if #text <= SHORT then return text, "" end
  for k = 2, SHORT + 1 do
    local c = text:sub(k, k)
    if depth == 0 and (c == "," or c == ";") and text:sub(k + 1, k + 1) == " " then
      clause = k - 1
    elseif depth == 0 and c == "(" and text:sub(k - 1, k - 1) == " " then
      aside = k - 2
    end
    if c == " " then word = k - 1 end
    depth = depth + (c == "(" and 1 or c == ")" and -1 or 0)
  end
  local soft = clause >= LEAST and clause or aside >= LEAST and aside or 0
  if soft > 0 or word == 0 then return soft > 0 and text:sub(1, soft) or text, "" end
  return text:sub(1, word), " &hellip;"
end

-- What lists of contents say: the caption up to its first colon or full stop, cut to a line, or the name.
local function put_short(e)
  local text = e.root.caption ~= "" and e.root.caption or e.root.name
  local stop = text:find("[:.] ") or text:find("[:.]$")
  local short, more = cut(stop and text:sub(1, stop - 1) or text)
  put("%s", short)
  out[#out + 1] = more
end

-- {title =, text =, its entries in their order}.
local function sections()
  local list = {}
  for k, e in ipairs(r.entries) do
    local last, title = list[#list], e.section
    if not last or last.key ~= title then
      last = {key = title, text = "",
              title = title ~= "" and title or k == 1 and "Figures and tables" or "Further figures and tables"}
      list[#list + 1] = last
    end
    last[#last + 1] = e
    if last.text == "" then last.text = e.root.section and e.root.section.text or "" end
  end
  return list
end

local function put_contents(list)
  if #list == 0 then return end
  if r.manual then
    put('<p class="about"><a href="%s">The manual</a>: what each measure and word means.</p>\n', r.manual)
  end
  put(r.board and '<p class="about"><a href="%s">The board</a>: every scheme asked the same questions.</p>\n' or "", r.board)
  put('<nav aria-label="Contents">\n<ul>\n')
  for k, section in ipairs(list) do
    put('<li><a href="#section-%d">%s</a> <span class="count">%d</span></li>\n', k, section.title, #section)
  end
  put("</ul>\n</nav>\n")
end

-- The heading, what the section says of itself, a list of what is in it, and that.
local function put_section(section, k)
  put('<section aria-labelledby="section-%d">\n<h2 id="section-%d">%s</h2>\n', k, k, section.title)
  if section.text ~= "" then put('<p class="statement">%s</p>\n', section.text) end
  put('<div class="within"><ol>\n')
  for _, e in ipairs(section) do
    put('<li><a href="#%s">', e.anchor)
    put_short(e)
    put("</a></li>\n")
  end
  put("</ol></div>\n")
  for _, e in ipairs(section) do put_entry(e) end
  put("</section>\n")
end

-- ---- the page ---------------------------------------------------------------------------------------

-- The first figure beside the statement, so that the first screen shows one.
local function put_first()
  for _, e in ipairs(r.entries) do
    if e.picture then
      return put('<a class="first" href="#%s"><img class="first" src="%s/%s" alt="Figure %d, further down"></a>\n',
                 e.anchor, e.folder, e.picture, e.number)
    end
  end
end

local function put_head()
  local tables = 0
  for _, e in ipairs(r.entries) do tables = tables + (e.table and 1 or 0) end
  local figures, any = #r.entries - tables, #r.entries > 0
  out[#out + 1] = '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n' ..
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n' ..
    '<meta http-equiv="Content-Security-Policy" ' ..
    "content=\"default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; script-src 'sha256-" ..
    r.sum ..
    "'\">\n<title>impactlab: report</title>\n<style>\n" .. r.css
  put('</style>\n</head>\n<body>\n<a class="skip" href="#%s">Skip to the figures</a>\n<header>\n' ..
      "<h1>Contact with inelastic impacts: report</h1>\n" ..
      '<p class="about">impactlab %s · %d figure%s, %d table%s%s%s</p>\n',
      any and "section-1" or "content", r.version, figures, plural(figures), tables, plural(tables),
      any and " · newest result " or "", r.date:sub(1, 10))
  put('<p class="statement">Time-stepping schemes for frictionless contact with inelastic impacts run on problems ' ..
      "with known solutions; errors, observed orders, feasibility, energy, momentum and limits are measured. An " ..
      "order stands with its 95&nbsp;%% interval and a verdict. Below every figure are the data and the script that " ..
      "draw it.</p>\n")
  put_first()
  put("</header>\n")
end

-- The scripts, the program that ran them and what they ran.
local function put_provenance()
  put('<footer class="provenance">\n<h2>Where this comes from</h2>\n<p>impactlab %s, build %s wrote the page from ' ..
      "what is stored; it ran nothing.</p>\n", r.version, r.build)
  put(#r.journals > 0 and "<ul>\n" or "")
  for _, journal in ipairs(r.journals) do
    local cases = journal.counts and journal.counts.cases
    put("<li>%s, build %s, %d cases</li>\n", journal.script or "", journal.build or "", cases and cases[2] or 0)
  end
  put(#r.journals > 0 and "</ul>\n" or "")
  put("</footer>\n")
end

sort_entries()
local list, parts = runs(), sections()
local sum = sum_up(list)
put_head()
put('<main id="content">\n')
put_outcomes(list, sum)
put_judged()
put_judge()
put_contents(parts)
for k, section in ipairs(parts) do put_section(section, k) end
put("</main>\n")
put_provenance()
out[#out + 1] = "<script>" .. r.js .. "</script>\n</body>\n</html>\n"
return table.concat(out), sum
