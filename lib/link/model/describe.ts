// Symbols in words, as their declarations read: `.global .f32 shade[4]`, `.func (.b32) f (.b64, .b8[16])`. For messages.

import { sourceName } from "../../base/source-name.js";
import type { Layout, Parameter } from "../../isa/code.js";
import type { CodeSymbol, ObjectSymbol, ReferenceSymbol, VariableSymbol } from "../../object/object.js";

export function describe(symbol: ObjectSymbol): string {
  switch (symbol.kind) {
    case "variable": {
      const managed = symbol.managed ? ".attribute(.managed) " : "";
      const unified = symbol.unified === undefined ? "" : `.attribute(.unified(${symbol.unified.join(", ")})) `;
      return `.${symbol.space} ${managed}${unified}${declarator(symbol.layout, symbol.name)}`;
    }
    case "function":
      return prototypeText(symbol);
    case "reference":
      return `.${symbol.type} ${symbol.name}`;
  }
}

/** What says what kind of thing a symbol is. */
type Kind =
  Pick<VariableSymbol, "kind" | "space"> | Pick<CodeSymbol, "kind" | "entry"> | Pick<ReferenceSymbol, "kind" | "type">;

/** The same without the name: what kind of thing it is. */
export function kindText(symbol: Kind): string {
  switch (symbol.kind) {
    case "variable":
      return `a .${symbol.space} variable`;
    case "function":
      return symbol.entry ? "a kernel" : "a function";
    case "reference":
      return `a .${symbol.type}`;
  }
}

export function prototypeText({ name, entry, prototype }: Pick<CodeSymbol, "name" | "entry" | "prototype">): string {
  const returns = prototype.returns.length === 0 ? "" : `(${prototype.returns.map(parameterText).join(", ")}) `;
  const parameters = prototype.parameters.map(parameterText).join(", ");
  return `.${entry ? "entry" : "func"} ${returns}${name} (${parameters})`;
}

/** A parameter without its name: `.b64`, `.b8[16]`. */
export const parameterText = ({ layout }: Parameter): string => declarator(layout, "");

function declarator(layout: Layout, name: string): string {
  const vector = layout.vector === 1 ? "" : `.v${layout.vector} `;
  const dimensions = layout.dimensions.map((n) => `[${n ?? ""}]`).join("");
  return `${vector}.${layout.type.name}${name === "" ? "" : ` ${name}`}${dimensions}`;
}

/** Names that a sentence lists; the rest is counted. */
const MOST_LISTED = 8;

/** "a.ptx, b.ptx", and of many the first ones and the count of the rest. */
export function listText(names: readonly string[]): string {
  const further = names.length - MOST_LISTED;
  return names.slice(0, MOST_LISTED).join(", ") + (further > 0 ? ` and ${further} more` : "");
}

/** "1 byte", "12 bytes". */
export const bytesText = (bytes: number): string => `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;

/** The raw name in quotes, and what people call it in parentheses after it. */
export const symbolText = (name: string): string => `'${name}'${demangledText(name)}`;

/** The same without quotes, as other linkers write a message's subject and tools look for it. */
export const subjectText = (name: string): string => name + demangledText(name);

function demangledText(name: string): string {
  const inSource = sourceName(name);
  return inSource === undefined ? "" : ` (${inSource})`;
}
