/* Marks what the shared library shows. Everything is compiled with hidden visibility; the public headers alone use
 * this. Also for C. */
#pragma once

#if defined(__GNUC__)
#define WEBNN_API __attribute__((visibility("default")))
#else
#define WEBNN_API
#endif
