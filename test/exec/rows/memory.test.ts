// Loads and stores of every type and vector in every space, with orderings, cache operators, priorities and hints:
// results equal those of an array of bytes, with the type's sign extension in wider registers. PTX ISA 9.0 sections
// 9.7.9.8 to 9.7.9.18. A sample has one opcode in 40 of each space.

import test from "ava";
import { hasModifier, modifier } from "../../../lib/isa/opcode.js";
import { deviceOfModule } from "../kernel.js";
import {
  approach,
  BYTES,
  constants,
  extended,
  isGenericAccess,
  list,
  offsetOf,
  policyOf,
  registerType,
  shapeOf,
  show,
  source,
  spaces,
  STRIDE,
} from "./memory.js";
import { memoryForms } from "./suites.js";
import { holdForms, isCurrent, opcodesOf, outputOf, viewOf, turnsOf } from "./support.js";

const tested = new Set<string>();

for (const id of ["ld", "ld.mmio", "ld.nc", "ld.readonly", "ld.readonly.first", "ldu"])
  test(`${id} loads every type from every space`, async (t) => {
    tested.add(id);
    const view = viewOf(source);
    for (const [turn, opcode] of turnsOf(opcodesOf(id, ["ss", "vec", "type"], 1).filter(isCurrent), 40)) {
      if (hasModifier(opcode, "param::func")) continue; // of functions: below
      const shape = shapeOf(opcode, turn, false);
      if (shape.space === "param") continue; // kernels with a parameter of bytes: below
      const body = `${approach(shape, isGenericAccess(opcode))} .reg .${registerType(shape)} v<8>;
        ${opcode.spelling} ${list(shape.count)}, [%a]${policyOf(opcode)}; ${show(shape)}`;
      const found = await outputOf({ before: constants, body }, source, 32 * STRIDE);
      const lanes = Array.from({ length: 32 }, (_, lane) =>
        Buffer.from(found.subarray(lane * STRIDE, lane * STRIDE + (shape.register / 8) * shape.count)).toString("hex"),
      );
      const wanted = lanes.map((_, lane) =>
        Array.from({ length: shape.count }, (_each, i) =>
          extended(view, offsetOf(lane, shape) + (shape.type.bits / 8) * i, shape),
        ).join(""),
      );
      t.deepEqual(lanes, wanted, `${opcode.spelling} from ${shape.space} to ${shape.register} bits`);
    }
  });

for (const id of ["st", "st.mmio"])
  test(`${id} stores every type to every space, and changes no other byte`, async (t) => {
    tested.add(id);
    for (const [turn, opcode] of turnsOf(opcodesOf(id, ["ss", "vec", "type"], 1).filter(isCurrent), 40)) {
      if (opcode.chosen.some((text) => text?.startsWith("param") === true)) continue; // of functions: below
      const shape = shapeOf(opcode, turn, true);
      const { type, count, space, register } = shape;
      // Only lane 5 stores, from the beginning of the source, into a copy of it.
      const loads = Array.from({ length: count }, (_, i) =>
        register === 128
          ? "ld.global.v2.b64 {%x, %z}, [%in]; mov.b128 v0, {%x, %z};"
          : `ld.global.b${register} v${i}, [%in+${(register / 8) * i}];`,
      ).join(" ");
      const target = space === "global" ? "sub.u64 %a, %a, %in; add.u64 %a, %a, %out;" : "";
      const copyOut = (from: string, base: string): string => `mov.u32 %i, 0;
        copy: cvt.u64.u32 %x, %i; ${base} add.u64 %b, %b, %x; ld.${from}.b64 %y, [%b]; add.u64 %z, %out, %x;
        st.global.b64 [%z], %y; add.u32 %i, %i, 8; setp.lt.u32 %p, %i, ${BYTES}; @%p bra copy;`;
      const body = `${approach(shape, isGenericAccess(opcode))} .reg .${registerType(shape)} v<8>; .reg .pred %q; ${target} ${loads}
        setp.eq.u32 %q, %t, 5; ${space === "global" ? `${copyOut("global", "mov.u64 %b, %in;")} bar.sync 0;` : ""}
        @%q ${opcode.spelling} [%a], ${list(count)}${policyOf(opcode)}; bar.sync 0; @!%q exit;
        ${space === "global" ? "" : copyOut(space, `mov.u64 %b, ${space === "shared" ? "sh" : "lo"};`)}`;
      const found = await outputOf({ before: constants, body }, source, BYTES);
      const wanted = Uint8Array.from(source);
      for (let i = 0; i < count; i++)
        wanted.set(
          source.subarray((register / 8) * i, (register / 8) * i + type.bits / 8),
          offsetOf(5, shape) + (type.bits / 8) * i,
        );
      t.deepEqual(
        Buffer.from(found).toString("hex"),
        Buffer.from(wanted).toString("hex"),
        `${opcode.spelling} to ${space} from ${register} bits`,
      );
    }
  });

test("parameters of kernels and functions are loaded and stored in every type", async (t) => {
  const view = viewOf(source);
  const before = ".reg .b64 %out, %x, %y, %z; .reg .b32 %t; mov.u32 %t, %tid.x;";
  for (const [turn, opcode] of turnsOf(opcodesOf("ld", ["ss", "vec", "type"], 1).filter(isCurrent), 4)) {
    const space = opcode.chosen.find((text) => text?.startsWith("param"));
    if (space === undefined) continue;
    const shape = shapeOf(opcode, turn, false);
    const { count, type, register } = shape;
    const load = `.reg .${registerType(shape)} v<8>; ${opcode.spelling} ${list(count)}, [p]; ${show(shape)} ret;`;
    // Parameters of a kernel are the host's bytes; those of a function are stored by its caller, from registers of the
    // type's size.
    const own = type.class === "float" ? type.name : `b${type.bits}`;
    const values = list(count).replaceAll("v", "w");
    const take = Array.from({ length: count }, (_, i) =>
      type.bits === 128
        ? "ld.param.v2.b64 {%x, %z}, [p]; mov.b128 w0, {%x, %z};"
        : `ld.param.b${type.bits} w${i}, [p+${(type.bits / 8) * i}];`,
    ).join(" ");
    const store = ["st.param", modifier(opcode, "vec"), type.name].filter((text) => text !== undefined).join(".");
    const call = `.reg .${own} w<8>; ${take} { .param .align 64 .b8 a[${STRIDE}]; .param .b64 b; ${store} [a], ${values}; st.param.b64 [b], %out;
      call f, (a, b); } ret;`;
    const isFunction = space === "param::func" || (space === "param" && turn % 2 === 1);
    const body = `${before} ld.param.b64 %out, [o];`;
    const parameters = `(.param .align 64 .b8 p[${STRIDE}], .param .b64 o)`;
    const device = deviceOfModule(`.version 9.4\n.target sm_100a\n.address_size 64
      ${isFunction ? `.func f${parameters} { ${body} ${load} }` : ""} .entry k${parameters} { ${body} ${isFunction ? call : load} }`);
    const out = device.alloc(STRIDE);
    const args = [source.slice(0, STRIDE), out];
    const { fault } = await device.launch("k", { grid: 1, block: 1, args });
    t.is(fault, undefined, opcode.spelling);
    const found = device.read(out, new Uint8Array(STRIDE)).subarray(0, (register / 8) * count);
    const wanted = Array.from({ length: count }, (_, i) => extended(view, (type.bits / 8) * i, shape)).join("");
    t.is(Buffer.from(found).toString("hex"), wanted, `${opcode.spelling}${isFunction ? " in a function" : ""}`);
  }
});

test("hints change nothing, and cache policies are values", async (t) => {
  const hints = memoryForms.filter((id) => /^(?:prefetch|applypriority|discard|createpolicy)/.test(id));
  for (const id of hints) {
    tested.add(id);
    for (const opcode of opcodesOf(id).filter(isCurrent)) {
      const isPolicy = opcode.form.opcode === "createpolicy";
      if (hasModifier(opcode, "tensormap") && hasModifier(opcode, "param")) continue;
      const space = opcode.chosen.find((text) => text !== undefined && spaces.includes(text));
      const address =
        space === "local"
          ? "mov.u64 %a, lo;"
          : space === "const" || hasModifier(opcode, "tensormap")
            ? `mov.u64 %a, co; ${space === undefined ? "cvta.const.u64 %a, %a;" : ""}`
            : "mov.u64 %a, %in;";
      const operands: Readonly<Record<string, string>> = {
        "createpolicy.range": "%d, [%a], 128, 256",
        "createpolicy.fractional": "%d",
        "createpolicy.cvt": "%d, %a",
        applypriority: "[%a], 128",
        discard: "[%b], 128",
      };
      // A discarded value is undefined; here it stays.
      const body = `.local .align 128 .b8 lo[128]; .reg .b64 %a, %b, %d; .reg .b32 %w; ${address} mov.u64 %b, %in; mov.u64 %d, 0;
        ${opcode.spelling} ${operands[id] ?? "[%a]"}; ${isPolicy ? "st.global.b64 [%out+8], %d;" : ""} ld.global.u32 %w, [%in]; st.global.u32 [%out], %w;`;
      const found = await outputOf({ before: constants.replace(".align 64", ".align 128"), body }, source, 16, {
        block: 1,
      });
      t.deepEqual(found.subarray(0, 4), source.subarray(0, 4), opcode.spelling);
    }
  }
});

holdForms(memoryForms, tested);
