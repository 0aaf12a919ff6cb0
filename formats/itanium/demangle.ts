// Demangles C++ names (Itanium C++ ABI, section 5.1), spelled as c++filt spells them. Supported are the constructs of device
// code: namespaces, templates, packs, operators, lambdas, substitutions. The result is undefined for others (expressions,
// decltype, vectors) and for anything else. Never throws, and its work is bounded. Rejected: existing packages; the one in plain
// JavaScript gives wrong names and hangs on some, the others are megabytes large.

import { decoding } from "../bytes/malformed.js";
import { parseEncoding } from "./encoding.js";
import { createState, expect, wrong } from "./state.js";

/** Longer names are not demangled. */
const MAX_LENGTH = 1 << 16;

/** The name in C++; undefined if it is not mangled, or uses an unsupported construct. */
export function demangle(symbol: string): string | undefined {
  if (!symbol.startsWith("_Z") || symbol.length > MAX_LENGTH) return undefined;
  const result = decoding(() => {
    const state = createState(symbol);
    expect(state, "_Z");
    const text = parseEncoding(state);
    if (state.at !== symbol.length) wrong(state, "something follows the name");
    return text;
  });
  return result.ok ? result.value : undefined;
}
