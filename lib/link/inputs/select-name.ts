// Names of what is inside a container.

/** `lib.a(scale.o)(1.sm_90.ptx)` apart: the file, and what is selected in it, from outside to inside. */
export function splitSelectors(name: string): { readonly file: string; readonly selectors: readonly string[] } {
  const match = /^(.+?)((?:\([^()]+\))+)$/.exec(name);
  if (match === null) return { file: name, selectors: [] };
  return { file: match[1]!, selectors: match[2]!.slice(1, -1).split(")(") };
}
