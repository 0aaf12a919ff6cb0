// mov in all forms, and addresses in all spaces: bits are unchanged, and a generic address refers to the variable that
// it was made from. PTX ISA 9.0 sections 9.7.9.3, 9.7.9.4, 9.7.9.19, 9.7.9.20, 9.7.9.23 and 9.7.9.24.

import test from "ava";
import { dataType } from "../../../lib/isa/types.table.js";
import { moveForms } from "./suites.js";
import { holdForms, isCurrent, opcodesOf, outputOf, randomBytes } from "./support.js";

const LANES = 32;
const STRIDE = 32;
const input = randomBytes(LANES * STRIDE, 7);
// Signalling NaNs of every size at the beginning of the first lanes.
input.set([0x01, 0x00, 0x80, 0x7f], 0);
input.set([0x01, 0, 0, 0, 0, 0, 0xf0, 0xff], STRIDE);
const at = "mul.wide.u32 %x, %t, 32; add.u64 %in, %in, %x; add.u64 %out, %out, %x;";
const regs = ".reg .b64 %x; .reg .pred %p; .reg .b32 %w;";

/** The first `bytes` of each lane's 32. */
const firsts = (bytes: Uint8Array, count: number): readonly string[] =>
  Array.from({ length: LANES }, (_, l) => Buffer.from(bytes.subarray(STRIDE * l, STRIDE * l + count)).toString("hex"));

const tested = new Set<string>();

for (const id of ["mov", "mov.vector"])
  test(`${id} copies every type's bits, a register to itself too`, async (t) => {
    tested.add(id);
    for (const opcode of opcodesOf(id).filter(isCurrent)) {
      const type = opcode.chosen.at(-1)!;
      const count = id === "mov.vector" ? Number(opcode.chosen[0]!.slice(1)) : 1;
      if (type === "pred") continue;
      const bits = dataType(type)!.bits;
      const names = Array.from({ length: count }, (_, i) => `a${i}`);
      const load = names.map((n, i) => `ld.global.b${bits} ${n}, [%in+${(bits / 8) * i}];`).join(" ");
      const store = names.map((_, i) => `st.global.b${bits} [%out+${(bits / 8) * i}], d${i};`).join(" ");
      const vector = (letter: string): string =>
        id === "mov" ? `${letter}0` : `{${names.map((_, i) => `${letter}${i}`).join(", ")}}`;
      const kind = /^f/.test(type) ? type : `b${bits}`;
      const body = `${regs} .reg .${kind} a<4>, d<4>; ${at} ${load} ${opcode.spelling} ${vector("d")}, ${vector("a")};
        ${opcode.spelling} ${vector("d")}, ${vector("d")}; ${store}`;
      const bytes = (bits / 8) * count;
      t.deepEqual(
        firsts(await outputOf({ body }, input, LANES * STRIDE), bytes),
        firsts(input, bytes),
        opcode.spelling,
      );
    }
  });

test("mov.pred copies and negates; vectors may be permuted in place", async (t) => {
  const body = `.reg .pred p, q, r; .reg .b32 w, x, a<4>; .reg .b64 %x; and.b32 w, %t, 1; setp.ne.u32 p, w, 0;
    mov.pred q, p; mov.pred r, !p; selp.u32 w, 1, 0, q; selp.u32 x, 2, 0, r; add.u32 a0, w, x;
    mov.u32 a1, 10; mov.u32 a2, 20; mov.u32 a3, 30; mov.v4.b32 {a0, a1, a2, a3}, {a1, a2, a3, a0};
    mul.wide.u32 %x, %t, 16; add.u64 %out, %out, %x; st.global.v4.u32 [%out], {a0, a1, a2, a3};`;
  const words = new Uint32Array((await outputOf({ body }, input, LANES * 16)).buffer);
  t.deepEqual([...words], Array.from({ length: LANES }, (_, l) => [10, 20, 30, (l & 1) === 1 ? 1 : 2]).flat());
});

/** Ways to divide a value of that many bits. */
const splits: Readonly<Record<number, readonly number[]>> = { 16: [2], 32: [2, 4], 64: [2, 4], 128: [2, 4] };

test("mov.pack and mov.unpack join and split registers, low part first", async (t) => {
  for (const id of ["mov.pack", "mov.unpack"]) {
    tested.add(id);
    for (const opcode of opcodesOf(id)) {
      const { bits } = dataType(opcode.chosen[0]!)!;
      for (const count of splits[bits]!) {
        const part = bits / count;
        const parts = Array.from({ length: count }, (_, i) => `p${i}`);
        const elements = `{${parts.join(", ")}}`;
        const each = (op: (name: string, offset: number) => string): string =>
          parts.map((name, i) => op(name, (part / 8) * i)).join(" ");
        const whole = bits === 128 ? "v2.b64" : `b${bits}`;
        const halves = bits === 128 ? "{h0, h1}" : "d";
        const join = bits === 128 ? "mov.b128 d, {h0, h1};" : "";
        const take = bits === 128 ? "mov.b128 {h0, h1}, d;" : "";
        const move =
          id === "mov.pack"
            ? `${each((n, o) => `ld.global.b${part} ${n}, [%in+${o}];`)} ${opcode.spelling} d, ${elements}; ${take} st.global.${whole} [%out], ${halves};`
            : `ld.global.${whole} ${halves}, [%in]; ${join} ${opcode.spelling} ${elements}, d; ${each((n, o) => `st.global.b${part} [%out+${o}], ${n};`)}`;
        const body = `${regs} .reg .b${bits} d; .reg .b${part} p<4>; .reg .b64 h<2>; ${at} ${move}`;
        const found = await outputOf({ body }, input, LANES * STRIDE);
        t.deepEqual(firsts(found, bits / 8), firsts(input, bits / 8), `${opcode.spelling} of ${count}`);
      }
    }
  }
});

test("mov of a variable's name gives its address, in the bits of the type", async (t) => {
  tested.add("mov.address");
  const before = ".shared .align 4 .b8 sh[300];";
  for (const opcode of opcodesOf("mov.address").filter(isCurrent)) {
    const { bits } = dataType(opcode.chosen[0]!)!;
    const body = `.reg .b64 %x; .reg .b${bits} d; mov.u64 %x, sh+260; st.global.u64 [%out], %x;
      ${opcode.spelling} d, sh+260; st.global.b${bits} [%out+8], d;`;
    const bytes = await outputOf({ before, body }, input, 16);
    t.deepEqual(bytes.subarray(8, 8 + bits / 8), bytes.subarray(0, bits / 8), opcode.spelling);
    t.is(bytes[0], 260 & 255);
  }
});

// ------------------------------------------------------------------------------------------------------------- addresses

/** How to get the address of a variable in each space, and its contents. */
const spaces: Readonly<Record<string, { readonly address: string; readonly value: number }>> = {
  global: { address: "mov.u64 %a, g;", value: 11 },
  const: { address: "mov.u64 %a, c;", value: 22 },
  shared: { address: "mov.u64 %a, s; st.shared.u32 [s], 33;", value: 33 },
  local: { address: "mov.u64 %a, l; st.local.u32 [l], 44;", value: 44 },
  param: { address: "mov.u64 %a, pb;", value: 55 },
};
const variables = ".global .u32 g = 11; .const .u32 c = 22; .shared .u32 s;";
const spaceOf = (modifier: string): string => modifier.split("::")[0]!;

/** A kernel with an array parameter, which outputOf's kernel does not have. */
const address = (name: string): string =>
  name === "param" ? "mov.b64 %a, in; cvta.param.u64 %g, %a;" : `${spaces[name]!.address} cvta.${name}.u64 %g, %a;`;

test("cvta makes a generic address of any space's, and cvta.to takes it back", async (t) => {
  for (const opcode of [...opcodesOf("cvta"), ...opcodesOf("cvta.to")]) {
    tested.add(opcode.form.id);
    // ../narrow.test.ts tests those of modules with 32-bit addresses.
    if (opcode.chosen.includes("u32")) continue;
    const modifier = opcode.chosen.find((text) => text !== undefined && spaces[spaceOf(text)] !== undefined)!;
    const space = spaceOf(modifier);
    const there = space === "param" ? "mov.b64 %a, in;" : spaces[space]!.address;
    const to =
      opcode.form.id === "cvta"
        ? `cvta.${modifier}.u64 %g, %a; cvta.to.${space}.u64 %b, %g;`
        : `cvta.${space}.u64 %g, %a; ${opcode.spelling} %b, %g;`;
    const body = `.reg .b64 %a, %b, %g, %v; .reg .b32 %w; .reg .pred %p; .local .u32 l; ${there} ${to}
      ld.u32 %w, [%g]; setp.eq.u64 %p, %a, %b; selp.u32 %w, %w, 0, %p; st.global.u32 [%out], %w;`;
    const [found] = new Uint32Array((await outputOf({ before: variables, body }, input, 4, { block: 1 })).buffer);
    if (space === "param") t.not(found, 0, opcode.spelling);
    else t.is(found, spaces[space]!.value, opcode.spelling);
  }
});

test("isspacep knows every window", async (t) => {
  tested.add("isspacep");
  for (const opcode of opcodesOf("isspacep")) {
    const asked = spaceOf(opcode.chosen[0]!);
    for (const name of Object.keys(spaces)) {
      const body = `.reg .b64 %a, %g; .reg .b32 %w; .reg .pred %p; .local .u32 l; ${address(name)}
        ${opcode.spelling} %p, %g; selp.u32 %w, 1, 0, %p; st.global.u32 [%out], %w;`;
      const [found] = await outputOf({ before: variables, body }, input, 1, { block: 1 });
      // On hardware, kernel parameters are in global memory, too.
      t.is(
        found === 1,
        asked === name || (asked === "global" && name === "param"),
        `${opcode.spelling} of an address of ${name}`,
      );
    }
  }
});

test("mapa gives the same offset in another block of the cluster, and getctarank the rank of an address", async (t) => {
  for (const opcode of [...opcodesOf("mapa"), ...opcodesOf("getctarank")]) {
    tested.add(opcode.form.id);
    const isGeneric = !opcode.chosen.includes("shared::cluster");
    const { bits } = dataType(opcode.chosen.at(-1)!)!;
    if (isGeneric && bits === 32) continue;
    const generic = isGeneric ? "cvta.shared.u64 %a, %a;" : "";
    const space = isGeneric ? "" : ".shared::cluster";
    const operand = bits === 64 ? "%a" : "%a32";
    const narrow = bits === 64 ? "" : "cvt.u32.u64 %a32, %a;";
    const mapped = bits === 64 ? "%m" : "%m32";
    // Each block reads from its neighbour, the next by rank.
    const body = `.reg .b64 %a, %m; .reg .b32 %a32, %m32, %r, %n, %v, %rank; .shared .align 4 .b32 s;
      mov.u32 %r, %cluster_ctarank; mad.lo.u32 %v, %r, 10, 100; st.shared.u32 [s], %v; add.u32 %n, %r, 1; and.b32 %n, %n, 3;
      barrier.cluster.arrive; barrier.cluster.wait;
      mov.u64 %a, s; ${generic} ${narrow}
      mapa${space}.u${bits} ${mapped}, ${operand}, %n; ${opcode.form.id === "mapa" ? `${opcode.spelling} ${mapped}, ${operand}, %n;` : ""}
      ld${space}.u32 %v, [${isGeneric ? "%m" : mapped}];
      ${opcode.form.id === "getctarank" ? opcode.spelling : `getctarank${space}.u${bits}`} %rank, ${mapped};
      mad.lo.u32 %v, %v, 10, %rank; mul.wide.u32 %m, %r, 4; add.u64 %out, %out, %m; st.global.u32 [%out], %v;
      barrier.cluster.arrive; barrier.cluster.wait;`;
    const bytes = await outputOf({ body }, input, 16, { grid: 4, block: 1, cluster: 4 });
    t.deepEqual(
      [...new Uint32Array(bytes.buffer)],
      [1, 2, 3, 0].map((next) => (100 + 10 * next) * 10 + next),
      opcode.spelling,
    );
  }
});

holdForms(moveForms, tested);
