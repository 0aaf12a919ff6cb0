// `.nv.callgraph` and `.nv.prototype` of an object, as ptxas and nvlink write them. docs/format.md, "Attributes, call graph,
// prototypes".

import { formatPrototype, type CallGraph, type PrototypeEntry } from "../../../formats/cuda/index.js";
import type { StringTableBuilder } from "../../../formats/elf/index.js";
import type { CodeSymbol, ObjectFile } from "../object.js";
import { prototypeSignature } from "./signature.js";

/** ELF symbols of the object's, and where prototypes are added. */
interface Names {
  readonly indexOf: ArrayLike<number>;
  readonly strings: StringTableBuilder;
}

/** Offset of the prototype's string; 0, the empty string, for kernels: .nv.info holds their parameters. */
function signature({ symbols }: ObjectFile, symbol: number, { strings }: Names): number {
  const declared = symbols[symbol]!;
  if (declared.kind !== "function" || declared.entry) return 0;
  return strings.add(formatPrototype(prototypeSignature(declared.prototype)));
}

export function callGraph(object: ObjectFile, names: Names): CallGraph {
  const elf = (symbol: number): number => names.indexOf[symbol]!;
  const { calls, addressTaken, codeFacts } = object;
  return {
    calls: calls.map(({ caller, callee }) => ({ caller: elf(caller), callee: elf(callee) })),
    addressTaken: addressTaken.map((symbol) => ({ symbol: elf(symbol), prototype: signature(object, symbol, names) })),
    indirectCalls: codeFacts.flatMap(({ symbol, indirectCalls }) =>
      indirectCalls.map((prototype) => ({ caller: elf(symbol), prototype: names.strings.add(prototype) })),
    ),
    addressUses: codeFacts.flatMap(({ symbol, addressUses }) =>
      addressUses.map((target) => ({ user: elf(symbol), target: elf(target) })),
    ),
    unknown: [],
  };
}

export function prototypes(object: ObjectFile, names: Names): readonly PrototypeEntry[] {
  const taken = new Set(object.addressTaken);
  const entries: PrototypeEntry[] = [];
  object.symbols.forEach((symbol, i) => {
    if (symbol.kind === "function" && hasPrototype(symbol) && !taken.has(i))
      entries.push({ symbol: names.indexOf[i]!, prototype: signature(object, i, names) });
  });
  return entries;
}

/** Whether .nv.prototype lists a function: other modules can call it, and by its own address. */
function hasPrototype({ entry, linkage, unified }: CodeSymbol): boolean {
  return !entry && linkage !== "static" && unified === undefined;
}
