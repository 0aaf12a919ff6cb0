// An input in the form that a link on columns (link/link.ts) needs: a file or a packed object. The object is decoded at each
// access: for thousands of modules in archives, objects take several times the memory.

import { decodeObject } from "../../object/file/read.js";
import type { RelocObject } from "../../object/object.js";
import type { Input, ObjectInput } from "./input.js";
import { unsupported, ifSupported } from "../../object/columns/cursor.js";
import { openObjectFile, type ObjectElf } from "../../object/columns/read/elf-file.js";
import { createPacker } from "../../object/columns/packed/pack.js";
import { isPacked, targetOfPacked, type PackedObject } from "../../object/columns/packed/packed-object.js";
import { createTypes } from "../../object/columns/types.js";
import { createStrings } from "../../object/columns/strings.js";
import { createUnpacker } from "../../object/columns/packed/unpack-object.js";

/**
 * Returns a function that packs assembled objects, which then take less memory until they are linked. Other inputs, and objects
 * that are too large to pack, are unchanged.
 */
export function inputPacker(): (input: Input) => Input {
  const dictionary = createTypes(createStrings());
  const pack = createPacker();
  const unpack = createUnpacker();
  return (input) => {
    if (input.kind !== "object" || input.linkInput !== undefined) return input;
    const packed = ifSupported(() => pack(input.object, dictionary));
    return packed === undefined ? input : packedInput(input.name, packed, unpack);
  };
}

/** The name of an input's target; a packed object is not decoded for it. */
export function targetOf(input: Input): string {
  if (input.kind === "image") return input.image.target.name;
  const { linkInput } = input;
  return linkInput !== undefined && isPacked(linkInput) ? targetOfPacked(linkInput) : input.object.target.name;
}

/** The input for a packed object. */
export const packedInput = (
  name: string,
  packed: PackedObject,
  unpack: (packed: PackedObject) => RelocObject,
): ObjectInput => ({
  kind: "object",
  name,
  linkInput: packed,
  get object() {
    return unpack(packed);
  },
});

/**
 * The input for an object file, whose header may have been read before. Throws Unsupported (object/columns/cursor.ts) for a file
 * that ptxkit's writer did not make.
 */
export function fileInput(name: string, bytes: Uint8Array, plain: ObjectElf = openObjectFile(bytes)): ObjectInput {
  return {
    kind: "object",
    name,
    linkInput: plain,
    get object() {
      const object = decodeObject(bytes, name);
      if (!object.ok || object.value.type === "executable") unsupported("an object that cannot be read");
      return object.value as RelocObject;
    },
  };
}
