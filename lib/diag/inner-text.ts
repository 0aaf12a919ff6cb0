// The texts that are inside other files, kept by name for the lines that diagnostics show.

/** Texts by name; undefined where several have it. */
export type InnerTexts = Map<string, Uint8Array | undefined>;

/**
 * Keeps a text. Members of an archive may have one name: then nobody knows which of them a diagnostic speaks of, and it is better to
 * show no line than another's.
 */
export function keepInner(texts: InnerTexts, name: string, bytes: Uint8Array): void {
  const isOther = texts.has(name) && Buffer.compare(texts.get(name) ?? none, bytes) !== 0;
  texts.set(name, isOther ? undefined : bytes);
}

const none = new Uint8Array();
