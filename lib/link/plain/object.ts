// Whether an object of the assembler's may be part of a plain link (link.ts): what can be told of it alone, at once, so
// that nobody makes files of objects that the ordinary linker would have to read again.

import type { RelocObject } from "../../object/object.js";

/** False where a plain link is out of the question; true where it depends on the other objects. */
export function isPlainObject(object: RelocObject): boolean {
  return (
    object.modules.every(({ targetOptions }) => targetOptions.every((option) => option === "debug")) &&
    object.symbols.every((symbol) => {
      if (symbol.kind === "reference" || symbol.linkage === "common") return false;
      return symbol.kind === "function" ? symbol.unified === undefined : isPlainSpace(symbol.space);
    })
  );
}

const isPlainSpace = (space: string): boolean => space === "global" || space === "const" || space === "shared";
