// The suffix by which reports name the object or archive member that contained a module, if that is another file.

/** " (in lib.a(b.o))", or an empty text. */
export const inObject = ({ object }: { readonly object?: string | undefined }): string =>
  object === undefined ? "" : ` (in ${object})`;
