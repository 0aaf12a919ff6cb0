// cvt and cvt.pack, by the notes of PTX ISA 9.0 section 9.7.9.21: every source is exact in __float128, and rounded once.

static q rounded(q x, int rounding) {
  if (isnanq(x) || isinfq(x) || fabsq(x) > power(70)) return x;
  q size = fabsq(x), whole = floorq(size);
  if (goes_up(size - whole, (u)(u128)whole, rounding, signbitq(x) != 0, 0, 0)) whole += 1;
  return signbitq(x) ? -whole : whole;
}
static u to_integer(Type to, q x, int rounding, int from64) {
  int sg = to.class == 's';
  if (isnanq(x)) return from64 || to.bits == 64 ? 1ull << (to.bits - 1) : 0;
  q whole = rounded(x, rounding);
  if (whole < -power(80)) return (u)least_of(to.bits, sg);
  if (whole > power(80)) return (u)most_of(to.bits, sg);
  return (u)limit((s128)whole, to.bits, sg);
}
static u finished(const Format *f, u bits) {
  u size = bits & mask_of(f->bits - 1);
  if (has("satfinite") && f->infinite && size == f->top + 1) bits--;
  if (has("sat")) bits = unit(f, bits);
  if (has("relu")) bits = is_nan(f, bits) ? f->nan : bits & sign_bit(f) ? 0 : bits;
  return bits;
}
static u to_scale(u bits32_, int up) {
  if (is_nan(&F32, bits32_)) return 0xff;
  u beyond = has("satfinite") ? 0xfe : 0xff;
  q x = fabsq(decode(&F32, bits32_));
  if (isinfq(x)) return beyond;
  int e = 0;
  while (e <= 254 && (up ? power(e - 127) < x : power(e + 1 - 127) <= x)) e++;
  return e > 254 ? beyond : (u)e;
}
/** tf32's .rna works on bits: half a place is added to numbers, and of NaNs, too, the lower bits are cut off. */
static u away_from_zero(u x) {
  if ((x & 0x7fffffff) < 0x7f800000) x += 0x1000;
  x &= 0xffffe000;
  return has("satfinite") && (x & 0x7f800000) == 0x7f800000 ? x - 0x2000 : x;
}
/** One source value as the destination's bits, not yet extended. */
static u convert_one(Type from, Type to, u x, u random, int random_bits) {
  const Format *ff = format_of(from.name), *tf = format_of(to.name);
  int whole = has("rni") || has("rzi") || has("rmi") || has("rpi");
  // Before PTX 1.5 cvt does not flush where a type has 64 bits.
  int old = in.sm < 20 && !(in.version < 15 && (from.bits == 64 || to.bits == 64));
  int ftz = has("ftz") || old;
  if (!strncmp(to.name, "ue8m0", 5)) return to_scale(ff == &F32 ? x : (x & 0xffff) << 16, has("rp"));
  if (!strncmp(from.name, "ue8m0", 5)) return (x & 255) == 255 ? BF16.nan : encode(&BF16, power((int)(x & 255) - 127), RN);
  if (ff == NULL) {
    s128 v = value_of(x, from.bits, from.class == 's');
    if (tf == NULL) return has("sat") ? (u)limit(v, to.bits, to.class == 's') : (u)v;
    u bits = encode(tf, (q)v, mode());
    return finished(tf, bits);
  }
  if (tf == &TF32 && mode() == RNA) return away_from_zero(x);
  int shaped = whole || has("sat") || ftz;
  if (!shaped && ff == tf) return x & mask_of(ff->bits);
  if (!shaped && ff == &BF16 && tf == &F32) return (x & 0xffff) << 16;
  // To f16 hardware flushes nothing, which .rm and .rp show.
  if (ftz && ff == &F32 && tf != &F16) x = flush(ff, x);
  q v = decode(ff, x);
  if (tf == NULL) return to_integer(to, v, mode(), ff == &F64);
  if (whole) v = rounded(v, mode());
  u bits = encode_random(tf, v, whole ? RN : mode(), random, random_bits);
  if (isnanq(v) && (ff == &F64 || tf == &F64)) {
    // Sign and payload, quiet, cut or filled up at the end; .ftz makes the canonical f32 first.
    if (ff == &F32 && ftz) x = F32.nan;
    u sign = x & sign_bit(ff) ? sign_bit(tf) : 0, mantissa = x & mask_of(ff->mant);
    mantissa = tf->mant > ff->mant ? mantissa << (tf->mant - ff->mant) : mantissa >> (ff->mant - tf->mant);
    bits = sign | (tf->top + 1) | 1ull << (tf->mant - 1) | mantissa;
  } else if (ftz && tf == &F32 && !isnanq(v)) bits = flushed_result(tf, v, whole ? RN : mode(), bits);
  bits = finished(tf, bits);
  return tf == &TF32 ? bits << 13 : bits;
}

/** Pairs with scales, and s2f6: what becomes smaller is divided by its scale, what becomes bf16 multiplied. */
static int convert_scaled(u *d) {
  int one_scale = has("scaled::n1::ue8m0"), scaled = one_scale || has("scaled::n2::ue8m0");
  Type to = type_at(0), from = type_at(1);
  int to_fixed = !strcmp(to.name, "s2f6x2"), from_fixed = !strcmp(from.name, "s2f6x2");
  if (!scaled && !to_fixed && !from_fixed) return 0;
  int two = !strcmp(from.name, "f32"), from_bits = from.bits, bits = to.bits;
  const Format *ff = format_of(from.name), *tf = format_of(to.name);
  *d = 0;
  for (int i = 1; i >= 0; i--) {
    u x = two ? at(1 - i) : at(0) >> (from_bits * i) & mask_of(from_bits);
    u s = scaled ? at(two ? 2 : 1) >> (one_scale ? 0 : 8 * i) & 255 : 127;
    q v = from_fixed ? (q)value_of(x, 8, 1) / 64 : decode(ff, x), scale = s == 255 ? nanq("") : power((int)s - 127);
    if (scaled) v = !strcmp(to.name, "bf16x2") ? v * scale : v / scale;
    u r;
    if (to_fixed) {
      r = isnanq(v) ? 127 : v > 4 ? 127 : v < -4 ? 0x80 : (u)limit((s128)rounded(v * 64, RN), 8, 1) & 255;
      if (has("relu") && r >> 7) r = 0;
    } else r = finished(tf, encode(tf, v, mode()));
    *d = *d << bits | r;
  }
  return 1;
}

static int convert(u *d) {
  if (!opcode("cvt")) return 0;
  if (convert_scaled(d)) return 1;
  if (has("pack")) {
    Type t = type_at(0);
    int sg = t.class == 's', bits = t.bits;
    u a = (u)limit((int32_t)at(0), bits, sg) & mask_of(bits), b = (u)limit((int32_t)at(1), bits, sg) & mask_of(bits);
    *d = ((in.operand_count > 2 ? at(2) << (2 * bits) : 0) | a << bits | b) & mask_of(32);
    return 1;
  }
  Type to = type_at(0), from = type_at(1);
  int lanes = lanes_of(to), bits = to.bits == 4 ? 4 : to.bits <= 8 ? 8 : to.bits;
  if (lanes == 1) {
    *d = convert_one(from, to, at(0), 0, 0);
    // Into a wider register: by the sign of the type.
    if (to.class != 'f') *d = (u)value_of(*d, to.bits, to.class == 's');
    return 1;
  }
  *d = 0;
  int from_bits = from.bits == 4 ? 4 : from.bits;
  for (int i = 0; i < lanes; i++) {
    // The first operand goes to the uppermost part.
    u x = lanes_of(from) > 1 ? at(0) >> (from_bits * (lanes - 1 - i)) & mask_of(from_bits) : at(i);
    u r = has("rs") ? at(lanes) : 0, random = 0;
    int n = 0;
    if (lanes == 2) { n = !strcmp(to.name, "f16x2") ? 13 : 16; random = (i == 0 ? r >> 16 : r) & mask_of(n); }
    else if (bits == 8) { n = 16; random = (i < 2 ? r >> 16 : r) & 0xffff; }
    else { static const int from_bit[] = { 24, 8, 16, 0 }; n = 8; random = r >> from_bit[i] & 0xff; }
    *d = *d << bits | convert_one(from, to, x, random, n);
  }
  return 1;
}
