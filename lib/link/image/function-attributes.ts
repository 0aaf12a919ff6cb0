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
import type { CallGraph } from "./call-graph.js";
import type { ImageLayout } from "../layout/layout.js";
import type { MergedRow, Resolution } from "../resolve/resolve.js";
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
  of(function_: MergedRow): Uint8Array;
}

/** Adds a call from each alias to its function: a caller of the alias reaches everything that the function reaches. */
function withAliases(
  columns: Columns,
  { chosen, mergedOf, count }: Resolution,
  direct: CallGraph["direct"],
): Int32Array {
  if (columns.featureCounts.functionAliases === 0) return direct;
  const more: number[] = [];
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (!isFunction(columns, symbol) || columns.sectionOf[symbol]! < 0 || !isFunctionAlias(columns, symbol)) continue;
    more.push(row, mergedOf[columns.owner[columns.sectionOf[symbol]!]!]!);
  }
  const all = new Int32Array(direct.length + more.length);
  all.set(direct);
  all.set(more, direct.length);
  return all;
}

const NO_EXTERNS: ReturnType<typeof undefinedReached> = new Map();

/** Whether any callee is undefined. */
function callsUndefined({ sectionOf }: Columns, chosen: Resolution["chosen"], calls: CallGraph["direct"]): boolean {
  for (let i = 1; i < calls.length; i += 2) if (sectionOf[chosen[calls[i]!]!]! < 0) return true;
  return false;
}

/** Properties of each merged function's own code. */
interface OwnProperties {
  readonly barriers: Uint8Array;
  readonly readsZ: Uint8Array;
  readonly matrices: Uint8Array;
}

function ownProperties(
  columns: Columns,
  { mergedOf, count }: Resolution,
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
    const row = mergedOf[owner[section]!]!;
    own.barriers[row] = bits & 0xff;
    own.readsZ[row] = tellsBlockZ && (bits & CODE_PROPERTY.blockZ) !== 0 ? 1 : 0;
    own.matrices[row] = (bits & CODE_PROPERTY.matrices) !== 0 ? 1 : 0;
  }
  return own;
}

/** `kernels`: the image's kernels; `elfOf`: the ELF symbol of each merged symbol. */
export function functionAttributes(
  columns: Columns,
  resolution: Resolution,
  { textSections }: ImageLayout,
  kernels: readonly SymbolRow[],
  { direct: calls, addresses }: CallGraph,
  elfOf: Int32Array,
  sm: number,
): FunctionAttributes {
  const { chosen, mergedOf, count } = resolution;
  const own = ownProperties(columns, resolution, textSections, targetFacts(sm).marksBlockZ);
  const direct = withAliases(columns, resolution, calls);
  const kernelRows = kernels.map((kernel) => mergedOf[kernel]!);
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
  const externs = callsUndefined(columns, chosen, calls)
    ? undefinedReached(called, (row) => columns.sectionOf[chosen[row]!]! < 0, kernelRows)
    : NO_EXTERNS;
  // The properties of a function as one number: most functions have the same.
  const bitsIn = ({ barriers, readsZ, matrices }: OwnProperties, row: MergedRow): number =>
    barriers[row]! | (readsZ[row]! << 8) | (matrices[row]! << 9);
  const isKernel = new Uint8Array(count);
  for (const row of kernelRows) isKernel[row] = 1;
  const endless = kernelRows.filter((row) => isReturning[row] !== 0).sort((a, b) => a - b);
  return {
    ofFile: moduleInfoBytes(
      columns,
      chosen.subarray(0, count),
      elfOf,
      endless.map((row) => elfOf[row]!),
    ),
    hasUnknownStacks: endless.length > 0,
    of: attributeWriter(externs, elfOf, (row) => {
      if (isKernel[row] === 0) return bitsIn(own, row);
      return bitsIn(reached, row) | (isReturning[row] === 0 ? 0 : CODE_PROPERTY.recursive);
    }),
  };
}

function attributeWriter(
  externs: ReadonlyMap<MergedRow, readonly MergedRow[]>,
  elfOf: Int32Array,
  bitsOf: (row: MergedRow) => number,
): FunctionAttributes["of"] {
  const ofCode = createCodeAttributes();
  return (row) =>
    ofCode(
      bitsOf(row),
      externs.get(row)?.map((callee) => elfOf[callee]!),
    );
}
