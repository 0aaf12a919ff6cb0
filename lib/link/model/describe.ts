// Describes symbols like their declarations, for messages: `.global .f32 shade[4]`, `.func (.b32) f (.b64, .b8[16])`.

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

/** The properties that determine a symbol's kind. */
type Kind =
  Pick<VariableSymbol, "kind" | "space"> | Pick<CodeSymbol, "kind" | "entry"> | Pick<ReferenceSymbol, "kind" | "type">;

/** The kind of a symbol, without its name. */
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

/** Limit of the names in a sentence; the rest is counted. */
const MAX_LISTED = 8;

/** "a.ptx, b.ptx"; for many, the first ones and the number of the rest. */
export function listText(names: readonly string[]): string {
  const further = names.length - MAX_LISTED;
  return names.slice(0, MAX_LISTED).join(", ") + (further > 0 ? ` and ${further} more` : "");
}

/** "1 byte", "12 bytes". */
export const bytesText = (bytes: number): string => `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;

/** The raw name in quotes, followed by the demangled name in parentheses. */
export const symbolText = (name: string): string => `'${name}'${demangledText(name)}`;

/** The same without quotes, as the subject of other linkers' messages, which tools look for. */
export const subjectText = (name: string): string => name + demangledText(name);

function demangledText(name: string): string {
  const inSource = sourceName(name);
  return inSource === undefined ? "" : ` (${inSource})`;
}
