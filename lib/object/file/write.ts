// Writes an object or image to the bytes of its ELF file. It is converted to columns and written like a link's output
// (../columns/write/object-file.ts). `name` is not in the file.

import { joinBytes } from "../../../formats/bytes/writer.js";
import { unsupportedReason } from "../columns/cursor.js";
import { createPacker } from "../columns/packed/pack.js";
import { columnsOfPacked } from "../columns/packed/unpack.js";
import { createStrings } from "../columns/strings.js";
import { createTypes } from "../columns/types.js";
import { objectFile, type Identify } from "../columns/write/object-file.js";
import { wholeObject, type ImageValues } from "../columns/write/output-object.js";
import { addressSizeOf, type ObjectFile } from "../object.js";
import { BUILD_ID_BYTES } from "./container.js";
import { heldFile } from "./lazy-image.js";
import { checkWritable } from "./write-checks.js";

export interface WriteOptions {
  /** The build ID, stored in a note of its own; 20 bytes (build-id.ts). */
  readonly buildId?: Uint8Array;
}

/** The bytes of an object or image: an ELF file (docs/format.md). Throws RangeError for values that a file cannot hold. */
export function writeObject(object: ObjectFile, { buildId }: WriteOptions = {}): Uint8Array {
  if (buildId !== undefined && buildId.length !== BUILD_ID_BYTES)
    throw new RangeError(`a build ID has ${BUILD_ID_BYTES} bytes, not ${buildId.length}`);
  const held = buildId === undefined ? heldFile(object) : undefined;
  return held?.slice() ?? wholeFile(object, buildId && (() => buildId));
}

/** The file as one array. */
export function wholeFile(object: ObjectFile, identify?: Identify): Uint8Array {
  try {
    return joinBytes(objectParts(object, identify));
  } catch (error) {
    const reason = unsupportedReason(error);
    throw reason === undefined ? error : new RangeError(reason);
  }
}

/** The file in parts; large contents of sections are not copied. Bails out (../columns/cursor.ts) of a file of 2 GiB or more. */
export function objectParts(object: ObjectFile, identify?: Identify): readonly Uint8Array[] {
  checkWritable(object);
  const types = createTypes(createStrings());
  const [small, large] = withoutLarge(object);
  const columns = columnsOfPacked(createPacker()(small, types), types);
  const { target, version } = object;
  const image = object.type === "executable" ? imageValues(object) : undefined;
  return objectFile(
    { ...wholeObject(columns, object.kernels, image), large },
    { target, version, addressSize: addressSizeOf(object) },
    identify,
  );
}

/** Contents of at least this many bytes are not packed. */
const LARGE = 1 << 16;
const NO_BYTES = new Uint8Array(0);

/** The object without large contents, and those by section. */
function withoutLarge(object: ObjectFile): readonly [small: ObjectFile, large: ReadonlyMap<number, Uint8Array>] {
  const large = new Map<number, Uint8Array>();
  object.sections.forEach(({ data }, i) => {
    if (data !== undefined && data.length >= LARGE) large.set(i, data);
  });
  if (large.size === 0) return [object, large];
  const sections = object.sections.map((section, i) => (large.has(i) ? { ...section, data: NO_BYTES } : section));
  return [{ ...object, sections }, large];
}

const imageValues = ({ sections }: ObjectFile): ImageValues => ({
  applied: sections.map(({ applied = [] }) => applied),
});
