// An input that is held as a file, which is read whenever someone asks for the object: of thousands of modules in archives the
// objects take several times the memory of their files, and a plain link (plain/link.ts) wants the files alone.

import { decodeObject } from "../object/read.js";
import type { RelocObject } from "../object/object.js";
import { writeObject } from "../object/write.js";
import type { Input, ObjectInput } from "./open-input.js";
import { notPlain } from "./plain/cursor.js";
import { isPlainObject } from "./plain/object.js";
import { openPlain } from "./plain/read.js";

/**
 * The same input, if it is an object that was assembled. As it is where a plain link is out of the question, because then the
 * objects are what is wanted.
 */
export function heldInput(input: Input): Input {
  if (input.kind !== "object" || input.plain !== undefined || !isPlainObject(input.object)) return input;
  return fileInput(input.name, writeObject(input.object, { isBare: true }));
}

/** An object in a file. Leaves a plain link (plain/cursor.ts) where that is not as our writer makes them. */
export function fileInput(name: string, bytes: Uint8Array): ObjectInput {
  return {
    kind: "object",
    name,
    plain: openPlain(bytes),
    get object() {
      const object = decodeObject(bytes, name);
      if (!object.ok || object.value.type === "executable") notPlain("an object that cannot be read");
      return object.value as RelocObject;
    },
  };
}
