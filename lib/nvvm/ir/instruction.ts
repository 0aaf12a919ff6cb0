// Blocks and instructions (NVVM IR 1.0 chapter 8; LLVM Language Reference, "Instruction Reference"). `operands` are an
// instruction's values in the order of the text; a callee, block targets and types have fields of their own.

import type { Ranged } from "../../ptx/source-text.js";
import type { Attribute } from "./global.js";
import type { Attachment } from "./metadata.js";
import type { FunctionType, OtherType, Type } from "./type.js";
import type { IntegerConstant, Value } from "./value.js";

export interface BasicBlock extends Ranged {
  readonly kind: "block";
  readonly type: OtherType;
  /** Without `%` and quotes; numbered blocks have none. */
  readonly name: string | undefined;
  /** In the order of the text, from 0. */
  readonly index: number;
  readonly instructions: readonly Instruction[];
}

export type Instruction =
  | BinaryInstruction
  | UnaryInstruction
  | CompareInstruction
  | CastInstruction
  | SelectInstruction
  | PhiInstruction
  | CallInstruction
  | LoadInstruction
  | StoreInstruction
  | AllocaInstruction
  | ElementPointerInstruction
  | CompareExchangeInstruction
  | AtomicInstruction
  | FenceInstruction
  | VectorInstruction
  | ShuffleInstruction
  | AggregateInstruction
  | BranchInstruction
  | SwitchInstruction
  | ReturnInstruction
  | ForeignInstruction;

export type BinaryOpcode =
  | "add" | "sub" | "mul" | "udiv" | "sdiv" | "urem" | "srem" | "shl" | "lshr" | "ashr" | "and" | "or" | "xor"
  | "fadd" | "fsub" | "fmul" | "fdiv" | "frem"; // prettier-ignore

export type CastOpcode =
  | "trunc" | "zext" | "sext" | "fptrunc" | "fpext" | "fptoui" | "fptosi" | "uitofp" | "sitofp" | "ptrtoint" | "inttoptr"
  | "bitcast" | "addrspacecast"; // prettier-ignore

/** Words of an instruction as bits of `flags`. */
export const flag = {
  nuw: 1,
  nsw: 2,
  exact: 4,
  inbounds: 8,
  nneg: 16,
  disjoint: 32,
  samesign: 64,
  nusw: 128,
  /** Fast-math words; `fast` is all of them. */
  nnan: 256,
  ninf: 512,
  nsz: 1024,
  arcp: 2048,
  contract: 4096,
  afn: 8192,
  reassoc: 16384,
} as const;

interface InstructionBase extends Ranged {
  readonly kind: "instruction";
  /** Type of its result; void if it has none. */
  readonly type: Type;
  /** Without `%` and quotes; numbered results have none. */
  readonly name: string | undefined;
  /** In the order of the body, from 0. */
  readonly index: number;
  readonly operands: readonly Value[];
  /** Byte offset of each operand's value; empty in bitcode, where only `start` is known. */
  readonly operandStarts: readonly number[];
  /** Bits of `flag`. */
  readonly flags: number;
  readonly attachments: readonly Attachment[];
}

export interface BinaryInstruction extends InstructionBase {
  readonly opcode: BinaryOpcode;
}

export interface UnaryInstruction extends InstructionBase {
  readonly opcode: "fneg" | "freeze";
}

export interface CompareInstruction extends InstructionBase {
  readonly opcode: "icmp" | "fcmp";
  /** `eq`, `slt`, `oge`, `true`, …. */
  readonly predicate: string;
}

export interface CastInstruction extends InstructionBase {
  readonly opcode: CastOpcode;
}

export interface SelectInstruction extends InstructionBase {
  readonly opcode: "select";
}

export interface PhiInstruction extends InstructionBase {
  readonly opcode: "phi";
  /** The predecessor of each operand. */
  readonly incoming: readonly BasicBlock[];
}

export interface CallInstruction extends InstructionBase {
  readonly opcode: "call" | "invoke" | "callbr";
  /** A function, another pointer, or inline assembly; `operands` are the arguments. */
  readonly callee: Value;
  readonly calleeStart: number;
  readonly functionType: FunctionType;
  readonly convention: string;
  readonly tail: "tail" | "musttail" | "notail" | undefined;
  readonly resultAttributes: readonly Attribute[];
  readonly argumentAttributes: readonly (readonly Attribute[])[];
  /** Attribute groups resolved. */
  readonly attributes: readonly Attribute[];
  /** Operand bundles by name. */
  readonly bundles: readonly string[];
  /** Targets of invoke and callbr. */
  readonly targets: readonly BasicBlock[];
}

export type Ordering = "unordered" | "monotonic" | "acquire" | "release" | "acq_rel" | "seq_cst";

export interface LoadInstruction extends InstructionBase {
  readonly opcode: "load";
  readonly volatile: boolean;
  /** Bytes; undefined if not given. */
  readonly align: number | undefined;
  readonly ordering: Ordering | undefined;
  /** syncscope; "" is the whole system. */
  readonly scope: string;
}

/** Operands: value, pointer. */
export interface StoreInstruction extends InstructionBase {
  readonly opcode: "store";
  readonly volatile: boolean;
  readonly align: number | undefined;
  readonly ordering: Ordering | undefined;
  readonly scope: string;
}

/** Operands: the count, if one is written. */
export interface AllocaInstruction extends InstructionBase {
  readonly opcode: "alloca";
  readonly allocatedType: Type;
  readonly align: number | undefined;
  readonly inAlloca: boolean;
}

/** Operands: base, indices. */
export interface ElementPointerInstruction extends InstructionBase {
  readonly opcode: "getelementptr";
  /** The type that the first index strides over. */
  readonly sourceType: Type;
}

/** Operands: pointer, compared value, new value. */
export interface CompareExchangeInstruction extends InstructionBase {
  readonly opcode: "cmpxchg";
  readonly weak: boolean;
  readonly volatile: boolean;
  readonly success: Ordering;
  /** Equal to `success` if dialect A has one ordering. */
  readonly failure: Ordering;
  readonly scope: string;
  readonly align: number | undefined;
  /** Dialect A: the result is the old value, not a pair. */
  readonly plainResult: boolean;
}

/** Operands: pointer, value. */
export interface AtomicInstruction extends InstructionBase {
  readonly opcode: "atomicrmw";
  /** `add`, `umax`, `uinc_wrap`, `fadd`, …. */
  readonly operation: string;
  readonly volatile: boolean;
  readonly ordering: Ordering;
  readonly scope: string;
  readonly align: number | undefined;
}

export interface FenceInstruction extends InstructionBase {
  readonly opcode: "fence";
  readonly ordering: Ordering;
  readonly scope: string;
}

export interface VectorInstruction extends InstructionBase {
  readonly opcode: "extractelement" | "insertelement";
}

/** Operands: the two vectors. */
export interface ShuffleInstruction extends InstructionBase {
  readonly opcode: "shufflevector";
  /** Element in the concatenation of the two vectors; -1 if undefined. */
  readonly mask: readonly number[];
}

export interface AggregateInstruction extends InstructionBase {
  readonly opcode: "extractvalue" | "insertvalue";
  readonly indices: readonly number[];
}

/** Operands: the condition, if there are two targets. */
export interface BranchInstruction extends InstructionBase {
  readonly opcode: "br";
  readonly targets: readonly BasicBlock[];
}

/** Operands: the value. */
export interface SwitchInstruction extends InstructionBase {
  readonly opcode: "switch";
  readonly cases: readonly { readonly value: IntegerConstant; readonly target: BasicBlock }[];
  readonly defaultTarget: BasicBlock;
}

/** `ret` with its value, if any; `unreachable`. */
export interface ReturnInstruction extends InstructionBase {
  readonly opcode: "ret" | "unreachable";
}

/** Instructions that NVVM IR does not have, read so that the verifier can name them. */
export interface ForeignInstruction extends InstructionBase {
  readonly opcode:
    | "indirectbr" | "va_arg" | "landingpad" | "resume" | "unwind" | "cleanuppad" | "catchpad" | "catchswitch"
    | "cleanupret" | "catchret"; // prettier-ignore
  readonly targets: readonly BasicBlock[];
}

/** Possible successors of the instruction's block; empty if it does not end a block, returns or stops. */
export function successors(last: Instruction): readonly BasicBlock[] {
  if (last.opcode === "switch") return [last.defaultTarget, ...last.cases.map(({ target }) => target)];
  return "targets" in last ? last.targets : [];
}
