// Bits of integers, one by one, where the manual has pseudo code: PTX ISA 9.0 sections 9.7.1 and 9.7.8. For meanings.c and
// rows/integer.h; `u` is an unsigned integer of 64 bits.

static u bit_count(u x) { int n = 0; for (; x; x &= x - 1) n++; return n; }
static u leading(u x, int bits) { int n = 0; while (n < bits && !(x >> (bits - 1 - n) & 1)) n++; return n; }
static u reverse(u x, int bits) { u r = 0; for (int i = 0; i < bits; i++) if (x >> i & 1) r |= 1ull << (bits - 1 - i); return r; }
static u find(u x, int bits, int is_signed, int shift) {
  int flip = is_signed && (x >> (bits - 1) & 1);
  for (int i = bits - 1; i >= 0; i--) if ((int)(x >> i & 1) != flip) return shift ? bits - 1 - i : i;
  return 0xffffffff;
}
/** Hardware takes the whole operands of the 64-bit forms, where the pseudo code has their low 8 bits. */
static void field_of(u start, u count, int bits, int *pos, int *len) {
  start &= bits == 64 ? 0xffffffff : 255; count &= bits == 64 ? 0xffffffff : 255;
  *pos = start > 1000 ? 1000 : (int)start; *len = count > 1000 ? 1000 : (int)count;
}
static u extract(u x, u start, u count, int bits, int is_signed) {
  int pos, len, msb = bits - 1;
  field_of(start, count, bits, &pos, &len);
  int fill = !is_signed || len == 0 ? 0 : x >> (pos + len - 1 < msb ? pos + len - 1 : msb) & 1;
  u d = 0;
  for (int i = 0; i <= msb; i++) d |= (u)(i < len && pos + i <= msb ? x >> (pos + i) & 1 : (u)fill) << i;
  return d;
}
static u insert(u field, u into, u start, u count, int bits) {
  int pos, len;
  field_of(start, count, bits, &pos, &len);
  for (int i = 0; i < len && pos + i < bits; i++) into = (into & ~(1ull << (pos + i))) | (field >> i & 1) << (pos + i);
  return into;
}
static u nth_set(u mask, u base, int32_t offset) {
  if (offset == INT32_MIN) return 0;
  if (base > 31) return 0xffffffff;
  if (offset == 0) return mask >> base & 1 ? base : 0xffffffff;
  int64_t left = offset < 0 ? -(int64_t)offset : offset;
  for (int i = base; i >= 0 && i < 32; i += offset < 0 ? -1 : 1) if (mask >> i & 1 && --left == 0) return i;
  return 0xffffffff;
}
static u extend_field(u x, u width, int wrap, int is_signed) {
  u n = wrap ? width & 31 : width > 31 ? 32 : width;
  if (n == 32) return x;
  if (n == 0) return 0;
  u field = x & ((1ull << n) - 1);
  return is_signed && field >> (n - 1) & 1 ? field | ~0ull << n : field;
}
static u bit_mask(u start, u width, int wrap) {
  u from = wrap ? start & 31 : start > 32 ? 32 : start, n = wrap ? width & 31 : width > 32 ? 32 : width, d = 0;
  for (u i = 0; i < n; i++) if (from + i < 32) d |= 1ull << (from + i);
  return d;
}

/**
 * Whether .ftz flushes a result of that exact size, or of that size rounded to odd: whether it is below 2^least once rounded to
 * mant + 1 bits with an unbounded exponent, as hardware has it. Rounding is to nearest, else away from zero or towards it.
 */
static int is_flushed(__float128 size, int mant, int least, int nearest, int away) {
  __float128 normal = __builtin_ldexp(1, least), place = __builtin_ldexp(1, least - 1 - mant);
  if (size >= normal || size != size) return 0;
  __float128 rest = (size - (normal - place)) / place;
  return !(nearest ? rest >= 0.5 : away && rest > 0);
}
