// Reads "tensorMaps" of a launch specification (docs/schemas/launch.schema.json). tensor-map.ts checks the limits of maps; this file reports its
// problems with their places.

import type { JsonReader } from "./json.js";
import type { JsonNode } from "./json-tree.js";
import type { ElementData } from "./spec-data.js";
import { type TensorMap, tensorMapProblem, type TensorMapMember } from "./tensor-map.js";
import { fills, interleaves, swizzles } from "./tensor-map-types.table.js";

/** A map and the buffer that contains its memory. */
export interface SpecTensorMap {
  readonly buffer: string;
  /** Byte offset in the buffer. */
  readonly offset: number;
  readonly map: TensorMap;
}

const lists: readonly TensorMapMember[] = ["dims", "strides", "box", "elementStrides", "lowerCorner", "upperCorner"];
const counts: readonly TensorMapMember[] = ["channelsPerPixel", "pixelsPerColumn"];
const words: Readonly<Partial<Record<TensorMapMember, readonly string[]>>> = {
  interleave: interleaves,
  swizzle: swizzles,
  oobFill: fills,
  mode: ["tiled", "im2col"],
};

const members = ["buffer", "offset", "type", ...lists, ...counts, ...Object.keys(words)];

/** The maps by name, without those that have a fault, which is reported. */
export function readTensorMaps(
  json: JsonReader,
  node: JsonNode | undefined,
  buffers: ReadonlyMap<string, ElementData>,
): ReadonlyMap<string, SpecTensorMap> {
  const maps = new Map<string, SpecTensorMap>();
  if (node === undefined) return maps;
  for (const [name, , value] of json.entries(node, "tensorMaps")) {
    const map = readTensorMap(json, value, `tensor map '${name}'`, buffers);
    if (map !== undefined) maps.set(name, map);
  }
  return maps;
}

function readTensorMap(
  json: JsonReader,
  node: JsonNode,
  what: string,
  buffers: ReadonlyMap<string, ElementData>,
): SpecTensorMap | undefined {
  const found = json.members(node, what, members);
  if (found === undefined) return undefined;
  for (const needed of ["buffer", "type", "dims"])
    if (!found.has(needed)) return json.fault(node, `${what} has no ${needed}`);
  const buffer = json.text(found.get("buffer")!, "buffer");
  if (buffer === undefined) return undefined;
  const data = buffers.get(buffer);
  if (data === undefined) return json.fault(found.get("buffer")!, `there is no buffer '${buffer}'`);
  const { length } = data.bytes;
  const offset = found.has("offset") ? json.count(found.get("offset")!, "offset", 0, length) : 0;
  const values = readMembers(json, found);
  if (offset === undefined || values === undefined) return undefined;
  const map = values as unknown as TensorMap;
  const problem = tensorMapProblem(map, offset, length - offset);
  if (problem === undefined) return { buffer, offset, map };
  return json.fault(found.get(problem.member) ?? node, `${what}: ${problem.message}`);
}

/** The members that describe the map itself; undefined after a report. */
function readMembers(
  json: JsonReader,
  found: ReadonlyMap<string, JsonNode>,
): Readonly<Record<string, unknown>> | undefined {
  const values: Record<string, unknown> = {};
  let isRight = true;
  for (const [name, node] of found) {
    if (name === "buffer" || name === "offset") continue;
    const value = readMember(json, name as TensorMapMember, node);
    if (value === undefined) isRight = false;
    values[name] = value;
  }
  return isRight ? values : undefined;
}

function readMember(json: JsonReader, name: TensorMapMember, node: JsonNode): unknown {
  if (lists.includes(name)) {
    const elements = json.elements(node, name);
    const numbers = elements && [...elements].map((each) => json.count(each, name, -(2 ** 40), 2 ** 40));
    return numbers === undefined || numbers.includes(undefined) ? undefined : numbers;
  }
  if (counts.includes(name)) return json.count(node, name, 1, 1024);
  const text = json.text(node, name);
  const known = words[name];
  if (text === undefined || known === undefined || known.includes(text)) return text;
  return json.fault(node, `there is no ${name} '${text}'`, `one of ${known.join(", ")}`);
}
