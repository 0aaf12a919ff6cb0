// Pass: what the roots reach, for --gc-sections and --why-live. Vertices are merged symbols, each function and each variable
// by itself; edges are the relocations in a function's code and in a variable's initial value, and an alias refers to the
// function it stands for. Calls, call tables, addresses, textures: all are relocations. Breadth first from the roots in
// link order, so that the chain back to a root is as short as can be; one step back is kept per symbol.
// Linear in references, with a sort of the relocations of each data section.
// Rejected: whole sections as vertices, as linkers of native objects have it: one table of a module would keep the others.

/** The first place from which on `holds` is true, in a list where it is false before. */
export function firstFrom<T>(list: ArrayLike<T>, holds: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
