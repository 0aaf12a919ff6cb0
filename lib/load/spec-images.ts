// `images`, `textures` and `surfaces` of a launch specification (docs/textures.md). Problems are reported at the
// wrong member.

import type { TextPlace } from "../diag/diagnostic.js";
import { elementType } from "./elements.table.js";
import { type ImageDescription, imageProblem, imageShape, type MemberProblem } from "./image.js";
import type { JsonReader } from "./json.js";
import type { JsonNode } from "./json-tree.js";
import { contentMembers, hasOneContent, LARGEST_BUFFER, numberOf, readContent, type SpecOptions } from "./spec-data.js";
import {
  type AddressMode,
  addressModes,
  type BufferTexels,
  bufferTexelsProblem,
  type Filter,
  filters,
  readModes,
  type Sampling,
  samplingProblem,
} from "./texture.js";

/** An image of a specification; `place` is that of its name. */
export interface SpecImage {
  readonly description: ImageDescription;
  /** Texels of all levels, in the order of the contents. */
  readonly bytes: Uint8Array;
  readonly place: TextPlace | undefined;
}

export interface SpecTexture {
  readonly memory:
    | { readonly kind: "image"; readonly image: string }
    | { readonly kind: "buffer"; readonly buffer: string; readonly texels: BufferTexels };
  readonly sampling: Sampling;
  readonly place: TextPlace | undefined;
}

export interface SpecSurface {
  readonly image: string;
  readonly level: number;
  readonly place: TextPlace | undefined;
}

type Members = ReadonlyMap<string, JsonNode>;
type Named<T> = ReadonlyMap<string, T>;

/** Entries of a member of the specification, by name, without those that have a fault. */
function namedEntries<T>(
  json: JsonReader,
  node: JsonNode | undefined,
  what: string,
  read: (node: JsonNode, what: string, place: TextPlace) => T | undefined,
): Named<T> {
  const found = new Map<string, T>();
  if (node === undefined) return found;
  for (const [name, key, value] of json.entries(node, `${what}s`)) {
    const one = read(value, `${what} '${name}'`, json.place(key));
    if (one !== undefined) found.set(name, one);
  }
  return found;
}

/** Reports a problem at the member that caused it, or at the whole object. */
const reportProblem = (
  json: JsonReader,
  node: JsonNode,
  members: Members,
  what: string,
  { member, message, remedy }: MemberProblem,
): undefined => json.fault(members.get(member) ?? node, `${what}: ${message}`, remedy);

/** A whole number, or NaN if the node is none; the check of the description then reports it. */
const countOf = (node: JsonNode): number => (node.type === "number" ? (node.value as number) : NaN);

const wordOf = (node: JsonNode | undefined): string => (node?.type === "string" ? (node.value as string) : "");

const optionalCount = <Name extends string>(members: Members, name: Name): Partial<Record<Name, number>> => {
  const node = members.get(name);
  return (node === undefined ? {} : { [name]: countOf(node) }) as Partial<Record<Name, number>>;
};

function optionalTruth<Name extends string>(
  json: JsonReader,
  members: Members,
  name: Name,
): Partial<Record<Name, boolean>> | undefined {
  const node = members.get(name);
  if (node === undefined) return {};
  const value = json.truth(node, name);
  return value === undefined ? undefined : ({ [name]: value } as Partial<Record<Name, boolean>>);
}

function missing(json: JsonReader, node: JsonNode, members: Members, what: string, names: readonly string[]): boolean {
  const name = names.find((each) => !members.has(each));
  if (name === undefined) return false;
  json.fault(node, `${what} has no ${name}`);
  return true;
}

// --------------------------------------------------------------------------------------------------------------- images

const extents = ["width", "height", "depth", "layers", "levels"] as const;

export const readImages = (json: JsonReader, node: JsonNode | undefined, options: SpecOptions): Named<SpecImage> =>
  namedEntries(json, node, "image", (image, what, place) => readImage(json, image, what, place, options));

function readImage(
  json: JsonReader,
  node: JsonNode,
  what: string,
  place: TextPlace,
  options: SpecOptions,
): SpecImage | undefined {
  const members = json.members(node, what, ["kind", "format", "channels", ...extents, "gather", ...contentMembers]);
  if (members === undefined || missing(json, node, members, what, ["kind", "format", "channels", "width"]))
    return undefined;
  if (!hasOneContent(json, node, members, what)) return undefined;
  const gather = optionalTruth(json, members, "gather");
  if (gather === undefined) return undefined;
  const description = {
    kind: wordOf(members.get("kind")) as ImageDescription["kind"],
    format: wordOf(members.get("format")) as ImageDescription["format"],
    channels: countOf(members.get("channels")!),
    width: countOf(members.get("width")!),
    ...optionalCount(members, "height"),
    ...optionalCount(members, "depth"),
    ...optionalCount(members, "layers"),
    ...optionalCount(members, "levels"),
    ...gather,
  };
  const problem = imageProblem(description);
  if (problem !== undefined) return reportProblem(json, node, members, what, problem);
  const shape = imageShape(description);
  const { element } = shape.format;
  if (shape.bytes > LARGEST_BUFFER) return json.fault(node, `${what}: ${shape.bytes} bytes are too many`);
  const length = shape.bytes / element.bytes;
  const bytes = readContent(json, node, members, element, length, what, options);
  if (bytes === undefined) return undefined;
  if (bytes.length !== shape.bytes)
    return json.fault(
      members.get(contentMembers.find((name) => members.has(name))!)!,
      `${what} has ${length} elements of .${element.name} (${shape.bytes} bytes) in all levels; ${bytes.length} bytes are given`,
    );
  return { description, bytes, place };
}

// ------------------------------------------------------------------------------------------------------------- textures

const bufferMembers = ["format", "channels", "width", "height", "pitch"];
const samplingMembers = ["address", "border", "filter", "normalized", "read", "srgb", "seamless", "mip", "maxAnisotropy"]; // prettier-ignore

/** Images and buffers that textures and surfaces may name. */
interface TexelNames {
  readonly images: Named<SpecImage>;
  readonly buffers: Named<{ readonly bytes: Uint8Array }>;
}

export const readTextures = (json: JsonReader, node: JsonNode | undefined, names: TexelNames): Named<SpecTexture> =>
  namedEntries(json, node, "texture", (texture, what, place) => readTexture(json, texture, what, place, names));

function readTexture(
  json: JsonReader,
  node: JsonNode,
  what: string,
  place: TextPlace,
  { images, buffers }: TexelNames,
): SpecTexture | undefined {
  const members = json.members(node, what, ["image", "buffer", ...bufferMembers, ...samplingMembers]);
  if (members === undefined) return undefined;
  const imageNode = members.get("image");
  const bufferNode = members.get("buffer");
  if ((imageNode === undefined) === (bufferNode === undefined))
    return json.fault(node, `${what} reads one 'image' or one 'buffer'`);
  const sampling = readSampling(json, members);
  if (sampling === undefined) return undefined;
  if (imageNode !== undefined) {
    const extra = bufferMembers.find((name) => members.has(name));
    if (extra !== undefined) return json.fault(members.get(extra)!, `${what}: an image has its own ${extra}`);
    const name = json.text(imageNode, "image");
    const image = name === undefined ? undefined : images.get(name);
    if (name === undefined) return undefined;
    if (image === undefined) return json.fault(imageNode, `there is no image '${name}'`);
    const problem = samplingProblem(sampling, image.description.levels ?? 1);
    if (problem !== undefined) return reportProblem(json, node, members, what, problem);
    return { memory: { kind: "image", image: name }, sampling, place };
  }
  const name = json.text(bufferNode!, "buffer");
  if (name === undefined || missing(json, node, members, what, ["format", "channels", "width"])) return undefined;
  const buffer = buffers.get(name);
  if (buffer === undefined) return json.fault(bufferNode!, `there is no buffer '${name}'`);
  const texels = {
    format: wordOf(members.get("format")) as BufferTexels["format"],
    channels: countOf(members.get("channels")!),
    width: countOf(members.get("width")!),
    ...optionalCount(members, "height"),
    ...optionalCount(members, "pitch"),
  };
  const problem = bufferTexelsProblem(texels, buffer.bytes.length);
  if (problem !== undefined) return reportProblem(json, node, members, what, problem);
  return { memory: { kind: "buffer", buffer: name, texels }, sampling, place };
}

function readSampling(json: JsonReader, members: Members): Sampling | undefined {
  const address = readAddress(json, members.get("address"));
  const border = readNumbers(json, members.get("border"), "border", 4);
  const filter = readWord(json, members.get("filter"), "filter", filters);
  const read = readWord(json, members.get("read"), "read", readModes);
  const truths = (["normalized", "srgb", "seamless"] as const).map((name) => optionalTruth(json, members, name));
  const mip = readMip(json, members.get("mip"));
  const anisotropy = readNumber(json, members.get("maxAnisotropy"));
  const parts = [address, border, filter, read, mip, anisotropy, ...truths];
  if (parts.includes(undefined)) return undefined;
  return {
    ...(address!.length === 0 ? {} : { address: address! }),
    ...(border!.length === 0 ? {} : { border: border! }),
    ...(filter === "" ? {} : { filter: filter as Filter }),
    ...(read === "" ? {} : { read: read as NonNullable<Sampling["read"]> }),
    ...Object.assign({}, ...truths),
    ...(Object.keys(mip!).length === 0 ? {} : { mip: mip! }),
    ...(anisotropy === "none" ? {} : { maxAnisotropy: anisotropy! }),
  };
}

/** One of the words; "" if the member is missing. */
function readWord(
  json: JsonReader,
  node: JsonNode | undefined,
  what: string,
  words: readonly string[],
): string | undefined {
  if (node === undefined) return "";
  const word = wordOf(node);
  return words.includes(word) ? word : json.fault(node, `${what} must be one of ${words.join(", ")}`);
}

function readAddress(json: JsonReader, node: JsonNode | undefined): readonly AddressMode[] | undefined {
  if (node === undefined) return [];
  if (node.type !== "array") {
    const mode = readWord(json, node, "address", addressModes) as AddressMode | undefined;
    return mode === undefined ? undefined : [mode, mode, mode];
  }
  if (node.children.length > 3) return json.fault(node, "address has at most three modes");
  const modes = [...node.children].map((each) => readWord(json, each, "address", addressModes));
  return modes.includes(undefined) ? undefined : (modes as readonly AddressMode[]);
}

function readNumbers(
  json: JsonReader,
  node: JsonNode | undefined,
  what: string,
  count: number,
): readonly number[] | undefined {
  if (node === undefined) return [];
  if (node.type !== "array" || node.children.length !== count)
    return json.fault(node, `${what} must be a list of ${count} numbers`);
  const numbers = [...node.children].map((each) => numberOf(json, each, elementType("f32")!));
  return numbers.includes(undefined) ? undefined : numbers.map(Number);
}

function readNumber(json: JsonReader, node: JsonNode | undefined): number | "none" | undefined {
  if (node === undefined) return "none";
  const value = numberOf(json, node, elementType("f32")!);
  return value === undefined ? undefined : Number(value);
}

function readMip(json: JsonReader, node: JsonNode | undefined): NonNullable<Sampling["mip"]> | undefined {
  if (node === undefined) return {};
  const members = json.members(node, "mip", ["filter", "bias", "min", "max"]);
  if (members === undefined) return undefined;
  const filter = readWord(json, members.get("filter"), "filter", filters);
  if (filter === undefined) return undefined;
  const found: Record<string, number | string> = filter === "" ? {} : { filter };
  for (const name of ["bias", "min", "max"]) {
    const value = readNumber(json, members.get(name));
    if (value === undefined) return undefined;
    if (value !== "none") found[name] = value;
  }
  return found;
}

// ------------------------------------------------------------------------------------------------------------- surfaces

export const readSurfaces = (
  json: JsonReader,
  node: JsonNode | undefined,
  images: Named<SpecImage>,
): Named<SpecSurface> =>
  namedEntries(json, node, "surface", (surface, what, place) => {
    const members = json.members(surface, what, ["image", "level"]);
    if (members === undefined || missing(json, surface, members, what, ["image"])) return undefined;
    const imageNode = members.get("image")!;
    const name = json.text(imageNode, "image");
    if (name === undefined) return undefined;
    const image = images.get(name);
    if (image === undefined) return json.fault(imageNode, `there is no image '${name}'`);
    const levelNode = members.get("level");
    const level = levelNode === undefined ? 0 : json.count(levelNode, "level", 0, (image.description.levels ?? 1) - 1);
    return level === undefined ? undefined : { image: name, level, place };
  });
