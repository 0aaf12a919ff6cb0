// What foreign tools are told of the code of a plain link's image (plain-link.ts) beside its parameters: barriers, %ctaid.z,
// undefined functions that it calls, and kernels without a known stack. object/reached-facts.ts sums them up over calls.

import { forTarget, NO_FACTS } from "../object/code-facts.js";
import { codeInfo } from "../object/kernel-info.js";
import { moduleInfo } from "../object/module-info.js";
import type { CodeFacts } from "../object/object.js";
import { reachedFacts, undefinedCallees, type Program } from "../object/reached-facts.js";
import { hasCycle, type PlainCalls } from "./plain-calls.js";
import type { PlainLayout } from "./plain-layout.js";
import type { MergedRow, PlainResolution } from "./plain-resolve.js";
import { FACT, type SectionRow, type SymbolRow, type Tables } from "./plain-tables.js";

export interface PlainFacts {
  /** `.nv.info` of the file. */
  readonly ofFile: Uint8Array;
  /** What stands in `.nv.info.<function>` behind the attributes of a kernel's parameters. */
  of(function_: MergedRow): Uint8Array;
}

const NOTHING = new Uint8Array(0);
const NONE: PlainFacts = { ofFile: NOTHING, of: () => NOTHING };

/** `kernels`: those of the image; `elfOf`: the ELF symbol of each merged one. */
export function plainFacts(
  tables: Tables,
  resolution: PlainResolution,
  { texts }: PlainLayout,
  kernels: readonly SymbolRow[],
  calls: PlainCalls,
  elfOf: Int32Array,
  sm: number,
): PlainFacts {
  const { chosen, mergedOf, count } = resolution;
  const own = forTarget(ownFacts(tables, resolution, texts), sm);
  const isUndefined = (row: MergedRow): boolean => tables.place[chosen[row]!]! < 0;
  const missing = calls.some((callee, i) => i % 2 === 1 && isUndefined(callee));
  const isRecursive = hasCycle(calls, count);
  if (own.length === 0 && !missing && !isRecursive) return NONE;
  const program: Program = {
    symbols: { length: count },
    kernels: kernels.map((kernel) => ({ symbol: mergedOf[kernel]! })),
    calls: Array.from({ length: calls.length / 2 }, (_, i) => ({ caller: calls[2 * i]!, callee: calls[2 * i + 1]! })),
    addressTaken: [],
  };
  const facts = reachedFacts(own, program);
  const factsOf = new Map(facts.map((each) => [each.symbol, each]));
  const externs = undefinedCallees(program, isUndefined, "executable");
  return {
    ofFile: moduleInfo({ modules: [], symbols: [], codeFacts: facts }, elfOf),
    of(row) {
      const code = factsOf.get(row);
      const callees = externs.get(row);
      if (code === undefined && callees === undefined) return NOTHING;
      return codeInfo({ code, externs: (callees ?? []).map((callee) => elfOf[callee]!) });
    },
  };
}

/** Of the code that is kept, by merged symbol. */
function ownFacts(tables: Tables, { mergedOf }: PlainResolution, texts: readonly SectionRow[]): readonly CodeFacts[] {
  return texts.flatMap((section): CodeFacts[] => {
    const packed = tables.facts[section]!;
    if (packed === 0) return [];
    return [
      {
        ...NO_FACTS,
        symbol: mergedOf[tables.owner[section]!]!,
        barriers: packed & 0xff,
        readsBlockZ: (packed & FACT.blockZ) !== 0,
        usesMatrices: (packed & FACT.matrices) !== 0,
      },
    ];
  });
}
