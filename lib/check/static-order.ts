// The order of .global and .const variables of function bodies: ptxas 13.0 declares those of a block, in their order, when the
// block ends, so that inner blocks come before the one around them (recorded in testdata/oracle/static-order.json). In all other
// respects they are placed where they are declared, between the variables of the module, and so do shared variables.

/** Adds the variables of one body, as ptxas orders them, to `reordered`, unless they are in order of declaration. */
export function noteOrder(statics: readonly number[], reordered: (readonly number[])[]): void {
  for (let i = 1; i < statics.length; i++)
    if (statics[i]! < statics[i - 1]!) {
      reordered.push(statics);
      return;
    }
}

/** So many symbols, those of each list in its order at the places that they have together. */
export function orderOf(symbols: number, reordered: readonly (readonly number[])[]): readonly number[] {
  const order = Array.from({ length: symbols }, (_, i) => i);
  for (const statics of reordered) {
    const places = statics.toSorted((a, b) => a - b);
    for (let i = 0; i < places.length; i++) order[places[i]!] = statics[i]!;
  }
  return order;
}
