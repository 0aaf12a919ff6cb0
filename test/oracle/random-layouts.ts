// Programs of a few modules with variables of all sizes, alignments, linkages and spaces, for comparing layouts. A seed
// makes the same programs everywhere.

import type { LinkCase } from "./link-cases.js";
import { randomFrom } from "./random.js";

export function randomLayouts(seed: number, count: number): readonly LinkCase[] {
  return Array.from({ length: count }, (_, i) => randomProgram(seed * 1000 + i));
}

function randomProgram(seed: number): LinkCase {
  const random = randomFrom(seed).below;
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const modules = 1 + random(4);
  const weak = Array.from({ length: random(4) }, (_, i) => ({
    name: `weak${i}`,
    size: 1 + random(20),
    align: 1 << random(5),
  }));
  const common = Array.from({ length: random(4) }, (_, i) => ({ name: `common${i}`, align: 1 << random(6) }));
  const bodies = Array.from({ length: modules }, (_, m) => {
    const lines: string[] = [];
    const globals: string[] = [];
    const constants: string[] = [];
    const shared: string[] = [];
    for (let v = random(9); v > 0; v--) {
      const name = `v${v}_${pick(["own", String(m)])}`;
      const isOwn = name.endsWith("own");
      const linkage = isOwn ? "" : pick([".visible ", ""]);
      const space = pick(["global", "global", "const", "shared"]);
      const value = space !== "shared" && random(2) === 0 ? ` = {${1 + random(255)}}` : "";
      lines.push(`${linkage}.${space} .align ${1 << random(6)} .b8 ${name}[${1 + random(40)}]${value};`);
      (space === "global" ? globals : space === "const" ? constants : shared).push(name);
    }
    for (const { name, size, align } of weak)
      if (random(2) === 0)
        lines.push(`.weak .global .align ${align} .b8 ${name}[${size}]${random(2) === 0 ? " = {9}" : ""};`);
    for (const { name, align } of common)
      if (random(2) === 0) lines.push(`.common .global .align ${align} .b8 ${name}[${1 + random(30)}];`);
    for (const [i, name] of globals.entries())
      if (random(2) === 0) lines.push(`.global .u64 p${i}_${m}[2] = {${name}+${random(4)}, generic(${name})};`);
    for (const [i, name] of constants.entries())
      if (random(2) === 0) lines.push(`.global .u64 q${i}_${m}[2] = {${name}, generic(${name})+${random(4)}};`);
    const touch = (names: readonly string[]) => names.map((name) => `st.volatile.shared.u8 [${name}], %h;`).join(" ");
    const some = () => shared.filter(() => random(2) === 0);
    const dynamic = random(3) === 0;
    if (dynamic) lines.push(".extern .shared .align 16 .b8 dynamic[];");
    const maybeDynamic = () => (dynamic && random(2) === 0 ? ["dynamic"] : []);
    const own = random(2) === 0 ? `.shared .align ${1 << random(6)} .b8 inner[${1 + random(30)}];` : "";
    lines.push(
      `.visible .func f${m}() { .reg .b16 %h; ${own} mov.u16 %h, 1; ${touch([...some(), ...maybeDynamic(), ...(own === "" ? [] : ["inner"])])} ret; }`,
    );
    for (let k = random(3); k >= 0; k--) {
      const callee = random(modules);
      if (callee !== m && !lines.includes(`.extern .func f${callee}();`)) lines.push(`.extern .func f${callee}();`);
      const call = random(2) === 0 ? `call f${callee};` : "";
      lines.push(
        `.visible .entry k${k}_${m}() { .reg .b16 %h; mov.u16 %h, 1; ${touch([...some(), ...maybeDynamic()])} ${call} ret; }`,
      );
    }
    return lines.join("\n");
  });
  return { name: `program ${seed}`, bodies };
}
