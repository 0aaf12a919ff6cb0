// Variable arguments as in LLVM's NVPTX: a call passes them in one array, `.param .align 8 .b8 f_vararg[]`, each at its own
// alignment from the start. A `va_list` is one pointer to the next argument: its address in local memory, as in libNVVM. Clang
// writes no `va_arg` and loads through the list, which requires a generic address: such a function gets one, and `va_arg`
// accepts either.

import { variadicName } from "../abi.js";
import type { CallInstruction, ForeignInstruction } from "../ir/instruction.js";
import type { Value } from "../ir/value.js";
import { choose } from "../lower/integer.js";
import { addressAt, loadParts } from "./access.js";
import { spaceSuffix } from "./copy.js";
import { literal, widths, word, type Register } from "./machine.js";
import type { Lowering, Place, Selection } from "./selection.js";
import { genericBits, placeOf, pointerClass } from "./values.js";
import type { WorkLowering, Works } from "./work.js";

const loadNext = (selection: Selection, list: Place): Register => {
  const kind = pointerClass(selection);
  return selection.emit.read(`ld${spaceSuffix(list.space)}.${kind}`, kind, addressAt(selection, list, 0));
};

const storeNext = (selection: Selection, list: Place, next: Register): void =>
  selection.emit.effect(
    `st${spaceSuffix(list.space)}.${pointerClass(selection)}`,
    [],
    [addressAt(selection, list, 0), next],
  );

/** A parameter's address is in local memory (PTX ISA 5.1.6.4). */
function start(selection: Selection, call: CallInstruction): void {
  const { emit, context, fn } = selection;
  const kind = pointerClass(selection);
  const base = emit.pure(`mov.${kind}`, kind, word(variadicName(context.nameOf(fn))));
  const list = call.operands[0]!;
  const first = isWalked(selection, list) ? genericBits(selection, { base, offset: 0, space: "local" }, 0) : base;
  storeNext(selection, placeOf(selection, list), first);
}

/** A pointer without its casts. */
function uncast(value: Value): Value {
  let from = value;
  while (from.kind === "instruction" && (from.opcode === "bitcast" || from.opcode === "addrspacecast"))
    from = from.operands[0]!;
  return from;
}

/** Whether a function reads the list itself, as clang's code does, and not by `va_arg`. */
function isWalked({ body }: Selection, list: Value): boolean {
  const all = body.blocks.flatMap(({ instructions }) => instructions);
  if (all.some(({ opcode }) => opcode === "va_arg")) return false;
  const memory = uncast(list);
  return all.some((each) => each.opcode === "load" && uncast(each.operands[0]!) === memory);
}

const startOrEnd: WorkLowering = (selection, call, { choices }) => {
  if (choices[0] === "start") start(selection, call);
  return undefined;
};

const copy: WorkLowering = (selection, call) => {
  const [to, from] = call.operands.map((operand) => placeOf(selection, operand));
  storeNext(selection, to!, loadNext(selection, from!));
  return undefined;
};

export const variadicWorks: Works = { varargs: startOrEnd, "varargs.copy": copy };

/** `va_arg`: the next argument; advances the list. */
export const lowerNextArgument: Lowering<ForeignInstruction> = (selection, instruction) => {
  const { emit, layout } = selection;
  const { type, operands } = instruction;
  const kind = pointerClass(selection);
  const list = placeOf(selection, operands[0]!);
  const align = layout.align(type);
  const bits = widths[kind];
  let next = loadNext(selection, list);
  if (align > 1) {
    const up = emit.pure(`add.s${bits}`, kind, next, literal(kind, align - 1));
    next = emit.pure(`and.b${bits}`, kind, up, literal(kind, -align));
  }
  storeNext(selection, list, emit.pure(`add.s${bits}`, kind, next, literal(kind, layout.allocSize(type) ?? 0)));
  const local = emit.inRegister(next, kind);
  const generic = emit.pure(`cvta.local.u${bits}`, kind, local);
  const isGeneric = emit.pure("isspacep.local", "p", local);
  const place: Place = { base: emit.inRegister(choose(emit, isGeneric, local, generic), kind), offset: 0, space: "" };
  return loadParts(selection, selection.shapeOf(type), place, { mode: "", stays: false, align });
};
