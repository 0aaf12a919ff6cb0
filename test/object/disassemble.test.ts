import test from "ava";
import { assemble } from "../../lib/object/assemble.js";
import { decodeFunction } from "../../lib/object/decode.js";
import { disassemble } from "../../lib/object/disassemble.js";
import type { ObjectFile } from "../../lib/object/object.js";
import { decodeObject } from "../../lib/object/read.js";
import { writeObject } from "../../lib/object/write.js";
import { corners } from "./corners.js";
import { check, checkFile, ptxFiles } from "./pipeline.js";

/** An object without what a new text changes: lines, and the names of what a function declares. */
function essence(object: ObjectFile): unknown {
  const anonymous = <T extends object>(items: readonly T[]) => items.map((item) => ({ ...item, name: "" }));
  return {
    ...object,
    name: "",
    modules: [],
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

function textOf(object: ObjectFile): string {
  const text = disassemble(object);
  if (!text.ok) throw new Error(text.error.what);
  return text.value;
}

test("a module of every kind of declaration survives object, file and text", (t) => {
  const object = assemble(check(corners));
  const read = decodeObject(writeObject(object), object.name);
  if (!read.ok) return t.fail(read.error.what);
  t.deepEqual(read.value, object);
  const text = textOf(read.value);
  const again = assemble(check(text));
  t.deepEqual(essence(again), essence(object));
  t.is(textOf(again), text);
});

test("text, object, text, object gives the same object for every program of testdata", (t) => {
  const files = ptxFiles();
  for (const file of files) {
    const object = assemble(checkFile(file));
    t.deepEqual(essence(assemble(check(textOf(object), file))), essence(object), file);
  }
  t.true(files.length > 50);
});

test("code without names is printed with names of its own", (t) => {
  const text = textOf(assemble(check(corners), { names: false }));
  t.deepEqual(essence(assemble(check(text))), essence(assemble(check(text))));
  t.false(text.includes("loop"));
  t.regex(text, /bra\.uni \$L\d+;/);
});
