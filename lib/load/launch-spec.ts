// Reads the launch specification of `run --launch` (docs/cli.md, "The launch specification") into values that need no further checking of the JSON. Its
// caller compares kernels and symbols with the image, using the places kept here.

import type { Dimensions } from "../base/dimensions.js";
import type { TextPlace } from "../diag/diagnostic.js";
import type { DiagnosticSink } from "../diag/sink.js";
import type { Source } from "../ptx/source-text.js";
import { elementNames, elementType, type ElementType } from "./elements.table.js";
import { readJson, type JsonReader } from "./json.js";
import type { JsonNode } from "./json-tree.js";
import {
  readImages,
  readSurfaces,
  readTextures,
  type SpecImage,
  type SpecSurface,
  type SpecTexture,
} from "./spec-images.js";
import { type ElementData, numberOf, readData, type SpecOptions } from "./spec-data.js";
import { readTensorMaps, type SpecTensorMap } from "./spec-tensor-maps.js";
import { fromHex } from "./values.js";

export type Argument = { readonly place: TextPlace | undefined } & (
  | { readonly kind: "value"; readonly type: ElementType; readonly bytes: Uint8Array }
  | { readonly kind: "buffer"; readonly buffer: string; readonly offset: number }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "texture" | "surface" | "tensorMap"; readonly name: string }
);

export interface Launch {
  readonly kernel: string;
  readonly grid: Dimensions;
  readonly block: Dimensions;
  readonly cluster: Dimensions;
  readonly sharedBytes: number;
  /** All blocks are resident at once and may wait for each other. */
  readonly cooperative: boolean;
  /** The launch may begin before the previous one has ended. Launches run in order, so that this has no effect. */
  readonly dependent: boolean;
  readonly arguments: readonly Argument[];
  readonly place: TextPlace | undefined;
}

export interface Output {
  /** As written: "y", "symbol:counter" or "image:picture". */
  readonly name: string;
  readonly kind: "buffer" | "symbol" | "image";
  readonly target: string;
  readonly place: TextPlace | undefined;
}

/** Contents of a buffer; `place` is that of its name. */
export interface BufferData extends ElementData {
  readonly place: TextPlace | undefined;
}

/** A launch specification that was read and checked (docs/cli.md). */
export interface LaunchSpec {
  readonly buffers: ReadonlyMap<string, BufferData>;
  readonly images: ReadonlyMap<string, SpecImage>;
  readonly textures: ReadonlyMap<string, SpecTexture>;
  readonly surfaces: ReadonlyMap<string, SpecSurface>;
  readonly tensorMaps: ReadonlyMap<string, SpecTensorMap>;
  readonly symbols: readonly {
    readonly name: string;
    readonly data: ElementData;
    readonly place: TextPlace | undefined;
  }[];
  readonly launches: readonly Launch[];
  readonly outputs: readonly Output[];
}

/** The objects that arguments and outputs may name. */
type SpecNames = Pick<LaunchSpec, "buffers" | "images" | "textures" | "surfaces" | "tensorMaps">;

const topMembers = ["buffers", "symbols", "images", "textures", "surfaces", "tensorMaps", "launches", "outputs"];

/** The specification, or undefined after a report. */
export function readLaunchSpec(
  source: Source,
  sink: DiagnosticSink,
  options: SpecOptions = {},
): LaunchSpec | undefined {
  const json = readJson(source, sink);
  if (json === undefined) return undefined;
  const errorsBefore = sink.errorCount;
  const top = json.members(json.root, "the specification", topMembers);
  if (top === undefined) return undefined;

  const buffers = new Map<string, BufferData>();
  for (const [name, key, node] of entriesOf(json, top.get("buffers"), "buffers")) {
    const data = readData(json, node, `buffer '${name}'`, options);
    if (data !== undefined) buffers.set(name, { ...data, place: json.place(key) });
  }
  const symbols = entriesOf(json, top.get("symbols"), "symbols").flatMap(([name, key, node]) => {
    const data = readData(json, node, `symbol '${name}'`, options);
    return data === undefined ? [] : [{ name, data, place: json.place(key) }];
  });
  const launchNodes = top.get("launches");
  if (launchNodes === undefined) json.fault(json.root, "the specification has no launches", 'add "launches": [ … ]');
  const images = readImages(json, top.get("images"), options);
  const textures = readTextures(json, top.get("textures"), { images, buffers });
  const surfaces = readSurfaces(json, top.get("surfaces"), images);
  const tensorMaps = readTensorMaps(json, top.get("tensorMaps"), buffers);
  const names: SpecNames = { buffers, images, textures, surfaces, tensorMaps };
  const launches = elementsOf(json, launchNodes, "launches").flatMap((node) => readLaunch(json, node, names) ?? []);
  const outputNodes = top.get("outputs");
  const outputs = elementsOf(json, outputNodes, "outputs").flatMap((node) => readOutput(json, node, names) ?? []);
  return sink.errorCount > errorsBefore ? undefined : { ...names, symbols, launches, outputs };
}

function entriesOf(json: JsonReader, node: JsonNode | undefined, what: string) {
  return node === undefined ? [] : json.entries(node, what);
}

const elementsOf = (json: JsonReader, node: JsonNode | undefined, what: string): readonly JsonNode[] =>
  node === undefined ? [] : [...(json.elements(node, what) ?? [])];

// ------------------------------------------------------------------------------------------------------------- launches

const launchMembers = ["kernel", "grid", "block", "cluster", "sharedBytes", "cooperative", "dependent", "args"];

function readLaunch(json: JsonReader, node: JsonNode, names: SpecNames): Launch | undefined {
  const members = json.members(node, "a launch", launchMembers);
  if (members === undefined) return undefined;
  const kernelNode = members.get("kernel");
  const kernel =
    kernelNode === undefined ? json.fault(node, "the launch names no kernel") : json.text(kernelNode, "kernel");
  const grid = readDimensions(json, node, members.get("grid"), "grid", [2 ** 31 - 1, 65535, 65535]);
  const block = readDimensions(json, node, members.get("block"), "block", [1024, 1024, 64]);
  const cluster = members.has("cluster")
    ? readDimensions(json, node, members.get("cluster"), "cluster", [16, 16, 16])
    : ([1, 1, 1] as const);
  const sharedNode = members.get("sharedBytes");
  const sharedBytes = sharedNode === undefined ? 0 : json.count(sharedNode, "sharedBytes", 0, 2 ** 20);
  const cooperative = members.has("cooperative") ? json.truth(members.get("cooperative")!, "cooperative") : false;
  // Accepted without effect: a dependent launch may also run after the previous one.
  const dependent = members.has("dependent") ? json.truth(members.get("dependent")!, "dependent") : false;
  const argNodes = members.get("args");
  const args = elementsOf(json, argNodes, "args").map((arg) => readArgument(json, arg, names));
  if (
    kernel === undefined ||
    grid === undefined ||
    block === undefined ||
    cluster === undefined ||
    sharedBytes === undefined ||
    cooperative === undefined ||
    dependent === undefined
  )
    return undefined;
  if (block[0] * block[1] * block[2] > 1024) {
    return json.fault(
      members.get("block")!,
      `a block has at most 1024 threads; this one has ${block[0] * block[1] * block[2]}`,
    );
  }
  const whole = args.filter((arg) => arg !== undefined);
  if (whole.length < args.length) return undefined;
  const place = json.place(kernelNode ?? node);
  return { kernel, grid, block, cluster, sharedBytes, cooperative, dependent, arguments: whole, place };
}

function readDimensions(
  json: JsonReader,
  launch: JsonNode,
  node: JsonNode | undefined,
  what: string,
  most: Dimensions,
): Dimensions | undefined {
  if (node === undefined) return json.fault(launch, `the launch has no ${what}`, `add "${what}": [x, y, z]`);
  const elements = json.elements(node, what);
  if (elements === undefined) return undefined;
  if (elements.length === 0 || elements.length > 3) return json.fault(node, `${what} has one to three numbers`);
  const values = [...elements].map((element, i) => json.count(element, `${what}'s ${"xyz"[i]}`, 1, most[i]!));
  return values.includes(undefined) ? undefined : [values[0]!, values[1] ?? 1, values[2] ?? 1];
}

function readArgument(json: JsonReader, node: JsonNode, names: SpecNames): Argument | undefined {
  const { buffers } = names;
  const entries = json.entries(node, "an argument");
  const place = json.place(node);
  const buffer = entries.find(([name]) => name === "buffer");
  if (buffer !== undefined) {
    const members = json.members(node, "a buffer argument", ["buffer", "offset"]);
    const name = json.text(buffer[2], "buffer");
    if (members === undefined || name === undefined) return undefined;
    const data = buffers.get(name);
    if (data === undefined) return json.fault(buffer[2], `there is no buffer '${name}'`);
    const offsetNode = members.get("offset");
    const offset = offsetNode === undefined ? 0 : json.count(offsetNode, "offset", 0, data.bytes.length);
    return offset === undefined ? undefined : { kind: "buffer", buffer: name, offset, place };
  }
  const [entry, second] = entries;
  if (entry === undefined || second !== undefined) {
    return json.fault(node, 'an argument is one of { TYPE: value }, { "buffer": name } and { "bytes": hex }');
  }
  const [name, key, value] = entry;
  if (name === "bytes") {
    const text = json.text(value, "bytes");
    const bytes = text === undefined ? undefined : fromHex(text);
    if (bytes === undefined)
      return text === undefined ? undefined : json.fault(value, "bytes must be pairs of hexadecimal digits");
    return { kind: "bytes", bytes, place };
  }
  if (name === "texture" || name === "surface" || name === "tensorMap") {
    const target = json.text(value, name);
    if (target === undefined) return undefined;
    return names[`${name}s`].has(target)
      ? { kind: name, name: target, place }
      : json.fault(value, `there is no ${name} '${target}'`);
  }
  const type = elementType(name);
  if (type === undefined)
    return json.fault(
      key,
      `there is no type '${name}'`,
      `one of ${elementNames.join(", ")}, buffer, texture, surface, tensorMap, bytes`,
    );
  const number = numberOf(json, value, type);
  if (number === undefined) return undefined;
  const bytes = new Uint8Array(type.bytes);
  type.store(new DataView(bytes.buffer), 0, number);
  return { kind: "value", type, bytes, place };
}

function readOutput(json: JsonReader, node: JsonNode, { buffers, images }: SpecNames): Output | undefined {
  const name = json.text(node, "an output");
  if (name === undefined) return undefined;
  const place = json.place(node);
  if (name.startsWith("symbol:")) return { name, kind: "symbol", target: name.slice("symbol:".length), place };
  if (name.startsWith("image:")) {
    const target = name.slice("image:".length);
    return images.has(target)
      ? { name, kind: "image", target, place }
      : json.fault(node, `there is no image '${target}'`);
  }
  return buffers.has(name)
    ? { name, kind: "buffer", target: name, place }
    : json.fault(node, `there is no buffer '${name}'`);
}
