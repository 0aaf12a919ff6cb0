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
import { addressSizeOf, type AppliedRelocation, type ObjectFile, type Section } from "../object.js";
import { BUILD_ID_BYTES } from "./container.js";
import { heldFile } from "./lazy-image.js";

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
  checkContents(object);
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

/** Checks properties that programs may have changed to values that a file cannot express. */
function checkContents({ sections, symbols }: ObjectFile): void {
  sections.forEach(({ role, size, align, data, relocations, applied = NOTHING }, i) => {
    const bytes = data?.length ?? 0;
    if (!Number.isSafeInteger(align) || align < 0) throw new RangeError(`section ${i}: an alignment of ${align} bytes`);
    if (hasBytes(role) && bytes !== size)
      throw new RangeError(`section ${i}: ${bytes} bytes of data, and a size of ${size}`);
    for (const { offset } of relocations) checkOffset(i, offset);
    for (const { offset } of applied) checkOffset(i, offset);
  });
  for (const { name, origin } of symbols) {
    if (!isSpeakable(name)) throw new RangeError(`a string table cannot hold ${JSON.stringify(name)}`);
    checkPosition(name, "line", origin.line);
    checkPosition(name, "column", origin.column ?? 0);
  }
}

/** Upper bound of the numbers in a file. */
const LIMIT = 2 ** 31;

const isInFile = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < LIMIT;

function checkOffset(section: number, offset: number): void {
  if (!isInFile(offset)) throw new RangeError(`section ${section}: a relocation at byte ${offset}`);
}

function checkPosition(name: string, what: "line" | "column", value: number): void {
  if (!isInFile(value)) throw new RangeError(`${name}: declared in ${what} ${value}, which is none up to ${LIMIT - 1}`);
}

/** Whether a name would be read back unchanged: names end at a NUL, and half of a surrogate pair has no UTF-8. */
const isSpeakable = (name: string): boolean => name !== "" && !/[\0\p{Surrogate}]/u.test(name);

const NOTHING: readonly AppliedRelocation[] = [];

const hasBytes = ({ kind }: Section["role"]): boolean =>
  kind === "text" || kind === "global-init" || kind === "constant";

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
  applied: sections.map(({ applied = NOTHING }) => applied),
});
