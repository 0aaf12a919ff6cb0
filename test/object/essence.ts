// The parts that two objects of equal meaning have in common, and an object's text: for tests that convert text to
// text.

import { need } from "../../formats/bytes/malformed.js";
import { decodeDebugSection, isMadeSection } from "../../lib/object/dwarf/debug-sections.js";
import { printedSection } from "../ptx/section-items.js";
import { decodeFunction } from "../../lib/object/code/decode.js";
import { disassemble } from "../../lib/object/print/disassemble.js";
import type { ObjectFile } from "../../lib/object/object.js";

/** An object without what another text changes: lines, and names of function-scope declarations. */
export function essence(object: ObjectFile): unknown {
  const anonymous = <T extends object>(items: readonly T[]) => items.map((item) => ({ ...item, name: "" }));
  return {
    ...object,
    name: "",
    modules: [],
    // Bytes of debug sections depend on those of code, which contains lines.
    debugSections: (object.debugSections ?? [])
      .filter((section) => !isMadeSection(section))
      .map((section) => printedSection(need(decodeDebugSection(section)))),
    symbols: object.symbols.map((symbol) => ({
      ...symbol,
      name: symbol.kind === "variable" && symbol.scope !== undefined ? "" : symbol.name,
      origin: undefined,
      ...(symbol.kind === "function" ? { prototype: undefined } : {}),
    })),
    sections: object.sections.map((section) => {
      if (section.role.kind !== "text") return section;
      const decoded = decodeFunction(section.data!);
      if (!decoded.ok) throw new Error(decoded.error.what);
      const { code, slots } = decoded.value;
      return {
        role: section.role,
        relocations: section.relocations,
        slots,
        ...code,
        registers: anonymous(code.registers),
        variables: anonymous(code.variables),
        labels: anonymous(code.labels),
        branchTargets: anonymous(code.branchTargets),
        callTargets: anonymous(code.callTargets),
        prototypes: code.prototypes.length,
        locations: code.locations.map(({ file, line, column }) => ({ file, line, column })),
        instructions: code.instructions.map((instruction) => ({ ...instruction, line: 0 })),
      };
    }),
  };
}

/** Its PTX text. Throws if its code is malformed. */
export function textOf(object: ObjectFile): string {
  const text = disassemble(object);
  if (!text.ok) throw new Error(text.error.what);
  return text.value;
}
