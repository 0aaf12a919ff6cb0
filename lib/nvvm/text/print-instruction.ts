// Instructions as IR text.

import type { Value } from "../ir/value.js";
import type { MetadataPrinter } from "./print-metadata.js";
import type { PrintOptions, TypePrinter } from "./print-type.js";
import type {
  AtomicInstruction,
  BasicBlock,
  CallInstruction,
  CastInstruction,
  CompareExchangeInstruction,
  Instruction,
  ShuffleInstruction,
} from "../ir/instruction.js";
import { flag } from "../ir/instruction.js";
import { attributesText } from "./print-attributes.js";
import { castOpcode } from "./print-constant.js";
import { quoted } from "./print-type.js";

/** The lines of an instruction, mostly one; undefined if the tree is incomplete: exceptions and operand bundles. */
export function instructionText(p: BodyPrinter, instruction: Instruction): readonly string[] | undefined {
  if (instruction.opcode === "cmpxchg" && instruction.plainResult && p.options.upgrade) return pairText(p, instruction);
  const text = partsText(p, instruction);
  if (text === undefined) return undefined;
  const name = instruction.type.kind === "void" ? "" : `${p.value(instruction)} = `;
  return [`${name}${text}${p.metadata.attachments(instruction.attachments, p.typed, ", ")}`];
}

const words = Object.entries(flag);
const fastWords = words.filter(([, bits]) => bits >= flag.nnan);
const fast = fastWords.reduce((sum, [, bits]) => sum | bits, 0);
/** Newer flags, by the version from which on the printer writes them. */
const late: ReadonlyMap<string, number> = new Map([
  ["nneg", 20],
  ["disjoint", 20],
  ["samesign", 20],
  ["nusw", 20],
]);

function flagsText({ options: { version } }: BodyPrinter, { flags, opcode }: Instruction): string {
  if (flags === 0) return "";
  const isFast = (flags & fast) === fast;
  const list = words.filter(([name, bits]) => {
    if ((flags & bits) === 0 || (isFast && (fast & bits) !== 0)) return false;
    const needed =
      opcode === "getelementptr" || opcode === "trunc" ? (name === "inbounds" ? 0 : 20) : (late.get(name) ?? 0);
    // Fast-math flags on these exist since LLVM 8.
    const isEarly = version === 7 && (opcode === "phi" || opcode === "select") && (fast & bits) !== 0;
    return needed <= version && !isEarly;
  });
  const early = version === 7 && (opcode === "phi" || opcode === "select");
  return `${isFast && !early ? " fast" : ""}${list.map(([name]) => ` ${name}`).join("")}`;
}

const alignText = (align: number | undefined): string => (align === undefined ? "" : `, align ${align}`);
const scopeText = (scope: string): string => (scope === "" ? "" : ` syncscope(${quoted(scope)})`);

/** The kind of instruction that has an opcode, perhaps with others. */
type InstructionOf<Opcode, Kind = Instruction> = Kind extends { readonly opcode: infer Opcodes }
  ? Opcode extends Opcodes
    ? Kind
    : never
  : never;
type Printer<Opcode> = (p: BodyPrinter, instruction: InstructionOf<Opcode>, flags: string) => string | undefined;

const listText = (p: BodyPrinter, { operands }: Instruction): string => operands.map(p.typed).join(", ");
const labelText = (p: BodyPrinter, target: BasicBlock): string => `label ${p.block(target)}`;
const firstText = (p: BodyPrinter, { operands }: Instruction): string => p.typed(operands[0]!);

const compareText: Printer<"icmp" | "fcmp"> = (p, { opcode, predicate, operands: [left, right] }, flags) =>
  `${opcode}${flags} ${predicate} ${p.typed(left!)}, ${p.value(right!)}`;

/** `load atomic volatile`, and the parts after its operands. */
function accessText(instruction: InstructionOf<"load" | "store">, operands: string): string {
  const { opcode, volatile: isVolatile, ordering, scope, align } = instruction;
  const what = `${opcode}${ordering === undefined ? "" : " atomic"}${isVolatile ? " volatile" : ""}`;
  const order = ordering === undefined ? "" : `${scopeText(scope)} ${ordering}`;
  return `${what} ${operands}${order}${alignText(align)}`;
}

const castText: Printer<CastInstruction["opcode"]> = (p, instruction, flags) => {
  const [value] = instruction.operands;
  return `${castOpcode(instruction, value!)}${flags} ${p.typed(value!)} to ${p.types.text(instruction.type)}`;
};

const indexText: Printer<"extractvalue" | "insertvalue"> = (p, { opcode, operands, indices }) =>
  `${opcode} ${[...operands.map(p.typed), ...indices].join(", ")}`;

const elementText: Printer<"extractelement" | "insertelement"> = (p, instruction) =>
  `${instruction.opcode} ${listText(p, instruction)}`;

/** For instructions whose tree is incomplete. */
const nothing = (): undefined => undefined;

/** Printers of opcodes other than those with two operands of one type. */
const printers: { readonly [Opcode in Instruction["opcode"]]?: Printer<Opcode> } = {
  // LLVM 7 has no such instruction.
  fneg: (p, instruction, flags) =>
    p.options.version === 7
      ? `fsub${flags} ${p.types.text(instruction.type)} ${negativeZero(p, instruction)}, ${p.value(instruction.operands[0]!)}`
      : `fneg${flags} ${firstText(p, instruction)}`,
  // LLVM 7 has no such instruction, and this has the same value.
  freeze: (p, instruction) =>
    p.options.version === 7
      ? `select i1 true, ${firstText(p, instruction)}, ${firstText(p, instruction)}`
      : `freeze ${firstText(p, instruction)}`,
  icmp: compareText,
  fcmp: compareText,
  select: (p, instruction, flags) => `select${flags} ${listText(p, instruction)}`,
  phi(p, { incoming, operands, type }, flags) {
    const list = operands.map((operand, i) => `[ ${p.value(operand)}, ${p.block(incoming[i]!)} ]`);
    return `phi${flags} ${p.types.text(type)} ${list.join(", ")}`;
  },
  call: callText,
  invoke: callText,
  callbr: callText,
  load: (p, instruction) => accessText(instruction, `${p.types.text(instruction.type)}, ${firstText(p, instruction)}`),
  store: (p, instruction) => accessText(instruction, listText(p, instruction)),
  alloca(p, { allocatedType, align, inAlloca, operands: [first], type }) {
    const count = first === undefined ? "" : `, ${p.typed(first)}`;
    const space = type.kind === "pointer" && type.space !== 0 ? `, addrspace(${type.space})` : "";
    return `alloca ${inAlloca ? "inalloca " : ""}${p.types.text(allocatedType)}${count}${alignText(align)}${space}`;
  },
  getelementptr: (p, instruction, flags) =>
    `getelementptr${flags} ${p.types.text(instruction.sourceType)}, ${listText(p, instruction)}`,
  cmpxchg: exchangeText,
  atomicrmw: atomicText,
  fence: (_, { scope, ordering }) => `fence${scopeText(scope)} ${ordering}`,
  extractelement: elementText,
  insertelement: elementText,
  shufflevector: (p, instruction) => `shufflevector ${listText(p, instruction)}, ${maskText(instruction)}`,
  extractvalue: indexText,
  insertvalue: indexText,
  br: (p, { operands, targets }) =>
    `br ${[...operands.map(p.typed), ...targets.map((target) => labelText(p, target))].join(", ")}`,
  switch(p, instruction) {
    const cases = instruction.cases.map(({ value, target }) => `${p.typed(value)}, ${labelText(p, target)}`);
    return `switch ${firstText(p, instruction)}, ${labelText(p, instruction.defaultTarget)} [ ${cases.join(" ")} ]`;
  },
  ret: (p, { operands: [first] }) => (first === undefined ? "ret void" : `ret ${p.typed(first)}`),
  unreachable: () => "unreachable",
  indirectbr: (p, instruction) =>
    `indirectbr ${firstText(p, instruction)}, [${instruction.targets.map((target) => labelText(p, target)).join(", ")}]`,
  va_arg: (p, instruction) => `va_arg ${firstText(p, instruction)}, ${p.types.text(instruction.type)}`,
  resume: (p, instruction) => `resume ${firstText(p, instruction)}`,
  landingpad: nothing,
  unwind: nothing,
  cleanuppad: nothing,
  catchpad: nothing,
  catchswitch: nothing,
  cleanupret: nothing,
  catchret: nothing,
  trunc: castText,
  zext: castText,
  sext: castText,
  fptrunc: castText,
  fpext: castText,
  fptoui: castText,
  fptosi: castText,
  uitofp: castText,
  sitofp: castText,
  ptrtoint: castText,
  inttoptr: castText,
  bitcast: castText,
  addrspacecast: castText,
};

function partsText(p: BodyPrinter, instruction: Instruction): string | undefined {
  const { operands, opcode } = instruction;
  const flags = flagsText(p, instruction);
  const print = printers[opcode] as Printer<Instruction["opcode"]> | undefined;
  return print === undefined
    ? `${opcode}${flags} ${p.typed(operands[0]!)}, ${p.value(operands[1]!)}`
    : print(p, instruction, flags);
}

/** The mask of a scalable vector is all zero or undefined. */
function maskText({ type, mask }: ShuffleInstruction): string {
  if (type.kind === "vector" && type.scalable)
    return `<vscale x ${mask.length} x i32> ${mask[0] === 0 ? "zeroinitializer" : "undef"}`;
  const elements = mask.map((element) => (element < 0 ? "i32 undef" : `i32 ${element}`));
  return `<${mask.length} x i32> <${elements.join(", ")}>`;
}

/** -0.0, or a vector of it. */
function negativeZero(p: BodyPrinter, { type }: Instruction): string {
  const scalar = type.kind === "vector" ? type.element : type;
  const zero = scalar.kind === "float" && scalar.name === "half" ? "0xH8000" : "0x8000000000000000";
  if (type.kind !== "vector") return zero;
  return `<${new Array<string>(type.count).fill(`${p.types.text(scalar)} ${zero}`).join(", ")}>`;
}

function atomicText(p: BodyPrinter, instruction: AtomicInstruction): string {
  const { operation, volatile: isVolatile, ordering, scope, align, operands } = instruction;
  // LLVM 7 has no alignment here.
  const aligned = p.options.version === 7 ? "" : alignText(align);
  const what = `atomicrmw ${isVolatile ? "volatile " : ""}${operation} ${operands.map(p.typed).join(", ")}`;
  return `${what}${scopeText(scope)} ${ordering}${aligned}`;
}

function exchangeText(p: BodyPrinter, instruction: CompareExchangeInstruction): string {
  const { weak, volatile: isVolatile, success, failure, scope, align, operands, plainResult } = instruction;
  const what = `cmpxchg ${weak ? "weak " : ""}${isVolatile ? "volatile " : ""}${operands.map(p.typed).join(", ")}`;
  const orders = plainResult && !p.options.upgrade ? success : `${success} ${failureOrder(failure)}`;
  return `${what}${scopeText(scope)} ${orders}${p.options.version === 7 ? "" : alignText(align)}`;
}

/** What a failed exchange may be ordered by: it does not write. */
const failureOrder = (order: string): string =>
  order === "release" ? "monotonic" : order === "acq_rel" ? "acquire" : order;

/** Dialect A's exchange, whose result is the old value. */
function pairText(p: BodyPrinter, instruction: CompareExchangeInstruction): readonly string[] {
  const name = p.freshName();
  const attachments = p.metadata.attachments(instruction.attachments, p.typed, ", ");
  return [
    `${name} = ${exchangeText(p, instruction)}${attachments}`,
    `${p.value(instruction)} = extractvalue { ${p.types.text(instruction.type)}, i1 } ${name}, 0`,
  ];
}

function callText(p: BodyPrinter, call: CallInstruction, flags: string): string | undefined {
  const { types, options } = p;
  if (call.bundles.length > 0) return undefined;
  const attributes = (list: CallInstruction["attributes"]): string => attributesText(types, options, list);
  const tail = call.opcode !== "call" || call.tail === undefined ? "" : `${call.tail} `;
  const convention = call.convention === "ccc" ? "" : ` ${conventionText(call.convention)}`;
  const { functionType, callee } = call;
  const space = callee.type.kind === "pointer" && callee.type.space !== 0 ? ` addrspace(${callee.type.space})` : "";
  // The result's type alone would be read as the function's if it is a pointer to one.
  const spelled = functionType.variadic || isFunctionPointer(functionType.result) ? functionType : functionType.result;
  const list = call.operands.map((operand, i) => {
    const words = attributesText(types, options, call.argumentAttributes[i] ?? [], operand.type);
    return `${types.text(operand.type)}${words} ${p.value(operand)}`;
  });
  // A group shared by functions and calls may contain attributes for functions only.
  const own = call.attributes.filter(({ name }) => name !== "align");
  // The tree does not contain the arguments that a variadic function forwards.
  if (call.tail === "musttail" && functionType.variadic) list.push("...");
  const head = `${tail}${call.opcode}${flags}${convention}${attributes(call.resultAttributes)}${space}`;
  const target = callee.kind === "asm" ? assemblyText(callee) : p.value(callee);
  const text = `${head} ${types.text(spelled)} ${target}(${list.join(", ")})${attributes(own)}`;
  const labels = call.targets.map((block) => `label ${p.block(block)}`);
  if (call.opcode === "invoke") return `${text} to ${labels[0]} unwind ${labels[1]}`;
  if (call.opcode === "callbr") return `${text} to ${labels[0]} [${labels.slice(1).join(", ")}]`;
  return text;
}

const isFunctionPointer = (type: Instruction["type"]): boolean =>
  type.kind === "pointer" && type.pointee?.kind === "function";

/** `cc 76` is kept as one word. */
export const conventionText = (convention: string): string => convention.replace(/^cc(\d+)$/, "cc $1");

function assemblyText(assembly: CallInstruction["callee"] & { readonly kind: "asm" }): string {
  const { sideEffect, alignStack, intelDialect, unwind, text, constraints } = assembly;
  const list = [
    ...(sideEffect ? ["sideeffect"] : []),
    ...(alignStack ? ["alignstack"] : []),
    ...(intelDialect ? ["inteldialect"] : []),
    ...(unwind ? ["unwind"] : []),
  ];
  return `asm ${list.map((word) => `${word} `).join("")}${quoted(text)}, ${quoted(constraints)}`;
}

/** The context for printing instructions. */
export interface BodyPrinter {
  readonly options: PrintOptions;
  readonly types: TypePrinter;
  readonly metadata: MetadataPrinter;
  /** A value without its type. */
  value(value: Value): string;
  /** A value after its type. */
  typed(value: Value): string;
  /** `%name` of a block. */
  block(block: BasicBlock): string;
  /** A name that does not occur in the function. */
  freshName(): string;
}
