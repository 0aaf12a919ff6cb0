// `.nv.info` of a file: what holds for all of it, what its samplers begin with, and which kernels no stack is known to be
// enough for. docs/format.md, "Attributes". For other tools; what a function has stands in kernel-info.ts.

import { EIATTR, EIFMT, encodeInfo, writeInfo, type InfoEntry } from "../../formats/cuda/index.js";
import { UNKNOWN_STACK } from "./kernel-info.js";
import type { ObjectFile } from "./object.js";
import { samplerEntries } from "./reference-fields.js";

/** `indexOf`: the ELF symbol of each of the object's. */
export function moduleInfo(
  { modules, symbols, codeFacts }: Pick<ObjectFile, "modules" | "symbols" | "codeFacts">,
  indexOf: ArrayLike<number>,
): Uint8Array {
  const isIndependent = modules.some(({ targetOptions }) => targetOptions.includes("texmode_independent"));
  const texmode: InfoEntry = {
    attribute: EIATTR.TEXMODE_INDEPENDENT,
    format: EIFMT.NVAL,
    payload: { kind: "flag", value: 0 },
  };
  const endless = codeFacts.flatMap(({ symbol, isRecursive }): InfoEntry[] => {
    const payload = { kind: "symbol-value", symbol: indexOf[symbol]!, value: UNKNOWN_STACK } as const;
    return isRecursive ? [{ attribute: EIATTR.MIN_STACK_SIZE, format: EIFMT.SVAL, payload }] : [];
  });
  const samplers = symbols.flatMap((symbol, i) =>
    symbol.kind === "reference" ? samplerEntries(symbol, indexOf[i]!) : [],
  );
  return writeInfo([...(isIndependent ? [texmode] : []), ...samplers, ...endless].map(encodeInfo));
}
