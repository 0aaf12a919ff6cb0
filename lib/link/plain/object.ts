// Whether an object of the assembler's may be part of a plain link (link.ts): what can be told of it alone, at once, so
// that nobody makes files of objects that the ordinary linker would have to read again.

import { INDEPENDENT } from "../../object/module-info.js";
import type { RelocObject } from "../../object/object.js";

/** False where a plain link is out of the question; true where it depends on the other objects. */
export function isPlainObject(object: RelocObject): boolean {
  return (
    object.modules.every(({ targetOptions }) => targetOptions.every(isPlainOption)) &&
    object.symbols.every((symbol) => {
      return symbol.kind !== "variable" || isPlainSpace(symbol.space);
    })
  );
}

/** A word of .target beside the target. */
export const isPlainOption = (option: string): boolean => option === "debug" || option === INDEPENDENT;

const isPlainSpace = (space: string): boolean => space === "global" || space === "const" || space === "shared";
