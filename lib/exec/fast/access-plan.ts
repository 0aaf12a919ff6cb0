// Where a load or store goes, as far as its operands say: what kind of code it needs, and what it may not be mixed with.

import type { Instruction, Operand } from "../../isa/instruction.js";
import { isConstantBank } from "../../isa/state-spaces.table.js";
import { typeOf } from "../meanings/meaning.js";
import { spaceOfOpcode } from "../meanings/memory.js";
import type { Program } from "../frame.js";
import type { Process } from "../../load/process.js";
import { type Elements, bytesOf } from "./elements.js";
import { isKnownOperand, isParameter } from "./operands.js";

/** A register, or none, and bytes to add. */
export interface AddressParts {
  readonly register: number | undefined;
  readonly offset: number;
}

export type Place =
  /** The same bytes for all lanes, known to be there: at an offset from a word of the context, or in the arena. */
  | { readonly kind: "fixed"; readonly base: "parameters" | "constants" | "arena"; readonly offset: number }
  /** A variable of the frame in each lane's local memory. */
  | { readonly kind: "frame"; readonly offset: number }
  | { readonly kind: "stack"; readonly address: AddressParts }
  | { readonly kind: "window"; readonly space: "shared" | "const"; readonly address: AddressParts }
  /** Global or generic, in 64 bits. */
  | { readonly kind: "global"; readonly address: AddressParts };

export interface AccessPlan {
  readonly place: Place;
  readonly elements: Elements;
  /** Registers and constants that are loaded or stored. */
  readonly operands: readonly Operand[];
  readonly isStore: boolean;
  readonly touches: Touches;
  readonly mayFault: boolean;
}

/** Memory that an access may touch. */
export interface Touches {
  readonly global: boolean;
  readonly shared: boolean;
  readonly local: boolean;
}

/** The plan of an ld or st; undefined where the interpreter has to do it. */
export function planAccess(program: Program, process: Process, instruction: Instruction): AccessPlan | undefined {
  const { opcode, operands } = instruction;
  const isStore = opcode.form.opcode === "st";
  const type = typeOf(opcode);
  const [first, second] = operands;
  const [address, value] = isStore ? [first, second] : [second, first];
  if (type === undefined || type.bits < 8 || type.bits > 64 || address?.kind !== "address" || value === undefined)
    return undefined;
  const values = value.kind === "vector" ? value.elements : [value];
  const elements: Elements = {
    count: values.length,
    bits: type.bits as Elements["bits"],
    signed: type.class === "signed",
  };
  const bytes = bytesOf(elements);
  if (!values.every((each) => isKnownOperand(program, each, type.bits, true) && !(isStore && each.kind === "sink")))
    return undefined;
  const place = placeOf(program, process, instruction, address, bytes);
  if (place === undefined || (isStore && isReadOnly(place))) return undefined;
  return {
    place,
    elements,
    operands: values,
    isStore,
    touches: touchesOf(place, spaceOfOpcode(opcode) === undefined),
    mayFault: mayFault(place),
  };
}

export function touchesOf(place: Place, isGeneric: boolean): Touches {
  return {
    global: place.kind === "global" || (place.kind === "fixed" && place.base === "arena"),
    shared: (place.kind === "window" && place.space === "shared") || (place.kind === "global" && isGeneric),
    local: place.kind === "frame" || place.kind === "stack",
  };
}

export const mayFault = (place: Place): boolean => place.kind !== "fixed" && place.kind !== "frame";

export const isReadOnly = (place: Place): boolean =>
  (place.kind === "fixed" && place.base !== "arena") || (place.kind === "window" && place.space === "const");

export function placeOf(
  program: Program,
  process: Process,
  { opcode }: Instruction,
  { base, offset: written }: Operand & { readonly kind: "address" },
  bytes: number,
): Place | undefined {
  const { fn, variableOffsets } = program;
  const offset = Number(written);
  if (Math.abs(offset) >= 2 ** 31 || opcode.chosen.some((text) => text !== undefined && isConstantBank(text)))
    return undefined;
  const space = spaceOfOpcode(opcode);
  const isAligned = (at: number): boolean => at >= 0 && at % bytes === 0;
  if (base.kind === "variable") {
    const at = variableOffsets[base.variable]! + offset;
    const { size } = fn.code.variables[base.variable]!.layout;
    const isInside = isAligned(at) && offset >= 0 && offset + bytes <= size;
    if (isParameter(program, base.variable))
      return isInside && space === "param" ? { kind: "fixed", base: "parameters", offset: at } : undefined;
    // Frames begin at multiples of 16 bytes.
    return isInside && variableOffsets[base.variable]! >= 0 && bytes <= 16 ? { kind: "frame", offset: at } : undefined;
  }
  const register = base.kind === "register" ? base.register : undefined;
  const start = base.kind === "symbol" ? fn.slots[base.symbol]!.value + offset : offset;
  const address: AddressParts = { register, offset: start };
  const isWide = register !== undefined && isKnownOperand(program, base as Operand, 64, false);
  if (register !== undefined && !isWide && !isKnownOperand(program, base as Operand, 32, false)) return undefined;
  switch (space === "param" && !fn.symbol.entry ? "local" : space) {
    case "local":
      return { kind: "stack", address };
    case "const":
      if (register !== undefined) return { kind: "window", space: "const", address };
      return isAligned(start) && start + bytes <= process.constants.size
        ? { kind: "fixed", base: "constants", offset: start }
        : undefined;
    case "shared":
      return { kind: "window", space: "shared", address };
    case "global":
    case undefined: {
      if (register !== undefined) return isWide ? { kind: "global", address } : undefined;
      // A module variable: it is never given back.
      const region = space === "global" ? process.memory.find(start, bytes) : undefined;
      if (region === undefined || region.offset < 0 || region.owner !== "host" || !isAligned(start)) return undefined;
      return base.kind === "symbol"
        ? { kind: "fixed", base: "arena", offset: region.offset + start - region.base }
        : undefined;
    }
    default:
      return undefined;
  }
}
