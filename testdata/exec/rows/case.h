// One instruction as text and what can be asked of it: its modifiers, its operands' values in the case at hand.
#include <fenv.h>
#include <math.h>
#include <quadmath.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u;
typedef int64_t s;
typedef __int128 s128;
typedef unsigned __int128 u128;
typedef __float128 q;

typedef struct { char name[8], sel[8]; int negated, immediate; u value; } Operand;
static struct {
  char words[24][24]; int word_count;
  /** Operands behind the results, vectors spread out. */
  Operand operands[8]; int operand_count;
  char result_sel[8];
  int sm, version, is_pair;
} in;

/** Whether a modifier is there. */
static int has(const char *word) {
  for (int i = 1; i < in.word_count; i++) if (!strcmp(in.words[i], word)) return 1;
  return 0;
}
static int opcode(const char *name) { return !strcmp(in.words[0], name); }
static u mask_of(int bits) { return bits == 64 ? ~0ull : (1ull << bits) - 1; }

typedef struct { char name[12], class; int bits; } Type;
/** u32: unsigned, 32 bits; e4m3x2: a float of 8 bits. `i` counts the types among the modifiers. */
static Type type_at(int index) {
  static const struct { const char *name; int bits; } floats[] = { { "f16", 16 }, { "bf16", 16 }, { "f32", 32 }, { "f64", 64 },
    { "tf32", 32 }, { "e4m3", 8 }, { "e5m2", 8 }, { "e2m3", 8 }, { "e3m2", 8 }, { "e2m1", 4 }, { "ue8m0", 8 } };
  Type t = { "", 0, 0 };
  for (int i = 1; i < in.word_count; i++) {
    const char *w = in.words[i];
    char class = 0; int bits = 0;
    if (!strncmp(w, "s2f6", 4)) class = 'f', bits = 8;
    else if (!strcmp(w, "pred")) class = 'p', bits = 1;
    else if ((*w == 'u' || *w == 's' || *w == 'b') && w[1] >= '0' && w[1] <= '9') class = *w, bits = atoi(w + 1);
    else for (unsigned f = 0; f < sizeof floats / sizeof *floats; f++) {
      size_t n = strlen(floats[f].name);
      if (!strncmp(w, floats[f].name, n) && (w[n] == 0 || w[n] == 'x')) class = 'f', bits = floats[f].bits;
    }
    if (!class || index-- > 0) continue;
    snprintf(t.name, sizeof t.name, "%s", w);
    t.class = class; t.bits = bits;
    return t;
  }
  return t;
}
/** Elements of a packed type. */
static int lanes_of(Type t) { const char *x = strchr(t.name, 'x'); return x == NULL ? 1 : atoi(x + 1); }

/** Operand by its place behind the results, from 0. */
static u at(int i) { return in.operands[i].value; }
/** The same as an integer of that type. */
static s128 value_of(u x, int bits, int is_signed) {
  u field = x & mask_of(bits);
  return is_signed && field >> (bits - 1) & 1 ? (s128)field - ((s128)1 << bits) : (s128)field;
}
static s128 least_of(int bits, int is_signed) { return is_signed ? -((s128)1 << (bits - 1)) : 0; }
static s128 most_of(int bits, int is_signed) { return ((s128)1 << (bits - is_signed)) - 1; }
static s128 clamp(s128 x, s128 low, s128 high) { return x < low ? low : x > high ? high : x; }
static s128 limit(s128 x, int bits, int is_signed) { return clamp(x, least_of(bits, is_signed), most_of(bits, is_signed)); }

static void parse_operand(const char *text, Operand *o) {
  memset(o, 0, sizeof *o);
  while (*text == ' ') text++;
  if (*text == '!' || *text == '-') o->negated = 1, text++;
  if (*text >= '0' && *text <= '9') {
    // 0f and 0d: the bits of a float.
    int is_float = text[0] == '0' && (text[1] == 'f' || text[1] == 'd');
    o->immediate = 1; o->value = strtoull(is_float ? text + 2 : text, NULL, is_float ? 16 : 0);
    return;
  }
  size_t n = strcspn(text, ". ,;");
  snprintf(o->name, sizeof o->name, "%.*s", (int)n, text);
  if (text[n] == '.') snprintf(o->sel, sizeof o->sel, "%.*s", (int)strcspn(text + n + 1, " ,;"), text + n + 1);
}
/** "setp.lt.and.s32 p|q, a, b, !c": modifiers and operands. */
static void parse(char *text) {
  char *rest = strchr(text, ' ');
  if (rest != NULL) *rest++ = 0;
  in.word_count = 0;
  for (char *w = strtok(text, "."); w != NULL; w = strtok(NULL, ".")) snprintf(in.words[in.word_count++], 24, "%s", w);
  in.operand_count = 0; in.is_pair = 0; in.result_sel[0] = 0;
  int first = 1;
  for (char *o = rest == NULL ? NULL : strtok(rest, ",{}"); o != NULL; o = strtok(NULL, ",{}")) {
    while (*o == ' ') o++;
    if (*o == 0) continue;
    if (first) {
      Operand d; parse_operand(o, &d);
      strcpy(in.result_sel, d.sel); in.is_pair = strchr(o, '|') != NULL; first = 0;
    } else parse_operand(o, &in.operands[in.operand_count++]);
  }
}
