// Statements that use the system: printf and the heap. They print nothing in C, because the order of printing lanes is
// undefined; the engines must print the same in the same order.

import { type Builder, pick, register } from "./builder.js";
import { line, type Line } from "./tree.js";

const formats = ["%u: %d %llx\n", "%5u|%#010x|%-20lld|", "%u %c %llu\n"];

const bytes = (text: string): string => [...Buffer.from(`${text}\0`)].join(", ");

/** Declarations that the module and each function need. */
export const SYSTEM = {
  declarations: [
    ".extern .func (.param .b32 count) vprintf (.param .b64 format, .param .b64 arguments);",
    ".extern .func (.param .b64 place) malloc (.param .b64 size);",
    ".extern .func free (.param .b64 place);",
    ...formats.map((text, i) => `.global .align 1 .b8 format${i}[${text.length + 1}] = { ${bytes(text)} };`),
  ].join("\n"),
  local: ".local .align 8 .b8 said[16];",
} as const;

/** Some lanes print a line. */
export function print(builder: Builder): Line {
  const { random } = builder;
  const [d, a, b] = [register(builder, "r"), register(builder, "r"), register(builder, "l")];
  const [format, which] = [random.below(formats.length), random.below(8)];
  const skip = `Lsaid${builder.counters.label++}`;
  return line(
    `{ .reg .pred %q; .reg .b32 %x; .reg .b64 %f, %a; .param .b64 f; .param .b64 v; .param .b32 back; and.b32 %x, %thread, 7; ` +
      `setp.ne.u32 %q, %x, ${which}; @%q bra ${skip}; st.local.b32 [said], %thread; st.local.b32 [said+4], %${a}; ` +
      `st.local.b64 [said+8], %${b}; mov.u64 %f, format${format}; cvta.global.u64 %f, %f; mov.u64 %a, said; cvta.local.u64 %a, %a; ` +
      `st.param.b64 [f], %f; st.param.b64 [v], %a; call (back), vprintf, (f, v); ld.param.b32 %${d}, [back]; ${skip}: }`,
    `if ((me->thread & 7) == ${which}) ${d} = 3;`,
  );
}

/** Allocates memory of the heap, stores and loads once, and frees it. */
export function heap(builder: Builder): Line {
  const { random } = builder;
  const [d, a] = [register(builder, "l"), register(builder, "l")];
  const size = pick(random, [8, 24, 100, 4096]);
  const at = 8 * random.below(Math.floor(size / 8));
  return line(
    `{ .reg .b64 %a; .param .b64 s; .param .b64 back; st.param.b64 [s], ${size}; call (back), malloc, (s); ld.param.b64 %a, [back]; ` +
      `st.b64 [%a+${at}], %${a}; ld.b64 %${d}, [%a+${at}]; { .param .b64 p; st.param.b64 [p], %a; call free, (p); } }`,
    `${d} = ${a};`,
  );
}
