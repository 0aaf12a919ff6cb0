// An input that is held as a link on columns (plain/link.ts) wants it, as a file or packed; the object is made whenever someone asks
// for it: of thousands of modules in archives the objects take several times the memory.

import { decodeObject } from "../../object/file/read.js";
import type { RelocObject } from "../../object/object.js";
import type { Input, ObjectInput } from "./input.js";
import { notPlain, unlessNotPlain } from "../plain/tables/cursor.js";
import { openPlain, type ElfFrame } from "../plain/read/frame.js";
import { createPacker } from "../plain/packed/pack.js";
import { isPacked, targetOfPacked, type PackedObject } from "../plain/packed/packed.js";
import { createShapes } from "../plain/tables/shapes.js";
import { createTexts } from "../plain/tables/texts.js";
import { createUnpacker } from "../plain/packed/unpacked.js";

/**
 * Packs assembled objects, which then take less memory until they are linked. Other inputs, and objects that are too large to
 * pack, are unchanged.
 */
export function inputHolder(): (input: Input) => Input {
  const vocabulary = createShapes(createTexts());
  const pack = createPacker();
  const unpack = createUnpacker();
  return (input) => {
    if (input.kind !== "object" || input.plain !== undefined) return input;
    const packed = unlessNotPlain(() => pack(input.object, vocabulary));
    return packed === undefined ? input : packedInput(input.name, packed, unpack);
  };
}

/** The name of an input's target, for which of a packed object nothing is made. */
export function targetOf(input: Input): string {
  if (input.kind === "image") return input.image.target.name;
  const { plain } = input;
  return plain !== undefined && isPacked(plain) ? targetOfPacked(plain) : input.object.target.name;
}

/** A packed object. */
export const packedInput = (
  name: string,
  packed: PackedObject,
  unpack: (packed: PackedObject) => RelocObject,
): ObjectInput => ({
  kind: "object",
  name,
  plain: packed,
  get object() {
    return unpack(packed);
  },
});

/**
 * An object in a file, whose frame may have been looked at before. Leaves a plain link (plain/tables/cursor.ts) where that is not as our
 * writer makes them.
 */
export function fileInput(name: string, bytes: Uint8Array, plain: ElfFrame = openPlain(bytes)): ObjectInput {
  return {
    kind: "object",
    name,
    plain,
    get object() {
      const object = decodeObject(bytes, name);
      if (!object.ok || object.value.type === "executable") notPlain("an object that cannot be read");
      return object.value as RelocObject;
    },
  };
}
