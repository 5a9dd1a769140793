-- placeholder.lua - values of what is not run where a script is only read (harness/lua/scripted/check.h).
local _, host = ...
do
  local ipairs, type, getmetatable, select, error, pcall = ipairs, type, getmetatable, select, error, pcall

  -- of[name] of an argument that is not run is not run either.
  local function let_pass(of, name, given)
    local plain = of[name]
    of[name] = function(...)
      for k = 1, select("#", ...) do
        local argument = select(k, ...)
        if type(argument) == "table" or type(argument) == "userdata" then
          if getmetatable(argument) == "impactlab" then return given() end
        end
      end
      local ok, x = pcall(plain, ...)
      if not ok then error((x:gsub("^.-bad", "bad"):gsub("'%?'", "'" .. name .. "'")), 2) end
      return x
    end
  end

  -- Their metatable. `placeholder` gives another one. Elements there are none, so that loops end.
  function host.placeholder_type(placeholder)
    local meta = {__metatable = "impactlab", __name = "a value of what is not run"}
    for _, event in ipairs{"call", "add", "sub", "mul", "div", "mod", "pow", "unm", "idiv"} do
      meta["__" .. event] = function() return placeholder() end
    end
    let_pass(string, "format", function() return "(not run)" end)
    for _, name in ipairs{"abs", "ceil", "exp", "floor", "log", "max", "min", "sqrt"} do
      let_pass(math, name, placeholder)
    end
    function meta.__index(_, key) if type(key) ~= "number" then return placeholder() end end
    function meta.__len() return 0 end
    function meta.__pairs() return function() end end
    function meta.__tostring() return "(not run)" end
    function meta.__concat() return "(not run)" end
    function meta.__lt() return false end
    function meta.__le() return false end
    return meta
  end
end
