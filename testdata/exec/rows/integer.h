// Integers as 128-bit integers, bit by bit where the manual has pseudo code: PTX ISA 9.0 sections 9.7.1, 9.7.2 and 9.7.8.

#include "../bits.h"

static s128 part(u x, int index, int bits, int is_signed) { return value_of(x >> (bits * index), bits, is_signed); }

static s128 low24(u x, int is_signed) { return value_of(x, 24, is_signed); }
static u product24(int is_signed) { s128 p = low24(at(0), is_signed) * low24(at(1), is_signed); return (u)(has("hi") ? p >> 16 : p) & 0xffffffff; }

/** A sum, difference or product with the carry flag, 9.7.2; the flag is the last operand. */
static u with_carry(u *flag) {
  Type t = type_at(0);
  int bits = t.bits, is_sub = in.words[0][0] == 's', is_mad = in.words[0][0] == 'm', reads = strchr(in.words[0], 'c') != NULL;
  u128 carry = reads ? at(in.operand_count - 1) & 1 : 0, modulus = (u128)1 << bits;
  u x = at(0), y = at(1);
  if (is_mad) {
    s128 low = value_of(at(0), bits, t.class == 's'), factor = value_of(at(1), bits, t.class == 's');
    u128 product = (u128)(low * factor);
    x = (u)(has("hi") ? (t.class == 's' ? (u128)((s128)product >> bits) : product >> bits) : product) & mask_of(bits);
    y = at(2);
  }
  // The flag is a carry in subtractions too, as hardware has it: a - b is a + ~b + 1.
  if (is_sub) { y = ~y & mask_of(bits); if (!reads) carry = 1; }
  u128 exact = (u128)x + y + carry;
  int out = exact >= modulus;
  *flag = has("cc") ? (u)out : at(in.operand_count - 1) & 1;
  return (u)exact & mask_of(bits);
}

static u shifted(u x, u by, int bits, int left, int is_signed) {
  by &= 0xffffffff;
  if (by >= (u)bits) return !left && is_signed && x >> (bits - 1) & 1 ? ~0ull : 0;
  if (left) return x << by;
  return (u)(value_of(x, bits, is_signed) >> by);
}
static u funnel(int left, int wrap) {
  u n = wrap ? at(2) & 31 : at(2) > 32 ? 32 : at(2);
  u128 whole = (u128)(at(1) << 32 | at(0));
  return left ? (u)(whole << n >> 32) : (u)(whole >> n);
}
static u truth_table(u table) {
  u d = 0;
  for (int i = 0; i < 32; i++) d |= (u)(table >> ((at(0) >> i & 1) << 2 | (at(1) >> i & 1) << 1 | (at(2) >> i & 1)) & 1) << i;
  return d;
}
static u permuted(void) {
  u whole = at(1) << 32 | at(0), c = at(2), d = 0;
  const char *mode = in.word_count > 2 ? in.words[2] : "";
  int k = c & 3;
  for (int i = 0; i < 4; i++) {
    u nibble = c >> (4 * i) & 15;
    int select = !strcmp(mode, "f4e") ? k + i : !strcmp(mode, "b4e") ? (k - i + 8) % 8 : !strcmp(mode, "rc8") ? k
      : !strcmp(mode, "ecl") ? (i < k ? k : i) : !strcmp(mode, "ecr") ? (i < k ? i : k) : !strcmp(mode, "rc16") ? (k & 1) * 2 + (i & 1)
      : (int)(nibble & 7);
    u byte = whole >> (8 * select) & 255;
    d |= (*mode == 0 && nibble & 8 ? (byte >> 7 ? 255ull : 0) : byte) << (8 * i);
  }
  return d;
}

/** Two halves, or four bytes, at a time. */
static u packed(s128 (*fn)(s128, s128), int is_signed, int bits) {
  u d = 0;
  for (int i = 0; i < 32 / bits; i++) {
    s128 one = fn(part(at(0), i, bits, is_signed), part(at(1), i, bits, is_signed));
    d |= ((u)(has("sat") ? limit(one, bits, is_signed) : one) & mask_of(bits)) << (bits * i);
  }
  return d;
}
static s128 all_ones_if(s128 x, s128 y) {
  static const char *names = "eq ne lt lo le ls gt hi ge hs";
  int which = (int)(strstr(names, in.words[1]) - names) / 3;
  return -(which == 0 ? x == y : which == 1 ? x != y : which < 4 ? x < y : which < 6 ? x <= y : which < 8 ? x > y : x >= y);
}
static s128 minus(s128 x, s128 y) { (void)y; return -x; }
/** A product without carries, as polynomials over one bit have it. */
static u carryless(int high) {
  u128 product = 0;
  for (int i = 0; i < 64; i++) if (at(0) >> i & 1) product ^= (u128)at(1) << i;
  return (u)(high ? product >> 64 : product) ^ at(2);
}
static s128 add2(s128 x, s128 y) { return x + y; }
static s128 sub2(s128 x, s128 y) { return x - y; }
static s128 relu(s128 x) { return has("relu") && x < 0 ? 0 : x; }
static s128 min2(s128 x, s128 y) { return relu(x < y ? x : y); }
static s128 max2(s128 x, s128 y) { return relu(x > y ? x : y); }

/** Whether this is an instruction on integers or bits; its result in *d. */
static int integer(u *d) {
  Type t = type_at(0);
  if (t.class == 'f' || t.class == 0) return 0;
  int bits = t.bits, sg = t.class == 's', many = lanes_of(t) > 1;
  s128 x = value_of(at(0), bits, sg), y = value_of(at(1), bits, sg), z = value_of(at(2), bits, sg);
  u128 wide = (u128)(x * y);
  s128 high = sg ? (s128)wide >> bits : (s128)(wide >> bits);
#define IS(name, value) if (opcode(name)) { *d = (u)(value); return 1; }
  if (many) {
    IS("add", packed(add2, sg, bits)) IS("sub", packed(sub2, sg, bits)) IS("min", packed(min2, sg, bits)) IS("max", packed(max2, sg, bits))
    IS("set", packed(all_ones_if, sg, bits)) IS("neg", packed(minus, sg, bits))
  }
  IS("clmad", carryless(has("hi")))
  IS("add", has("sat") ? limit(x + y, bits, sg) : x + y)
  IS("sub", has("sat") ? limit(x - y, bits, sg) : x - y)
  IS("mul", has("hi") ? (u)high : (u)wide)
  if (opcode("mad") && has("wide")) { *d = (u)wide + at(2); return 1; }
  if (opcode("mad") && has("sat")) { *d = (u)limit(high + z, bits, sg); return 1; }
  IS("mad", (has("hi") ? (u)high : (u)wide) + at(2))
  IS("mul24", product24(sg))
  if (opcode("mad24") && has("sat")) { *d = (u)limit(value_of(product24(sg), 32, 1) + z, 32, 1); return 1; }
  IS("mad24", product24(sg) + at(2))
  IS("sad", (x < y ? y - x : x - y) + z)
  // Division by zero is left to the machine: all ones, and the dividend, as GPUs do.
  IS("div", y == 0 ? -1 : x / y) IS("rem", y == 0 ? -1 : x % y)
  IS("abs", x < 0 ? -x : x) IS("neg", -x) IS("min", relu(x < y ? x : y)) IS("max", relu(x > y ? x : y))
  IS("popc", bit_count(at(0))) IS("clz", leading(at(0), bits)) IS("brev", reverse(at(0), bits))
  IS("bfind", find(at(0), bits, sg, has("shiftamt"))) IS("fns", nth_set(at(0), at(1), (int32_t)at(2)))
  IS("bfe", extract(at(0), at(1), at(2), bits, sg)) IS("bfi", insert(at(0), at(1), at(2), at(3), bits))
  IS("szext", extend_field(at(0), at(1), has("wrap"), sg)) IS("bmsk", bit_mask(at(0), at(1), has("wrap")))
  if (opcode("dp4a") || opcode("dp2a")) {
    int bs = type_at(1).class == 's';
    s128 sum = at(2);
    for (int i = 0; i < (opcode("dp4a") ? 4 : 2); i++)
      sum += opcode("dp4a") ? part(at(0), i, 8, sg) * part(at(1), i, 8, bs) : part(at(0), i, 16, sg) * part(at(1), i + 2 * has("hi"), 8, bs);
    *d = (u)sum;
    return 1;
  }
  IS("and", at(0) & at(1)) IS("or", at(0) | at(1)) IS("xor", at(0) ^ at(1)) IS("not", t.class == 'p' ? !at(0) : ~at(0)) IS("cnot", at(0) == 0)
  IS("shl", shifted(at(0), at(1), bits, 1, 0)) IS("shr", shifted(at(0), at(1), bits, 0, sg)) IS("shf", funnel(has("l"), has("wrap")))
  IS("prmt", permuted()) IS("mov", at(0))
  return 0;
}
