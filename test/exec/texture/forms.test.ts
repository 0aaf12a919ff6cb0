// Every form of a texture or surface instruction, with each of its modifiers, runs on a suitable image without a fault.

import test from "ava";
import { formOf, makeOpcode, type Opcode } from "../../../lib/isa/opcode.js";
import { allRows } from "../../../lib/isa/rows/all.table.js";
import { modifier } from "../../../lib/isa/opcode.js";
import type { OperandShape } from "../../../lib/isa/opcode.js";
import type { ImageDescription } from "../../../lib/load/image.js";
import { sampleChoices } from "../../oracle/isa/choices.js";
import { deviceOfModule } from "../kernel.js";

const forms = allRows.filter(({ section }) => /^9\.7\.1[01]\./.test(section)).map(({ id }) => id);

const size = { format: "u32", channels: 4, width: 4 } as const;
const images: Readonly<Record<string, ImageDescription>> = {
  "1d": { kind: "1d", ...size },
  "2d": { kind: "2d", ...size, height: 4 },
  "3d": { kind: "3d", ...size, height: 4, depth: 4 },
  a1d: { kind: "1dLayered", ...size, layers: 4 },
  a2d: { kind: "2dLayered", ...size, height: 4, layers: 4 },
  cube: { kind: "cube", ...size, height: 4 },
  acube: { kind: "cubeLayered", ...size, height: 4, layers: 4 },
  "2dms": { kind: "2d", ...size, height: 4 },
  a2dms: { kind: "2dLayered", ...size, height: 4, layers: 4 },
};

/** A register or vector for an operand, all 0. */
function operandText({ type, count, elements }: OperandShape): string {
  const register = (name: string, bits: number): string => (name === "pred" ? "%p" : `%b${bits}`);
  const names = elements?.map((each) => register(each.name, each.bits));
  const one = register(type!.name, Math.max(16, type!.bits));
  if (count === undefined) return one;
  return `{${(names ?? Array.from({ length: count as number }, () => one)).join(", ")}}`;
}

function instructionText(opcode: Opcode): string {
  const operands = opcode.operands.filter(({ presence }) => presence !== "absent");
  const texts = operands.map((shape) => {
    if (shape.spec.kind !== "address") {
      const text = operandText(shape);
      return shape.pair === undefined ? text : `${text}|${operandText(shape.pair)}`;
    }
    const rest = shape.rest.filter(({ type }) => type?.class !== "opaque");
    return `[%h, ${rest.map(operandText).join(", ")}]`.replace(", ]", "]");
  });
  return `${opcode.spelling} ${texts.join(", ")};`;
}

for (const id of forms)
  test(`${id} runs with each of its modifiers`, async (t) => {
    const form = formOf(id)!;
    const opcodes = sampleChoices(form, 2).vectors.map((chosen) => makeOpcode(form, chosen));
    const text = opcodes.map(
      (opcode, i) => `.visible .entry k${i}(.param .u64 h) {
  .reg .b64 %h, %b64; .reg .b32 %b32; .reg .b16 %b16; .reg .pred %p;
  mov.b64 %b64, 0; mov.b32 %b32, 0; mov.b16 %b16, 0; setp.ne.b32 %p, %b32, 0;
  ld.param.u64 %h, [h];
  ${instructionText(opcode)}
  ret; }`,
    );
    const device = deviceOfModule(`.version 8.8\n.target sm_90\n.address_size 64\n${text.join("\n")}`);
    const isSurface = /^su|^istypep/.test(id);
    for (const [i, opcode] of opcodes.entries()) {
      const image = device.image(images[modifier(opcode, "geom") ?? "2d"]!);
      const object = isSurface ? device.surface({ image }) : device.texture({ image });
      const { fault } = await device.launch(`k${i}`, { grid: 1, block: 1, args: [object] });
      t.is(fault?.message, undefined, opcode.spelling);
    }
  });
