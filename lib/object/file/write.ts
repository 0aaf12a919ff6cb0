// An object or image as values -> the bytes of its ELF file, written from columns as a link writes its output
// (../columns/write/object-file.ts). `name` is not in the file.

import { joinBytes } from "../../../formats/bytes/writer.js";
import { createPacker } from "../columns/packed/pack.js";
import { columnsOfPacked } from "../columns/packed/unpack.js";
import { createStrings } from "../columns/strings.js";
import { createTypes } from "../columns/types.js";
import { objectFile, type Identify } from "../columns/write/object-file.js";
import { wholeObject, type ImageValues } from "../columns/write/output-object.js";
import { addressSizeOf, type AppliedRelocation, type ObjectFile } from "../object.js";
import { heldFile } from "./lazy-image.js";

export interface WriteOptions {
  /** In a note of its own; 20 bytes (build-id.ts). */
  readonly buildId?: Uint8Array;
}

/** The bytes of an object or an image: an ELF file (docs/format.md). */
export function writeObject(object: ObjectFile, { buildId }: WriteOptions = {}): Uint8Array {
  const held = buildId === undefined ? heldFile(object) : undefined;
  return held?.slice() ?? joinBytes(objectParts(object, buildId && (() => buildId)));
}

/** The file in parts; those of the object's bytes are not copied. */
export function objectParts(object: ObjectFile, identify?: Identify): readonly Uint8Array[] {
  const types = createTypes(createStrings());
  const columns = columnsOfPacked(createPacker()(object, types), types);
  const { target, version } = object;
  return objectFile(
    wholeObject(columns, object.kernels, object.type === "executable" ? imageValues(object) : undefined),
    { target, version, addressSize: addressSizeOf(object) },
    identify,
  );
}

const NOTHING: readonly AppliedRelocation[] = [];

const imageValues = ({ sections }: ObjectFile): ImageValues => ({
  applied: sections.map(({ applied = NOTHING }) => applied),
});
