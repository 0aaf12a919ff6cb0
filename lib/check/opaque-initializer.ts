// Initial values of textures, samplers and surfaces: `{ filter_mode = linear, addr_mode_0 = wrap }`. PTX ISA 9.0 section 5.3.

import type { Layout } from "../isa/code.js";
import { opaqueFields, opaqueWords, type OpaqueField, type OpaqueTypeName } from "../isa/opaque-fields.table.js";
import type { Initializer } from "../ptx/tree.js";
import { foldConstant } from "../ptx/constant.js";
import type { Reporter } from "./reporter.js";

/** The fields that are set, each once. For an array, which has a list for each element, they are only checked. */
export function checkOpaqueInitializer(
  layout: Layout,
  initializer: Initializer,
  reporter: Reporter,
): readonly OpaqueField[] {
  const type = layout.type.name as OpaqueTypeName;
  const [bound, ...more] = layout.dimensions;
  if (initializer.kind !== "list") {
    reporter.report(
      "initializer-shape",
      initializer,
      `the initial value of a .${type} must be a list of fields in braces`,
      {
        remedy: "write { FIELD = VALUE, ... }",
      },
    );
    return [];
  }
  if (bound === undefined) return fieldsOf(type, initializer.elements, reporter);
  if (initializer.elements.length > bound)
    reporter.report("initializer-shape", initializer, `${initializer.elements.length} values for an array of ${bound}`);
  const element = { ...layout, dimensions: more };
  for (const each of initializer.elements) checkOpaqueInitializer(element, each, reporter);
  return [];
}

function fieldsOf(type: OpaqueTypeName, elements: readonly Initializer[], reporter: Reporter): readonly OpaqueField[] {
  const known = opaqueFields.filter(({ types }) => types.includes(type)).map(({ name }) => name);
  const values = new Map<string, number>();
  for (const element of elements) {
    if (element.kind !== "field") {
      reporter.report("initializer-type", element, `the initial value of a .${type} must name its fields`, {
        remedy: "write FIELD = VALUE",
      });
      continue;
    }
    const { field } = element;
    if (!known.includes(field.text)) {
      reporter.report("initializer-type", field, `a .${type} has no field '${field.text}'`, {
        remedy: `its fields are ${known.join(", ")}`,
      });
      continue;
    }
    const value = valueOf(element, reporter);
    if (value !== undefined) values.set(field.text, value);
  }
  return [...values].map(([name, value]) => ({ name, value }));
}

function valueOf({ value }: Initializer & { kind: "field" }, reporter: Reporter): number | undefined {
  if (value.kind === "name") {
    const worth = Object.hasOwn(opaqueWords, value.text) ? opaqueWords[value.text] : undefined;
    if (worth === undefined)
      reporter.report("initializer-type", value, `'${value.text}' is not a value of a field`, {
        remedy: `the words are ${Object.keys(opaqueWords).join(", ")}`,
      });
    return worth;
  }
  const constant = foldConstant(value, (at, message, oddity) =>
    reporter.report(oddity ?? "constant-expression", at, message),
  );
  if (constant === undefined) return undefined;
  if (constant.kind === "integer") return Number(BigInt.asUintN(32, constant.value));
  reporter.report("initializer-type", value, "the value of a field is an integer");
  return undefined;
}
