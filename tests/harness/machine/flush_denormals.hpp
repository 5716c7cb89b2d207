// A mode of floating-point numbers that C++ has no word for. In the processor's file (flush_denormals_NAME.cpp).
#pragma once

namespace webnn::tests {

/// From now on denormal numbers are zero on this thread, read and written.
void flush_denormals();

}  // namespace webnn::tests
