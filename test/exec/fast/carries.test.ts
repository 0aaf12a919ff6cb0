// Arithmetic with the carry flag on both engines: chains of every instruction, some links guarded or in another block,
// on edge cases and random words.

import test from "ava";
import { onBothEngines, tellingWords, words } from "./both.js";

const ROUNDS = 40;

interface Link {
  readonly name: string;
  readonly operands: 2 | 3;
}

const sums: readonly Link[] = ["add.cc", "addc.cc", "sub.cc", "subc.cc", "addc", "subc"].map((name) => ({
  name,
  operands: 2,
}));
const products: readonly Link[] = ["lo", "hi"].flatMap((part) =>
  [`mad.${part}.cc`, `madc.${part}.cc`, `madc.${part}`, `mad.${part}`].map((name) => ({ name, operands: 3 as const })),
);
const links = [...sums, ...products];

/** Chains in which each instruction follows each other one. A sum takes up every result, and addc every flag. */
function kernelOf(type: string): string {
  const wide = type.endsWith("64");
  const bits = wide ? "b64" : "b32";
  const operands = ["a", "b", "c"];
  const lines: string[] = [];
  links.forEach(({ name: first, operands: m }, i) =>
    links.forEach(({ name: second, operands: n }, j) => {
      const of = (count: number, from: number): string =>
        Array.from({ length: count }, (_, k) => operands[(from + k) % 3]).join(", ");
      const guard = (i + j) % 5 === 0 ? "@%q " : (i + j) % 7 === 0 ? "@!%q " : "";
      lines.push(`${first}.${type} d, ${of(m, i)}; ${guard}${second}.${type} e, ${of(n, j)}; addc.cc.${type} s, s, d;`);
      if ((i + j) % 11 === 0) lines.push(`@%q bra here${i}_${j}; here${i}_${j}:`);
      lines.push(`addc.${type} s, s, e;`);
    }),
  );
  const load = (register: string, at: number): string => `ld.global.${bits} ${register}, [%p+${at}];`;
  return `.visible .entry k(.param .u64 buffer) {
    .reg .b64 %p; .reg .b32 %lane, %n; .reg .pred %more, %q; .reg .${bits} a, b, c, d, e, s;
    ld.param.u64 %p, [buffer]; mov.u32 %lane, %laneid; mad.wide.u32 %p, %lane, 24, %p; mov.u32 %n, 0; mov.${bits} s, 0; mov.${bits} d, 0; mov.${bits} e, 0;
    again: ${load("a", 0)} ${load("b", 8)} ${load("c", 16)} setp.lt.u32 %q, %lane, %n;
    ${lines.join("\n    ")}
    st.global.${bits} [%p], s;
    add.s64 %p, %p, ${32 * 24}; add.u32 %n, %n, 1; setp.lt.u32 %more, %n, ${ROUNDS}; @%more bra again; ret;
  }`;
}

for (const type of ["u32", "s32", "u64", "s64"])
  test(`chains of carries are the same on both engines: ${type}`, async (t) => {
    const next = words(31 + type.length);
    const input = new Int32Array((ROUNDS * 32 * 24) / 4).map(() => {
      const random = next();
      return (random & 3) === 0 ? random : tellingWords[(random >>> 3) % tellingWords.length]!;
    });
    const [[fast, reference] = []] = await onBothEngines(kernelOf(type), new Uint8Array(input.buffer));
    t.is(reference!.result.fault, undefined);
    t.deepEqual(fast!.result, reference!.result);
    t.true(Buffer.compare(fast!.memory, reference!.memory) === 0);
  });

test("a block starts with a zero carry flag, whatever the previous one left", async (t) => {
  const text = `.visible .entry k(.param .u64 buffer) {
    .reg .b64 %p; .reg .b32 %t, %x, %l; ld.param.u64 %p, [buffer]; mov.u32 %t, %ctaid.x; mov.u32 %l, %laneid; mad.lo.u32 %t, %t, 32, %l; mad.wide.u32 %p, %t, 4, %p;
    addc.u32 %x, 0, 5; st.global.u32 [%p], %x; add.cc.u32 %x, -1, 2; ret; }`;
  const [[fast, reference] = []] = await onBothEngines(text, new Uint8Array(4 * 32 * 16), { grid: 16 });
  t.deepEqual(new Int32Array(fast!.memory.buffer), new Int32Array(32 * 16).fill(5));
  t.true(Buffer.compare(fast!.memory, reference!.memory) === 0);
});
