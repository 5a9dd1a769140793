-- placeholder.lua - values of what is not run where a script is only read (harness/lua/scripted/check.h).
local _, host = ...
do
  local ipairs, type = ipairs, type

  -- Their metatable. `placeholder` gives another one. Elements there are none, so that loops end.
  function host.placeholder_type(placeholder)
    local meta = {__metatable = "impactlab", __name = "a value of what is not run"}
    for _, event in ipairs{"call", "add", "sub", "mul", "div", "mod", "pow", "unm", "idiv"} do
      meta["__" .. event] = function() return placeholder() end
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
