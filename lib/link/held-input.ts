// An input that was assembled and is held as a file, which is read again whenever someone asks for the object: of thousands of
// texts in archives the objects take several times the memory of their files, and a plain link (plain/link.ts) wants the files alone.

import { decodeObject } from "../object/read.js";
import type { RelocObject } from "../object/object.js";
import { writeObject } from "../object/write.js";
import type { Input } from "./open-input.js";
import { isPlainObject } from "./plain/object.js";

/**
 * The same input. As it is where it came in a file, whose reading once more would cost more than it spares, and where a plain link
 * is out of the question, because then the objects are what is wanted.
 */
export function heldInput(input: Input): Input {
  if (input.kind !== "object" || input.file !== undefined || !isPlainObject(input.object)) return input;
  const { name, object } = input;
  const file = writeObject(object, { isBare: true });
  return {
    kind: "object",
    name,
    file,
    isPlain: true,
    get object() {
      return readAgain(file, name);
    },
  };
}

/** Of what was written before. */
function readAgain(file: Uint8Array, name: string): RelocObject {
  const object = decodeObject(file, name);
  if (!object.ok || object.value.type === "executable") throw new TypeError(`${name} cannot be read again`);
  return object.value as RelocObject;
}
