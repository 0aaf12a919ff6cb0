// atom and red of every operation, type and space, with scopes, orderings and hints: 32 lanes on four cells give the
// same as one thread that loads, computes with plain instructions and stores, lane after lane. (Other rows compare the
// plain instructions with C.) PTX ISA 9.0 sections 9.7.13.5 and 9.7.13.6. A sample has one opcode in 32, of each
// operation.

import test from "ava";
import { sample } from "../../sample.js";
import { hasModifier, modifier, type Opcode } from "../../../lib/isa/opcode.js";
import { dataType } from "../../../lib/isa/types.table.js";
import { atomicForms } from "./suites.js";
import { holdForms, isCurrent, opcodesOf, outputOf, viewOf } from "./support.js";
import { columnOf } from "./operands.js";

const CELLS = 4;
/** Bytes from cell to cell, and for a lane's operands and old values. */
const STRIDE = 32;
const CELLS_AT = 0;
const B_AT = CELLS * STRIDE;
const C_AT = B_AT + 32 * STRIDE;
const OLD_AT = CELLS * STRIDE;
const BYTES = OLD_AT + 32 * STRIDE;

const operations = ["add", "and", "or", "xor", "min", "max", "inc", "dec", "exch", "cas"];

interface Shape {
  readonly op: string;
  readonly type: string;
  /** Bits of one element, and the number of elements. */
  readonly bits: number;
  readonly count: number;
  readonly space: "global" | "shared" | "generic";
  /** Sums of f32 flush subnormal numbers, except in shared memory or with .noftz. */
  readonly flushes: boolean;
}

function shapeOf(opcode: Opcode): Shape {
  const type = opcode.chosen.findLast((text) => text !== undefined && dataType(text) !== undefined)!;
  const chosen = opcode.chosen.find((text) => text?.startsWith("shared") === true || text === "global");
  const space = chosen === undefined ? "generic" : chosen === "global" ? "global" : "shared";
  return {
    op: opcode.chosen.find((text) => text !== undefined && operations.includes(text))!,
    type,
    bits: dataType(type)!.bits,
    count: Number(modifier(opcode, "vec")?.slice(1) ?? 1),
    space,
    flushes: space !== "shared" && !hasModifier(opcode, "noftz"),
  };
}

const kindOf = (opcode: Opcode): string => shapeOf(opcode).op;

/** Cells, then operands b and c of each lane; a few lanes compare with the cell's value. */
function inputOf({ type, bits, count, op }: Shape): Uint8Array {
  const kind = type === "bf16" || type === "bf16x2" || /^f/.test(type) ? type : `i${Math.min(64, bits)}`;
  const bytes = new Uint8Array(C_AT + 32 * STRIDE);
  const view = viewOf(bytes);
  const put = (at: number, value: bigint): void => {
    for (let i = 0; i < Math.min(8, bits / 8); i++) view.setUint8(at + i, Number((value >> BigInt(8 * i)) & 0xffn));
  };
  const elements = bits === 128 ? 2 : count;
  const step = Math.min(8, bits / 8);
  const [b, c] = [columnOf(kind, 0), columnOf(kind, 1)];
  for (let cell = 0; cell < CELLS; cell++)
    for (let i = 0; i < elements; i++) put(CELLS_AT + cell * STRIDE + step * i, c[7 * cell + i]!);
  for (let lane = 0; lane < 32; lane++)
    for (let i = 0; i < elements; i++) {
      put(B_AT + lane * STRIDE + step * i, b[(lane + 41 * i) % b.length]!);
      put(C_AT + lane * STRIDE + step * i, c[(lane + 13 * i) % c.length]!);
      // cas: the previous lane's new value, so that every other exchange succeeds.
      if (op === "cas") {
        const source = lane < CELLS ? CELLS_AT + lane * STRIDE : C_AT + (lane - CELLS) * STRIDE;
        if (lane % 3 !== 2)
          bytes.copyWithin(B_AT + lane * STRIDE + step * i, source + step * i, source + step * (i + 1));
      }
    }
  return bytes;
}

const register = (bits: number, type: string): string => (type === "f32" || type === "f64" ? type : `b${bits}`);
const list = (letter: string, count: number): string =>
  count === 1 ? `${letter}0` : `{${Array.from({ length: count }, (_, i) => `${letter}${i}`).join(", ")}}`;

/** Loads or stores of `count` elements at an address; 128 bits as two halves. */
function access(op: "ld" | "st", letter: string, { bits, count }: Shape, space: string, at: string): string {
  if (bits === 128)
    return op === "ld"
      ? `ld${space}.v2.b64 {h0, h1}, [${at}]; mov.b128 ${letter}0, {h0, h1};`
      : `mov.b128 {h0, h1}, ${letter}0; st${space}.v2.b64 [${at}], {h0, h1};`;
  return Array.from({ length: count }, (_, i) => {
    const [name, place] = [`${letter}${i}`, `[${at}+${(bits / 8) * i}]`];
    return op === "ld" ? `ld${space}.b${bits} ${name}, ${place};` : `st${space}.b${bits} ${place}, ${name};`;
  }).join(" ");
}

/** Computes n from o, b and c with plain instructions. */
function plain({ op, type, bits, count, space, flushes }: Shape): string {
  return Array.from({ length: count }, (_, i) => {
    const [n, o, b, c] = ["n", "o", "b", "c"].map((letter) => `${letter}${i}`) as [string, string, string, string];
    switch (op) {
      case "add":
        if (type === "f32") return `add.rn${flushes ? ".ftz" : ""}.f32 ${n}, ${o}, ${b};`;
        // On an H200, shared memory adds the old value to the operand; global memory returns a NaN unchanged, the
        // operand's first.
        if (type === "f64" && space === "shared") return `add.rn.f64 ${n}, ${b}, ${o};`;
        if (type === "f64")
          return `add.rn.f64 ${n}, ${o}, ${b}; testp.notanumber.f64 p, ${o}; selp.f64 ${n}, ${o}, ${n}, p;
            testp.notanumber.f64 p, ${b}; selp.f64 ${n}, ${b}, ${n}, p;`;
        return `add${/f/.test(type) ? ".rn" : ""}.${type} ${n}, ${o}, ${b};`;
      case "inc":
        return `setp.ge.u32 p, ${o}, ${b}; add.u32 ${n}, ${o}, 1; selp.b32 ${n}, 0, ${n}, p;`;
      case "dec":
        return `setp.eq.u32 p, ${o}, 0; setp.gt.or.u32 p, ${o}, ${b}, p; sub.u32 ${n}, ${o}, 1; selp.b32 ${n}, ${b}, ${n}, p;`;
      case "exch":
        return `mov.b${bits} ${n}, ${b};`;
      case "cas":
        return bits === 128
          ? `mov.b128 {h0, h1}, ${o}; mov.b128 {h2, h3}, ${b}; mov.b128 {h4, h5}, ${c}; setp.eq.u64 p, h0, h2; setp.eq.and.u64 p, h1, h3, p;
             selp.b64 h0, h4, h0, p; selp.b64 h1, h5, h1, p; mov.b128 ${n}, {h0, h1};`
          : `setp.eq.b${bits} p, ${o}, ${b}; selp.b${bits} ${n}, ${c}, ${o}, p;`;
      default:
        return `${op}.${type} ${n}, ${o}, ${b};`;
    }
  }).join(" ");
}

function declarations({ bits, type, count }: Shape): string {
  const registers = ["o", "b", "c", "n"].map((letter) => `${letter}<${count}>`).join(", ");
  return `.reg .${register(bits, type)} ${registers}; .reg .b64 h<6>, %cell, %lane, %mine, %pol; .reg .pred p; .reg .b32 %w;
    .shared .align 128 .b8 sh[${CELLS * STRIDE}];`;
}

const copy = (from: string, to: string, at: (i: number) => readonly [string, string]): string =>
  Array.from({ length: (CELLS * STRIDE) / 8 }, (_, i) => {
    const [source, target] = at(8 * i);
    return `ld.${from}.b64 h0, [${source}]; st.${to}.b64 [${target}], h0;`;
  }).join(" ");

/** The atomic itself, by 32 lanes. */
function atomicBody(opcode: Opcode, shape: Shape): string {
  const isShared = shape.space === "shared";
  const isRed = opcode.form.opcode === "red";
  const policy = hasModifier(opcode, "L2::cache_hint") ? ", %pol" : "";
  const value = (letter: string): string => list(letter, shape.count);
  const third = opcode.form.operands.some(({ name }) => name === "c") ? `, ${value("c")}` : "";
  const result = isRed ? "" : `${value("o")}, `;
  return `${declarations(shape)}
    ${isShared ? copy("global", "shared", (i) => [`%in+${CELLS_AT + i}`, `sh+${i}`]) : copy("global", "global", (i) => [`%in+${CELLS_AT + i}`, `%out+${i}`])}
    mov.u64 %pol, 0; and.b32 %w, %t, ${CELLS - 1}; mul.wide.u32 %cell, %w, ${STRIDE}; mul.wide.u32 %lane, %t, ${STRIDE};
    ${isShared ? "mov.u64 %mine, sh; add.u64 %cell, %cell, %mine;" : "add.u64 %cell, %cell, %out;"}
    add.u64 %mine, %in, %lane; ${access("ld", "b", shape, ".global", `%mine+${B_AT}`)} ${access("ld", "c", shape, ".global", `%mine+${C_AT}`)}
    bar.warp.sync -1;
    ${opcode.spelling} ${result}[%cell], ${value("b")}${third}${policy};
    bar.warp.sync -1;
    ${isShared ? copy("shared", "global", (i) => [`sh+${i}`, `%out+${i}`]) : ""}
    ${isRed ? "" : `add.u64 %mine, %out, %lane; ${access("st", "o", shape, ".global", `%mine+${OLD_AT}`)}`}`;
}

/** The same by one thread, lane after lane. */
function plainBody(opcode: Opcode, shape: Shape): string {
  const isRed = opcode.form.opcode === "red";
  return `${declarations(shape)} ${copy("global", "global", (i) => [`%in+${CELLS_AT + i}`, `%out+${i}`])}
    mov.u32 %t, 0;
    more: and.b32 %w, %t, ${CELLS - 1}; mul.wide.u32 %cell, %w, ${STRIDE}; mul.wide.u32 %lane, %t, ${STRIDE}; add.u64 %cell, %cell, %out;
    add.u64 %mine, %in, %lane; ${access("ld", "b", shape, ".global", `%mine+${B_AT}`)} ${access("ld", "c", shape, ".global", `%mine+${C_AT}`)}
    ${access("ld", "o", shape, ".global", "%cell")} ${plain(shape)} ${access("st", "n", shape, ".global", "%cell")}
    ${isRed ? "" : `add.u64 %mine, %out, %lane; ${access("st", "o", shape, ".global", `%mine+${OLD_AT}`)}`}
    add.u32 %t, %t, 1; setp.lt.u32 p, %t, 32; @p bra more;`;
}

const tested = new Set<string>();

for (const id of atomicForms)
  test(`${id} gives what one thread computes with plain instructions`, async (t) => {
    tested.add(id);
    // For one opcode of each operation, type, length and space the result is computed; the other modifiers must not
    // change it.
    const expected = new Map<string, Uint8Array>();
    const opcodes = opcodesOf(id, ["op", "type", "vec", "space"]).filter(isCurrent);
    for (const opcode of sample(opcodes, 32, { name: ({ spelling }) => spelling, kind: kindOf })) {
      const shape = shapeOf(opcode);
      const input = inputOf(shape);
      const key = JSON.stringify(shape);
      let wanted = expected.get(key);
      if (wanted === undefined) {
        wanted = await outputOf({ body: plainBody(opcode, shape) }, input, BYTES, { block: 1 });
        expected.set(key, wanted);
      }
      const found = await outputOf({ body: atomicBody(opcode, shape) }, input, BYTES);
      t.deepEqual(Buffer.from(found).toString("hex"), Buffer.from(wanted).toString("hex"), opcode.spelling);
    }
  });

test("a generic address of shared memory is shared: it keeps subnormal numbers", async (t) => {
  const body = `.shared .b32 s; .reg .b64 %a; .reg .f32 %f, %g; mov.f32 %f, 0f00000003; st.shared.f32 [s], %f; mov.u64 %a, s; cvta.shared.u64 %a, %a;
    atom.add.f32 %g, [%a], %f; ld.shared.f32 %f, [s]; st.global.f32 [%out], %f; st.global.f32 [%out+8], 0f00000001; red.global.add.f32 [%out+8], 0f00000003;`;
  const bytes = await outputOf({ body }, new Uint8Array(8), 12, { block: 1 });
  t.deepEqual([bytes[0], bytes[8]], [6, 0]);
});

holdForms(atomicForms, tested);
