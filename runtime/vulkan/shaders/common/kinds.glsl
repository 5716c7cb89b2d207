// One kind of numbers for each compiled variant: REAL computes in float32, SIGNED and UNSIGNED in 64 bits.
#if defined(REAL)
#define Wide float
#define load_wide load_real
#define store_wide store_real
bool wide_is_nan(float x) { return is_nan(x); }
#elif defined(SIGNED)
#define Wide int64_t
#define load_wide load_integer
#define store_wide store_integer
bool wide_is_nan(int64_t x) { return false; }
#elif defined(UNSIGNED)
#define Wide uint64_t
uint64_t load_wide(uint64_t address, const uint type, uint i) { return uint64_t(load_integer(address, type, i)); }
void store_wide(uint64_t address, const uint type, uint i, uint64_t value) {
  store_integer(address, type, i, int64_t(value));
}
bool wide_is_nan(uint64_t x) { return false; }
#endif
