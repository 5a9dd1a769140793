-- results.lua - `impactlab results`: which stored cases meet a condition, as columns; two folders compared.
--
-- Called with host (harness/lua/results.c) and the request. Conditions become SQL word by word: names become
-- paths of the index and values literals, so that no text from outside is read as SQL.
local host, q = ...
local format, concat, floor, huge = string.format, table.concat, math.floor, math.huge

local KIND = {} -- of the columns that every case has
for _, column in ipairs(host.columns) do KIND[column.name] = column.kind end

local function plural(n) return n == 1 and "" or "s" end
local function raise(...) host.raise(format(...)) end
local function literal(text) return "'" .. text:gsub("'", "''") .. "'" end

-- The SQL of a column or of a member of records.
local function member(path) return KIND[path] and path or "(record ->> " .. literal('$."' .. path .. '"') .. ")" end

-- What is called name, a column, a path, a parameter without "parameters.", an error without "error.": its path,
-- and whether a case has a text there. nil where there is none.
local function find(name)
  if KIND[name] then return name, KIND[name] ~= "number" end
  local rows = host.ask(1, [[SELECT path, texts FROM names WHERE path IN (?1, 'parameters.' || ?1, 'error.' || ?1)
                             ORDER BY path <> ?1, path LIKE 'error.%']], name)
  if #rows > 0 then return rows:at(1), rows:at(2) ~= 0 end
end

local function expect(where, name)
  local path, texts = find(name)
  if path then return path, texts end
  local names = {}
  for k, column in ipairs(host.columns) do names[k] = column.name end
  local near = host.nearest(name, names)
  raise("%s: no case has '%s'%s; `impactlab results list --names` says what there is", where, name:sub(1, 100),
        near and "; did you mean '" .. near .. "'" or "")
end

-- ---- conditions -------------------------------------------------------------------------------------
--
--     condition = comparisons NAME OPERATOR VALUE, joined by and, or, not, ( ) as in SQL
--     operator  = "=" "==" "!=" "<>" "~=" "<" "<=" ">" ">="
--     value     = number, fraction, word, 'text' or "text"
--
-- A case that lacks a name, or has a text where a number is compared, does not meet the comparison, whatever the
-- operator.

-- The SQL of a text, and the names in it as an array.
local function translate(text)
  local NUMBERS, sql, names, numbers, open = 600, {}, {}, 0, 0
  local kind, word, at, next_ = nil, nil, nil, 1

  local function complain(place, what, allowed)
    raise("--where, column %d: %s; allowed: %s", 1 + utf8.len(text:sub(1, place - 1)), what, allowed)
  end
  local function complain_now(allowed)
    complain(at, kind == "end" and "the end" or "'" .. word:sub(1, 200) .. "'", allowed)
  end
  local function take(new_kind, from, to, skip)
    if to - from >= 255 then complain(from, "a text of more than 255 letters", "shorter ones") end
    kind, word, next_ = new_kind, text:sub(from, to), to + 1 + skip
  end
  local function advance()
    at = text:find("[^ \t\n]", next_) or #text + 1
    local letter = text:sub(at, at)
    kind = "end"
    if letter == "" then return end
    if letter == "(" or letter == ")" then return take(letter, at, at, 0) end
    if letter == "'" or letter == '"' then
      local close = text:find(letter, at + 1, true)
      if not close then complain(at, "a quotation mark that nothing closes", "'text' or \"text\"") end
      return take("quoted", at + 1, close - 1, 1)
    end
    local _, to = text:find("^[<>=!~]=", at)
    if not to then _, to = text:find("^<>", at) end
    if not to then _, to = text:find("^[<>=]", at) end
    if to then return take("operator", at, to, 0) end
    _, to = text:find("^[%w_.:+/\128-\255-]+", at)
    if not to then complain(at, "'" .. letter .. "'", "names, values, = != < <= > >=, and, or, not, ( )") end
    take("bare", at, to, 0)
  end
  local function is(which) return kind == "bare" and word:lower() == which end
  local function put(...) sql[#sql + 1] = format(...) end

  -- path sign value
  local function compare(path, texts, sign)
    local column, number = member(path), kind == "bare" and host.number(word)
    if number and number - number ~= 0 then number = nil end
    if sign == "~=" then sign = "<>" end
    if not texts and not number then complain_now("a number") end
    if KIND[path] == "beginning" then
      put("ifnull(substr(%s, 1, length(%s)) %s %s, 0)", column, literal(word), sign, literal(word))
    elseif KIND[path] == "text" or not number then
      put("ifnull(typeof(%s) = 'text' AND %s %s %s, 0)", column, column, sign, literal(word))
    else
      numbers = numbers + 1
      if numbers > NUMBERS then raise("--where has more than %d numbers", NUMBERS) end
      put("ifnull(typeof(%s) <> 'text' AND %s %s %.17g, 0)", column, column, sign, number)
    end
  end

  local function comparison()
    if kind ~= "bare" or is"and" or is"or" then complain_now("a name, as in alpha > 1.7, or not, or (") end
    local path, texts = expect(format("--where, column %d", 1 + utf8.len(text:sub(1, at - 1))), word)
    names[#names + 1] = word
    advance()
    if kind ~= "operator" then complain_now("= != < <= > >=") end
    local sign = word
    advance()
    if kind ~= "bare" and kind ~= "quoted" then complain_now("a number, a word or 'a text'") end
    compare(path, texts, sign)
    advance()
  end

  -- not and ( before a comparison, and ) behind it.
  local function operand()
    while kind == "(" or is"not" do
      put(kind == "(" and "(" or "NOT ")
      open = open + (kind == "(" and 1 or 0)
      advance()
    end
    comparison()
    while kind == ")" and open > 0 do
      put(")")
      open = open - 1
      advance()
    end
  end

  if not utf8.len(text) then raise("--where is not UTF-8") end
  advance()
  if kind == "end" then return "1", names end
  operand()
  while is"and" or is"or" do
    put(is"and" and " AND " or " OR ")
    advance()
    operand()
  end
  if kind ~= "end" or open > 0 then complain_now(open > 0 and "and, or, )" or "and, or, the end") end
  return concat(sql), names
end

-- ---- columns ----------------------------------------------------------------------------------------

-- The cases that meet a condition; those that are damaged do not.
local FROM = "cases LEFT JOIN records USING(id)" -- which SQLite leaves out where no column of records is named
local function those(condition) return FROM .. " WHERE damaged ISNULL AND (" .. condition .. ")" end

-- What `each` gives of x, one of these paths, from cases: an array of its values, path by path.
local function gather(paths, from, each)
  local values = {}
  for first = 1, #paths, 100 do -- SQLite has limits on how many columns there are
    local outer, inner = {}, {}
    for k = first, math.min(first + 99, #paths) do
      outer[#outer + 1] = each:gsub("%f[%a]x%f[%A]", "c" .. k)
      inner[#inner + 1] = member(paths[k]) .. " AS c" .. k
    end
    local row = host.ask(1, "SELECT " .. concat(outer, ", ") .. " FROM (SELECT " .. concat(inner, ", ") .. " FROM " ..
                            from .. " LIMIT -1)") -- which SQLite does not take apart: each path is looked up once
    for k = 1, #row:names() do values[#values + 1] = row:at(k) end
  end
  return values
end

-- The paths beside the columns of every case, parameters first, and what each is called: a parameter as it is
-- ("alpha") unless another column is called so. parameters: these alone.
local function members(parameters)
  local paths, label, taken = {}, {}, {id = 1, file_size = 1, file_mtime = 1, file_ctime = 1, file_ino = 1, damaged = 1,
                                       specification = 1}
  for _, path in ipairs(host.ask(1, "SELECT path FROM names ORDER BY path NOT LIKE 'parameters.%', path"):column(1)) do
    paths[#paths + 1], taken[path] = path, 1
  end
  for k = #paths, 1, -1 do
    local short = paths[k]:match("^parameters%.(.*)")
    label[paths[k]] = short and not taken[short] and not KIND[short] and short or paths[k]
    if parameters and not short then paths[k] = nil end
  end
  return paths, label
end

-- The statement of the columns of these names; without names those of every case, parameters that a case of these has,
-- and, where asked for, other numbers and texts of records.
local function select_of(condition, names, measures)
  local list = {}
  local function add(name, path) list[#list + 1] = member(path) .. ' AS "' .. name:gsub('"', '""') .. '"' end
  for _, name in ipairs(names) do add(name, (expect("--columns", name))) end
  if #names == 0 then
    for _, column in ipairs(host.columns) do add(column.name, column.name) end
    local paths, label = members(not measures)
    for k, n in ipairs(gather(paths, those(condition), "count(x)")) do
      if n > 0 then add(label[paths[k]], paths[k]) end
    end
  end
  return "SELECT " .. concat(list, ", ") .. " FROM " .. those(condition) .. " ORDER BY " .. member("date") .. ", key", #list
end

local function printable(text) return host.is_simple(text) and text or host.printable(text) end

-- The text of a cell: of a number six digits, or as many as reading it back takes, for which 15 do where fewer would.
local DIGITS = {}
for k = 1, 17 do DIGITS[k] = "%." .. k .. "g" end

local function cell_text(value, exact)
  if not value then return "" end
  if type(value) == "string" then return printable(value) end
  if value == floor(value) and value > -1e15 and value < 1e15 then return format("%.0f", value) end
  if not exact then return format("%.6g", value) end
  for digits = (value > -1e-290 and value < 1e-290) and 1 or 15, 17 do
    local text = format(DIGITS[digits], value)
    if tonumber(text) == value then return text end
  end
end

-- A frame as sheet.lua has tables, with the first letters of keys, what repeats being spelt once; exact: the cells of csv, which are made when they
-- are asked for.
local function sheet(frame, caption, exact)
  local KEY_LETTERS, heads, columns, known, room, cells, k = 12, frame:names(), {}, {}, {}, {}, 0
  for j, name in ipairs(heads) do heads[j] = printable(name) end
  if exact then
    cells = setmetatable({}, {__index = function(_, at) return cell_text(frame:at(at), true) end})
    return {name = "cases", caption = caption, heads = heads, rows = #frame, cells = cells}
  end
  for j = 1, #heads do columns[j], known[j], room[j] = frame:column(j), {}, heads[j] == "key" and 0 or 256 end
  for i = 1, #frame do
    for j = 1, #heads do
      local value = columns[j][i]
      local text = known[j][value]
      if not text then
        text = cell_text(value)
        if heads[j] == "key" then text = text:sub(1, KEY_LETTERS) end
        if room[j] > 0 then known[j][value], room[j] = text, room[j] - 1 end
      end
      k = k + 1
      cells[k] = text
    end
  end
  return {name = "cases", caption = caption, heads = heads, rows = #frame, cells = cells}
end

local act = {}

-- ---- list -------------------------------------------------------------------------------------------

-- All that can be asked for, with the range of its numbers. Numbers come before texts, which have no range.
local function list_names()
  local EACH = "count(x), min(x), min(x) FILTER (WHERE typeof(x) <> 'text'), max(x) FILTER (WHERE typeof(x) <> 'text')"
  local all, list, paths, label = {}, {}, members()
  for _, column in ipairs(host.columns) do all[#all + 1] = column.name end
  table.move(paths, 1, #paths, #all + 1, all)
  local values = gather(all, FROM, EACH)
  for k, path in ipairs(all) do
    local n, first, least, most = table.unpack(values, 4 * k - 3, 4 * k)
    if n > 0 or KIND[path] then
      list[#list + 1] = {n = 10, "name", label[path] or path, "cases", n, "kind", math.type(first) and "number" or "text",
                         "least", least or nil, "most", most or nil}
    end
  end
  return {n = 2, "names", list}, "names"
end

-- The usual columns and what the condition names.
local function usual(named)
  local list, there = {"key", "problem", "scheme", "steps", "h", "status", "date", "script"}, {}
  for _, name in ipairs(list) do there[name] = true end
  for _, name in ipairs(named) do
    if not there[name] and #list < 72 then list[#list + 1] = name end
    there[name] = true
  end
  return list
end

function act.list()
  if q.names then return list_names() end
  local condition, named = translate(q.where or "")
  local names = #q.columns > 0 and q.columns or q.json and {} or usual(named)
  local frame = host.ask(1, (select_of(condition, names)))
  local damaged = host.ask(1, "SELECT key, damaged AS reason FROM cases WHERE damaged NOTNULL ORDER BY key")
  local stored = host.stored(1)
  if q.json then return {n = 8, "results", q.results, "stored", stored, "cases", frame, "damaged", damaged}, "list" end
  if #frame > 0 then host.spell(sheet(frame, ""), "txt", host.put) end
  host.put(format("%d of %d case%s\n", #frame, stored, plural(stored)))
  for i = 0, #damaged - 1 do
    local key, reason = damaged:at(2 * i + 1), damaged:at(2 * i + 2)
    host.put(host.printable(format("damaged: %s/cases/%s/%s.json: %s; it is run again", q.results, key:sub(1, 2), key,
                                   reason)) .. "\n")
  end
end

-- ---- show -------------------------------------------------------------------------------------------

-- The one case whose name begins so.
function act.show()
  if not q.word:find("^[0-9a-f]+$") or #q.word > 32 then
    raise("'%s' is no key; allowed: the first letters of one, of 0 to 9 and a to f, as `impactlab results list` prints " ..
          "them", q.word:sub(1, 100))
  end
  local keys = host.ask(1, "SELECT key FROM cases WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key", q.word):column(1)
  if #keys == 0 then
    raise("no case in '%s' has a key that begins with '%s'; `impactlab results list` prints them", q.results, q.word)
  elseif #keys > 1 then
    local some = {}
    for k = 1, math.min(#keys, 4) do some[k] = keys[k]:sub(1, 16) end
    raise("%d cases have keys that begin with '%s'; give more letters: %s%s", #keys, q.word, concat(some, ", "),
          #keys > 4 and ", ..." or "")
  end
  return {n = 2, "key", keys[1]}, "show"
end

-- ---- export -----------------------------------------------------------------------------------------

local write = {}

function write.csv(frame)
  host.open(q.word)
  host.spell(sheet(frame, "", true), "csv", host.put)
  host.close()
end

function write.tex(frame)
  host.open(q.word)
  host.spell(sheet(frame, "Stored cases."), "tex", host.put)
  host.close()
end

function write.h5(frame)
  local texts = {}
  for k, name in ipairs(frame:names()) do texts[k] = (KIND[name] or "number") ~= "number" end
  host.hdf5(q.word, frame, texts)
end

function act.export()
  -- What a page has room for, and of the errors those that there are.
  local NARROW = {"key", "problem", "scheme", "steps", "h", "status", "error.q_Linf", "error.u_L1"}
  local ENDINGS = {csv = "csv", tex = "tex", sqlite = "sqlite", db = "sqlite", h5 = "h5", hdf5 = "h5"}
  host.check_name(q.word)
  local kind = ENDINGS[q.word:match("%.([^./]*)$")]
  if not kind then raise("the file is '%s'; allowed: NAME.csv, NAME.tex, NAME.sqlite, NAME.h5", q.word) end
  local names, rows = q.columns, nil
  if kind == "tex" and #names == 0 then
    for _, name in ipairs(NARROW) do names[#names + 1] = find(name) and name end
  end
  local condition = translate(q.where or "")
  local sql, columns = select_of(condition, names, true)
  host.clear(q.word)
  if kind == "sqlite" then
    host.sqlite(q.word, sql)
    rows = host.ask(1, "SELECT count(*) FROM " .. those(condition)):at(1)
  else
    local frame = host.ask(1, sql)
    rows = #frame
    write[kind](frame)
  end
  host.put(host.printable(format("wrote %s: %d case%s, %d columns", q.word, rows, plural(rows), columns)) .. "\n")
end

-- ---- compare ----------------------------------------------------------------------------------------
--
-- Cases are matched by their keys without the build and without the functions of a script, which are what differs:
-- those that differ in their step alone are of one study, the longest step first. Verdicts on "the errors converge",
-- fitted here, and those that scripts and `verify` left in both folders, may have got worse.

local NORMS, FOLDERS = {"q_Linf", "u_L1"}, {"first", "second"}

-- The cases of a folder by what programs do not change of a key, the latest of each. Without the step, too, this is
-- their study.
local function side(n)
  local SAME = "json_remove(specification, '$.build', '$.format', '$.functions')"
  local frame = host.ask(n, format("SELECT %s, json_remove(%s, '$.steps', '$.h'), %s, %s, %s, %s, %s, %s FROM %s AND " ..
                                   "specification NOTNULL ORDER BY %s, key", SAME, SAME, member("problem"),
                                   member("scheme"), member("steps"), member("h"), member("error.q_Linf"),
                                   member("error.u_L1"), those("1"), member("date")))
  local cases = {}
  for i = 0, #frame - 1 do
    local at = 8 * i
    local function number(k) local x = frame:at(at + k); return type(x) == "number" and x or nil end
    cases[frame:at(at + 1)] = {place = i, study = frame:at(at + 2), problem = frame:at(at + 3), scheme = frame:at(at + 4),
                               steps = number(5), h = number(6), q_Linf = number(7), u_L1 = number(8)}
  end
  return cases
end

-- Pairs of one case each, in their order, and {first_alone, second_alone, first_limits, second_limits}.
local function match(first, second)
  local pairs_, counts = {}, {0, 0, 0, 0}
  for same, a in pairs(first) do
    local b = second[same]
    if not a.h then counts[3] = counts[3] + 1
    elseif b then pairs_[#pairs_ + 1] = {a, b}
    else counts[1] = counts[1] + 1 end
  end
  for same, b in pairs(second) do
    if not b.h then counts[4] = counts[4] + 1
    elseif not first[same] then counts[2] = counts[2] + 1 end
  end
  table.sort(pairs_, function(x, y)
    local a, b = x[1], y[1]
    if a.study ~= b.study then return a.study < b.study end
    if a.h ~= b.h then return a.h > b.h end
    return x[2].place < y[2].place
  end)
  return pairs_, counts
end

-- {cases, first, second}: of one study, with its errors and orders by norm.
local function read_study(list, from)
  local s = {cases = {}, h = {}, first = {}, second = {}}
  while list[from] and (#s.cases == 0 or list[from][1].study == s.cases[1][1].study) do
    s.cases[#s.cases + 1], s.h[#s.h + 1] = list[from], list[from][1].h
    from = from + 1
  end
  for i, folder in ipairs(FOLDERS) do
    for _, norm in ipairs(NORMS) do
      local errors = {}
      for k, case in ipairs(s.cases) do errors[k] = case[i][norm] or 0 / 0 end
      s[folder][norm] = {errors = errors, order = host.order("results compare", "", {h = s.h, error = errors}, 0.95,
                                                             {kind = "converges"})}
    end
  end
  return s, from
end

-- Ratios of the errors, second over first: mean, least, most; nil where there are none. The mean is geometric.
local function ratios(s, norm)
  local n, sum, least, most = 0, 0.0, huge, 0.0
  for k = 1, #s.cases do
    local x = s.second[norm].errors[k] / s.first[norm].errors[k]
    if x > 0 and x < huge then
      n, sum, least, most = n + 1, sum + math.log(x), math.min(least, x), math.max(most, x)
    end
  end
  if n > 0 then return math.exp(sum / n), least, most end
end

local RANK = {FAIL = 0, INCONCLUSIVE = 1, PASS = 2, EVIDENCE = 2, FINDING = 2}

-- Into list, if it got worse; other words say nothing of how good it is.
local function judge(list, what, first, second)
  if RANK[first] and RANK[second] and RANK[second] < RANK[first] then
    list[#list + 1] = {n = 6, "what", what, "first", first, "second", second}
  end
end

-- {WHAT = VERDICT} of the orders that scripts judged in folder n, and of verify's claims; and the array of WHAT.
local function verdicts(n)
  local all, order = {}, {}
  local function put(verdict, ...)
    local key = format(...)
    if not all[key] then all[key], order[#order + 1] = verdict or "", key end -- two of one name: the first
  end
  for _, journal in ipairs(host.journals(n) or {}) do
    for _, one in ipairs(journal.judged or {}) do
      if one.kind == "order" and (not q.norm or one.norm == q.norm) then
        put(one.verdict, "%s, sweep %s: %s %s on %s", journal.script or "", one.sweep or "", one.scheme or "",
            one.norm or "", one.problem or "")
      end
    end
  end
  for _, one in ipairs((host.claims(n) or {}).claims or {}) do
    put(one.verdict, "claim %s on %s %s: %s", one.id or "", one.problem or "", one.scheme or "", one.what or "")
  end
  return all, order
end

local function order_json(o)
  return {n = 8, "order", o.order, "low", o.low, "high", o.high, "verdict", o.verdict}
end

local function cases_json(s)
  local list = {}
  for k, case in ipairs(s.cases) do
    local one = {n = 8, "steps", (case[1].steps or 0 / 0) + 0.0, "h", s.h[k]}
    for _, norm in ipairs(NORMS) do
      local x, y = s.first[norm].errors[k], s.second[norm].errors[k]
      one[#one + 1], one[#one + 2] = norm, {n = 6, "first", x, "second", y, "ratio", y / x}
    end
    list[k] = one
  end
  return list
end

local function study_json(s)
  local object = {"problem", s.cases[1][1].problem, "scheme", s.cases[1][1].scheme}
  for _, norm in ipairs(NORMS) do
    local mean, least, most = ratios(s, norm)
    if mean then
      object[#object + 1] = norm
      object[#object + 1] = {n = 10, "ratio", mean, "least", least, "most", most, "first",
                             order_json(s.first[norm].order), "second", order_json(s.second[norm].order)}
    end
  end
  object[#object + 1] = "cases"
  object[#object + 1] = cases_json(s)
  object.n = #object
  return object
end

-- u_L1 of both folders against the step; of study 2 and later ones in files of their own.
local function draw(s, number)
  local one, drawn = s.cases[1][1], {}
  for i, folder in ipairs{q.word, q.second} do
    drawn[i] = {name = format("%.60s: u_L1", folder), h = s.h, error = s[FOLDERS[i]].u_L1.errors}
  end
  local caption = format("%.60s on %.60s in %.60s and %.60s.", one.scheme, one.problem, q.word, q.second)
  local text = host.part("present", _G)(host)("orders_figure", {drawn = drawn, claim = {kind = "converges"}, caption = caption},
                                              number == 1 and q.figure or q.figure .. "-" .. number)
  if not q.json then host.put(text) end
end

function act.compare()
  local list, counts = match(side(1), side(2))
  local studies, worse, figures, from, s = {}, {}, {}, 1, nil
  while list[from] do
    s, from = read_study(list, from)
    local one = s.cases[1][1]
    studies[#studies + 1] = study_json(s)
    for _, norm in ipairs(NORMS) do
      if not q.norm or q.norm == norm then
        judge(worse, one.scheme:sub(1, 120) .. " " .. norm .. " on " .. one.problem:sub(1, 200) .. ", refitted",
              s.first[norm].order.verdict, s.second[norm].order.verdict)
      end
    end
    if q.figure and #s.cases > 1 then figures[#figures + 1] = {s, #studies} end
  end
  local was, order = verdicts(1)
  local is = verdicts(2)
  for _, what in ipairs(order) do judge(worse, what, was[what], is[what]) end
  for _, one in ipairs(figures) do draw(table.unpack(one)) end
  return {n = 18, "first", q.word, "second", q.second, "studies", studies, "worse", worse, "matched", #list, "first_alone",
          counts[1], "second_alone", counts[2], "first_limits", counts[3], "second_limits", counts[4]}, "compare",
         (#worse > 0 or #list == 0) and 1 or 0
end

local report, form, failed = act[q.action]()
return {n = 6, "report", report, "form", form, "failed", failed or 0}
