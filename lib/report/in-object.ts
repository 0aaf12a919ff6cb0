// How reports name the object or archive member that a module came in: behind the line, where that is another file.

/** " (in lib.a(b.o))", or nothing. */
export const inObject = ({ object }: { readonly object?: string | undefined }): string =>
  object === undefined ? "" : ` (in ${object})`;
