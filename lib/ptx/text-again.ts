// Texts that are held only as long as they are looked at, and read again by whoever asks for their bytes: large ones that are inside
// other files. Rejected: views of the whole file, of which no part can be let go.

import type { Source, TextAgain } from "./tree.js";

/** Such a text under a name. */
export const sourceAgain = (name: string, again: TextAgain): Source => ({
  name,
  get bytes() {
    return again.bytes();
  },
  again,
});

/** The same source with its bytes at hand, for who looks at them over and over, until they are let go. */
export const heldNow = ({ name, bytes }: Source): Source => ({ name, bytes });
