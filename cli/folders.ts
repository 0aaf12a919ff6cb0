// Folders that a command makes for its files, as mkdir -p does, and takes away again where the files do not come.

import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import path from "node:path";

/**
 * Makes a folder and its missing parents. The returned function removes those again that are empty. Throws errors of node:fs, and
 * leaves no new folder then.
 */
export function makeFolders(folder: string): () => void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && at !== path.dirname(at); at = path.dirname(at)) missing.push(at);
  const made: string[] = [];
  const remove = (): void => {
    for (let last = made.pop(); last !== undefined; last = made.pop()) removeEmpty(last);
  };
  try {
    // Whoever made one in the meantime keeps it.
    for (const each of missing.toReversed()) if (mkdirSync(each, { recursive: true }) !== undefined) made.push(each);
    if (missing.length === 0) mkdirSync(folder, { recursive: true });
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Another process has created it meanwhile.
  }
}
