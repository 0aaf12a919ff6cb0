// What C's printf prints: a line "KIND STARS [STAR...] VALUE FORMAT" in, a line out. KIND is i (an int), l (long long), d (a
// double), s (the string "wonderful"); VALUE are its bits in hexadecimal, STARS the number of widths and precisions from arguments.
// test/exec/printf-c.test.ts makes the lines, and records what comes out with PTXKIT_UPDATE=1:
//
//   gcc -O1 -w -o printf printf.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  static char line[4096], out[1 << 18];
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = 0;
    char *rest = line;
    char kind = *strsep(&rest, " ");
    int stars = atoi(strsep(&rest, " ")), star[2] = { 0, 0 };
    for (int i = 0; i < stars; i++) star[i] = atoi(strsep(&rest, " "));
    unsigned long long bits = strtoull(strsep(&rest, " "), NULL, 16);
    double real;
    memcpy(&real, &bits, 8);
#define PRINT(value) (stars == 0 ? snprintf(out, sizeof out, rest, value) : stars == 1 ? snprintf(out, sizeof out, rest, star[0], value) \
  : snprintf(out, sizeof out, rest, star[0], star[1], value))
    if (kind == 'i') PRINT((int)bits); else if (kind == 'l') PRINT((long long)bits); else if (kind == 'd') PRINT(real); else PRINT("wonderful");
    puts(out);
  }
  return 0;
}
