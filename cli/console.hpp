// Where a command writes: data on `out`, everything else on `err`.
#pragma once

#include <ostream>

namespace webnn::cli {

struct Console {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
};

}  // namespace webnn::cli
