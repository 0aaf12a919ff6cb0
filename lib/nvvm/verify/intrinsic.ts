// Intrinsic functions: declarations and calls against the table (NVVM IR 1.0 chapters 9 and 13).

import type { Ranged } from "../../ptx/source-text.js";
import type { Function } from "../ir/global.js";
import type { CallInstruction, Instruction } from "../ir/instruction.js";
import { typeText, type FunctionType, type Type } from "../ir/type.js";
import type { Constant, Value } from "../ir/value.js";
import { findIntrinsic, nearIntrinsics, type Intrinsic } from "../intrinsics/find.js";
import { signatureFault } from "../intrinsics/signature.js";
import type { Reporter } from "./facts.js";
import { checkHandleUse } from "./handle-use.js";
import { operandRange } from "./tokens.js";
import { elementOf } from "./types.js";

function intrinsicOf(name: string, { intrinsics }: Reporter): Intrinsic | undefined {
  let found = intrinsics.get(name);
  if (found === undefined) intrinsics.set(name, (found = findIntrinsic(name) ?? null));
  return found ?? undefined;
}

/** Families that no GPU has (sections 9.1 to 9.3, 9.9 and 9.10), and why. */
const foreign: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^llvm\.(?:gc(?:root|read|write)|experimental\.gc\.)/, "there is no garbage collector"],
  [/^llvm\.(?:eh\.|seh\.|cleanuppad|wasm\.)/, "there are no exceptions"],
  [/^llvm\.(?:init|adjust)\.trampoline/, "code cannot be generated at run time"],
  [
    /^llvm\.(?:returnaddress|frameaddress|addressofreturnaddress|sponentry|pcmarker|localescape|localrecover|stackprotector|stackguard|flt\.rounds|set\.rounding|clear_cache|read_register|write_register|get\.dynamic\.area)/,
    "it has no equivalent on a GPU",
  ],
  [/^llvm\.coro\./, "there are no coroutines"],
  // LLVM's own intrinsics for which no PTX exists: ptxas refuses llc's output.
  [/^llvm\.nvvm\.(?:ex2|lg2)\.approx\.d$/, "PTX has the approximation for float and half only"],
  [/^llvm\.nvvm\.sust\.p\./, "formatted stores require elements of 32 bits and images without layers"],
  [
    /^llvm\.nvvm\.mma\.m16n8k16\.row\.col\.(?:f16\.f32|f32\.f16)$/,
    "results and accumulators of this shape must have the same type",
  ],
  [
    /^llvm\.(?:x86|arm|aarch64|amdgcn|r600|ppc|mips|hexagon|s390|riscv|spv|ve|bpf|dx|loongarch)\./,
    "it belongs to another target",
  ],
];

export function checkIntrinsicDeclaration(fn: Function, at: Ranged, reporter: Reporter): void {
  const intrinsic = intrinsicOf(fn.name, reporter);
  if (intrinsic === undefined) {
    const why = foreign.find(([pattern]) => pattern.test(fn.name))?.[1];
    if (why !== undefined) return void reporter.report("intrinsic-foreign", at, [fn.name, why]);
    const [meant] = nearIntrinsics(fn.name);
    reporter.report("intrinsic", at, [fn.name], {
      ...(meant === undefined ? {} : { meant: { name: meant } }),
      remedy: meant === undefined ? "define it under another name, or remove it" : `write ${meant}`,
    });
    return;
  }
  checkSignature(fn.name, fn.valueType, intrinsic, at, reporter);
  if (intrinsic.misprint) reporter.report("misprint", at, [fn.name]);
  checkFirst(fn, intrinsic, at, reporter);
}

function checkSignature(name: string, type: FunctionType, intrinsic: Intrinsic, at: Ranged, reporter: Reporter): void {
  const fault = signatureFault(type, intrinsic.signature);
  if (fault === undefined) return;
  const says =
    fault.kind === "count"
      ? `has ${fault.wanted} parameters, not ${fault.found}`
      : fault.kind === "result"
        ? `returns ${fault.wanted}, not ${typeText(type.result)}`
        : `has ${fault.wanted} for parameter ${fault.index + 1}, not ${typeText(type.parameters[fault.index]!)}`;
  reporter.report("intrinsic-signature", at, [name, says]);
}

/** Whether NVVM IR 1.0 has the intrinsic, for these types. */
function checkFirst(fn: Function, { row, signature }: Intrinsic, at: Ranged, reporter: Reporter): void {
  if (row.first === undefined) return void reporter.report("intrinsic-version", at, [fn.name]);
  if (row.first === "*") return;
  const bound = new Map<string, Type>();
  if (signatureFault(fn.valueType, signature, bound) !== undefined) return;
  const type = bound.get("I") ?? bound.get("F") ?? fn.valueType.result;
  const allowed = row.first.split(" ");
  const element = shortName(elementOf(type));
  const fits = allowed.includes(element) && (type.kind !== "vector" || allowed.includes("vectors"));
  if (fits) return;
  const names = allowed.filter((one) => one !== "vectors").map(longName);
  const vectors = allowed.includes("vectors") ? ", and vectors of them" : "";
  reporter.report("intrinsic-type", at, [fn.name, `${names.join(" ")}${vectors}`, typeText(type)]);
}

const shortNames: Readonly<Record<string, string>> = { float: "f32", double: "f64", half: "f16", bfloat: "bf16" };
const shortName = (type: Type): string => shortNames[typeText(type)] ?? typeText(type);
const longName = (name: string): string => Object.entries(shortNames).find(([, short]) => short === name)?.[0] ?? name;

export function checkIntrinsicCall(call: CallInstruction, fn: Function, at: () => Ranged, reporter: Reporter): void {
  const intrinsic = intrinsicOf(fn.name, reporter);
  // Unknown names are reported at their declaration.
  if (intrinsic === undefined) return;
  if (call.functionType !== fn.valueType) checkSignature(fn.name, call.functionType, intrinsic, at(), reporter);
  const { parameters } = intrinsic.signature;
  for (let index = 0; index < parameters.length; index++) {
    const operand = call.operands[index];
    if (parameters[index]!.constant && operand !== undefined && !isNumber(operand))
      reporter.report("intrinsic-constant", operandRange(reporter.module, call, index), [index + 1, fn.name]);
  }
  const { does } = intrinsic.row;
  if (does === "memcpy" || does === "memmove" || does === "memset") checkCopy(call, fn, does, reporter);
  else if (does === "from.generic") checkRoundTrip(call, reporter);
  if (does === "handle") checkHandle(call, intrinsic, reporter);
  else if (reporter.handles.size > 0) checkHandleUses(call, reporter);
}

const isNumber = ({ kind }: Value): boolean =>
  kind === "integer" || kind === "zero" || kind === "float" || kind === "undef" || kind === "poison";

const spaceOf = (value: Value | undefined): number => (value?.type.kind === "pointer" ? value.type.space : 0);

function checkCopy(
  call: CallInstruction,
  fn: Function,
  does: "memcpy" | "memmove" | "memset",
  reporter: Reporter,
): void {
  const [to, from] = call.operands;
  if (spaceOf(to) === 4) reporter.report("copy-constant", operandRange(reporter.module, call, 0), [fn.name]);
  if (does === "memmove" && spaceOf(from) === 4)
    reporter.report("move-constant", operandRange(reporter.module, call, 1), [fn.name]);
}

const names: Readonly<Record<number, string>> = { 1: "global", 3: "shared", 4: "constant", 5: "local" };

/** Reports a generic pointer that visibly came from another space. */
export function checkRoundTrip(cast: Instruction, reporter: Reporter): void {
  const { operands, type: to } = cast;
  const [operand] = operands;
  const space = to.kind === "pointer" ? to.space : 0;
  const origin = genericOrigin(operand);
  if (origin === undefined || space === 0 || origin === space) return;
  reporter.report("space-round-trip", operandRange(reporter.module, cast, 0), [
    names[origin] ?? origin,
    names[space] ?? space,
  ]);
}

/** Longest chain of casts that is followed. */
const MAX_CASTS = 32;

/** The space that a generic pointer came from; undefined if that is not visible. */
function genericOrigin(value: Value | undefined): number | undefined {
  let at = value;
  for (let i = 0; i < MAX_CASTS && at !== undefined; i++) {
    const { type } = at;
    if (type.kind !== "pointer") return undefined;
    if (type.space !== 0) return type.space;
    at = castOperand(at);
  }
  return undefined;
}

function castOperand(value: Value): Value | undefined {
  if (value.kind === "expression")
    return value.opcode === "bitcast" || value.opcode === "addrspacecast" || value.opcode === "getelementptr"
      ? value.operands[0]
      : undefined;
  if (value.kind !== "instruction") return undefined;
  // A bitcast keeps the bits: a generic pointer made by one does not have the address's value (section 10.2.2).
  if (value.opcode === "addrspacecast" || value.opcode === "getelementptr") return value.operands[0];
  if (value.opcode === "bitcast") return spaceOf(value.operands[0]) === spaceOf(value) ? value.operands[0] : undefined;
  if (value.opcode !== "call" || value.callee.kind !== "function") return undefined;
  return /^llvm\.nvvm\.ptr\.\w+\.to\.gen\b/.test(value.callee.name) ? value.operands[0] : undefined;
}

/** metadata !{i64 addrspace(1)* @t}, i64 addrspace(1)* @t (section 12.2). */
function checkHandle(call: CallInstruction, { signature }: Intrinsic, reporter: Reporter): void {
  if (signature.parameters.length < 2) return;
  const [metadata, variable] = call.operands;
  if (metadata?.kind !== "metadata") return;
  const node = metadata.metadata;
  const held = node?.kind === "node" ? node.operands : [node];
  const [first] = held;
  const isRight =
    held.length === 1 &&
    first?.kind === "value" &&
    strip(first.value) === (variable === undefined ? undefined : strip(variable));
  if (!isRight) reporter.report("texture-metadata", operandRange(reporter.module, call, 0));
}

function strip(value: Value): Value {
  let at = value;
  while (at.kind === "expression" && at.operands[0] !== undefined) at = at.operands[0];
  return at;
}

function checkHandleUses(call: CallInstruction, reporter: Reporter): void {
  for (const [index, operand] of call.operands.entries()) {
    const base = strip(operand as Constant);
    if (base.kind === "variable") checkHandleUse(base, operandRange(reporter.module, call, index), reporter);
  }
}
