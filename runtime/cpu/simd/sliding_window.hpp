// The windows of schema/sliding_window.hpp, as vector kernels call them.
#pragma once

#include "schema/sliding_window.hpp"
