// Locates syntax errors and values in JSON documents that were read with JSON.parse, for messages about them.

import {
  findNodeAtLocation,
  findNodeAtOffset,
  getNodePath,
  parseTree,
  type JSONPath,
  type Node,
  type ParseError,
} from "jsonc-parser";
import type { TextPlace } from "../diag/diagnostic.js";
import type { Source } from "../ptx/source-text.js";
import { placeOf } from "../ptx/source.js";

/**
 * The place of the first syntax error. Without one, the place of the value at `path`, or of the innermost existing value around
 * it; with `ofName` that of the member's name.
 */
export function jsonPlace(source: Source, path: JSONPath = [], ofName = false): TextPlace {
  const text = Buffer.from(source.bytes).toString("utf8");
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const { offset, length } = errors[0] ??
    (ofName ? nodeAt(root, path)?.parent?.children?.[0] : nodeAt(root, path)) ?? { offset: 0, length: 1 };
  const byteAt = (at: number): number => Buffer.byteLength(text.slice(0, at));
  return placeOf(source, { start: byteAt(offset), end: byteAt(offset + Math.max(1, length)) });
}

/**
 * The place in a document of what is at a byte of `part`, a copy of the document's value at `path` in which literals may differ.
 */
export function jsonPlaceOfPart(source: Source, path: JSONPath, part: Uint8Array, byte: number): TextPlace {
  const decoder = new TextDecoder();
  const root = parseTree(decoder.decode(part));
  const node = root && findNodeAtOffset(root, decoder.decode(part.subarray(0, byte)).length);
  if (node === undefined) return jsonPlace(source, path);
  return jsonPlace(source, [...path, ...getNodePath(node)], isName(node));
}

const isName = (node: Node): boolean => node.parent?.type === "property" && node.parent.children?.[0] === node;

function nodeAt(root: Node | undefined, path: JSONPath): Node | undefined {
  if (root === undefined) return undefined;
  for (let length = path.length; length > 0; length--) {
    const found = findNodeAtLocation(root, path.slice(0, length));
    if (found !== undefined) return found;
  }
  return root;
}
