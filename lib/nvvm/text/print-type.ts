// Types, names and strings as IR text, in one of its spellings.

import type { StructType, Type } from "../ir/type.js";

export interface PrintOptions {
  /** The grammar: that of LLVM 7 (libNVVM's for sm_75 to sm_90), of LLVM 14, or the current one. */
  readonly version: 7 | 14 | 20;
  /** `ptr` for all pointers; required if the module's pointers are opaque. */
  readonly opaque: boolean;
  /** Spellings and names of NVVM IR 1.0 become those of 2.0. */
  readonly upgrade: boolean;
}

/** Prints types; repeated types are cached. */
export interface TypePrinter {
  readonly opaque: boolean;
  readonly version: PrintOptions["version"];
  text(type: Type): string;
  /** The definition of a named structure. */
  definition(type: StructType): string;
  /** A global name. */
  global(name: string): string;
  /** `poison`, or its replacement for LLVM 7. */
  readonly poison: string;
}

/** `rename` gives functions the names of another version. */
export function createTypePrinter(
  { opaque, version }: PrintOptions,
  rename: ReadonlyMap<string, string> = new Map(),
): TypePrinter {
  const known = new Map<Type, string>();
  const text = (type: Type): string => {
    let made = known.get(type);
    if (made === undefined) known.set(type, (made = make(type)));
    return made;
  };
  const make = (type: Type): string => {
    switch (type.kind) {
      case "integer":
        return `i${type.bits}`;
      case "float":
        return type.name;
      case "pointer": {
        const space = type.space === 0 ? "" : ` addrspace(${type.space})`;
        return opaque || type.pointee === undefined ? `ptr${space}` : `${text(type.pointee)}${space}*`;
      }
      case "array":
        return `[${type.count} x ${text(type.element)}]`;
      case "vector":
        return `<${type.scalable ? "vscale x " : ""}${type.count} x ${text(type.element)}>`;
      case "struct":
        return type.name === undefined ? fields(type) : localName(type.name);
      case "function": {
        const parameters = [...type.parameters.map(text), ...(type.variadic ? ["..."] : [])];
        return `${text(type.result)} (${parameters.join(", ")})`;
      }
      default:
        return type.kind;
    }
  };
  const fields = ({ fields: list = [], packed }: StructType): string => {
    const inner = list.length === 0 ? "{}" : `{ ${list.map(text).join(", ")} }`;
    return packed ? `<${inner}>` : inner;
  };
  return {
    opaque,
    version,
    text,
    global: (name) => globalName(rename.get(name) ?? name),
    poison: version === 7 ? "undef" : "poison",
    definition: (type) => (type.fields === undefined ? "opaque" : fields(type)),
  };
}

const plainName = /^[-a-zA-Z$._][-a-zA-Z$._0-9]*$/;
const number = /^\d+$/;

/** A name without its sign, in quotes if necessary. Numbers are names of unnamed values. */
const nameText = (name: string): string => (plainName.test(name) || number.test(name) ? name : quoted(name));

const globalName = (name: string): string => `@${nameText(name)}`;

/** Of types. */
export const localName = (name: string): string => `%${nameText(name)}`;

/** For named values and blocks; a name of digits only is not a number. */
export const valueName = (name: string): string => `%${plainName.test(name) ? name : quoted(name)}`;

/** A label without its colon. */
export const labelText = (name: string): string => (plainName.test(name) ? name : quoted(name));

/** A string in quotes, with escapes if necessary. */
export const quoted = (text: string): string =>
  `"${text.replaceAll(/[^ -~]|["\\]/g, (byte) => `\\${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`)}"`;

/** The name of metadata, without `!`. */
export const metadataName = (name: string): string =>
  name.replaceAll(
    /[^-a-zA-Z$._0-9]|^[0-9]/g,
    (byte) => `\\${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
