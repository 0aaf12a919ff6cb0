// What foreign tools are told of the code of a plain link's image (link.ts) beside its parameters: barriers, %ctaid.z,
// undefined functions that it calls, and kernels without a known stack. object/reached-facts.ts sums them up over calls.

import { targetFacts } from "../../../formats/cuda/index.js";
import { NO_FACTS } from "../../object/code-facts.js";
import { codeInfo } from "../../object/kernel-info.js";
import { moduleInfo } from "../../object/module-info.js";
import type { CodeFacts } from "../../object/object.js";
import {
  callsByPrototype,
  createCalls,
  findReturning,
  missingCallees,
  spreadMost,
  withAddresses,
} from "../../object/reached-facts.js";
import type { PlainCalls } from "./calls.js";
import type { PlainLayout } from "./layout.js";
import type { MergedRow, PlainResolution } from "./resolve.js";
import { FACT, type SymbolRow, type Tables } from "./tables.js";

export interface PlainFacts {
  /** `.nv.info` of the file. */
  readonly ofFile: Uint8Array;
  /** What stands in `.nv.info.<function>` behind the attributes of a kernel's parameters. */
  of(function_: MergedRow): Uint8Array;
}

/** `kernels`: those of the image; `elfOf`: the ELF symbol of each merged one. */
export function plainFacts(
  tables: Tables,
  { chosen, mergedOf, count }: PlainResolution,
  { texts }: PlainLayout,
  kernels: readonly SymbolRow[],
  { direct, addresses }: PlainCalls,
  elfOf: Int32Array,
  sm: number,
): PlainFacts {
  // One more for what may be called through registers.
  const barriers = new Uint8Array(count + 1);
  const readsZ = new Uint8Array(count + 1);
  const matrices = new Uint8Array(count);
  const { tellsBlockZ } = targetFacts(sm);
  for (const section of texts) {
    const row = mergedOf[tables.owner[section]!]!;
    const facts = tables.facts[section]!;
    barriers[row] = facts & 0xff;
    readsZ[row] = tellsBlockZ && (facts & FACT.blockZ) !== 0 ? 1 : 0;
    matrices[row] = (facts & FACT.matrices) !== 0 ? 1 : 0;
  }
  const isReturning = findReturning(callsByPrototype(direct, addresses, count));
  const isKernel = new Uint8Array(count);
  const kernelRows = kernels.map((kernel) => mergedOf[kernel]!);
  for (const row of kernelRows) isKernel[row] = 1;
  const mayCall = createCalls(count + 1, withAddresses(direct, addresses, count));
  const reached = { barriers: spreadMost(mayCall, barriers), readsZ: spreadMost(mayCall, readsZ) };
  const externs = missingCallees(createCalls(count, direct), (row) => tables.place[chosen[row]!]! < 0, kernelRows);
  const factsOf = (row: MergedRow): CodeFacts => {
    const from = isKernel[row] === 0 ? { barriers, readsZ } : reached;
    return {
      ...NO_FACTS,
      symbol: row,
      barriers: from.barriers[row]!,
      readsBlockZ: from.readsZ[row] !== 0,
      usesMatrices: matrices[row] !== 0,
      isRecursive: isKernel[row] !== 0 && isReturning[row] !== 0,
    };
  };
  const endless = kernelRows.filter((row) => isReturning[row] !== 0).sort((a, b) => a - b);
  const known = new Map<string, Uint8Array>();
  return {
    ofFile: moduleInfo({ modules: [], symbols: [], codeFacts: endless.map(factsOf) }, elfOf),
    of(row) {
      const code = factsOf(row);
      const callees = (externs.get(row) ?? []).map((callee) => elfOf[callee]!);
      const { barriers: most, readsBlockZ, usesMatrices, isRecursive } = code;
      const key = `${most} ${readsBlockZ} ${usesMatrices} ${isRecursive} ${callees.join(" ")}`;
      const bytes = known.get(key) ?? codeInfo({ code, externs: callees });
      known.set(key, bytes);
      return bytes;
    },
  };
}
