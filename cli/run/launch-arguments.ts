// The short form of run: converts -k KERNEL -g X,Y,Z -b X,Y,Z -a ARG... to the specification that --launch reads.

import type { Dimensions } from "../../lib/base/dimensions.js";
import { readNpy } from "../../formats/npy/index.js";
import { elementNames, elementOfNpy, elementType, type ElementType } from "../../lib/load/elements.table.js";
import type { Argument, BufferData, LaunchSpec } from "../../lib/load/launch-spec.js";
import { fillElements, LARGEST_BUFFER, type ElementData } from "../../lib/load/spec-data.js";
import { parseElement } from "../../lib/load/values.js";
import { UsageError } from "../base/status.js";

export interface ShortLaunch {
  readonly kernel: string;
  readonly grid: string;
  readonly block: string;
  readonly sharedBytes: number;
  readonly cooperative: boolean;
  readonly arguments: readonly string[];
}

/** Buffers are named after their argument's position: arg0, arg1; all of them are outputs. Throws UsageError. */
export function shortLaunch(launch: ShortLaunch, readFile: (file: string) => Uint8Array): LaunchSpec {
  const buffers = new Map<string, BufferData>();
  const args = launch.arguments.map((text, i): Argument => {
    const parsed = parseArgument(text, readFile);
    if ("value" in parsed) return { kind: "value", type: parsed.type, bytes: parsed.value, place: undefined };
    const name = `arg${i}`;
    buffers.set(name, { ...parsed, place: undefined });
    return { kind: "buffer", buffer: name, offset: 0, place: undefined };
  });
  const block = parseDimensions(launch.block, "-b", [1024, 1024, 64]);
  if (block[0] * block[1] * block[2] > 1024)
    throw new UsageError(`-b ${launch.block}: a block has at most 1024 threads`);
  return {
    buffers,
    images: new Map(),
    textures: new Map(),
    surfaces: new Map(),
    tensorMaps: new Map(),
    symbols: [],
    launches: [
      {
        kernel: launch.kernel,
        grid: parseDimensions(launch.grid, "-g", [2 ** 31 - 1, 65535, 65535]),
        block,
        cluster: [1, 1, 1],
        sharedBytes: launch.sharedBytes,
        cooperative: launch.cooperative,
        dependent: false,
        arguments: args,
        place: undefined,
      },
    ],
    outputs: [...buffers.keys()].map((name) => ({ name, kind: "buffer", target: name, place: undefined })),
  };
}

/** Parses "4", "4,2" or "4,2,1". */
function parseDimensions(text: string, flag: string, most: Dimensions): Dimensions {
  const parts = text.split(",");
  const values = parts.map(Number);
  const good =
    parts.length <= 3 && parts.every((part) => /^\d+$/.test(part)) && values.every((n, i) => n >= 1 && n <= most[i]!);
  if (!good) throw new UsageError(`${flag} ${text}: one to three numbers are expected, from 1 to ${most.join(",")}`);
  return [values[0]!, values[1] ?? 1, values[2] ?? 1];
}

type Parsed = ElementData | { readonly type: ElementType; readonly value: Uint8Array };

function parseArgument(text: string, readFile: (file: string) => Uint8Array): Parsed {
  const wrong = (why: string): never => {
    throw new UsageError(`-a ${text}: ${why}`);
  };
  if (text.startsWith("@")) {
    const array = readNpy(readFile(text.slice(1)));
    return array.ok
      ? { type: elementOfNpy(array.value.type), bytes: array.value.data }
      : wrong(`byte ${array.error.offset}: ${array.error.what}`);
  }
  const match = /^([a-z0-9]+)(?:@(.+)|(?:\[(\d+)\])?=(.*))$/s.exec(text);
  if (match === null) return wrong("TYPE=VALUE, TYPE[N]=FILL, @FILE.npy or TYPE@FILE is expected");
  const [, name, file, count, written] = match;
  const type = elementType(name!);
  if (type === undefined) return wrong(`there is no type '${name}'; types are ${elementNames.join(" ")}`);
  if (file !== undefined) {
    const bytes = readFile(file);
    return bytes.length % type.bytes === 0
      ? { type, bytes }
      : wrong(`${bytes.length} bytes are not a whole number of .${type.name} elements`);
  }
  if (count === undefined) {
    const value = parseElement(type, written!);
    if (typeof value === "object") return wrong(value.fault);
    const bytes = new Uint8Array(type.bytes);
    type.store(new DataView(bytes.buffer), 0, value);
    return { type, value: bytes };
  }
  if (Number(count) * type.bytes > LARGEST_BUFFER) return wrong(`a buffer has at most ${LARGEST_BUFFER} bytes`);
  const value = written === "iota" ? "iota" : parseElement(type, written!);
  if (typeof value === "object") return wrong(value.fault);
  return { type, bytes: fillElements(type, Number(count), value) ?? wrong("so many bytes are too many here") };
}
