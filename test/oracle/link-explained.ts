// What nvlink loses in silence, and what it keeps for nobody, so that a comparison can tell both from faults of ours;
// docs/linking.md, "Where we differ from nvlink".

import type { ImageFacts } from "./image-facts.js";

/**
 * Whether a fact that only our image has is one that nvlink drops: a relocation in constant data against a name of which
 * some module's .weak definition was not chosen. The pointer stays 0 then; in .global data the same relocation is kept.
 */
export function isLostByNvlink(texts: readonly string[], key: keyof ImageFacts, fact: readonly unknown[]): boolean {
  if (key !== "relocations" || fact[0] !== ".nv.constant3") return false;
  const name = String(fact[3]);
  const defines = (word: string): number =>
    texts.filter((text) => new RegExp(`^\\.${word} .*\\b${name}\\b`, "m").test(text)).length;
  return defines("weak") > 0 && defines("weak") + defines("visible") > 1;
}

/** Whether a relocation that only nvlink keeps is in bytes of no variable: those of a definition that lost. */
export function isDead({ variables }: ImageFacts, key: keyof ImageFacts, fact: readonly unknown[]): boolean {
  if (key !== "relocations") return false;
  const [section, offset] = [fact[0], Number(fact[1])];
  return !variables.some(([of, start, size]) => of === section && start <= offset && offset < start + size);
}
