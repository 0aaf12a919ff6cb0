// The variables of a stopped lane for a debugger: scopes as trees whose branches are computed when they are expanded.

import { plainName } from "../base/source-name.js";
import { specialRegister } from "../exec/machine/special.js";
import type { Frame } from "../exec/state/frame.js";
import { lanesIn } from "../exec/machine/walk.js";
import { dataType, type DataType } from "../isa/types.table.js";
import type { Process } from "../load/process.js";
import { assign } from "./assign.js";
import { elementOf, ofMemory } from "./evaluate.js";
import { ExpressionError } from "./expression.js";
import { extentsOf, typeText, type MemoryContext, type NamedMemory } from "./memory.js";
import type { MemoryNames } from "./names.js";
import type { Result, Scope } from "./result.js";
import { objectNode, sourceResultNode } from "./source/nodes.js";
import { elementNames, briefText, parseValue, registerValue, valueText, type Value } from "./values.js";
import type { VariableNode } from "./variable-node.js";
import { contextOf, frameEntries, scopeOf, type CallView, type FrameEntry } from "./view.js";

export interface VariableScope {
  readonly name: string;
  readonly hint?: "registers" | "arguments" | "locals";
  readonly nodes: () => readonly VariableNode[];
  /** Has many variables; a client should not expand it by default. */
  readonly isExpensive: boolean;
}

export interface VariableOptions {
  readonly hex: boolean;
}

/** The scopes of one lane of a call; `mask` has the lanes of its group. Scopes without variables are omitted. */
export function scopesOf(
  process: Process,
  names: MemoryNames,
  call: CallView,
  mask: number,
  lane: number,
  { hex }: VariableOptions,
): readonly VariableScope[] {
  const { frame } = call;
  const context = contextOf(process, frame.warp, lane);
  return [
    ...sourceScopes(scopeOf(process, names, call, lane), hex),
    {
      name: `Registers of lane ${lane}`,
      hint: "registers",
      isExpensive: false,
      nodes: () => registerNodes(frame, lane, hex),
    },
    ...frameScopes(process, frame, lane, context, hex),
    ...memoryScopes(names.of(frame.warp.block.launch), context, hex),
    { name: "Special registers", hint: "registers", isExpensive: true, nodes: () => specialNodes(frame, lane, hex) },
    { name: "Registers of all lanes", hint: "registers", isExpensive: true, nodes: () => laneNodes(frame, mask, hex) },
  ];
}

/** Variables of the source language, from debug information. */
function sourceScopes({ source }: Scope, hex: boolean): readonly VariableScope[] {
  const nodes = (objects: () => ReturnType<typeof source.locals>) => () =>
    objects().map((object) => objectNode(object, hex));
  const [locals, globals] = [() => source.locals(), () => source.globals()];
  return [
    ...(locals().length === 0
      ? []
      : [{ name: "Variables", hint: "locals" as const, isExpensive: false, nodes: nodes(locals) }]),
    ...(globals().length === 0 ? [] : [{ name: "Global variables", isExpensive: true, nodes: nodes(globals) }]),
  ];
}

/** Parameters and locals of the PTX function. */
function frameScopes(
  process: Process,
  frame: Frame,
  lane: number,
  context: MemoryContext,
  hex: boolean,
): readonly VariableScope[] {
  const { parameters, locals } = frameEntries(process, frame);
  const nodes = (entries: readonly FrameEntry[]) => (): readonly VariableNode[] =>
    entries.map((each) =>
      each.kind === "memory"
        ? memoryNode(each.memory, context, hex)
        : registerNode(frame, each.name, each.register, lane, each.layout.type, hex),
    );
  const scopes: readonly (readonly [string, "arguments" | "locals", readonly FrameEntry[]])[] = [
    ["Parameters", "arguments", parameters],
    ["Locals", "locals", locals],
  ];
  return scopes.flatMap(([name, hint, entries]) =>
    entries.length === 0 ? [] : [{ name, hint, isExpensive: false, nodes: nodes(entries) }],
  );
}

/** Variables in memory, and the launch's buffers. */
function memoryScopes(
  memories: readonly NamedMemory[],
  context: MemoryContext,
  hex: boolean,
): readonly VariableScope[] {
  const scopes: readonly (readonly [string, boolean, (memory: NamedMemory) => boolean])[] = [
    ["Shared memory", false, ({ space }) => space === "shared"],
    ["Buffers", false, ({ isBuffer }) => isBuffer],
    ["Module variables", true, ({ isBuffer, space }) => !isBuffer && space !== "shared"],
  ];
  return scopes.flatMap(([name, isExpensive, wanted]) =>
    memories.some(wanted)
      ? [
          {
            name,
            isExpensive,
            nodes: () => memories.filter(wanted).map((memory) => memoryNode(memory, context, hex)),
          },
        ]
      : [],
  );
}

// ---------------------------------------------------------------------------------------------------------- registers

function registerNodes(frame: Frame, lane: number, hex: boolean): readonly VariableNode[] {
  return frame.program.fn.code.registers.map(({ name, type, vector }, register) => {
    if (vector === 1) return registerNode(frame, name, register, lane, type, hex);
    const parts = elementNames
      .slice(0, vector)
      .map((element) => registerNode(frame, `${name}.${element}`, register, lane, type, hex, element));
    return {
      name,
      type: `.v${vector} .${type.name}`,
      value: `{${parts.map(({ value }) => value).join(", ")}}`,
      expression: name,
      named: parts.length,
      children: () => parts,
    };
  });
}

function registerNode(
  frame: Frame,
  name: string,
  register: number,
  lane: number,
  type: DataType,
  hex: boolean,
  element?: string,
): VariableNode {
  const value = registerValue(frame, register, lane, type, element);
  return {
    name,
    type: `.${type.name}`,
    value: valueText(value, hex),
    expression: name,
    ...pointerOf(value),
    set(text) {
      const place = { kind: "register", frame, register, lane, ...(element === undefined ? {} : { element }) } as const;
      return assign({ kind: "value", value, place }, { type: value.type, bits: parsed(value.type, text) });
    },
  };
}

const pointerOf = ({ type, bits }: Value): { readonly address?: number } =>
  type.bits === 64 && type.class !== "float" && bits >= 2n ** 32n && bits < 2n ** 53n ? { address: Number(bits) } : {};

function parsed(type: DataType, text: string): bigint {
  const bits = parseValue(type, text);
  if (bits === undefined) throw new ExpressionError(`'${text}' is no .${type.name}`);
  return bits;
}

/** Values of all lanes in one line; registers with different values have a child for each lane. */
function laneNodes(frame: Frame, mask: number, hex: boolean): readonly VariableNode[] {
  const lanes = lanesIn(mask);
  return frame.program.fn.code.registers.flatMap(({ name, type, vector }, register) =>
    (vector === 1 ? [undefined] : elementNames.slice(0, vector)).map((element): VariableNode => {
      const whole = element === undefined ? name : `${name}.${element}`;
      const texts = lanes.map((lane) => briefText(registerValue(frame, register, lane, type, element), hex));
      const isOne = texts.every((text) => text === texts[0]);
      return {
        name: whole,
        type: `.${type.name}`,
        value: isOne ? `${texts[0]!} in all lanes` : texts.join(" "),
        named: lanes.length,
        children: (start, count) =>
          lanes.slice(start, start + count).map((lane) => ({
            ...registerNode(frame, whole, register, lane, type, hex, element),
            name: `lane ${lane}`,
            expression: `${whole}@${lane}`,
          })),
      };
    }),
  );
}

const SPECIALS = [
  "tid",
  "ntid",
  "ctaid",
  "nctaid",
  "laneid",
  "warpid",
  "nwarpid",
  "smid",
  "gridid",
  "clusterid",
  "nclusterid",
  "cluster_ctaid",
  "cluster_nctaid",
  "cluster_ctarank",
  "lanemask_eq",
  "lanemask_lt",
  "clock64",
  "globaltimer",
  "dynamic_smem_size",
  "total_smem_size",
] as const;

function specialNodes(frame: Frame, lane: number, hex: boolean): readonly VariableNode[] {
  const value = (name: string): Value | undefined => {
    const special = specialRegister(name);
    const type = dataType(special?.bits === 64 ? "u64" : "u32")!;
    return special && { type, bits: BigInt.asUintN(type.bits, BigInt(special.value(frame, lane))) };
  };
  return SPECIALS.flatMap((name): VariableNode[] => {
    const single = value(name);
    if (single !== undefined)
      return [
        { name: `%${name}`, type: `.${single.type.name}`, value: valueText(single, hex), expression: `%${name}` },
      ];
    const parts = ["x", "y", "z"].map((part) => valueText(value(`${name}.${part}`)!, hex));
    return [{ name: `%${name}`, type: ".v4 .u32", value: `(${parts.join(", ")})` }];
  });
}

// ------------------------------------------------------------------------------------------------------------- memory

/** Matches the hexadecimal form that follows a number. */
const BOTH_FORMS = / \(0x[0-9a-f]+\)$/;

/** Largest number of elements in a node's text. */
const SHOWN = 8;

function memoryNode(
  memory: NamedMemory,
  context: MemoryContext,
  hex: boolean,
  label = shownName(memory),
): VariableNode {
  const place = { address: memory.address, context };
  const common = { name: label, type: typeText(memory), expression: memory.name, ...place };
  const result = tryResult(memory, context);
  if (result === undefined) return { ...common, value: "not there" };
  if (result.kind === "value") {
    const { value } = result;
    return {
      ...common,
      value: valueText(value, hex),
      ...(memory.size === 8 && memory.vector === 1 ? pointerOf(value) : {}),
      set: (text) => assign(result, { type: value.type, bits: parsed(value.type, text) }),
    };
  }
  const count = extentsOf(memory)[0] ?? memory.vector;
  const child = (at: number): readonly VariableNode[] => {
    const element = elementOf(memory, at);
    return element === undefined ? [] : [memoryNode(element, context, hex, element.name.slice(memory.name.length))];
  };
  const first = Array.from({ length: Math.min(count, SHOWN) }, (_, i) => child(i)).flat();
  return {
    ...common,
    value: `{${[...first.map(({ value }) => value.replace(BOTH_FORMS, "")), ...(count > SHOWN ? ["…"] : [])].join(", ")}}`,
    indexed: count,
    children: (start, wanted) =>
      Array.from({ length: Math.max(0, Math.min(wanted, count - start)) }, (_, i) => child(start + i)).flat(),
  };
}

/** A variable's name in the source; that of a part ends with its position. */
const shownName = ({ name }: NamedMemory): string => plainName(name);

function tryResult(memory: NamedMemory, context: MemoryContext): Result | undefined {
  try {
    return ofMemory(memory, context);
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

/** A result as one node: a value, or a variable with its contents. */
export function resultNode(result: Result, { context }: Pick<Scope, "context">, hex: boolean, name = ""): VariableNode {
  if (result.kind === "memory") return memoryNode(result.memory, result.context, hex, name);
  if (result.kind === "object" || result.declared !== undefined) return sourceResultNode(result, context, hex, name);
  const { value, place, pointsTo } = result;
  const address = place?.kind === "memory" ? { address: place.address } : pointerOf(value);
  return {
    name,
    type: pointsTo === undefined ? `.${value.type.name}` : `.${pointsTo.name}*`,
    value: valueText(value, hex || pointsTo !== undefined),
    context,
    ...address,
  };
}
