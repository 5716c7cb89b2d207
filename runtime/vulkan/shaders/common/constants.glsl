// The numbers of specialisation constants: constant_NAME for each row of constants.def.
#define WEBNN_CONSTANT(name, number) const int constant_##name = number;
#include "common/constants.def"
#undef WEBNN_CONSTANT
