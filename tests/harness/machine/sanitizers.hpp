// Whether this build has a sanitizer, under which everything takes several times as long.
#pragma once

namespace webnn::tests {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool under_thread_sanitizer = true;
#else
inline constexpr bool under_thread_sanitizer = false;
#endif
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool under_address_sanitizer = true;
#else
inline constexpr bool under_address_sanitizer = false;
#endif
inline constexpr bool under_sanitizer = under_thread_sanitizer || under_address_sanitizer;

}  // namespace webnn::tests
