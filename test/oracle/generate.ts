// Modules of many variables, made from a seed: spaces, linkages, alignments, sizes and initial values at random, to hold
// placement and the order of relocations against ptxas.

/** A small generator of pseudo-random numbers (Lehmer's, modulus 2^31 - 1). */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 0x7fff_ffff;
    return state % below;
  };
}

/** PTX text of 40 variables that ptxas accepts. */
export function randomVariables(seed: number, target: string): string {
  const random = generator(seed);
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const lines = [".version 8.8", `.target ${target}`, ".address_size 64", ".visible .func f() { ret; }"];
  const earlier: { readonly name: string; readonly space: string }[] = [];
  for (let i = 0; i < 40; i++) {
    const name = `v${i}`;
    const space = pick(["global", "global", "const", "shared"]);
    const linkage = pick(["", "", ".visible ", ".weak "]);
    const align = pick(["", ".align 1 ", ".align 4 ", ".align 16 ", ".align 64 "]);
    const target = earlier.length === 0 ? undefined : pick(earlier);
    const address =
      target === undefined ? "7" : pick([target.name, `generic(${target.name})`, `${target.name}+4`, "f"]);
    const initial = space === "shared" ? "none" : pick(["none", "bytes", "address", "mask"] as const);
    const declared = {
      none: () => `${pick([".b8", ".u16", ".u32", ".f64"])} ${name}[${1 + random(9)}]`,
      bytes: () => `.b8 ${name}[${3 + random(9)}] = {${random(256)}, 0, ${random(256)}}`,
      address: () => `.u64 ${name}[${2 + random(3)}] = {${address}, ${random(9)}}`,
      mask: () => `.u8 ${name}[${3 + random(3)}] = {0xFF(${address}), 0xFF00(${address})}`,
    }[initial]();
    lines.push(`${linkage}.${space} ${align}${declared};`);
    if (space !== "shared") earlier.push({ name, space });
  }
  return `${lines.join("\n")}\n`;
}
