// The PTX files of the client's folders. Files that are open in the editor are used as they are there; others are read from disk
// when a request needs them.

import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openDocument, type LanguageDocument } from "../../lib/language/document.js";
import { isNvvm } from "../../lib/nvvm/recognise.js";
import type { Host } from "../files/host.js";

export interface Folders {
  /** Documents other than `current` that mention a name. */
  mentioning(text: string, current: string): Iterable<LanguageDocument>;
  /** Call when files may have been added or removed. */
  changed(): void;
}

/** Limit of files and folders that are examined. */
const MAX_FILES = 20_000;
/** Limit of bytes of one file that is read, and of all files that are kept. */
const MAX_BYTES = 32 * 2 ** 20;
const MAX_KEPT = 64 * 2 ** 20;

const skipped = /^\.|^node_modules$/;

interface Kept {
  readonly version: string;
  readonly document: LanguageDocument;
}

/** `open`: the documents open in the editor, by URI. */
export function createFolders(
  roots: readonly string[],
  host: Host,
  open: () => ReadonlyMap<string, LanguageDocument>,
): Folders {
  let files: readonly string[] | undefined;
  const kept = new Map<string, Kept>();

  function read(file: string): LanguageDocument | undefined {
    const version = host.versionOf(file);
    if (version === undefined || (host.sizeOf(file) ?? 0) > MAX_BYTES) return undefined;
    const known = kept.get(file);
    if (known?.version === version) return known.document;
    try {
      const bytes = host.read(file);
      if (isNvvm(bytes)) return undefined;
      const document = openDocument(pathToFileURL(file).href, Buffer.from(bytes).toString("utf8"));
      kept.set(file, { version, document });
      let size = 0;
      for (const each of kept.values()) size += each.document.source.bytes.length;
      for (const [name, each] of kept) {
        if (size <= MAX_KEPT) break;
        size -= each.document.source.bytes.length;
        kept.delete(name);
      }
      return document;
    } catch {
      // The file was removed after the listing.
      return undefined;
    }
  }

  return {
    *mentioning(text, current) {
      const opened = open();
      const paths = new Set<string>();
      for (const [uri, document] of opened) {
        const file = pathOf(uri);
        if (file !== undefined) paths.add(file);
        if (uri !== current && isMentioned(text, document) && isInside(file, roots)) yield document;
      }
      files ??= findFiles(roots, host);
      for (const file of files) {
        if (paths.has(file)) continue;
        const document = read(file);
        if (document !== undefined && isMentioned(text, document)) yield document;
      }
    },
    changed() {
      files = undefined;
    },
  };
}

const isMentioned = (name: string, { text }: LanguageDocument): boolean => text.includes(name);

/** Whether a file belongs to the workspace. Without a folder, all open documents belong to it. */
const isInside = (file: string | undefined, roots: readonly string[]): boolean =>
  roots.length === 0 || (file !== undefined && roots.some((root) => file.startsWith(root + path.sep)));

export function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

function findFiles(roots: readonly string[], host: Host): readonly string[] {
  const found: string[] = [];
  const folders = [...roots];
  let seen = 0;
  for (let folder = folders.shift(); folder !== undefined && seen < MAX_FILES; folder = folders.shift()) {
    for (const { name, isFolder } of host.list(folder)) {
      seen++;
      if (isFolder && !skipped.test(name)) folders.push(path.join(folder, name));
      else if (!isFolder && name.endsWith(".ptx")) found.push(path.join(folder, name));
    }
  }
  return found.sort();
}
