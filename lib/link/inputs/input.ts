// What the linker takes, as opening files gives it (open-input.ts).

import type { LinkedImage, RelocObject } from "../../object/object.js";
import type { PackedObject } from "../../object/columns/packed/packed-object.js";
import type { ObjectElf } from "../../object/columns/read/elf-file.js";

/** Each kind has the other's fields as undefined, so that they may be asked for before the kind is known. */
export type Input = ObjectInput | { readonly kind: "image"; readonly image: LinkedImage; readonly object?: undefined };

export interface ObjectInput {
  readonly kind: "object";
  readonly name: string;
  /** May be read anew each time (packed-input.ts). */
  readonly object: RelocObject;
  readonly image?: undefined;
  /** What a link on columns takes, where it is held as that: the object's file, or the object packed. */
  readonly linkInput?: ObjectElf | PackedObject;
}
