// Sources that are in memory only while they are used, and are read again on demand: large ones inside other files. Rejected:
// views of the whole file, no part of which can be freed.

import type { Source, RereadableText } from "./source-text.js";

/** A re-readable source with a name. */
export const rereadableSource = (name: string, again: RereadableText): Source => ({
  name,
  get bytes() {
    return again.bytes();
  },
  reread: again,
});

/** The source with its bytes loaded, for code that reads them repeatedly before they are freed. */
export const loadedSource = ({ name, bytes }: Source): Source => ({ name, bytes });
