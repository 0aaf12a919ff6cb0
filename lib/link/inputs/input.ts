// The inputs of the linker, as open-input.ts makes them from files.

import type { LinkedImage, RelocObject } from "../../object/object.js";
import type { PackedObject } from "../../object/columns/packed/packed-object.js";
import type { ObjectElf } from "../../object/columns/read/elf-file.js";

/** Each kind also declares the other's fields as undefined, so that they can be read before the kind is known. */
export type Input = ObjectInput | { readonly kind: "image"; readonly image: LinkedImage; readonly object?: undefined };

export interface ObjectInput {
  readonly kind: "object";
  readonly name: string;
  /** May be decoded again at each access (packed-input.ts). */
  readonly object: RelocObject;
  readonly image?: undefined;
  /** The input for a link on columns, if available: the object's file, or the packed object. */
  readonly linkInput?: ObjectElf | PackedObject;
}
