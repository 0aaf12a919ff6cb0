// tcgen05.mma and its .sp and .ws: PTX ISA 9.0 section 9.7.16.10.9. Each thread multiplies; collector buffers only tell hardware
// what it may keep.

import type { Operand } from "../../isa/instruction.js";
import { hasModifier, modifier, type Opcode } from "../../isa/opcode.js";
import { issueTensor } from "../async/pending.js";
import type { Binder, Bound } from "../operands/binder.js";
import type { Frame } from "../state/frame.js";
import { NO_MASK, readColumnMask } from "../tensor/column-mask.js";
import { type MultiplyForm, readInstruction } from "../tensor/instruction-descriptor.js";
import { blocksOf, trap } from "../tensor/memory.js";
import { readSharedDescriptor, type SharedDescriptor } from "../tensor/shared-matrix.js";
import { prepareMultiply } from "../tensor/tensor-multiply.js";
import { lanesIn } from "../machine/walk.js";
import { constantOf, named, valueOf } from "./async-operands.js";
import { custom, type Meanings, type Reading } from "./meaning.js";
import { tensorAddress } from "./tcgen05-move.js";

function formOf(opcode: Opcode): MultiplyForm {
  const { id } = opcode.form;
  return {
    kind: modifier(opcode, "kind")!,
    isSparse: id.includes(".sp."),
    isWeightStationary: id.includes(".ws."),
    isPair: hasModifier(opcode, "cta_group::2"),
    vector: modifier(opcode, "vector"),
  };
}

type Value<T> = (frame: Frame, lane: number) => T;

function descriptorOf(binder: Binder, operand: Operand | undefined): Value<SharedDescriptor> {
  const { word } = binder.read(operand, 64);
  return ({ words }, lane) => readSharedDescriptor(words[word + 2 * lane]!, words[word + 2 * lane + 1]!, lane);
}

const addressIfAny = (binder: Binder, operand: Operand | undefined): Value<number> | undefined =>
  operand === undefined ? undefined : tensorAddress(binder, operand);

const multiply: Reading = (opcode) => {
  const form = formOf(opcode);
  // No available text describes its integers of 16 bits.
  if (form.kind === "kind::ti16") return undefined;
  const isShifted = hasModifier(opcode, "ashift");
  return custom((binder): Bound => {
    const find = (name: string): Operand | undefined => named(binder, name);
    const d = tensorAddress(binder, find("d"));
    const a = opcode.form.id.endsWith(".tensor") ? tensorAddress(binder, find("a")) : descriptorOf(binder, find("a"));
    const b = descriptorOf(binder, find("b"));
    const metadata = addressIfAny(binder, find("e"));
    const [sa, sb] = [addressIfAny(binder, find("sa")), addressIfAny(binder, find("sb"))];
    const instruction = valueOf(binder, find("i"), 0);
    const enable = binder.read(find("enable"), 1).word;
    const scaleD = constantOf(find("scale"), 0);
    const disabled = binder.elements(find("mask")).map((one) => valueOf(binder, one, 0));
    const zero = find("zero");
    const zeroAt = zero === undefined ? -1 : binder.read(zero, 64).word;
    return {
      memory: true,
      lanes: (frame, mask) => {
        const { words, warp } = frame;
        for (const lane of lanesIn(mask)) {
          const described = readInstruction(instruction(frame, lane), form, lane);
          if (isShifted && described.m < 128) throw trap(`.ashift requires M = 128 or 256, not ${described.m}`, lane);
          const { m, n } = described;
          const run = prepareMultiply({
            form,
            described,
            blocks: blocksOf(warp.block, form.isPair, lane),
            d: d(frame, lane),
            a: a(frame, lane),
            b: b(frame, lane),
            metadata: metadata?.(frame, lane),
            scales: sa === undefined || sb === undefined ? undefined : [sa(frame, lane), sb(frame, lane)],
            accumulates: ((words[enable]! >>> lane) & 1) !== 0,
            scaleD,
            shiftsA: isShifted,
            disabled: disabled.map((value) => value(frame, lane)),
            columns:
              zeroAt < 0 ? NO_MASK : readColumnMask(words[zeroAt + 2 * lane]!, words[zeroAt + 2 * lane + 1]!, m, n),
            lane,
          });
          issueTensor(frame, run);
        }
      },
    };
  });
};

const names = ["mma", "mma.sp"]
  .flatMap((name) => [name, `${name}.collected`, `${name}.scaled`])
  .concat("mma.ws", "mma.ws.sp");

export const tcgen05MmaMeanings: Meanings = Object.fromEntries(
  names.flatMap((name) => ["shared", "tensor"].map((source) => [`tcgen05.${name}.${source}`, multiply])),
);
