-- sheet.lua - one table in three formats: aligned text, CSV (RFC 4180) and LaTeX.
--
--   host.spell(sheet, "txt" | "csv" | "tex", put)   gives put the text, piece by piece
--
-- sheet = {name =, caption =, heads = {...}, rows =, cells = {...}, exact = {...}}: cells row by row, texts in
-- UTF-8, false printed as "-"; exact, which may be absent, are the cells of csv. A column of which at least half
-- of the filled cells are numbers is right-aligned as a whole; elsewhere single numbers are right-aligned.
local _, host = ...
local is_number, is_simple = host.is_number, host.is_simple
local gsub, find, match, rep, concat = string.gsub, string.find, string.match, string.rep, table.concat
local format, tonumber, gmatch, max = string.format, tonumber, string.gmatch, math.max

local CAPTION_WIDTH = 80

-- Letters, not bytes: continuation bytes of UTF-8 take no room.
local function letters(text)
  return find(text, "[\128-\191]") and #gsub(text, "[\128-\191]", "") or #text
end

-- One line: control characters become blanks.
local function plain(text) return find(text, "[\0-\31\127]") and gsub(text, "[\0-\31\127]", " ") or text end

-- By cell 4 l, l being its letters, and 1 where it is a number, 2 where it is not plain; by column: is it numeric, and
-- the letters of its widest cell. The first values of a column are remembered: many columns repeat theirs.
local function lay_out(t)
  local n, cells, sizes, right, width = #t.heads, t.cells, {}, {}, {}
  local known, room, numbers, filled = {}, {}, {}, {}
  for j = 1, n do width[j], known[j], room[j], numbers[j], filled[j] = letters(t.heads[j]), {}, 256, 0, 0 end
  for i = 0, (t.rows - 1) * n, n do
    for j = 1, n do
      local cell = cells[i + j] or "-"
      local size = known[j][cell]
      if not size then
        size = (is_simple(cell) and 4 * #cell or 4 * letters(cell) + 2) + (is_number(cell) and 1 or 0)
        if room[j] > 0 then known[j][cell], room[j] = size, room[j] - 1 end
      end
      if size & 1 == 1 then numbers[j] = numbers[j] + 1 end
      if cell ~= "" and cell ~= "-" then filled[j] = filled[j] + 1 end
      if size >> 2 > width[j] then width[j] = size >> 2 end
      sizes[i + j] = size
    end
  end
  for j = 1, n do right[j] = numbers[j] > 0 and 2 * numbers[j] >= filled[j] end
  return right, width, sizes
end

local spell = {}

-- ---- text -------------------------------------------------------------------------------------------

-- The words of the caption, broken at CAPTION_WIDTH letters.
local function put_wrapped(put, text)
  local at = 0
  for word in gmatch(text, "[^ \n\t\r]+") do
    local n = letters(word)
    if at > 0 then
      local fits = at + 1 + n <= CAPTION_WIDTH
      put(fits and " " or "\n")
      at = fits and at + 1 or 0
    end
    put(plain(word))
    at = at + n
  end
  if at > 0 then put("\n\n") end
end

-- No blanks at the end of a line: the last column is padded only on its left.
function spell.txt(t, put)
  local right, width, sizes = lay_out(t)
  local n, cells, line, dashes, blanks = #t.heads, t.cells, {}, {}, {}
  for k = 0, max(0, table.unpack(width)) do blanks[k] = rep(" ", k) end
  local function set(j, text, size, to_right)
    local gap = blanks[width[j] - (size >> 2)]
    if size & 2 ~= 0 then text = plain(text) end
    line[3 * j - 2], line[3 * j - 1], line[3 * j] = to_right and gap or "", text, j == n and "\n" or to_right and "  " or gap .. "  "
  end
  put_wrapped(put, t.caption or "")
  for j = 1, n do
    set(j, t.heads[j], 4 * letters(t.heads[j]) + 2, right[j])
    dashes[j] = rep("-", width[j])
  end
  put(concat(line) .. concat(dashes, "  ") .. "\n")
  for i = 0, (t.rows - 1) * n, n do
    for j = 1, n do
      local size = sizes[i + j]
      set(j, cells[i + j] or "-", size, right[j] or size & 1 == 1)
    end
    put(concat(line))
  end
end

-- ---- RFC 4180 ---------------------------------------------------------------------------------------

local function csv_cell(text)
  if is_simple(text) then return text end
  text = gsub(text, "[\0-\9\11\12\14-\31\127]", " ")
  return find(text, '[",\r\n]') and '"' .. gsub(text, '"', '""') .. '"' or text
end

function spell.csv(t, put)
  local n, cells, line = #t.heads, t.exact or t.cells, {}
  for j = 1, n do line[j] = csv_cell(t.heads[j]) end
  put(concat(line, ",") .. "\r\n")
  for i = 0, (t.rows - 1) * n, n do
    for j = 1, n do line[j] = csv_cell(cells[i + j] or "-") end
    put(concat(line, ",") .. "\r\n")
  end
end

-- ---- LaTeX ------------------------------------------------------------------------------------------

local ESCAPES = {["#"] = "\\#", ["$"] = "\\$", ["%"] = "\\%", ["&"] = "\\&", ["_"] = "\\_", ["{"] = "\\{", ["}"] = "\\}",
                 ["~"] = "\\textasciitilde{}", ["^"] = "\\textasciicircum{}", ["\\"] = "\\textbackslash{}",
                 -- these three are other letters in the default fonts
                 ["<"] = "\\textless{}", [">"] = "\\textgreater{}", ["|"] = "\\textbar{}",
                 ["["] = "{[}", ["*"] = "{*}"} -- would be read as an argument of the \\ before

local function escaped(text)
  if is_simple(text) then return text end
  return (gsub(gsub(text, "[%#$%%&_{}~^\\<>|%[*]", ESCAPES), "[\0-\31]", " "))
end

-- A decimal number as mathematics, so that its minus is one and 1e-3 reads 1 x 10^{-3}.
local function mathematics(text)
  if find(text, "[^-+0-9.eE]") then return escaped(text) end
  if not find(text, "[eE]") then return "$" .. text .. "$" end
  local head, power = match(text, "^([^eE]*).(.*)$")
  return format("$%s \\times 10^{%d}$", head, tonumber(power))
end

function spell.tex(t, put)
  local right, _, sizes = lay_out(t)
  local n, line, places = #t.heads, {}, {}
  for j = 1, n do line[j], places[j] = escaped(t.heads[j]), right[j] and "r" or "l" end
  put(format("\\begin{table}[htbp]\n  \\centering\n  \\caption{%s}\n  \\label{tab:%s}\n  \\begin{tabular}{%s}\n" ..
             "    \\hline\n    %s \\\\\n    \\hline\n", escaped(t.caption or ""), t.name, concat(places),
             concat(line, " & ")))
  for i = 0, (t.rows - 1) * n, n do
    for j = 1, n do
      local text = t.cells[i + j] or "-"
      line[j] = sizes[i + j] & 1 == 0 and escaped(text) or right[j] and mathematics(text)
                or "\\multicolumn{1}{r}{" .. mathematics(text) .. "}"
    end
    put("    " .. concat(line, " & ") .. " \\\\\n")
  end
  put("    \\hline\n  \\end{tabular}\n\\end{table}\n")
end

function host.spell(t, name, put) spell[name](t, put) end
