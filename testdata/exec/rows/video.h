// Video instructions, by the pseudo code of PTX ISA 9.0 section 9.7.18.

static s128 selected(u word, const char *sel, int is_signed) {
  if (*sel == 0) return value_of(word, 32, is_signed);
  int bits = *sel == 'b' ? 8 : 16;
  return part(word, sel[1] - '0', bits, is_signed);
}
static s128 compared(s128 x, s128 y) {
  return has("eq") ? x == y : has("ne") ? x != y : has("lt") ? x < y : has("le") ? x <= y : has("gt") ? x > y : x >= y;
}
static s128 core(const char *name, s128 x, s128 y) {
  if (!strncmp(name, "vadd", 4)) return x + y;
  if (!strncmp(name, "vsub", 4)) return x - y;
  if (!strncmp(name, "vabsdiff", 8)) return x < y ? y - x : x - y;
  if (!strncmp(name, "vmin", 4)) return x < y ? x : y;
  if (!strncmp(name, "vmax", 4)) return x > y ? x : y;
  if (!strncmp(name, "vavrg", 5)) return x + y >= 0 ? (x + y + 1) >> 1 : (x + y) >> 1;
  if (!strncmp(name, "vset", 4)) return compared(x, y);
  s128 by = has("wrap") ? y & 31 : y > 32 ? 32 : y;
  return !strcmp(name, "vshl") ? x << by : x >> by;
}
static int is_signed_type(const char *name) { return name[0] == 's'; }

static u video_mad(void) {
  int as = is_signed_type(in.words[2]), bs = is_signed_type(in.words[3]);
  int minus = in.operands[0].negated ^ in.operands[1].negated, c_minus = in.operands[2].negated;
  int final = as || bs || minus || c_minus;
  s128 tmp = selected(at(0), in.operands[0].sel, as) * selected(at(1), in.operands[1].sel, bs);
  u c = at(2);
  int lsb = 0;
  if (has("po")) lsb = 1;
  else if (minus) { tmp = ~tmp; lsb = 1; }
  else if (c_minus) { c = ~c & 0xffffffff; lsb = 1; }
  tmp = tmp + value_of(c, 32, final) + lsb;
  s128 result = tmp >> (has("shr7") ? 7 : has("shr15") ? 15 : 0);
  return (u)(has("sat") ? limit(result, 32, final) : result);
}

static u video_scalar(void) {
  const char *name = in.words[0];
  int compares = !strcmp(name, "vset");
  int ds = compares ? 0 : is_signed_type(in.words[1]), as = is_signed_type(in.words[compares ? 1 : 2]);
  int bs = is_signed_type(in.words[compares ? 2 : 3]);
  s128 tmp = core(name, selected(at(0), in.operands[0].sel, as), selected(at(1), in.operands[1].sel, bs));
  int bits = in.result_sel[0] == 'b' ? 8 : in.result_sel[0] == 'h' ? 16 : 32;
  // Hardware: sums and differences to u32 whose operands are not both s32 saturate at 0 alone.
  int is_sum = !strcmp(name, "vadd") || !strcmp(name, "vsub") || !strcmp(name, "vabsdiff");
  if (has("sat") && is_sum && bits == 32 && !ds && !(as && bs)) tmp = tmp < 0 ? 0 : (u)tmp & 0xffffffff;
  else if (has("sat")) tmp = limit(tmp, bits, ds);
  if (has("add") || has("min") || has("max")) {
    // Hardware: only vadd and vsub cut the intermediate value to 32 bits, and it is signed then; with a result of u32 what is negative
    // is above every c. The sign of c is that of dtype, of vset's atype.
    int sg = compares ? as : ds;
    s128 x = !has("add") && (!strcmp(name, "vadd") || !strcmp(name, "vsub")) ? value_of((u)tmp, 32, 1) : tmp, c = value_of(at(2), 32, sg);
    if (!has("add") && !sg && x < 0) return has("min") ? (u)c : (u)x;
    return (u)(has("add") ? x + c : has("min") ? (x < c ? x : c) : x > c ? x : c);
  }
  if (in.operand_count < 3) return (u)tmp;
  if (bits == 32) return (u)tmp;
  int shift = bits * (in.result_sel[1] - '0');
  u field = mask_of(bits) << shift;
  // Hardware: into the upper half go the upper bits of the result.
  if (bits == 16 && shift == 16) shift = 0;
  return (at(2) & ~field) | ((u)tmp << shift & field);
}

static u video_simd(int count) {
  const char *name = in.words[0], *asel = in.operands[0].sel, *bsel = in.operands[1].sel, *mask = in.result_sel;
  int compares = !strncmp(name, "vset", 4), bits = 32 / count;
  int ds = compares ? 0 : is_signed_type(in.words[1]), as = is_signed_type(in.words[compares ? 1 : 2]);
  int bs = is_signed_type(in.words[compares ? 2 : 3]);
  u c = at(2), d = has("add") ? c : 0;
  for (int i = 0; i < count; i++) {
    // Selectors are written from the highest lane down.
    int from_a = *asel ? asel[count - i] - '0' : i, from_b = *bsel ? bsel[count - i] - '0' : count + i;
    s128 x = part(from_a < count ? at(0) : at(1), from_a % count, bits, as);
    s128 y = part(from_b < count ? at(0) : at(1), from_b % count, bits, bs);
    s128 t = core(name, x, y);
    if (has("sat")) t = limit(t, bits, ds);
    int written = *mask == 0 || strchr(mask + 1, '0' + i) != NULL;
    u field = mask_of(bits) << (bits * i);
    if (has("add")) d += written ? (u)t : 0;
    else d |= written ? (u)t << (bits * i) & field : c & field;
  }
  return d;
}

static int video(u *d) {
  if (in.words[0][0] != 'v') return 0;
  char last = in.words[0][strlen(in.words[0]) - 1];
  *d = opcode("vmad") ? video_mad() : last == '2' ? video_simd(2) : last == '4' ? video_simd(4) : video_scalar();
  return 1;
}
