// Checks one instruction. Most are found in the cache (match-cache.ts): an instruction with the same spelling and operand
// signature was valid before, so that only constants' values are checked. Others take the slow path. It resolves the operands'
// names and matches the spelling to a row of the isa table. Then it checks what the row cannot express: requirements, state
// spaces, calls. PTX ISA 9.0 chapter 9.

import type { Choice } from "../isa/form.js";
import {
  negatedGuard,
  plainGuard,
  smallImmediate,
  smallImmediates,
  type Guard,
  type Instruction,
  type Operand,
} from "../isa/instruction.js";
import { formsOf, hasTrait, resolveOpcode, type Opcode, type OperandShape } from "../isa/opcode.js";
import { satisfies } from "../isa/requirement.js";
import { explainSpelling, longerSpellings } from "../isa/suggest.js";
import type { Ranged } from "../ptx/source-text.js";
import type { Instruction as InstructionNode, Name } from "../ptx/tree.js";
import { nameText } from "../ptx/names.js";
import type { Builder, FunctionContext, UnparsedContext } from "./builder.js";
import { callPlaces, checkCall, fitsCallee, type CallContext } from "./call.js";
import {
  beginInstruction,
  endInstruction,
  lintTraits,
  noteInstruction,
  type LintCandidate,
} from "./lint/candidates.js";
import { constantLint } from "./lint/constants.js";
import { noteOperand, noteRegister } from "./lint/registers.js";
import { checkHasAddress } from "./function-address.js";
import { addressesOf } from "./element.js";
import { isMismatch, matchConstant, type OperandMismatch } from "./match-value.js";
import { matchOperands } from "./match.js";
import { reportMismatch } from "./mismatch.js";
import type { NameContext } from "./symbols.js";
import { checkTextureOperands, textureOperand } from "./texture-operands.js";
import { lookup, cacheMatch, type CachedMatch, type MatchCache } from "./match-cache.js";
import { takeSums, writesSum, type Sums } from "./register-sum.js";
import type { Reporter } from "./reporter.js";
import { requireAll, requireFeature, type Platform } from "./require.js";
import { resolveAll, type Resolved } from "./resolve.js";
import { findBinding } from "./scope.js";
import { noRegister, readSignature, type Signature } from "./signature.js";
import { checkSpaces } from "./spaces.js";
import { reportUnknown } from "./unknown.js";

/** Checks the instruction that the reader has just read; undefined after a report. */
export function checkUnparsed(names: NameContext, builder: Builder, context: FunctionContext): Instruction | undefined {
  const { unparsed, matchCache, reporter, signature } = context;
  const { reader } = unparsed!;
  const hasSignature = readSignature(reader, names, signature);
  const cached = hasSignature ? cachedMatchAt(unparsed!, matchCache, signature) : undefined;
  if (cached !== undefined) {
    const hit = fromCache(cached, reader.tokens.starts[reader.records.start]!, builder, context);
    const { call } = cached;
    if (hit !== undefined && (call === undefined || fitsCallee(hit, call, callContext(builder, context)))) return hit;
  }
  const node = reader.node();
  const before = reporter.count();
  const { addresses } = context.header;
  const narrowBefore = addresses.narrowUses;
  const instruction = checkInstruction(node, names, builder, context);
  const isSettled = reporter.count() === before && addresses.narrowUses === narrowBefore;
  if (instruction !== undefined && hasSignature && cached === undefined && isSettled) {
    const made = cachedMatchOf(instruction, node.opcode.text);
    if (made !== undefined) cacheMatch(matchCache, node.opcode.text, signature, made);
  }
  return instruction;
}

/** Checks the instruction of a syntax node; undefined after a report. */
export function checkInstruction(
  node: InstructionNode,
  names: NameContext,
  builder: Builder,
  context: FunctionContext,
): Instruction | undefined {
  const guard = node.guard === undefined ? undefined : checkGuard(node.guard, names);
  const isGuarded = node.guard === undefined || guard !== undefined;
  const instruction = resolveAndMatch(node, guard, isGuarded, names, builder, context);
  if (instruction !== undefined) {
    noteInstruction(builder.lint, instruction, lintTraits(instruction.opcode));
    if (constantLint.mayApplyToNodes(node.operands)) builder.lint.needsLint = true;
  }
  return instruction;
}

// --------------------------------------------------------------------------------------------------------- match cache

/** The cached match for the instruction that was read. */
function cachedMatchAt(
  { reader, tries }: UnparsedContext,
  matchCache: MatchCache,
  signature: Signature,
): CachedMatch | undefined {
  const { opcode, spelling } = reader.records;
  if (spelling !== undefined) return lookup(matchCache.bySpelling.get(spelling), signature);
  const id = reader.tokens.names[opcode]!;
  while (tries.length <= id) tries.push(undefined);
  return lookup((tries[id] ??= matchCache.bySpelling.get(nameText(reader.names, id))), signature);
}

/** Makes the instruction at that byte offset from a cached match; undefined if a constant's value does not fit its operand. */
function fromCache(
  cached: CachedMatch,
  start: number,
  { lint, location }: Builder,
  { reporter, signature }: FunctionContext,
): Instruction | undefined {
  const { opcode, places, lint: traits } = cached;
  const { operands: made, registers, guard, count } = signature;
  beginInstruction(lint, guard);
  for (let place = 0; place < places.length; place++) {
    const index = places[place]!;
    if (index < 0) continue;
    const register = registers[index]!;
    if (register >= 0) noteRegister(lint.registers, register, traits.roles[place]!);
    else if (register !== noRegister)
      noteOperand(lint.registers, made[index]!, traits.roles[place]!, opcode.operands[place]!);
    else {
      const matched = constantAt(place, index, cached, signature, lint);
      if (matched === undefined) return undefined;
      made[index] = matched;
    }
  }
  const operands = count === places.length ? firstOf(made, count) : inPlaces(made, places);
  endInstruction(lint, traits, operands);
  return { opcode, guard, operands, line: reporter.line(start), location };
}

/** A dummy place: the slow path reports the fault. */
const nowhere: Ranged = { start: 0, end: 0 };

/** The operand for a constant; undefined if its value does not fit. */
function constantAt(
  place: number,
  index: number,
  { opcode, limits }: CachedMatch,
  { values, small }: Signature,
  lint: LintCandidate,
): Operand | undefined {
  if (small[index]! < limits[place]!) return smallImmediate(small[index]!);
  const shape = opcode.operands[place]!;
  const value = values[index]!;
  const matched = matchConstant(shape, value, nowhere);
  if (matched.kind === "mismatch") return undefined;
  if (matched.kind === "immediate" && constantLint.mayApply(shape.type, value, matched.bits)) lint.needsLint = true;
  return matched;
}

/** The operands by place, if some places have none. */
function inPlaces(made: readonly Operand[], places: readonly number[]): readonly (Operand | undefined)[] {
  return places.map((index) => (index < 0 ? undefined : made[index]));
}

/** A copy of the first operands. Nearly all instructions have at most four, for which array literals are fastest. */
function firstOf(made: readonly Operand[], count: number): readonly Operand[] {
  switch (count) {
    case 1:
      return [made[0]!];
    case 2:
      return [made[0]!, made[1]!];
    case 3:
      return [made[0]!, made[1]!, made[2]!];
    case 4:
      return [made[0]!, made[1]!, made[2]!, made[3]!];
    default:
      return made.slice(0, count);
  }
}

/** The match to cache for a valid instruction; undefined if values of constants influenced the choice of the row. */
function cachedMatchOf({ opcode, operands }: Instruction, spelling: string): CachedMatch | undefined {
  // Texturing modes are not part of a signature.
  if (textureOperand(opcode) !== undefined) return undefined;
  const readings = resolveOpcode(spelling);
  const isLimited = ({ spec }: OperandShape): boolean => spec.values !== undefined;
  // A value that a place does not allow selects the next reading or, if the place is optional, the next place.
  const earlier = readings.slice(0, readings.indexOf(opcode));
  if (earlier.some((reading) => reading.operands.some(isLimited))) return undefined;
  if (opcode.operands.slice(0, -1).some((shape) => shape.presence === "optional" && isLimited(shape))) return undefined;
  let next = 0;
  const places = operands.map((operand) => (operand === undefined ? -1 : next++));
  const limits = opcode.operands.map(limitOf);
  return { opcode, places, limits, call: callPlaces(opcode), lint: lintTraits(opcode) };
}

/** The exclusive limit of small integers that `matchConstant` does not change. */
function limitOf({ type, spec }: OperandShape): number {
  if (type === undefined) return smallImmediates;
  const isInteger = type.class !== "float" && type.class !== "opaque" && type.class !== "predicate" && type.lanes === 1;
  return isInteger && spec.values === undefined ? Math.min(2 ** type.bits, smallImmediates) : 0;
}

// -------------------------------------------------------------------------------------------------------- the long way

/** Resolves and matches the instruction; undefined after a report. */
function resolveAndMatch(
  node: InstructionNode,
  guard: Guard | undefined,
  isGuarded: boolean,
  names: NameContext,
  builder: Builder,
  context: FunctionContext,
): Instruction | undefined {
  const { header: platform, reporter } = context;
  const resolved = resolveAll(node.operands, names);
  const addresses = resolved && addressesOf(node, resolved);
  const sums = addresses && takeSums(node, addresses, names);
  const operands = sums?.operands ?? addresses;
  const readings = resolveOpcode(node.opcode.text);
  // `@ bra L;`: the missing guard is reported instead.
  if (readings.length === 0 && node.guard !== undefined && isGuardMissing(node.guard.name, names)) return undefined;
  if (readings.length === 0) {
    const { message, fault: _, start, end, ...details } = explainSpelling(node.opcode.text);
    reporter.report("unknown-instruction", partOf(node.opcode, { start, end }), message, details);
    return undefined;
  }
  if (operands === undefined || !isGuarded) return undefined;
  let best: { readonly mismatch: OperandMismatch; readonly opcode: Opcode } | undefined;
  for (const opcode of readings) {
    const matched = matchOperands(opcode.operands, operands, node.opcode);
    if (isMismatch(matched)) {
      if (best === undefined || matched.fitted > best.mismatch.fitted) best = { mismatch: matched, opcode };
      continue;
    }
    const instruction: Instruction = {
      opcode,
      guard,
      operands: matched,
      line: reporter.line(node.start),
      location: builder.location,
    };
    if (sums !== undefined && !addFirst(sums, instruction, node, names, builder, context)) return undefined;
    checkRequirement(opcode, operands, node, platform, reporter);
    checkPlaces(instruction, node, platform, reporter);
    checkSpaces(opcode, operands, names.registers.registers, platform.addresses, reporter);
    checkTextureOperands(opcode, operands, names.registers.registers, platform, reporter);
    const call = callPlaces(opcode);
    return call === undefined ? instruction : checkCall(instruction, call, node, callContext(builder, context));
  }
  if (best !== undefined) reportMismatch(best.mismatch, best.opcode, node, names);
  return undefined;
}

/** Inserts the additions of sums before the instruction that uses them; false after a report. */
function addFirst(
  sums: Sums,
  { opcode, operands }: Instruction,
  node: InstructionNode,
  names: NameContext,
  builder: Builder,
  context: FunctionContext,
): boolean {
  const written = writesSum(operands, opcode.operands, sums);
  if (written >= 0) {
    const message = `${opcode.spelling}: '${opcode.operands[written]!.spec.name}' is a destination and must be a register`;
    context.reporter.report("operand-kind", node.operands[written] ?? node, message);
    return false;
  }
  for (const addition of sums.additions) {
    const made = checkInstruction(addition, names, builder, context);
    if (made === undefined) return false;
    builder.additions.push(builder.count - builder.additions.length);
    builder.instructions[builder.count++] = made;
  }
  return true;
}

/** A range of an opcode's text as a range of the source; the whole opcode if white space separates its modifiers. */
function partOf({ start: from, end: to, text }: Name, { start, end }: Ranged): Ranged {
  return to - from === text.length ? { start: from + start, end: from + end } : { start: from, end: to };
}

const callContext = (
  code: Builder,
  { header: platform, module: { symbols }, reporter }: FunctionContext,
): CallContext => ({
  code,
  registers: code.registers.registers,
  symbols,
  platform,
  reporter,
});

function checkGuard(node: NonNullable<InstructionNode["guard"]>, names: NameContext): Guard | undefined {
  const binding = findBinding(names.scope, node.name.text, names.registers);
  if (binding?.kind === "register" && binding.register.type.class === "predicate") {
    return node.negated ? negatedGuard(binding.index) : plainGuard(binding.index);
  }
  const remedy = `declare it: .reg .pred ${node.name.text};`;
  if (isGuardMissing(node.name, names)) {
    const message = `expected a predicate register after '@', found the instruction '${node.name.text}'`;
    names.reporter.report("unknown-name", node.name, message, {
      remedy: "remove '@', or write a predicate register after it",
    });
  } else if (binding === undefined) reportUnknown(node.name, names, remedy);
  else if (binding.kind !== "faulty") {
    const message = `the guard '${node.name.text}' is not a predicate register`;
    if (binding.kind !== "register") names.reporter.report("operand-type", node.name, message);
    else {
      const place = names.reporter.place(binding.at);
      names.reporter.report("operand-type", node.name, message, {
        notes: [{ message: `it is declared here, as .${binding.register.type.name}`, place }],
        remedy: "compare it first, with setp",
      });
    }
  }
  return undefined;
}

/** Whether the guard's register is missing, so that the opcode is in its place. */
const isGuardMissing = ({ text }: Name, { scope, registers }: NameContext): boolean =>
  findBinding(scope, text, registers) === undefined && formsOf(text).length > 0;

/** Whether the module's version and target support the instruction, and the special registers that it reads. */
function checkRequirement(
  opcode: Opcode,
  operands: readonly Resolved[],
  node: InstructionNode,
  platform: Platform,
  reporter: Reporter,
): void {
  const { version, target } = platform;
  const { spelling } = opcode;
  const isMove = hasTrait(opcode, "move");
  const lacking = lackingModifier(opcode, platform);
  if (lacking === undefined)
    requireAll(spelling, opcode.needs, node.opcode, platform, reporter, () =>
      longerSpellings(spelling, version, target),
    );
  else
    requireAll(`${spelling}: .${lacking.text}`, lacking.needs, wordOf(node.opcode, lacking.text), platform, reporter);
  for (const operand of operands) {
    if (operand.kind === "special") requireSpecial(operand, platform, reporter);
    else if (operand.kind === "symbol" && operand.symbol.kind === "function" && operand.symbol.entry)
      requireFeature("the address of a kernel", operand.node, platform, reporter);
    else if (isMove && operand.kind === "variable" && operand.variable.kind === "return")
      requireFeature("the address of a return parameter", operand.node, platform, reporter);
    else if (isMove && operand.kind === "symbol" && operand.symbol.kind === "function") {
      requireFeature("the address of a function", operand.node, platform, reporter);
      checkHasAddress(operand.symbol, operand.node, reporter);
    } else if (isMove && operand.kind === "symbol" && operand.symbol.kind === "reference")
      requireFeature("the address of a texture, sampler or surface", operand.node, platform, reporter);
    else if (operand.kind === "vector") {
      for (const element of operand.elements) {
        if (element.kind === "special") requireSpecial(element, platform, reporter);
      }
    }
  }
}

/** The modifier that the module's version or target lacks, if they support the instruction without it. */
function lackingModifier({ form, chosen }: Opcode, { version, target }: Platform): Choice | undefined {
  if (!satisfies(version, target, form.needs)) return undefined;
  for (let i = 0; i < chosen.length; i++) {
    const choice = form.slots[i]!.choices.find(({ text }) => text === chosen[i]);
    if (choice !== undefined && !satisfies(version, target, choice.needs)) return choice;
  }
  return undefined;
}

/** The range of a modifier in an opcode, including its dot. */
function wordOf(opcode: Name, modifier: string): Ranged {
  const start = `${opcode.text}.`.indexOf(`.${modifier}.`);
  return start < 0 ? opcode : partOf(opcode, { start, end: start + 1 + modifier.length });
}

/** Checks that version and target support the operands that are present: some are newer than their instruction. */
function checkPlaces(
  { opcode, operands }: Instruction,
  node: InstructionNode,
  platform: Platform,
  reporter: Reporter,
): void {
  for (const [i, { spec }] of opcode.operands.entries()) {
    const operand = operands[i];
    const used = operand === undefined ? undefined : operand.kind === "pair" ? spec.pair?.spec : spec;
    if (used !== undefined && used.needs.length > 0)
      requireAll(`operand '${used.name}' of ${opcode.form.opcode}`, used.needs, node, platform, reporter);
  }
}

function requireSpecial(
  { special, node }: Resolved & { kind: "special" },
  platform: Platform,
  reporter: Reporter,
): void {
  requireAll(special.name, special.needs, node, platform, reporter);
}
