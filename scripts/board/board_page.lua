-- board_page.lua - the board as a page of HTML: tables of schemes by problems for each question, and figures of work
-- and precision. Every text from outside is escaped; the page has no script.
local lab, host = ...
local ipairs, concat, floor, log, huge = ipairs, table.concat, math.floor, math.log, math.huge

local STYLE = [[
:root{color-scheme:light dark;--ink:#1c1c1c;--paper:#fff;--line:#ccc;--soft:#555;--link:#00518a;--good:#cdebdd;--bad:#f9d3cf;--open:#fbe3b5}
@media (prefers-color-scheme:dark){:root{--ink:#e4e4e4;--paper:#17191c;--line:#4a4f55;--soft:#a8adb3;--link:#8cc4f0;--good:#1c4636;--bad:#5a2a26;--open:#514017}
img{background:#fff}}
html{font:16px/1.5 system-ui,'Segoe UI',Helvetica,Arial,sans-serif;color:var(--ink);background:var(--paper)}
body{max-width:82rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .4rem}h2{font-size:1.2rem;margin:2.4rem 0 .5rem;border-bottom:1px solid var(--line)}
a{color:var(--link)}td a{color:inherit}p{max-width:52rem}.soft,nav{color:var(--soft);font-size:.875rem}code{font-size:.8125rem;overflow-wrap:anywhere}
.wide{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-size:.8125rem;line-height:1.35}
th,td{padding:.2rem .4rem;text-align:center;white-space:nowrap;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums}
thead th{vertical-align:bottom;white-space:normal;min-width:4.2rem;max-width:8rem;font-weight:600;overflow-wrap:break-word}
tbody th{text-align:left;font-weight:inherit;position:sticky;left:0;background:var(--paper)}
tr.group th{font-weight:600;padding-top:.6rem}i{display:inline-block;width:.7rem;height:.7rem;margin-right:.4rem;border-radius:2px}
.PASS{background:var(--good)}.FAIL{background:var(--bad)}.INCONCLUSIVE{background:var(--open)}.REFUSED,.FAILED{color:var(--soft)}
img{max-width:100%;height:auto}figure{margin:1rem 0}
@media (max-width:600px){body{padding:1rem .6rem}tbody th{min-width:7.6rem;max-width:8.5rem;white-space:normal;overflow-wrap:break-word}}]]

local ESCAPES = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"}
local function escape(text) return (text:gsub('[&<>"]', ESCAPES)) end
local function breakable(text) return (escape(text):gsub("[:,_]", "%0<wbr>")) end

-- ---- figures ------------------------------------------------------------------------------------------

local PANELS = {{"steps", "steps"}, {"seconds", "seconds, of the machine that ran it"}, {"projections", "projections"}}

-- Error against each cost, of all rows, with the error 1e-3 marked.
local function draw_problem(board, problem)
  local panels = {}
  for _, cost in ipairs(PANELS) do
    local series, low, high, shown = {}, huge, 0, cost[1] ~= "seconds" or problem.runs.reference == "exact"
    for _, row in ipairs(shown and board.rows or {}) do
      local x, y = {}, {}
      for _, at in ipairs(problem.curves[row] or {}) do
        if at[cost[1]] > 1e-200 then
          x[#x + 1], y[#y + 1] = at[cost[1]], at.error
          low, high = math.min(low, at[cost[1]]), math.max(high, at[cost[1]])
        end
      end
      if #x > 0 then series[#series + 1] = {label = row.name, x = x, y = y, style = "linespoints", color = row.color} end
    end
    if #series > 0 then
      series[#series + 1] = {label = "1e-3", x = {low, high}, y = {1e-3, 1e-3}, style = "dashes", color = "#7f7f7f"}
      panels[#panels + 1] = {xlabel = cost[2], ylabel = "error in u_L1", logx = true, logy = true, series = series,
                             key = "outside"}
    end
  end
  if #panels == 0 then return end
  return lab.figure{name = "board-" .. host.board_file(problem.id), columns = 1, width = 22, height = 11 * #panels, panels = panels,
    caption = ("Work and precision on %s: means over octaves of the step."):format(problem.id)}
end

-- The share of phases that pass, against h.
local function draw_rebounds(report)
  local by, series = {}, {}
  for _, c in ipairs(report.cells) do
    local h = c.question:match("^rebound_(.*)$")
    if h and c.value then
      by[c.scheme] = by[c.scheme] or {x = {}, y = {}}
      local s = by[c.scheme]
      s.x[#s.x + 1], s.y[#s.y + 1] = tonumber(h), 100 * c.value
    end
  end
  for _, row in ipairs(report.rows) do
    local s = by[row.scheme]
    if s then series[#series + 1] = {label = row.scheme, x = s.x, y = s.y, style = "linespoints", color = row.color} end
  end
  if #series == 0 then return end
  return lab.figure{name = "board-rebound", width = 22, height = 11, caption = "The rebound test of 1 % against the step.",
    panels = {{xlabel = "h", ylabel = "phases that pass, %", logx = true, series = series, key = "outside"}}}
end

-- ---- tables -------------------------------------------------------------------------------------------

local function put_cell(put, cell, link)
  if not cell then return put("<td></td>") end
  local title = cell.reason and cell.reason .. "\n" .. cell.command or cell.command
  local text = escape(cell.text)
  put(('<td class="%s" title="%s">%s</td>'):format(cell.verdict, escape(title), link and cell.text ~= "-" and
      ('<a href="%s">%s</a>'):format(escape(link), text) or text))
end

-- Columns of the board, each with its head and its figure.
local function put_table(put, report, cells, columns, heads, links)
  put('<div class="wide" tabindex="0"><table><thead><tr><th></th>')
  for k in ipairs(columns) do put("<th>" .. breakable(heads[k]) .. "</th>") end
  put("</tr></thead><tbody>")
  local group
  for _, row in ipairs(report.rows) do
    if row.group ~= group then
      group = row.group
      put(('<tr class="group"><th>%s</th><td colspan="%d"></td></tr>'):format(escape(group), #columns))
    end
    put(('<tr><th><i style="background:%s"></i>%s</th>'):format(row.color, breakable(row.scheme)))
    for _, c in ipairs(columns) do
      put_cell(put, cells[row.scheme .. "\n" .. c.question .. "\n" .. c.problem], links[c.question] or links[c.problem])
    end
    put("</tr>\n")
  end
  put("</tbody></table></div>")
end

-- A table a question with a column a problem, then one of all questions that are about one problem.
local function tables_of(report)
  local list, by, single = {}, {}, {title = "One problem each", columns = {}, heads = {}}
  local special = {}
  for _, q in ipairs(host.board_questions) do special[q.id] = true end
  for _, c in ipairs(report.columns) do
    local t = by[c.question]
    if special[c.question] then
      t = single
    elseif not t then
      t = {title = c.title, id = c.question, columns = {}, heads = {}}
      by[c.question], list[#list + 1] = t, t
    end
    t.columns[#t.columns + 1] = c
    t.heads[#t.heads + 1] = t == single and c.title or c.problem
  end
  if #single.columns > 0 then list[#list + 1] = single end
  return list
end

local function put_head(put, report)
  local programs = 0
  for _, row in ipairs(report.rows) do programs = programs + (row.group == "other programs" and 1 or 0) end
  put('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' ..
      "<title>The board: schemes and what they do</title><style>" .. STYLE .. "</style></head><body>\n")
  put(("<h1>The board</h1><p>%d schemes, each asked the same questions; what orders are judged by is the same for all: <b>%s</b>. " ..
       "A cell of the tables of orders is h^p where that passes, and else the error that is left at its finest steps: " ..
       '<span class="PASS">&nbsp;PASS&nbsp;</span> <span class="FAIL">&nbsp;FAIL&nbsp;</span> ' ..
       '<span class="INCONCLUSIVE">&nbsp;INCONCLUSIVE&nbsp;</span>. FAIL is no blame: engines and springs tend to another motion, which ' ..
       "is what they are made for. - is a scheme that refuses, fails, or is a program too slow for the question. The title of a cell (point at it) has its reason and the command " ..
       "that repeats it.</p>"):format(#report.rows, escape(report.claim)))
  put("<p>A program of your own: <code>impactlab board --schemes exec:./mine,maury,mabrouk,impulse:as=ode --out board</code>. " ..
      (programs > 0 and "Other programs stand with the parameters that their commands name, else with their defaults." or
       "No engine is on this board. Those that are installed are after <code>make engines-deps engines board</code> in the sources.") .. "</p>")
  put(('<p class="soft">impactlab %s, build %s. Seconds are of whole runs, measuring included, on the machine that ran it, where several ran at a time. ' ..
       '<a href="board.json">board.json</a> has all cells.</p>'):format(escape(report.version), escape(report.build)))
end

function host.board_page(board, report)
  local parts, cells, links, figures = {}, {}, {}, {}
  local function put(text) parts[#parts + 1] = text end
  local function note(key, path, title)
    if path then
      local link = path:match("figures/[^/]*$")
      links[key], figures[#figures + 1] = link, {link, title}
    end
  end
  for _, problem in ipairs(board.problems) do
    if problem.curves then note(problem.id, draw_problem(board, problem), "Work and precision: " .. problem.id) end
  end
  local rebounds = draw_rebounds(report)
  for _, h in ipairs(rebounds and {"1e-2", "3e-3", "1e-3", "3e-4"} or {}) do links["rebound_" .. h] = rebounds:match("figures/[^/]*$") end
  if rebounds then figures[#figures + 1] = {links["rebound_1e-3"], "The rebound test of 1 %"} end
  for _, c in ipairs(report.cells) do cells[c.scheme .. "\n" .. c.question .. "\n" .. c.problem] = c end
  put_head(put, report)
  for _, t in ipairs(tables_of(report)) do
    put("<h2>" .. escape(t.title) .. "</h2>\n")
    put_table(put, report, cells, t.columns, t.heads, links)
  end
  for _, f in ipairs(figures) do
    put(('<h2>%s</h2><figure><a href="%s"><img src="%s" alt="%s" loading="lazy"></a></figure>\n'):format(
      escape(f[2]), escape(f[1]), escape(f[1]), escape(f[2])))
  end
  put("</body></html>\n")
  return concat(parts)
end
