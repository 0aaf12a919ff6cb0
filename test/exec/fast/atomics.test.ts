// Compares lowered atom and red with their reference meaning: edge-case and random operands on cells that lanes share,
// with all lanes, with some, and with a guard; in global and shared memory. ../launch/workers tests several host
// threads.

import test from "ava";
import { sample } from "../../sample.js";
import { onBothEngines, tellingWords, words } from "./both.js";

const CELLS = 4;
const ROUNDS = 6;
/** The buffer has, for each operation: its cells, old values of the three ways, then operands b and c. */
const CELL_BYTES = 8 * CELLS;
const OLD_BYTES = 3 * ROUNDS * 256;
const OPERAND_BYTES = ROUNDS * 256;

const operations = [
  ...["u32", "s32", "u64", "f32", "f64"].map((type) => ["add", type] as const),
  ...["min", "max"].flatMap((name) => ["u32", "s32", "u64", "s64"].map((type) => [name, type] as const)),
  ...["and", "or", "xor", "exch", "cas"].flatMap((name) => ["b32", "b64"].map((type) => [name, type] as const)),
  ...["f16", "bf16", "f16x2", "bf16x2"].map((type) => ["add.noftz", type] as const),
  ["cas", "b16"],
  ["inc", "u32"],
  ["dec", "u32"],
] as const;

/** The last two are generic addresses, of global and of shared memory. */
const spaces = ["global", "shared", "", "generic"] as const;

/** A kernel for each operation; the buffer has cells, operands, old values. */
function kernelOf(name: string, [op, type]: (typeof operations)[number], space: (typeof spaces)[number]): string {
  const wide = type.endsWith("64");
  const half = type.endsWith("16");
  const register = type === "f32" || type === "f64" ? type : wide ? "b64" : half ? "b16" : "b32";
  const plain = wide ? "b64" : half ? "b16" : "b32";
  const dot = space === "" || space === "generic" ? "" : `.${space}`;
  const isShared = space === "shared" || space === "generic";
  const cell = space === "shared" ? "%sc" : space === "generic" ? "%gen" : "%cell";
  const third = op === "cas" ? ", c" : "";
  const atom = `atom${dot}.${op}.${type} d, [${cell}+0], b${third};`;
  const red =
    op === "exch" || op === "cas"
      ? `atom${dot}.${op}.${type} _, [${cell}], b${third};`
      : `red${dot}.${op}.${type} [${cell}], b;`;
  const store = (way: number): string =>
    `st.global.${plain} [%p+${CELL_BYTES + 2 * OPERAND_BYTES + way * ROUNDS * 256}], d; mov.${plain} d, 0;`;
  const move = (from: string, to: string): string =>
    `ld.${from}.b64 %x, [${from === "shared" ? "%sc" : "%cell"}]; st.${to}.b64 [${to === "shared" ? "%sc" : "%cell"}], %x;`;
  return `
.visible .entry ${name}(.param .u64 buffer) {
  .reg .b64 %base, %p, %cell, %x, %gen; .reg .b32 %t, %n, %w, %sc; .reg .pred %more, %odd; .reg .${register} d, b, c;
  .shared .align 8 .b8 sh[${CELL_BYTES}];
  ld.param.u64 %base, [buffer]; mov.u32 %t, %laneid; mad.wide.u32 %p, %t, 8, %base;
  mul.lo.u32 %w, %t, 7; and.b32 %w, %w, ${CELLS - 1}; mad.wide.u32 %cell, %w, 8, %base; mov.u32 %sc, sh; mad.lo.u32 %sc, %w, 8, %sc;
  cvt.u64.u32 %gen, %sc; cvta.shared.u64 %gen, %gen;
  ${isShared ? move("global", "shared") : ""}
  mov.u32 %n, 0; and.b32 %w, %t, 5; setp.eq.u32 %odd, %w, 5; mov.${plain} d, 0;
again:
  ld.global.${plain} b, [%p+${CELL_BYTES}]; ld.global.${plain} c, [%p+${CELL_BYTES + OPERAND_BYTES}];
  ${atom} ${store(0)}
  @%odd bra skip; ${atom} skip: ${store(1)}
  @%odd ${atom} ${store(2)}
  ${red} @!%odd ${red}
  add.s64 %p, %p, 256; add.u32 %n, %n, 1; setp.lt.u32 %more, %n, ${ROUNDS}; @%more bra again;
  bar.sync 0;
  ${isShared ? move("shared", "global") : ""}
  ret;
}`;
}

/** Every other value of b equals c of an earlier lane, so that some exchanges succeed. */
function inputOf(): Uint8Array {
  const next = words(20261122);
  const input = new Int32Array((CELL_BYTES + 2 * OPERAND_BYTES + OLD_BYTES) / 4);
  const operands = (CELL_BYTES + 2 * OPERAND_BYTES) / 4;
  for (let i = 0; i < operands; i++) {
    const random = next();
    input[i] = (random & 3) === 0 ? next() : tellingWords[(random >>> 2) % tellingWords.length]!;
  }
  const [b, c] = [CELL_BYTES / 4, (CELL_BYTES + OPERAND_BYTES) / 4];
  for (let i = 0; i < OPERAND_BYTES / 4 - 8; i++) if (i % 16 < 8) input[b + i + 8] = input[c + i]!;
  return new Uint8Array(input.buffer);
}

test("atomics agree with their meanings", async (t) => {
  const cases = sample(
    spaces.flatMap((space) => operations.map((each) => [each, space] as const)),
    8,
    { name: String, kind: ([each]) => each[0]! },
  );
  const names = cases.map((_, i) => `k${i}`);
  const text = cases.map(([each, space], i) => kernelOf(names[i]!, each, space)).join("");
  const outcomes = await onBothEngines(text, inputOf(), { kernels: names });
  const wrong = outcomes.flatMap(([fast, reference], i) => {
    t.is(fast.result.fault, undefined);
    t.deepEqual(fast.result, reference.result);
    return Buffer.compare(fast.memory, reference.memory) === 0 ? [] : [`${cases[i]![0].join(".")} ${cases[i]![1]}`];
  });
  t.deepEqual(wrong, []);
});

test("an atomic that faults in one lane has taken effect for the lanes before it, once", async (t) => {
  const text = `
.visible .entry k(.param .u64 buffer) {
  .reg .b64 %p; .reg .b32 %t, d; .reg .pred %last;
  ld.param.u64 %p, [buffer]; mov.u32 %t, %laneid; setp.eq.u32 %last, %t, 22;
  @%last mov.u64 %p, 4096;
  atom.global.add.u32 d, [%p], 1;
  st.global.u32 [%p+4], d;
  ret;
}`;
  for (const [fast, reference] of await onBothEngines(text, new Uint8Array(64))) {
    t.is(fast.result.fault?.kind, "illegal-address");
    t.deepEqual(fast.result, reference.result);
    t.deepEqual(fast.memory, reference.memory);
    t.is(fast.memory[0], 22);
  }
});
