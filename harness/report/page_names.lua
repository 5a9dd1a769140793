-- page_names.lua - short names for the heads of a table: problems by what tells them apart, programs by their
-- file; and both in the order of the catalogue. Returns {problems =, scheme =, sort =}.
local names = {}

-- Of "NAME(key=value, ...) MORE": NAME, its list of "key=value", words before numbers, and MORE.
local function parts_of(label)
  local name, inside, more = label:match("^([%w_]+)%((.*)%)(.*)$")
  if not name then name, more = label:match("^([%w_]+)(.*)$") end
  local list, numbers = {}, {}
  for pair in ((inside or "") .. ", "):gmatch("(.-), ") do
    local numeric = pair:find("=[%d.+-]")
    if pair ~= "" then table.insert(numeric and numbers or list, pair) end
  end
  table.move(numbers, 1, #numbers, #list + 1, list)
  for _, pair in ipairs(list) do list[pair] = true end
  return {name = name or label, list = list, more = more or ""}
end

-- How few of its parameters tell a problem from all others of its name and end: none, one, or the first ones.
local function short_problem(own, all)
  local rivals = {}
  for _, other in ipairs(all) do
    if other ~= own and other.name == own.name and other.more == own.more then rivals[#rivals + 1] = other end
  end
  local function tells(...)
    for _, rival in ipairs(rivals) do
      local same = true
      for _, pair in ipairs{...} do same = same and rival.list[pair] end
      if same then return false end
    end
    return true
  end
  local chosen = #rivals == 0 and {} or own.list
  for k = #own.list, 1, -1 do
    if #rivals > 0 and tells(table.unpack(own.list, 1, k)) then chosen = {table.unpack(own.list, 1, k)} end
  end
  for k = #own.list, 1, -1 do
    if #rivals > 0 and tells(own.list[k]) then chosen = {own.list[k]} end
  end
  local words = {own.name}
  for _, pair in ipairs(chosen) do words[#words + 1] = pair:find("=[%d.+-]") and pair or pair:match("=(.*)") end
  return table.concat(words, " ") .. own.more
end

function names.problems(labels)
  local parts, short = {}, {}
  for k, label in ipairs(labels) do parts[k] = parts_of(label) end
  for k, own in ipairs(parts) do short[k] = short_problem(own, parts) end
  return short
end

-- Of a program its file, "exec:python3 a/ball.py" is ball.py; of others "NAME parameters".
function names.scheme(label)
  local command = label:match("^exec:(.*)") or label:match("^file:(.*)")
  if not command then return (label:gsub(":", " ", 1)) end
  local first = command:match("%S+") or command
  for word in command:gmatch("%S+") do
    if word ~= first and word:find("[./]") and not word:find("^-") then return word:match("[^/]+$") or word end
  end
  return first:match("[^/]+$") or first
end

-- Names in the order of the catalogue, those of the same place and those that it has not as they came.
function names.sort(list, catalogue)
  local rank, at = {}, {}
  for k, name in ipairs(catalogue or {}) do rank[name] = k end
  for k, name in ipairs(list) do at[name] = {rank[name:match("^[%w_]+")] or 1e6, k} end
  for _, name in ipairs(list) do
    if name:find("^exec:") or name:find("^file:") then at[name][1] = 2e6 end
  end
  table.sort(list, function(a, b)
    return at[a][1] < at[b][1] or at[a][1] == at[b][1] and at[a][2] < at[b][2]
  end)
end

return names
