// Plans loads and stores: derives from the operands which memory an access may touch and which kind of code it needs.

import { hasTrait, typeOf } from "../../isa/opcode.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import { isConstantBank } from "../../isa/state-spaces.table.js";
import { spaceOf, windowBase } from "../../load/address-space.js";
import { accessedSpace } from "../operands/access.js";
import { spaceOfOpcode } from "../meanings/memory.js";
import type { Process } from "../../load/process.js";
import type { Program } from "../state/frame.js";
import type { AccessedSpace } from "../state/observer.js";
import { type Elements, elementBytes } from "./elements.js";
import { isKnownOperand, isParameter } from "./operands.js";
import type { Origin, OriginOf } from "./origins.js";

/** The sum of a register (undefined: none) and an offset in bytes. */
export interface AddressParts {
  readonly register: number | undefined;
  readonly offset: number;
}

export type AccessPlace =
  /** The same bytes for all lanes, always valid: at an offset from an address in the context, or in the arena. */
  | { readonly kind: "fixed"; readonly base: "parameters" | "constants" | "arena"; readonly offset: number }
  /** A variable of the frame in each lane's local memory. */
  | { readonly kind: "frame"; readonly offset: number }
  /** An address in local memory. A generic one may point elsewhere; the interpreter then executes the access. */
  | { readonly kind: "stack"; readonly isGeneric: boolean; readonly address: AddressParts }
  | { readonly kind: "window"; readonly space: "shared" | "const"; readonly address: AddressParts }
  /** A 64-bit address. With 32-bit addresses, generic ones are treated as global; the interpreter executes those that are not. */
  | { readonly kind: "global" | "generic"; readonly address: AddressParts; readonly mayBeElsewhere?: true };

export interface AccessPlan {
  readonly place: AccessPlace;
  readonly elements: Elements;
  /** Registers and constants that are loaded into or stored from. */
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

/** The plan of an ld or st; undefined if the interpreter has to execute it. */
export function planAccess(
  program: Program,
  process: Process,
  instruction: Instruction,
  originOf: OriginOf,
): AccessPlan | undefined {
  const { opcode, operands } = instruction;
  const isStore = hasTrait(opcode, "store");
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
  const bytes = elementBytes(elements);
  if (!values.every((each) => isKnownOperand(program, each, type.bits, true) && !(isStore && each.kind === "sink")))
    return undefined;
  const place = placeOf(program, process, instruction, address, bytes, originOf);
  if (place === undefined || (isStore && isReadOnly(place))) return undefined;
  return {
    place,
    elements,
    operands: values,
    isStore,
    touches: touchesOf(place),
    mayFault: mayFault(place),
  };
}

export function touchesOf(place: AccessPlace): Touches {
  const { kind } = place;
  const isAnywhere =
    kind === "generic" || (kind === "global" && place.mayBeElsewhere === true) || (kind === "stack" && place.isGeneric);
  return {
    global: isAnywhere || kind === "global" || (kind === "fixed" && place.base === "arena"),
    shared: isAnywhere || (kind === "window" && place.space === "shared"),
    local: isAnywhere || kind === "frame" || kind === "stack",
  };
}

export const mayFault = (place: AccessPlace): boolean => place.kind !== "fixed" && place.kind !== "frame";

export const isReadOnly = (place: AccessPlace): boolean =>
  (place.kind === "fixed" && place.base !== "arena") || (place.kind === "window" && place.space === "const");

export function placeOf(
  program: Program,
  process: Process,
  { opcode }: Instruction,
  { base, offset: written }: Operand & { readonly kind: "address" },
  bytes: number,
  originOf: OriginOf,
): AccessPlace | undefined {
  const { fn, variableOffsets } = program;
  const offset = Number(written);
  if (Math.abs(offset) >= 2 ** 31 || opcode.chosen.some((text) => text !== undefined && isConstantBank(text)))
    return undefined;
  const named = accessedSpace(spaceOfOpcode(opcode), base, fn);
  const space = named === "param" && !fn.symbol.entry ? "local" : named;
  if (base.kind === "variable") {
    if (!isParameter(program, base.variable)) return framePlace(program, base.variable, offset, bytes);
    const at = variableOffsets[base.variable]! + offset;
    const isInside = isInVariable(program, base.variable, offset, bytes) && at % bytes === 0;
    return isInside && space === "param" ? { kind: "fixed", base: "parameters", offset: at } : undefined;
  }
  if (base.kind !== "register") {
    const start = base.kind === "symbol" ? fn.slots[base.symbol]!.value + offset : offset;
    const isKept = base.kind === "symbol" && space !== undefined;
    return placeAt(process, space, start, bytes, isKept);
  }
  const { register } = base;
  const origin = originOf(register);
  const known = origin && placeOfOrigin(program, process, space, origin, offset, bytes);
  if (known !== undefined) return known;
  const address: AddressParts = { register, offset };
  const isWide = isKnownOperand(program, base as Operand, 64, false);
  if (!isWide && !isKnownOperand(program, base as Operand, 32, false)) return undefined;
  switch (space) {
    case "local":
      return { kind: "stack", isGeneric: false, address };
    case "const":
    case "shared":
      return { kind: "window", space, address };
    case "global":
      return isWide || process.space.bits === 32 ? { kind: "global", address } : undefined;
    case undefined:
      if (process.space.bits === 32) return origin ? undefined : { kind: "global", address, mayBeElsewhere: true };
      if (!isWide) return undefined;
      return origin?.kind === "frame" || origin?.kind === "local"
        ? { kind: "stack", isGeneric: true, address }
        : { kind: "generic", address };
    default:
      return undefined;
  }
}

const isAligned = (at: number, bytes: number): boolean => at >= 0 && at % bytes === 0;

function isInVariable({ fn }: Program, variable: number, offset: number, bytes: number): boolean {
  return offset >= 0 && offset + bytes <= fn.code.variables[variable]!.layout.size;
}

function framePlace(program: Program, variable: number, offset: number, bytes: number): AccessPlace | undefined {
  const start = program.variableOffsets[variable]!;
  // Frames begin at multiples of 16 bytes.
  return start >= 0 && bytes <= 16 && isAligned(start + offset, bytes) && isInVariable(program, variable, offset, bytes)
    ? { kind: "frame", offset: start + offset }
    : undefined;
}

/** The place of a constant address; `isKept`: memory at this address is never released. */
function placeAt(
  process: Process,
  space: AccessedSpace | undefined,
  start: number,
  bytes: number,
  isKept: boolean,
): AccessPlace | undefined {
  const address: AddressParts = { register: undefined, offset: start };
  switch (space) {
    case "local":
      return { kind: "stack", isGeneric: false, address };
    case "const":
      return isAligned(start, bytes) && start + bytes <= process.constants.size
        ? { kind: "fixed", base: "constants", offset: start }
        : undefined;
    case "shared":
      return { kind: "window", space, address };
    case "global": {
      if (!isKept || !isAligned(start, bytes)) return undefined;
      // Module variables are never released.
      const region = process.memory.find(start, bytes);
      if (region === undefined || region.offset < 0 || region.owner !== "host") return undefined;
      return { kind: "fixed", base: "arena", offset: region.offset + start - region.base };
    }
    default:
      return undefined;
  }
}

/** The place of an address whose register has a known origin. */
function placeOfOrigin(
  program: Program,
  process: Process,
  space: AccessedSpace | undefined,
  origin: Origin,
  offset: number,
  bytes: number,
): AccessPlace | undefined {
  switch (origin.kind) {
    case "frame": {
      const isMeant = origin.isGeneric ? space === undefined : space === "local";
      return isMeant ? framePlace(program, origin.variable, origin.offset + offset, bytes) : undefined;
    }
    case "symbol": {
      const start = origin.value + offset;
      if (space !== undefined) return space === "global" ? placeAt(process, space, start, bytes, true) : undefined;
      const window = spaceOf(start, process.space);
      if (window === undefined || window === "param" || window === "local") return undefined;
      return placeAt(
        process,
        window,
        window === "global" ? start : start - windowBase(window, process.space),
        bytes,
        true,
      );
    }
    case "local":
      return undefined;
  }
}
