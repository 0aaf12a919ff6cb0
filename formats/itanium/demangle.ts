// C++ names as compilers mangle them (Itanium C++ ABI, section 5.1), back into C++, spelled as c++filt spells them. What
// device code has is read: namespaces, templates, packs, operators, lambdas, substitutions. What is not (expressions,
// decltype, vectors) gives undefined, as does everything that is no such name. Never throws, and its work is bounded.
// Rejected: packages for it; the one in plain JavaScript gives wrong names and hangs on some, the others carry megabytes.

import { decoding } from "../bytes/malformed.js";
import { parseEncoding } from "./encoding.js";
import { createState, expect, wrong } from "./state.js";

/** Longer names are not tried. */
const MAX_LENGTH = 1 << 16;

/** The name in C++, or undefined when it is not mangled, or not in a way that is read here. */
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
