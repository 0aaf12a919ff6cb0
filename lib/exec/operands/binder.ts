// The binder gives a meaning access to the instruction that it is bound to, with operands as places. Operands whose value depends
// on the frame (special registers, addresses of local variables) get a temporary place that is filled just before the instruction
// runs.

import { InternalError } from "../../base/assert.js";
import type { Base, Instruction, Operand } from "../../isa/instruction.js";
import { modifier, type Opcode } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";
import { CLUSTER_STRIDE } from "../../load/address-space.js";
import type { LoadedSlot, Process } from "../../load/process.js";
import type { CompileText } from "./access-loop.js";
import type { Scalar } from "../machine/lanes.js";
import type { BoundTarget } from "./target.js";
import { type Scope, type Width, widthOf } from "./scope.js";
import { specialRegister } from "../machine/special.js";
import type { Place } from "../state/frame.js";
import type { ControlOp, LaneOp, Members, QuickOp, BoundOperand } from "../state/step.js";
import { lanesIn } from "../machine/walk.js";

/** A bound instruction, as its meaning returns it. */
export interface Bound {
  readonly lanes?: LaneOp;
  readonly control?: ControlOp;
  readonly quick?: QuickOp | undefined;
  /**
   * Applies a scalar meaning to the operands from the second on, and writes to the first or to `into`. `then` runs afterwards.
   */
  readonly scalar?: { readonly meaning: Scalar; readonly into?: Place; readonly then?: LaneOp };
  readonly members?: Members;
  readonly memory?: boolean;
  readonly spins?: boolean;
}

export interface Binder {
  readonly process: Process;
  readonly scope: Scope;
  readonly instruction: Instruction;
  readonly opcode: Opcode;
  /** The operand at that position of the form; undefined if it was left out. */
  operand(index: number): Operand | undefined;
  /** An operand's type by the table; throws if the table leaves it open. */
  type(index: number): DataType;
  has(modifierText: string): boolean;
  modifier(slot: string): string | undefined;
  /** The place from which an operand of that many bits is read. */
  read(operand: Operand | undefined, bits: number): Place;
  /** The place to which an operand is written; for the sink `_`, a place that is never read. */
  write(operand: Operand | undefined, bits: number): Place;
  /** Elements of a vector operand, or the operand alone. */
  elements(operand: Operand | undefined): readonly Operand[];
  slot(base: Base & { readonly kind: "symbol" }): LoadedSlot;
  /** Compiles a loop from text, or returns the one compiled before. */
  readonly compile: CompileText;
  /** In sanitized launches, the addresses bound so far; otherwise undefined. */
  readonly targets: BoundTarget[] | undefined;
  /** Adds an operation that runs before the instruction itself, for the same lanes. */
  prepare(op: LaneOp): void;
}

/** An instruction that the table contains, but no meaning executes. */
export class NotExecuted extends Error {
  override readonly name = "NotExecuted";
}

export function createBinder(
  process: Process,
  scope: Scope,
  instruction: Instruction,
  prepared: LaneOp[],
  compile: CompileText,
  asked: BoundOperand[],
  targets: BoundTarget[] | undefined,
): Binder {
  const { opcode } = instruction;
  const binder: Binder = {
    process,
    scope,
    instruction,
    opcode,
    compile,
    targets,
    operand: (index) => instruction.operands[index],
    type(index) {
      const type = opcode.operands[index]?.type;
      if (type === undefined) throw new InternalError(`${opcode.spelling}: operand ${index} has no type`);
      return type;
    },
    has: (text) => opcode.chosen.includes(text),
    modifier: (slot) => modifier(opcode, slot),
    read(operand, bits) {
      const place = readPlace(binder, operand, bits);
      // A negated predicate is read in place, and flipped when the instruction executes.
      const negated = operand?.kind === "register" && operand.negated === true;
      asked.push({
        place: negated ? scope.register(operand.register, operand.selector) : place,
        access: "read",
        negated,
      });
      return place;
    },
    write(operand, bits) {
      const place = writePlace(binder, operand, bits);
      asked.push({ place, access: "write", negated: false });
      return place;
    },
    elements: (operand) => (operand === undefined ? [] : operand.kind === "vector" ? operand.elements : [operand]),
    slot(base) {
      const slot = scope.fn.slots[base.symbol];
      if (slot === undefined) throw new InternalError(`${scope.fn.name}: no symbol slot ${base.symbol}`);
      return slot;
    },
    prepare: (op) => prepared.push(op),
  };
  return binder;
}

function writePlace({ scope, opcode }: Binder, operand: Operand | undefined, bits: number): Place {
  if (operand?.kind === "register") return scope.register(operand.register, operand.selector);
  if (operand === undefined || operand.kind === "sink") return scope.temporary(widthOf(bits));
  throw new InternalError(`${opcode.spelling}: cannot write to an operand of kind ${operand.kind}`);
}

function readPlace(binder: Binder, operand: Operand | undefined, bits: number): Place {
  const { scope } = binder;
  const width = widthOf(bits);
  if (operand === undefined) throw new InternalError(`${binder.opcode.spelling}: an operand is missing`);
  switch (operand.kind) {
    case "register": {
      const place = scope.register(operand.register, operand.selector);
      if (operand.negated !== true) return place;
      const flipped = scope.temporary(1);
      binder.prepare((frame) => {
        frame.words[flipped.word] = ~frame.words[place.word]!;
      });
      return flipped;
    }
    case "immediate":
      return scope.constant(operand.bits, width);
    case "special":
      return specialPlace(binder, operand.name, width);
    case "address-of":
      return addressPlace(binder, operand.base, operand.offset, width);
    case "sink":
      return scope.temporary(width);
    case "address":
    case "vector":
    case "pair":
    case "list":
    case "label":
    case "table":
      throw new InternalError(`${binder.opcode.spelling}: cannot read an operand of kind ${operand.kind}`);
  }
}

function specialPlace(binder: Binder, name: string, wanted: Width): Place {
  const special = specialRegister(name);
  if (special === undefined) throw new NotExecuted(`the special register %${name}`);
  if (wanted === 1) {
    const flag = binder.scope.temporary(1);
    binder.prepare((frame) => {
      frame.words[flag.word] = Number(special.value(frame, 0)) !== 0 ? -1 : 0;
    });
    return flag;
  }
  const place = binder.scope.temporary(special.bits === 64 || wanted === 64 ? 64 : 32);
  binder.prepare((frame, mask) => {
    for (const lane of lanesIn(mask)) {
      const value = special.value(frame, lane);
      if (place.stride === 2)
        frame.ulongs[(place.word >> 1) + lane] = typeof value === "bigint" ? value : BigInt(value >>> 0);
      else frame.words[place.word + lane] = Number(value);
    }
  });
  return place;
}

/** Place of a shared variable's address in a cluster: the block's rank is in the upper 8 of 32 bits. */
function sharedPlace(binder: Binder, offset: number, width: Width): Place {
  const place = binder.scope.temporary(width);
  binder.prepare(({ words, warp }, mask) => {
    const address = offset + warp.block.rank * CLUSTER_STRIDE;
    for (const lane of lanesIn(mask)) {
      words[place.word + place.stride * lane] = address;
      if (place.stride === 2) words[place.word + 2 * lane + 1] = 0;
    }
  });
  return place;
}

/** Place of an address: of a symbol in its own space, or of a variable in local or parameter space. */
function addressPlace(binder: Binder, base: Base, offset: bigint, width: Width): Place {
  const { scope } = binder;
  switch (base.kind) {
    case "absolute":
      return scope.constant(offset, width);
    case "symbol": {
      const { space, value } = binder.slot(base);
      const whole = BigInt(value) + offset;
      return space === "shared" && scope.isClustered
        ? sharedPlace(binder, Number(whole), width)
        : scope.constant(whole, width);
    }
    case "variable": {
      const start = scope.variableOffsets[base.variable]! + Number(offset);
      if (scope.isKernelParameter(base.variable)) return scope.constant(BigInt(start), width);
      const place = scope.temporary(width);
      binder.prepare((frame, mask) => {
        for (const lane of lanesIn(mask)) {
          frame.words[place.word + place.stride * lane] = frame.localBase + start;
          if (place.stride === 2) frame.words[place.word + 2 * lane + 1] = 0;
        }
      });
      return place;
    }
    case "register": {
      const source = scope.register(base.register);
      if (offset === 0n) return source;
      const place = scope.temporary(width);
      binder.prepare((frame, mask) => {
        for (const lane of lanesIn(mask)) {
          if (place.stride === 2)
            frame.longs[(place.word >> 1) + lane] = frame.longs[(source.word >> 1) + lane]! + offset;
          else frame.words[place.word + lane] = frame.words[source.word + lane]! + Number(offset);
        }
      });
      return place;
    }
  }
}
