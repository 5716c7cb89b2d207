// Whole numbers and sizes as options take them: decimal, not negative, and within 64 bits.
#pragma once

#include <string>

namespace webnn::cli {

/// For CLI11: brings the value into the form that it reads, or returns what is wrong. Its own reading takes 010 for eight,
/// and what exceeds 64 bits for another number.
std::string to_whole_number(std::string& text);
/// The same for bytes with a unit: 512MB or 2GiB, in powers of 1024.
std::string to_bytes(std::string& text);

}  // namespace webnn::cli
