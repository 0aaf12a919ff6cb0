// Attributes as IR text. Those unknown to a version carry no necessary information, and are omitted.

import type { Attribute } from "../ir/global.js";
import type { Type } from "../ir/type.js";
import { quoted, type PrintOptions, type TypePrinter } from "./print-type.js";
import { attributeForms, attributesSince } from "./words.table.js";

/** Attributes, each after a blank; those of a parameter with its type. */
export function attributesText(
  types: TypePrinter,
  options: PrintOptions,
  list: readonly Attribute[],
  parameter?: Type,
): string {
  return list
    .map((attribute) => attributeText(types, options, attribute, parameter))
    .filter((text) => text !== "")
    .map((text) => ` ${text}`)
    .join("");
}

function attributeText(
  types: TypePrinter,
  { version }: PrintOptions,
  attribute: Attribute,
  parameter: Type | undefined,
): string {
  const { name, value, text } = attribute;
  // In old text, the type of `byval` is the pointee.
  const type = attribute.type ?? (parameter?.kind === "pointer" ? parameter.pointee : undefined);
  if (text !== undefined) return text === "" ? quoted(name) : `${quoted(name)}=${quoted(text)}`;
  if ((attributesSince.get(name) ?? 0) > version) return "";
  switch (attributeForms.get(name)) {
    case "type":
      // LLVM 7 has the word alone; LLVM 14 requires the type.
      return type === undefined || version === 7 ? name : `${name}(${types.text(type)})`;
    case "number":
      return name === "align" ? `${name} ${value}` : `${name}(${value})`;
    case "text":
      return value === undefined ? name : `${name}(${value})`;
    default:
      return name;
  }
}
