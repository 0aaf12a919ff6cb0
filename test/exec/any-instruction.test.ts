// Random instructions of the table with random operands: if the checker accepts one, it runs, faults or is refused by
// name, and never throws. Kernels of many such instructions give the same result twice.

import test from "ava";
import { rounds, sample } from "../sample.js";
import { BindError } from "../../lib/exec/program/bind.js";
import { isExecuted } from "../../lib/exec/meanings/all.js";
import type { Form } from "../../lib/isa/form.js";
import { formsOf, opcodeOf, type OperandShape } from "../../lib/isa/opcode.js";
import { opcodeNames } from "../../lib/isa/rows/all.table.js";
import type { DataType } from "../../lib/isa/types.table.js";
import { parseTarget, parseVersion, satisfies } from "../../lib/isa/requirement.js";
import { deviceOf } from "./kernel.js";

/** Random numbers below `count`, the same on every run. */
function createRandom(seed: bigint): (count: number) => number {
  let state = seed;
  return (count) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 33n) % count;
  };
}

type Random = ReturnType<typeof createRandom>;

const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)]!;

const addresses = ["%out", "%out+32", "%out+64", "%sh", "sh", "sh+16", "%lo", "%x0"];

/** A register of the type. */
function registerOf(random: Random, type: DataType | undefined): string {
  const bits = type?.bits ?? 32;
  const isFloat = type?.class === "float";
  const name =
    bits === 1
      ? "%p"
      : bits <= 8
        ? "%c"
        : bits <= 16
          ? "%h"
          : bits <= 32
            ? isFloat
              ? "%f"
              : "%r"
            : bits <= 64
              ? "%x"
              : "%q";
  return `${bits === 64 && isFloat ? "%d" : name}${random(4)}`;
}

function immediateOf(random: Random, { spec, type }: OperandShape): string {
  if (spec.values !== undefined) {
    const possible = Array.from({ length: 300 }, (_, i) => i).filter((value) => spec.values!(BigInt(value)));
    return String(possible.length === 0 ? 1 : pick(random, possible));
  }
  return type?.class === "float"
    ? type.bits === 64
      ? "0d3ff0000000000000"
      : "0f3f800000"
    : String(pick(random, [0, 1, 2, 5, 31, 33, 255]));
}

/** An operand's text; undefined for kinds that need more code around them. */
function operandOf(random: Random, shape: OperandShape): string | undefined {
  const { spec, type, count } = shape;
  switch (spec.kind) {
    case "address":
      return `[${[pick(random, addresses), ...shape.rest.map((rest) => operandOf(random, rest))].join(", ")}]`;
    case "symbol":
      return "sh";
    case "sink":
      return "_";
    case "immediate":
      return immediateOf(random, shape);
    case "list":
    case "label":
    case "labels":
    case "callee":
    case "prototype":
      return undefined;
    case "value":
    case "register": {
      if (count !== undefined) {
        const length = count === "any" ? 2 : count;
        const half = type && { ...type, bits: type.bits / length, class: "bits" as const };
        const elements = Array.from({ length }, (_, i) =>
          registerOf(random, shape.elements?.[i] ?? (spec.type.kind === "split" ? half : type)),
        );
        return `{${elements.join(", ")}}`;
      }
      if (spec.access === "read" && spec.kind === "value" && random(8) === 0 && type?.lanes === 1 && type.bits > 1)
        return immediateOf(random, shape);
      const register = registerOf(random, type);
      const negation = spec.negatable && random(2) === 0 ? "!" : "";
      return `${negation}${register}${shape.pair === undefined ? "" : `|${registerOf(random, shape.pair.type)}`}`;
    }
  }
}

/** An instruction of the form, sometimes guarded; undefined if the random choices give none. */
function instructionOf(random: Random, form: Form): string | undefined {
  for (let attempt = 0; attempt < 20; attempt++) {
    const chosen = form.slots.map((slot) =>
      slot.optional && random(2) === 0 ? [] : [pick(random, slot.choices).text],
    );
    const opcode = opcodeOf(form.id, [form.opcode, ...chosen.flat()].join("."));
    if (opcode === undefined) continue;
    const operands = opcode.operands
      .filter(({ presence }) => presence === "required")
      .map((shape) => operandOf(random, shape));
    if (operands.includes(undefined)) return undefined;
    const guard = random(4) === 0 ? `@${pick(random, ["", "!"])}%p${random(4)} ` : "";
    return `${guard}${opcode.spelling} ${operands.join(", ")};`;
  }
  return undefined;
}

/** A kernel whose registers of every size have random bits, and which stores the results. */
const kernelOf = (instructions: readonly string[]): string => `
.visible .entry k(.param .u64 out, .param .u64 in) {
  .shared .align 128 .b8 sh[1024]; .local .align 64 .b8 lo[256];
  .reg .b64 %out, %in, %lo, %to, %x<4>; .reg .f64 %d<4>; .reg .b32 %r<4>, %sh, %t; .reg .f32 %f<4>; .reg .b16 %h<4>;
  .reg .b8 %c<4>; .reg .b128 %q<4>; .reg .pred %p<4>;
  ld.param.u64 %out, [out]; ld.param.u64 %in, [in]; mov.u32 %sh, sh; mov.u64 %lo, lo; cvta.local.u64 %lo, %lo;
  mov.u32 %t, %tid.x; mad.wide.u32 %in, %t, 64, %in; mad.wide.u32 %to, %t, 64, %out;
  ld.global.v2.b64 {%x0, %x1}, [%in]; ld.global.v2.b64 {%x2, %x3}, [%in+16];
  ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%in+32]; ld.global.v4.b16 {%h0, %h1, %h2, %h3}, [%in+48];
  ld.global.v2.f64 {%d0, %d1}, [%in+16]; mov.b64 %d2, %x0; mov.b64 %d3, %x1;
  mov.b32 %f0, %r1; mov.b32 %f1, %r2; mov.b32 %f2, %r3; mov.b32 %f3, %r0;
  cvt.u8.u16 %c0, %h0; cvt.u8.u16 %c1, %h1; cvt.u8.u16 %c2, %h2; cvt.u8.u16 %c3, %h3;
  mov.b128 %q0, {%x0, %x1}; mov.b128 %q1, {%x2, %x1}; mov.b128 %q2, {%x0, %x3}; mov.b128 %q3, {%x0, %x0};
  setp.lt.u32 %p0, %r0, %r1; setp.lt.s32 %p1, %r2, %r1; setp.ne.u32 %p2, %t, 3; setp.lt.u32 %p3, %t, 16;
  ${instructions.join("\n  ")}
  st.global.v2.b64 [%to+512], {%x0, %x1}; st.global.v4.b32 [%to+528], {%r0, %r1, %r2, %r3};
  st.global.v4.f32 [%to+544], {%f0, %f1, %f2, %f3}; st.global.v4.b16 [%to+560], {%h0, %h1, %h2, %h3};
  ret;
}`;

/** The result and memory of a kernel as text, or "refused" by the checker or by name. */
async function outcomeOf(instructions: readonly string[]): Promise<string> {
  let device;
  try {
    device = deviceOf(kernelOf(instructions));
  } catch {
    return "refused";
  }
  const out = device.alloc(4096);
  const input = Uint8Array.from({ length: 2560 }, (_, i) =>
    i % 48 < 8 ? (i * 7) >> 3 : Math.imul(i, 2654435761) >>> 21,
  );
  const args = [out, device.alloc(input)];
  try {
    const result = await device.launch("k", { grid: 2, block: 40, args, maxInstructions: 20_000 });
    return JSON.stringify([result, Buffer.from(device.read(out, new Uint8Array(4096))).toString("base64")]);
  } catch (error) {
    if (error instanceof BindError) return "refused";
    throw error;
  }
}

const elsewhere = new Set(["trap", "exit", "ret"]);
/** Forms that the test kernels' version and target have. */
const [version, target] = [parseVersion("8.8"), parseTarget("sm_100a")!];
const forms = [...opcodeNames()]
  .flatMap(formsOf)
  .filter((form) => isExecuted(form) && !elsewhere.has(form.id) && satisfies(version, target, form.needs));

test("an instruction with any operands runs, faults or is refused, and kernels of many give the same twice", async (t) => {
  const random = createRandom(1n);
  const ran: string[] = [];
  const some = sample(forms, 8, { name: ({ id }) => id, kind: ({ opcode }) => opcode.slice(0, 4) });
  for (const form of some) {
    const instruction = instructionOf(random, form);
    if (instruction === undefined) continue;
    const outcome = await outcomeOf([instruction]);
    if (outcome !== "refused" && !outcome.includes('"fault"')) ran.push(instruction);
  }
  t.true(ran.length > some.length / 2);
  for (let repeat = 0; repeat < rounds(10, 10); repeat++) {
    const instructions = Array.from({ length: 20 }, () => pick(random, ran));
    t.is(await outcomeOf(instructions), await outcomeOf(instructions), instructions.join("\n"));
  }
});
