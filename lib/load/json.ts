// JSON with places: every fault of a specification is reported with its place in the file. json-tree.ts makes the tree; this file
// reads typed values from it and reports members that are missing, unknown or of the wrong kind.

import { printParseErrorCode } from "jsonc-parser";
import { nearest } from "../base/nearest.js";
import type { TextPlace } from "../diag/diagnostic.js";
import type { DiagnosticSink } from "../diag/sink.js";
import type { Source } from "../ptx/source-text.js";
import { placeOf } from "../ptx/source.js";
import { parseJson, type JsonNode, type JsonNodes } from "./json-tree.js";

/** Nesting limit, deeper than any specification; the parser is recursive. */
const deepest = 64;

export interface JsonReader {
  readonly root: JsonNode;
  place(node: JsonNode): TextPlace;
  fault(node: JsonNode, message: string, remedy?: string): undefined;
  /** The members of an object, or undefined after a report; `known` lists the allowed names. */
  members(node: JsonNode, what: string, known: readonly string[]): ReadonlyMap<string, JsonNode> | undefined;
  /** All members of an object that allows any names, in the order of the document. */
  entries(node: JsonNode, what: string): readonly (readonly [name: string, nameNode: JsonNode, value: JsonNode])[];
  elements(node: JsonNode, what: string): JsonNodes | undefined;
  text(node: JsonNode, what: string): string | undefined;
  truth(node: JsonNode, what: string): boolean | undefined;
  /** A whole number from `least` to `most`. */
  count(node: JsonNode, what: string, least: number, most: number): number | undefined;
}

/** Parses a document; undefined after a report. */
export function readJson(source: Source, sink: DiagnosticSink): JsonReader | undefined {
  const text = textOf(source);
  const place = placeIn(source, text);
  const root = parseText(text, place, sink);
  if (root === undefined) return undefined;
  const fault: Fault = (node, message, remedy) => {
    sink.report("launch-spec", message, place(node.offset, node.length), remedy === undefined ? {} : { remedy });
    return undefined;
  };
  return {
    root,
    place: (node) => place(node.offset, node.length),
    fault,
    entries: (node, what) => readEntries(fault, node, what),
    members: (node, what, known) => readMembers(fault, node, what, known),
    elements: (node, what) => (node.type === "array" ? node.children : fault(node, `${what} must be a list`)),
    text: (node, what) => (node.type === "string" ? (node.value as string) : fault(node, `${what} must be a string`)),
    truth: (node, what) =>
      node.type === "boolean" ? (node.value as boolean) : fault(node, `${what} must be true or false`),
    count: (node, what, least, most) => readCount(fault, node, what, least, most),
  };
}

type Fault = JsonReader["fault"];

function textOf({ bytes }: Source): string {
  const { buffer, byteOffset, length } = bytes;
  return Buffer.from(buffer, byteOffset, length).toString("utf8");
}

/** Converts the parser's UTF-16 units to bytes; they are equal if the text is ASCII. */
function placeIn(source: Source, text: string): (offset: number, length: number) => TextPlace {
  const isAscii = text.length === source.bytes.length;
  const byteAt = (offset: number): number => (isAscii ? offset : Buffer.byteLength(text.slice(0, offset)));
  return (offset, length) => placeOf(source, { start: byteAt(offset), end: byteAt(offset + length) });
}

function parseText(text: string, place: ReturnType<typeof placeIn>, sink: DiagnosticSink): JsonNode | undefined {
  if (nestsDeeperThan(text, deepest)) {
    sink.report("launch-spec", `this JSON nests deeper than ${deepest} levels`, place(0, 1));
    return undefined;
  }
  const { root, errors } = parseJson(text);
  const [first] = errors;
  if (root !== undefined && first === undefined) return root;
  const words =
    first === undefined
      ? "no value"
      : printParseErrorCode(first.error)
          .replace(/([a-z])([A-Z])/g, "$1 $2")
          .toLowerCase();
  const at = place(first?.offset ?? 0, Math.max(1, first?.length ?? 1));
  sink.report("launch-spec", `this is not JSON: ${words}`, at);
  return undefined;
}

type Entry = readonly [name: string, nameNode: JsonNode, value: JsonNode];

function readEntries(fault: Fault, node: JsonNode, what: string): readonly Entry[] {
  if (node.type !== "object") {
    fault(node, `${what} must be an object`);
    return [];
  }
  const seen = new Set<string>();
  return [...node.children].flatMap((member): readonly Entry[] => {
    const [key, value] = member.children;
    if (key === undefined || value === undefined) return [];
    const name = key.value as string;
    if (seen.has(name)) fault(key, `'${name}' occurs twice in ${what}`);
    seen.add(name);
    return [[name, key, value]];
  });
}

function readMembers(
  fault: Fault,
  node: JsonNode,
  what: string,
  known: readonly string[],
): ReadonlyMap<string, JsonNode> | undefined {
  if (node.type !== "object") return fault(node, `${what} must be an object`);
  const found = new Map<string, JsonNode>();
  for (const [name, key, value] of readEntries(fault, node, what)) {
    if (known.includes(name)) found.set(name, value);
    else {
      const [meant] = nearest(name, known);
      const remedy = meant === undefined ? `it has ${known.join(", ")}` : `did you mean '${meant}'?`;
      fault(key, `${what} has an unknown member '${name}'`, remedy);
    }
  }
  return found;
}

function readCount(fault: Fault, node: JsonNode, what: string, least: number, most: number): number | undefined {
  const value: unknown = node.value;
  if (node.type === "number" && Number.isInteger(value) && (value as number) >= least && (value as number) <= most)
    return value as number;
  return fault(node, `${what} must be a whole number from ${least} to ${most}`);
}

function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === 0x5c) i++;
      else if (c === 0x22) quoted = false;
    } else if (c === 0x22) quoted = true;
    else if (c === 0x5b || c === 0x7b) {
      if (++depth > limit) return true;
    } else if (c === 0x5d || c === 0x7d) depth--;
  }
  return false;
}
