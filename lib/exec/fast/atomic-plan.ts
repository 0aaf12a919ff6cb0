// Plans atom and red: place, update and operands. PTX ISA 9.0 sections 9.7.13.6 and 9.7.13.7. Elements have 16 to 64 bits; the
// interpreter executes 128-bit ones and vectors.

import { hasTrait, typeOf } from "../../isa/opcode.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import type { Process } from "../../load/process.js";
import { operandsOf } from "../meanings/atomic.js";
import type { Program } from "../state/frame.js";
import { isReadOnly, mayFault, type AccessPlace, placeOf, type Touches, touchesOf } from "./access-plan.js";
import { type AtomicUpdate, updateOf } from "./atomic-updates.js";
import { isKnownOperand } from "./operands.js";
import type { OriginOf } from "./origins.js";

export interface AtomicPlan {
  readonly place: AccessPlace;
  readonly bits: 16 | 32 | 64;
  readonly update: AtomicUpdate;
  /** The update in shared memory, if a generic address may point there and the update differs. */
  readonly inShared: AtomicUpdate | undefined;
  /** The destination; undefined for red and for a result that is discarded. */
  readonly d: Operand | undefined;
  readonly b: Operand;
  readonly c: Operand | undefined;
  readonly touches: Touches;
  readonly mayFault: boolean;
}

export const isAtomic = ({ opcode }: Instruction): boolean =>
  hasTrait(opcode, "atomic") && !hasTrait(opcode, "asynchronous");

/** The plan of an atom or red; undefined if the interpreter has to execute it. */
export function planAtomic(
  program: Program,
  process: Process,
  instruction: Instruction,
  originOf: OriginOf,
): AtomicPlan | undefined {
  const { opcode, operands } = instruction;
  const type = typeOf(opcode);
  if (type?.bits !== 16 && type?.bits !== 32 && type?.bits !== 64) return undefined;
  const { bits } = type;
  const at = operandsOf(opcode);
  const [address, b] = [operands[at.address], operands[at.b]];
  const [c, d] = [at.c, at.d].map((index) => (index === undefined ? undefined : operands[index]));
  if (address?.kind !== "address") return undefined;
  const isKnown = (operand: Operand | undefined): boolean => isKnownOperand(program, operand, bits, false);
  if (!isKnown(b) || (at.c !== undefined && !isKnown(c)) || (at.d !== undefined && !isKnown(d))) return undefined;
  const place = placeOf(program, process, instruction, address, bits / 8, originOf);
  if (place === undefined || isReadOnly(place) || place.kind === "frame" || place.kind === "stack") return undefined;
  const update = updateOf(opcode, type, place.kind === "window");
  if (update === undefined) return undefined;
  const inShared = place.kind === "generic" ? updateOf(opcode, type, true) : undefined;
  return {
    place,
    bits,
    update,
    inShared: inShared?.push === update.push ? undefined : inShared,
    d: d?.kind === "sink" ? undefined : d,
    b: b!,
    c,
    touches: touchesOf(place),
    mayFault: mayFault(place),
  };
}
