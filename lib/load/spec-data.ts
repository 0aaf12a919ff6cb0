// Elements in a launch specification: `fill`, `data`, `hex` or `file` of a buffer, a symbol or an image (docs/cli.md,
// "The launch specification").

import { looksLikeNpy, readNpy } from "../../formats/npy/index.js";
import { elementNames, elementOfNpy, elementType, type ElementType } from "./elements.table.js";
import type { JsonReader } from "./json.js";
import type { JsonNode } from "./json-tree.js";
import { DEFAULT_MEMORY_LIMIT } from "./memory.js";
import { fromHex, parseElement } from "./values.js";

/** Elements with their bytes, little endian. */
export interface ElementData {
  readonly type: ElementType;
  readonly bytes: Uint8Array;
  /** The sanitizer treats the bytes as never written, whatever their values. */
  readonly undefined?: true;
}

/** How a launch specification reads the files that it names. */
export interface SpecOptions {
  /**
   * Reads a file named in the specification, relative to its folder; throws an error on failure, perhaps with a `remedy`. Without
   * this function the specification cannot name files.
   */
  readonly readFile?: (path: string) => Uint8Array;
}

/** Largest buffer in bytes: the default limit of device memory. */
export const LARGEST_BUFFER = DEFAULT_MEMORY_LIMIT;

/** Members that give a buffer's or image's contents; at most one of them. */
export const contentMembers: readonly string[] = ["fill", "data", "hex", "file"];

/** Whether at most one member gives the contents; reports otherwise. */
export function hasOneContent(
  json: JsonReader,
  node: JsonNode,
  members: ReadonlyMap<string, JsonNode>,
  what: string,
): boolean {
  const [first, second] = contentMembers.filter((name) => members.has(name));
  if (second === undefined) return true;
  json.fault(node, `${what} has both '${first}' and '${second}'; use one of them`);
  return false;
}

/** Reads the contents of a buffer or a symbol. */
export function readData(
  json: JsonReader,
  node: JsonNode,
  what: string,
  options: SpecOptions,
): ElementData | undefined {
  const members = json.members(node, what, ["type", "length", "undefined", ...contentMembers]);
  if (members === undefined || !hasOneContent(json, node, members, what)) return undefined;
  const undefinedNode = members.get("undefined");
  const isUndefined = undefinedNode === undefined ? false : json.truth(undefinedNode, "undefined");
  if (isUndefined === undefined) return undefined;
  const marked = (read: ElementData | undefined): ElementData | undefined =>
    read === undefined || !isUndefined ? read : { ...read, undefined: true };
  const typeNode = members.get("type");
  const file = members.get("file");
  if (file !== undefined && typeNode === undefined) return marked(readFile(json, file, what, undefined, options));

  const typeName = typeNode === undefined ? undefined : json.text(typeNode, "type");
  if (typeNode === undefined) return json.fault(node, `${what} has no type`, `one of ${elementNames.join(", ")}`);
  const type = elementType(typeName ?? "");
  if (type === undefined)
    return json.fault(typeNode, `there is no type '${typeName}'`, `one of ${elementNames.join(", ")}`);

  const lengthNode = members.get("length");
  const length =
    lengthNode === undefined ? undefined : json.count(lengthNode, "length", 0, Math.floor(LARGEST_BUFFER / type.bytes));
  if (lengthNode !== undefined && length === undefined) return undefined;
  const data = readContent(json, node, members, type, length, what, options);
  if (data === undefined) return undefined;
  if (data.length % type.bytes !== 0)
    return json.fault(node, `${what}: ${data.length} bytes are not a whole number of .${type.name} elements`);
  if (length !== undefined && data.length !== length * type.bytes) {
    return json.fault(lengthNode!, `${what} has ${data.length / type.bytes} elements, but length says ${length}`);
  }
  return marked({ type, bytes: data });
}

/** The bytes that the members describe; `length` elements if they do not fix the number. */
export function readContent(
  json: JsonReader,
  node: JsonNode,
  members: ReadonlyMap<string, JsonNode>,
  type: ElementType,
  length: number | undefined,
  what: string,
  options: SpecOptions,
): Uint8Array | undefined {
  const file = members.get("file");
  if (file !== undefined) return readFile(json, file, what, type, options)?.bytes;
  const hex = members.get("hex");
  if (hex !== undefined) {
    const text = json.text(hex, "hex");
    const bytes = text === undefined ? undefined : fromHex(text);
    return bytes ?? (text === undefined ? undefined : json.fault(hex, "hex must be pairs of hexadecimal digits"));
  }
  const data = members.get("data");
  if (data !== undefined) {
    const elements = json.elements(data, "data");
    if (elements === undefined) return undefined;
    const bytes = new Uint8Array(elements.length * type.bytes);
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const element of elements) {
      const value = numberOf(json, element, type);
      if (value === undefined) return undefined;
      type.store(view, at, value);
      at += type.bytes;
    }
    return bytes;
  }
  if (length === undefined) return json.fault(node, `${what} has no length`, 'give "length", "data", "hex" or "file"');
  const fill = members.get("fill");
  const value = fill === undefined ? 0 : fill.value === "iota" ? "iota" : numberOf(json, fill, type);
  if (value === undefined) return undefined;
  return (
    fillElements(type, length, value) ??
    json.fault(node, `${what}: ${length * type.bytes} bytes exceed the available memory`)
  );
}

/** `length` elements of one value, or 0, 1, 2 and so on; undefined if the host has not enough memory. */
export function fillElements(
  type: ElementType,
  length: number,
  fill: number | bigint | "iota",
): Uint8Array | undefined {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(length * type.bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
  if (fill === 0) return bytes;
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < length; i++) type.store(view, i * type.bytes, fill === "iota" ? i : fill);
  return bytes;
}

/** A number of that type, or undefined after a report. */
export function numberOf(json: JsonReader, node: JsonNode, type: ElementType): number | bigint | undefined {
  if (node.type !== "number" && node.type !== "string") return json.fault(node, `expected a number`);
  const value = parseElement(type, node.value as number | string);
  return typeof value === "object" ? json.fault(node, value.fault) : value;
}

/** Reads a .npy file, which contains its type, or raw elements of the type in the specification. */
function readFile(
  json: JsonReader,
  node: JsonNode,
  what: string,
  type: ElementType | undefined,
  options: SpecOptions,
): ElementData | undefined {
  const name = json.text(node, "file");
  if (name === undefined) return undefined;
  if (options.readFile === undefined) return json.fault(node, `${what}: files cannot be read in this environment`);
  let bytes: Uint8Array;
  try {
    bytes = options.readFile(name);
  } catch (error) {
    const { message, remedy } = error as Error & { readonly remedy?: string };
    return json.fault(node, `${what}: ${message}`, remedy);
  }
  if (type !== undefined && !looksLikeNpy(bytes)) return { type, bytes };
  const array = readNpy(bytes);
  if (!array.ok) return json.fault(node, `${what}: ${name}, byte ${array.error.offset}: ${array.error.what}`);
  return { type: elementOfNpy(array.value.type), bytes: array.value.data };
}
