// Attributes of the image's code for other tools, besides parameters: barriers, %ctaid.z, undefined callees, and kernels with
// unknown stack size. object/attributes/reached-properties.ts accumulates them over calls.

import { createCodeAttributes, moduleInfoBytes } from "../../object/columns/write/code-attributes.js";
import { targetFacts } from "../../../formats/cuda/index.js";
import {
  callsByPrototype,
  createCalls,
  findReturning,
  undefinedReached,
  largestAmongCallees,
  withAddresses,
} from "../../object/attributes/reached-properties.js";
import type { CallGraph } from "../../object/columns/write/call-graph.js";
import type { OutputKernel, OutputSymbols } from "../../object/columns/write/output-rows.js";
import type { ImageLayout } from "../layout/layout.js";
import {
  CODE_PROPERTY,
  isFunction,
  isFunctionAlias,
  type SymbolRow,
  type Columns,
} from "../../object/columns/columns.js";

export interface FunctionAttributes {
  /** The contents of the file's `.nv.info`. */
  readonly ofFile: Uint8Array;
  /** Whether the stack size of some kernel is unknown. */
  readonly hasUnknownStacks: boolean;
  /** The attributes in `.nv.info.<function>` after those of a kernel's parameters. */
  of(function_: number): Uint8Array;
}

/** Adds a call from each alias to its function: a caller of the alias reaches everything that the function reaches. */
function withAliases(
  columns: Columns,
  { firstAlias: count, row }: OutputSymbols,
  numberOf: (row: SymbolRow) => number,
  direct: CallGraph["calls"],
): Int32Array {
  if (columns.featureCounts.functionAliases === 0) return direct;
  const more: number[] = [];
  for (let number = 0; number < count; number++) {
    const symbol = row[number]!;
    if (!isFunction(columns, symbol) || columns.sectionOf[symbol]! < 0 || !isFunctionAlias(columns, symbol)) continue;
    more.push(number, numberOf(columns.owner[columns.sectionOf[symbol]!]!));
  }
  const all = new Int32Array(direct.length + more.length);
  all.set(direct);
  all.set(more, direct.length);
  return all;
}

const NO_EXTERNS: ReturnType<typeof undefinedReached> = new Map();

/** Whether any callee is undefined. */
function callsUndefined({ sectionOf }: Columns, { row }: OutputSymbols, calls: CallGraph["calls"]): boolean {
  for (let i = 1; i < calls.length; i += 2) if (sectionOf[row[calls[i]!]!]! < 0) return true;
  return false;
}

/** Properties of each function's own code. */
interface OwnProperties {
  readonly barriers: Uint8Array;
  readonly readsZ: Uint8Array;
  readonly matrices: Uint8Array;
}

function ownProperties(
  columns: Columns,
  count: number,
  numberOf: (row: SymbolRow) => number,
  textSections: ImageLayout["textSections"],
  tellsBlockZ: boolean,
): OwnProperties {
  // The extra element is for functions called through registers.
  const own = {
    barriers: new Uint8Array(count + 1),
    readsZ: new Uint8Array(count + 1),
    matrices: new Uint8Array(count),
  };
  const { owner, codeProperties } = columns;
  for (let i = 0; i < textSections.length; i++) {
    const section = textSections[i]!;
    const bits = codeProperties[section]!;
    // Most code has no such property.
    if (bits === 0) continue;
    const number = numberOf(owner[section]!);
    own.barriers[number] = bits & 0xff;
    own.readsZ[number] = tellsBlockZ && (bits & CODE_PROPERTY.blockZ) !== 0 ? 1 : 0;
    own.matrices[number] = (bits & CODE_PROPERTY.matrices) !== 0 ? 1 : 0;
  }
  return own;
}

/** Functions are numbers of the image. `numberOf`: that of a row; `elfOf`: the ELF symbol of each. */
export function functionAttributes(
  columns: Columns,
  symbols: OutputSymbols,
  numberOf: (row: SymbolRow) => number,
  { textSections }: ImageLayout,
  kernels: readonly OutputKernel[],
  { calls, addresses }: CallGraph,
  elfOf: Int32Array,
  sm: number,
): FunctionAttributes {
  const { count, row: rows } = symbols;
  const own = ownProperties(columns, count, numberOf, textSections, targetFacts(sm).marksBlockZ);
  const direct = withAliases(columns, symbols, numberOf, calls);
  const kernelNumbers = kernels.map(({ number }) => number);
  const mayCall = createCalls(count + 1, withAddresses(direct, addresses, count));
  const reached = {
    barriers: largestAmongCallees(mayCall, own.barriers),
    readsZ: largestAmongCallees(mayCall, own.readsZ),
    matrices: own.matrices,
  };
  // Calls by prototype matter only if some address is taken or some function has two names.
  const isSimple = mayCall.edges === calls;
  const isReturning = findReturning(isSimple ? mayCall : callsByPrototype(direct, addresses, count));
  const called = isSimple ? mayCall : createCalls(count, calls);
  const externs = callsUndefined(columns, symbols, calls)
    ? undefinedReached(called, (number) => columns.sectionOf[rows[number]!]! < 0, kernelNumbers)
    : NO_EXTERNS;
  // The properties of a function as one number: most functions have the same.
  const bitsIn = ({ barriers, readsZ, matrices }: OwnProperties, number: number): number =>
    barriers[number]! | (readsZ[number]! << 8) | (matrices[number]! << 9);
  const isKernel = new Uint8Array(count);
  for (const number of kernelNumbers) isKernel[number] = 1;
  const endless = kernelNumbers.filter((number) => isReturning[number] !== 0).sort((a, b) => a - b);
  return {
    ofFile: moduleInfoBytes(
      columns,
      rows,
      elfOf,
      endless.map((number) => elfOf[number]!),
    ),
    hasUnknownStacks: endless.length > 0,
    of: attributeWriter(externs, elfOf, (number) => {
      if (isKernel[number] === 0) return bitsIn(own, number);
      return bitsIn(reached, number) | (isReturning[number] === 0 ? 0 : CODE_PROPERTY.recursive);
    }),
  };
}

function attributeWriter(
  externs: ReadonlyMap<number, readonly number[]>,
  elfOf: Int32Array,
  bitsOf: (function_: number) => number,
): FunctionAttributes["of"] {
  const ofCode = createCodeAttributes();
  return (function_) =>
    ofCode(
      bitsOf(function_),
      externs.get(function_)?.map((callee) => elfOf[callee]!),
    );
}
