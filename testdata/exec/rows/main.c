// What single instructions give, as C's arithmetic has it: integers as 128-bit integers, f32 and f64 by the processor under
// fesetround, everything else exactly in __float128 and rounded once. Sections are those of PTX ISA 9.0; nothing of lib/ is
// used. test/exec/rows runs it: `node dist/test/exec/rows/record.js` compiles it with
//
//   gcc -O1 -frounding-math -mfma -o rows main.c -lquadmath -lm
//
// and writes what it gives to testdata/exec/rows.txt. Input, in lines: "columns N", how many values each column of operands
// has; "column NAME VALUE...", in hexadecimal; "case SM VERSION RESULTS COLUMN,... TEXT". Output: for each case, its results (one or two) for
// all values, eight bytes each.
#include "case.h"
#include "integer.h"
#include "video.h"
#include "float.h"
#include "convert.h"

static struct { char name[24]; u *values; } columns[64];
static int column_count, length;
static u *column(const char *name) {
  for (int i = 0; i < column_count; i++) if (!strcmp(columns[i].name, name)) return columns[i].values;
  fprintf(stderr, "no column %s\n", name);
  exit(1);
}

static u evaluate(u *second) {
  u d = 0;
  *second = 0;
  if (opcode("lop3")) {
    // The table is the operand behind a, b and c; then comes the predicate.
    d = truth_table(at(3));
    if (in.is_pair) { int c = (int)(at(4) & 1) ^ in.operands[4].negated; *second = (u)(has("or") ? (d != 0) | c : (d != 0) & c); }
    return d;
  }
  if (opcode("selp")) return (at(2) & 1) != (u)in.operands[2].negated ? at(0) : at(1);
  if (opcode("addc") || opcode("subc") || opcode("madc") || has("cc")) return with_carry(second);
  if (opcode("and") || opcode("or") || opcode("xor") || opcode("not") || opcode("mov"))
    for (int i = 0; i < in.operand_count; i++) if (in.operands[i].negated) in.operands[i].value ^= 1;
  // Packed integers are compared as such, and not as halves.
  if (opcode("set") && lanes_of(type_at(0)) > 1 && type_at(0).class != 'f' && type_at(1).class == 0 && integer(&d)) return d;
  if (convert(&d) || video(&d) || floating(&d, second) || integer(&d)) return d;
  fprintf(stderr, "what is %s?\n", in.words[0]);
  exit(1);
}

int main(void) {
  static char line[1 << 20];
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = 0;
    if (!strncmp(line, "columns ", 8)) length = atoi(line + 8);
    else if (!strncmp(line, "column ", 7)) {
      char *rest = line + 7, *name = strsep(&rest, " ");
      snprintf(columns[column_count].name, 24, "%s", name);
      u *values = columns[column_count++].values = malloc(sizeof(u) * (size_t)length);
      for (int i = 0; i < length; i++) values[i] = strtoull(rest, &rest, 16);
    } else if (!strncmp(line, "case ", 5)) {
      char *rest = line + 5;
      in.sm = atoi(strsep(&rest, " ")); in.version = atoi(strsep(&rest, " "));
      int results = atoi(strsep(&rest, " "));
      char *names = strsep(&rest, " ");
      parse(rest);
      u *sources[8]; int count = 0;
      for (char *name = strtok(names, ","); name != NULL; name = strtok(NULL, ",")) if (strcmp(name, "-")) sources[count++] = column(name);
      for (int i = 0; i < length; i++) {
        int next = 0, written = in.operand_count;
        for (int k = 0; k < written; k++) if (!in.operands[k].immediate) in.operands[k].value = sources[next++][i];
        // A carry-in has no place in the text: it is the column behind the operands'.
        if (next < count) in.operands[in.operand_count++].value = sources[next][i];
        u out[2];
        out[0] = evaluate(&out[1]);
        in.operand_count = written;
        fwrite(out, 8, (size_t)results, stdout);
      }
    }
  }
  return 0;
}
