// The addon: one object with the functions of all groups.
#include "bindings/node/native/functions.hpp"
#include "bindings/node/native/work.hpp"

NAPI_MODULE_INIT() {
  using namespace webnn::node;
  try {
    Deliveries::open(env);
    for (const auto functions :
         {builder_functions(), context_functions(), load_functions(), table_functions(), tools_functions()})
      set_functions(env, exports, functions);
    return exports;
  } catch (...) {  // an exception of JavaScript, or an environment that is ending
    napi_throw_error(env, nullptr, "webnn: the addon could not be opened");
    return nullptr;
  }
}
