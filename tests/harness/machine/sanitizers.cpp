// What sanitizers should not report in the tests.

#if defined(__SANITIZE_THREAD__)

extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions();

// The count of references to an exception is kept by libstdc++, which is not instrumented: when a future's exception is
// thrown in one thread and freed by another, the thread sanitizer does not see that the count orders the two. Mesa's
// threads destroy a barrier that others have just left; nothing of ours uses barriers. Vulkan's validation layer takes
// its own locks in two orders.
extern "C" const char* __tsan_default_suppressions() {
  return "race:std::__exception_ptr::exception_ptr::_M_release\n"
         "race:pthread_barrier_destroy\n"
         "deadlock:libVkLayer_khronos_validation.so\n";
}

#endif

#if defined(__SANITIZE_ADDRESS__) && defined(WEBNN_PARTLY_INSTRUMENTED)

extern "C" __attribute__((visibility("default"))) const char* __asan_default_options();

// What is not instrumented brings the tests' own allocator (allocation_counter.cpp), whose `new` is malloc.
extern "C" const char* __asan_default_options() { return "alloc_dealloc_mismatch=0"; }

#endif
