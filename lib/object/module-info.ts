// `.nv.info` of a file: what holds for all of it, what its samplers begin with, and which kernels no stack is known to be
// enough for. docs/format.md, "Attributes". For other tools; what a function has stands in kernel-info.ts.

import { EIATTR, EIFMT, type InfoEntry } from "../../formats/cuda/index.js";
import { UNKNOWN_STACK } from "./kernel-info.js";
import type { ObjectFile } from "./object.js";
import { samplerEntries } from "./reference-fields.js";

/** `indexOf`: the ELF symbol of each of the object's. */
export function moduleInfo(
  { modules, symbols, codeFacts }: Pick<ObjectFile, "modules" | "symbols" | "codeFacts">,
  indexOf: ArrayLike<number>,
): readonly InfoEntry[] {
  const entries: InfoEntry[] = [];
  if (modules.some(({ targetOptions }) => targetOptions.includes("texmode_independent"))) entries.push(texmode);
  symbols.forEach((symbol, i) => {
    if (symbol.kind === "reference") entries.push(...samplerEntries(symbol, indexOf[i]!));
  });
  for (const { symbol, isRecursive } of codeFacts) {
    const payload = { kind: "symbol-value", symbol: indexOf[symbol]!, value: UNKNOWN_STACK } as const;
    if (isRecursive) entries.push({ attribute: EIATTR.MIN_STACK_SIZE, format: EIFMT.SVAL, payload });
  }
  return entries;
}

const texmode: InfoEntry = {
  attribute: EIATTR.TEXMODE_INDEPENDENT,
  format: EIFMT.NVAL,
  payload: { kind: "flag", value: 0 },
};
