// The order of .global and .const variables in function bodies. ptxas 13.0 declares those of a block, in order, when the block
// ends, so that inner blocks precede the block around them (recorded in testdata/oracle/static-order.json). Otherwise they are
// placed between the variables of the module where they are declared; shared variables are always placed so.

/** Adds the variables of one body, in ptxas's order, to `reordered`, unless that is the order of declaration. */
export function noteOrder(statics: readonly number[], reordered: (readonly number[])[]): void {
  for (let i = 1; i < statics.length; i++)
    if (statics[i]! < statics[i - 1]!) {
      reordered.push(statics);
      return;
    }
}

/** The order of all symbols: the symbols of each list exchange their positions so that they are in the list's order. */
export function orderOf(symbols: number, reordered: readonly (readonly number[])[]): readonly number[] {
  const order = Array.from({ length: symbols }, (_, i) => i);
  for (const statics of reordered) {
    const places = statics.toSorted((a, b) => a - b);
    for (let i = 0; i < places.length; i++) order[places[i]!] = statics[i]!;
  }
  return order;
}
