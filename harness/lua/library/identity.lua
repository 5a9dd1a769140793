-- identity.lua - what functions of a script depend on, as one text.
--
-- Of every function it holds the lines of the script that the function is on, its upvalues, the globals
-- that these lines name, and the fields of math and string that they name: numbers, strings, booleans,
-- tables of these and functions likewise; those of Lua's libraries by their names. A function that
-- depends on anything else has no identity, and a message says why. A version that the script gives
-- stands for its functions, never for what is declared beside them.
local _, host = ...
do
  local script_name, script_text, debug = host.script() -- harness/lua/base/identity.c
  local type, next, pcall, rawget, error, tostring = type, next, pcall, rawget, error, tostring
  local find, format, gmatch, gsub, sub = string.find, string.format, string.gmatch, string.gsub, string.sub
  local concat, sort = table.concat, table.sort
  local getinfo, getupvalue, getmetatable = debug.getinfo, debug.getupvalue, debug.getmetatable
  local libraries = {math, string}
  local library_names = {"math.", "string."}
  local varying = {"math.random", "os", "io", "debug", "package", "load", "dofile", "require", "collect", "_G"}

  local names = {} -- of a library, or of a function of one
  for name, value in next, _G do
    if type(value) == "table" or type(value) == "function" then names[value] = name end
    if type(value) == "table" and value ~= _G then
      for field, f in next, value do
        if type(f) == "function" then names[f] = name .. "." .. field end
      end
    end
  end

  local lines = {} -- of the script
  for line in gmatch(script_text and script_text .. "\n" or "", "([^\n]*)\n") do lines[#lines + 1] = line end

  local function refuse(path, is) error({path = path, is = is}) end

  local function put(w, text) w[#w + 1] = text end

  local write

  local function sorted_keys(t, path)
    local keys = {}
    for key in next, t do
      if type(key) ~= "number" and type(key) ~= "string" then
        refuse(path, "has a key that is neither a number nor a text")
      end
      keys[#keys + 1] = key
    end
    sort(keys, function(a, b)
      if type(a) == type(b) then return a < b end
      return type(a) == "number"
    end)
    return keys
  end

  local function write_table(w, t, path)
    if getmetatable(t) then refuse(path, "is a table with a metatable") end
    put(w, "{")
    for _, key in next, sorted_keys(t, path) do
      put(w, format("[%q]=", key))
      write(w, rawget(t, key), path .. format(type(key) == "number" and "[%.10g]" or ".%.40s", key))
    end
    put(w, "}")
  end

  -- Is the word that begins at `at` a field or a method? Neither a..b nor ::label::word is one.
  local function is_field(text, at)
    local sign = sub(text, at - 1, at - 1)
    return (sign == "." or sign == ":") and sub(text, at - 2, at - 2) ~= sign
  end

  -- What the words of the text stand for, those of comments and strings too, each once.
  local function write_words(w, text, globals, path)
    local met = {}
    if globals and getmetatable(globals) then refuse(path, "sees globals with a metatable") end
    for at, word in gmatch(text, "()([%a_][%w_]*)") do
      local global = globals and not is_field(text, at)
      if not met[word] then
        for k = 1, #libraries do
          local f = rawget(libraries[k], word)
          if type(f) == "function" then write(w, f, library_names[k] .. word .. " in " .. path) end
        end
      end
      if global and met[word] ~= "global" then
        local value = rawget(globals, word)
        if value ~= nil then
          put(w, "G" .. word .. "=")
          write(w, value, format("the global '%.60s' that %s names", word, path))
        end
      end
      met[word] = (global or met[word] == "global") and "global" or "field"
    end
  end

  local function write_function(w, f, path)
    local info = getinfo(f, "S")
    local first, last = info.linedefined, info.lastlinedefined
    if info.what == "C" then refuse(path, "is a C function that is none of Lua's libraries") end
    if not script_name or info.source ~= "@" .. script_name or last > #lines then
      refuse(path, "is not a function of the script's own file")
    end
    local text = concat(lines, "\n", first, last)
    put(w, "F" .. text .. "\n")
    -- The lines do not tell which function it is where several are on one, nor the value of a <const>,
    -- which is no upvalue.
    local _, functions = gsub(lines[first], "function", "")
    if functions > 1 or find(script_text, "<%s*const") then put(w, host.dump(f)) end
    local globals
    for k = 1, math.huge do
      local name, value = getupvalue(f, k)
      if not name then break end
      if name == "_ENV" then
        globals = value
      else
        put(w, "U" .. name .. "=")
        write(w, value, format("upvalue '%.40s' of %s", name, path))
      end
    end
    write_words(w, text, globals, path)
    put(w, ";")
  end

  function write(w, value, path)
    local kind, name = type(value), names[value]
    path = sub(path, 1, 160)
    if name then
      for k = 1, #varying do
        if sub(name, 1, #varying[k]) == varying[k] then refuse(path, "need not give the same every time") end
      end
      put(w, "L" .. name .. ";")
    elseif kind == "table" or kind == "function" then
      if w.met[value] then return put(w, "@" .. w.met[value] .. ";") end
      w.count = w.count + 1
      w.met[value] = w.count
      if kind == "table" then write_table(w, value, path) else write_function(w, value, path) end
    elseif kind == "userdata" or kind == "thread" then
      refuse(path, "is a " .. kind)
    else
      put(w, format("%q;", value))
    end
  end

  -- What `body` writes, or nil and why it cannot be.
  local function text_of(body)
    local w = {met = {}, count = 0}
    local fine, why = pcall(body, w)
    if fine then return concat(w) end
    return nil, type(why) == "table" and why.path .. " " .. why.is or tostring(why)
  end

  -- Of the table by which a problem, a scheme, a reference or a norm is declared.
  local function sum_now(d)
    if not d.data then return nil, d.refused .. "; a plain table of numbers and texts would do" end
    if d.version then return host.sum(d.data .. "version " .. d.version) end
    local text, why = text_of(function(w)
      put(w, d.data)
      for _, name in next, sorted_keys(d.functions, "") do
        put(w, name .. "=")
        write(w, d.functions[name], name)
      end
    end)
    if text then return host.sum(text) end
    return nil, why .. "; version = \"...\" says when it is another"
  end

  -- A declaration, as it is before any of its functions was called.
  function host.declare(t)
    local d, plain = {functions = {}, version = rawget(t, "version")}, {}
    for key, value in next, t do
      if type(value) == "function" then d.functions[key] = value
      elseif key ~= "version" then plain[key] = value end
    end
    d.data, d.refused = text_of(function(w) write(w, plain, "declared") end)
    d.declared = sum_now(d)
    return d
  end

  -- Its sum, or nil and why there is none.
  function host.identify(d)
    local sum, why = sum_now(d)
    if sum and d.declared and sum ~= d.declared then
      return nil, "what its functions depend on has changed since it was declared; "
        .. "version = \"...\" says when it is another"
    end
    return sum, why
  end
end
