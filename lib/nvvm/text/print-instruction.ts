// Instructions as IR text has them.

import type {
  AtomicInstruction,
  CallInstruction,
  CompareExchangeInstruction,
  Instruction,
  ShuffleInstruction,
} from "../ir/instruction.js";
import { flag } from "../ir/instruction.js";
import { attributesText } from "./print-attributes.js";
import type { BodyPrinter } from "./print-body.js";
import { castOpcode } from "./print-constant.js";
import { quoted } from "./print-type.js";

/** The lines of an instruction, mostly one; undefined of what the tree has not whole: exceptions and operand bundles. */
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
/** Words that came later, by the version from which on the printer writes them. */
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
    // Fast arithmetic on these is LLVM 8's.
    const isEarly = version === 7 && (opcode === "phi" || opcode === "select") && (fast & bits) !== 0;
    return needed <= version && !isEarly;
  });
  const early = version === 7 && (opcode === "phi" || opcode === "select");
  return `${isFast && !early ? " fast" : ""}${list.map(([name]) => ` ${name}`).join("")}`;
}

const alignText = (align: number | undefined): string => (align === undefined ? "" : `, align ${align}`);
const scopeText = (scope: string): string => (scope === "" ? "" : ` syncscope(${quoted(scope)})`);

function partsText(p: BodyPrinter, instruction: Instruction): string | undefined {
  const { operands, opcode, type } = instruction;
  const flags = flagsText(p, instruction);
  const [first, second] = operands;
  const all = (): string => operands.map(p.typed).join(", ");
  switch (instruction.opcode) {
    case "fneg":
      // LLVM 7 has no such instruction.
      if (p.options.version === 7)
        return `fsub${flags} ${p.types.text(type)} ${negativeZero(p, instruction)}, ${p.value(first!)}`;
      return `fneg${flags} ${p.typed(first!)}`;
    case "freeze":
      // LLVM 7 has no such instruction, and this has the same value.
      if (p.options.version === 7) return `select i1 true, ${p.typed(first!)}, ${p.typed(first!)}`;
      return `freeze ${p.typed(first!)}`;
    case "icmp":
    case "fcmp":
      return opcode === "fcmp"
        ? `fcmp${flags} ${instruction.predicate} ${p.typed(first!)}, ${p.value(second!)}`
        : `icmp${flags} ${instruction.predicate} ${p.typed(first!)}, ${p.value(second!)}`;
    case "select":
      return `select${flags} ${all()}`;
    case "phi": {
      const { incoming } = instruction;
      const list = operands.map((operand, i) => `[ ${p.value(operand)}, ${p.block(incoming[i]!)} ]`);
      return `phi${flags} ${p.types.text(type)} ${list.join(", ")}`;
    }
    case "call":
    case "invoke":
    case "callbr":
      return callText(p, instruction, flags);
    case "load": {
      const { volatile: isVolatile, ordering, scope, align } = instruction;
      const what = `load${ordering === undefined ? "" : " atomic"}${isVolatile ? " volatile" : ""}`;
      const order = ordering === undefined ? "" : `${scopeText(scope)} ${ordering}`;
      return `${what} ${p.types.text(type)}, ${p.typed(first!)}${order}${alignText(align)}`;
    }
    case "store": {
      const { volatile: isVolatile, ordering, scope, align } = instruction;
      const what = `store${ordering === undefined ? "" : " atomic"}${isVolatile ? " volatile" : ""}`;
      const order = ordering === undefined ? "" : `${scopeText(scope)} ${ordering}`;
      return `${what} ${all()}${order}${alignText(align)}`;
    }
    case "alloca": {
      const { allocatedType, align, inAlloca } = instruction;
      const count = first === undefined ? "" : `, ${p.typed(first)}`;
      const space = type.kind === "pointer" && type.space !== 0 ? `, addrspace(${type.space})` : "";
      return `alloca ${inAlloca ? "inalloca " : ""}${p.types.text(allocatedType)}${count}${alignText(align)}${space}`;
    }
    case "getelementptr":
      return `getelementptr${flags} ${p.types.text(instruction.sourceType)}, ${all()}`;
    case "cmpxchg":
      return exchangeText(p, instruction);
    case "atomicrmw":
      return atomicText(p, instruction);
    case "fence":
      return `fence${scopeText(instruction.scope)} ${instruction.ordering}`;
    case "extractelement":
    case "insertelement":
      return `${opcode} ${all()}`;
    case "shufflevector":
      return `shufflevector ${all()}, ${maskText(instruction)}`;
    case "extractvalue":
    case "insertvalue":
      return `${opcode} ${[...operands.map(p.typed), ...instruction.indices].join(", ")}`;
    case "br":
      return `br ${[...operands.map(p.typed), ...instruction.targets.map((target) => `label ${p.block(target)}`)].join(", ")}`;
    case "switch": {
      const cases = instruction.cases.map(({ value, target }) => `${p.typed(value)}, label ${p.block(target)}`);
      return `switch ${p.typed(first!)}, label ${p.block(instruction.defaultTarget)} [ ${cases.join(" ")} ]`;
    }
    case "ret":
      return first === undefined ? "ret void" : `ret ${p.typed(first)}`;
    case "unreachable":
      return "unreachable";
    case "indirectbr":
      return `indirectbr ${p.typed(first!)}, [${instruction.targets.map((target) => `label ${p.block(target)}`).join(", ")}]`;
    case "va_arg":
      return `va_arg ${p.typed(first!)}, ${p.types.text(type)}`;
    case "resume":
      return `resume ${p.typed(first!)}`;
    case "landingpad":
    case "unwind":
    case "cleanuppad":
    case "catchpad":
    case "catchswitch":
    case "cleanupret":
    case "catchret":
      return undefined;
    case "trunc":
    case "zext":
    case "sext":
    case "fptrunc":
    case "fpext":
    case "fptoui":
    case "fptosi":
    case "uitofp":
    case "sitofp":
    case "ptrtoint":
    case "inttoptr":
    case "bitcast":
    case "addrspacecast":
      return `${castOpcode(instruction, first!)}${flags} ${p.typed(first!)} to ${p.types.text(type)}`;
    default:
      return `${opcode}${flags} ${p.typed(first!)}, ${p.value(second!)}`;
  }
}

/** Of scalable vectors a mask is all zero or undefined. */
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
  // The result's type alone would be read as the function's, were it a pointer to one.
  const spelled = functionType.variadic || isFunctionPointer(functionType.result) ? functionType : functionType.result;
  const list = call.operands.map((operand, i) => {
    const words = attributesText(types, options, call.argumentAttributes[i] ?? [], operand.type);
    return `${types.text(operand.type)}${words} ${p.value(operand)}`;
  });
  // A group of functions and calls may say what only functions have.
  const own = call.attributes.filter(({ name }) => name !== "align");
  // What a variadic function passes on is not in the tree.
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
