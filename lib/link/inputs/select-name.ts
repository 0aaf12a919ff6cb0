// Names of files inside a container.

/** Splits `lib.a(scale.o)(1.sm_90.ptx)` into the file and the selections in it, outermost first. */
export function splitSelectors(name: string): { readonly file: string; readonly selectors: readonly string[] } {
  const match = /^(.+?)((?:\([^()]+\))+)$/.exec(name);
  if (match === null) return { file: name, selectors: [] };
  return { file: match[1]!, selectors: match[2]!.slice(1, -1).split(")(") };
}
