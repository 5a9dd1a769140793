-- board_read.lua - what a board is asked for: lists of names into rows, problems, questions and a claim.
--
--   host.board_read(spec) -> {rows = {{scheme =, typed =, name =, group =, color =, whose =}, ...}, problems = {{id =, name =, spec =}, ...},
--                             ids =, asked = {[ID] = true}, named = {[PROBLEM] = true} or nil, claim =, claim_text =,
--                             limit = seconds of a question of a program}
--   lab.groups   the program's schemes in groups, with colours
local lab, host = ...
local CALL = "lab.board"
local ipairs, type, tostring, pcall, concat, huge = ipairs, type, tostring, pcall, table.concat, math.huge

-- Groups of schemes and their colours; a scheme's shade is its place in the group.
lab.groups = {
  {name = "papers", colors = {"#08306b", "#2171b5", "#6baed6", "#041c40"}, schemes = {"maury", "paoli", "venel", "gluey_maury"}},
  {name = "event-capturing", colors = {"#00441b", "#238b45", "#41ab5d", "#74c476", "#a1d99b", "#005a32"},
   schemes = {"moreau_jean", "midpoint", "mabrouk", "projected", "reflect", "poisson"}},
  {name = "engines", colors = {"#7f2704", "#a63603", "#d94801", "#f16913", "#fd8d3c", "#fdae6b", "#8c510a", "#bf812d", "#dfc27d", "#543005", "#fee391", "#993404"},
   schemes = {"impulse:as=ode", "impulse:as=bullet", "impulse:as=box2d", "impulse:as=chipmunk", "impulse:as=jolt", "impulse:as=dart",
              "impulse:as=simbody", "impulse:as=chrono", "impulse:as=anitescu_hart", "xpbd", "impulse:as=physx", "impulse:as=rapier"}},
  {name = "soft", colors = {"#3f007d", "#54278f", "#6a51a3", "#807dba", "#9e9ac8", "#bcbddc", "#525252", "#dadaeb"},
   schemes = {"soft:as=mujoco", "soft:as=sap", "soft:as=cfm", "soft:as=box2d", "dem:k=1e3", "ipc", "penalty", "soft:as=spook"}},
  {name = "order two and more", colors = {"#806000", "#bf9000", "#e6ab02", "#f0cf70"}, schemes = {"fesd", "rattle", "generalized_alpha", "d1minus"}}}
local OTHERS = {name = "other programs", colors = {"#99000d", "#cb181d", "#ef3b2c", "#e7298a", "#ce1256", "#67001f", "#fb6a4a"}}

-- The colour of a scheme in its group; nil of others.
function host.group_color(name)
  for _, group in ipairs(lab.groups) do
    for k, scheme in ipairs(group.schemes) do
      if scheme == name then return group.colors[k] end
    end
  end
end

local PROBLEMS = {"bouncing_ball", "bouncing_ball:e=0.5", "two_spheres", "sticky:N=8", "cradle:radius=0.125", "pendulum",
                  "vibroimpact", "growing_radii", "pile:N=2,columns=1,radius=0.5,T=1"}

-- "A,B:x=1,y=2,C" at the commas behind which a name begins; "x=1" belongs to what stands before it.
local function split(text)
  local list = {}
  for piece in (text .. ","):gmatch("([^,]*),") do
    local begins = piece:find("^[%a_][%w_.-]*$") or piece:find("^[%a_][%w_-]*:")
    if #list == 0 or begins then list[#list + 1] = piece else list[#list] = list[#list] .. "," .. piece end
  end
  return list
end

-- The members of a list, each once; those that are no texts as they are.
local function members(spec, key, default)
  local given, list, seen = spec[key], {}, {}
  if given == nil then return default end
  if type(given) ~= "table" or #given == 0 then host.refuse(CALL, key, given, "an array of names, one at least") end
  local function add(one)
    if seen[one] then host.refuse(CALL, key, one, "each once") end
    list[#list + 1], seen[one] = one, true
  end
  for _, item in ipairs(given) do
    for _, one in ipairs(type(item) == "string" and split(item) or {item}) do
      if key == "schemes" and one == "catalogue" then
        for _, group in ipairs(lab.groups) do
          for _, name in ipairs(group.schemes) do add(name) end
        end
      else
        add(one)
      end
    end
  end
  return list
end

-- A problem of the board: {id = "pile:N=2,T=1", name = "pile", spec = as lab.sweep takes it}. What is wrong with it is
-- raised by lab.set.
local function read_problem(one)
  local spec = one
  if type(one) == "string" then
    local name, rest = one:match("^([^:]*):?(.*)$")
    local last
    spec = {name}
    for setting in rest:gmatch("[^,]+") do
      local key, value = setting:match("^([^=]+)=(.*)$")
      last = key or last or host.refuse(CALL, "problems", one, "NAME:KEY=VALUE,KEY=VALUE")
      spec[last] = value or spec[last] .. "," .. setting -- one more number of a list
    end
  end
  local fine, set = pcall(lab.set, {problem = spec})
  if not fine then host.raise(("%s: %s"):format(CALL, (tostring(set):gsub("^.-lab%.set: ", ""):gsub("; a problem of your own .*$", "")))) end
  local info = set:info()
  return {id = type(one) == "string" and one or info.label, name = info.name, spec = spec}
end

local function read_claim(text)
  local kind, order = text:match("^(%a+):?(.*)$")
  local p = tonumber(order)
  if kind == "converges" and order == "" then return {kind = kind} end
  if (kind == "bound" or kind == "sharp") and p and p > 0 and p < huge then return {kind = kind, order = p} end
  host.refuse(CALL, "claim", text, "converges, bound:P, sharp:P, with an order P > 0")
end

-- The group of a scheme, by its name in the group or by its family; other programs are one.
local function group_of(text)
  local family
  for _, group in ipairs(lab.groups) do
    for _, name in ipairs(group.schemes) do
      if name == text then return group.name end
      if name:match("^[^:]*") == text:match("^[^:]*") then family = family or group.name end
    end
  end
  return family or OTHERS.name
end

-- Rows: what stands for a scheme in the board, its group and its colour.
local function read_rows(spec)
  local all, rows, used = {}, {}, 0
  for _, group in ipairs(lab.groups) do
    for _, name in ipairs(group.schemes) do all[#all + 1] = name end
  end
  for _, scheme in ipairs(members(spec, "schemes", all)) do
    local text = type(scheme) == "string" and scheme or ""
    local row = {scheme = scheme, typed = text, group = group_of(text), color = host.group_color(text)}
    row.whose = row.group == OTHERS.name and "other" or "ours"
    if not row.color then
      used = used + 1
      row.color = OTHERS.colors[(used - 1) % #OTHERS.colors + 1]
    end
    rows[#rows + 1] = row
  end
  return rows
end

-- Why lab.sweep refuses, without what it is called and the schemes that it recommends.
function host.board_reason(message)
  return (tostring(message):gsub("^.-lab%.sweep: ", ""):gsub("; these suit it: .*$", ""))
end

-- The name that records, tables and legends have for a scheme: of one that no order of problem takes the reason
-- is raised.
local function name_of(scheme)
  local why
  for _, problem in ipairs{"bouncing_ball", "segment"} do
    local fine, sweep = pcall(host.new_sweep, {problem = problem, scheme = scheme, steps = {1}}, true)
    if fine then return host.sweep(sweep).schemes[1] end
    why = why or sweep
  end
  host.raise(("%s: %s"):format(CALL, host.board_reason(why)))
end

-- Two rows of one name could not be told apart.
local function name_rows(board)
  local by = {}
  for k, row in ipairs(board.rows) do
    row.name = name_of(row.scheme)
    row.typed = row.typed ~= "" and row.typed or row.name
    if by[row.name] then
      host.refuse(CALL, ("the name of schemes %d and %d"):format(by[row.name], k), row.name,
                  "two names: exec:name=NAME:COMMAND, file:FILE,name=NAME")
    end
    by[row.name] = k
  end
end

function host.board_file(id) return (id:gsub("[^%w.]+", "-")) end

local function ids_of(spec)
  local all, known = {}, {}
  for _, list in ipairs{host.board_general, host.board_questions} do
    for _, q in ipairs(list) do
      all[#all + 1], known[q.id] = q.id, true
    end
  end
  local ids, asked = members(spec, "questions", all), {}
  for _, id in ipairs(ids) do
    if not known[id] then host.refuse(CALL, "questions", id, concat(all, ", ")) end
    asked[id] = true
  end
  return ids, asked
end

-- The problems, and their names where they are given: questions that name another are not asked.
local function read_problems(spec)
  local problems, named = {}, spec.problems and {}
  for k, one in ipairs(members(spec, "problems", PROBLEMS)) do
    problems[k] = read_problem(one)
    if named then named[problems[k].name] = true end
  end
  return problems, named
end

function host.board_read(spec)
  host.known(CALL, spec, {"schemes", "problems", "questions", "claim", "question_time", "page"})
  local board = {rows = read_rows(spec), limit = host.read(CALL, spec, "question_time", "positive") or 8, claim_text = host.read(CALL, spec, "claim", "text") or "converges"}
  board.claim = read_claim(board.claim_text)
  board.ids, board.asked = ids_of(spec)
  board.problems, board.named = read_problems(spec)
  name_rows(board)
  return board
end
