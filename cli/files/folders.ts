// Makes folders for a command's files, as mkdir -p does, and removes them again if the files are not written.

import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import path from "node:path";

/**
 * Makes a folder and its missing parents. The returned function removes the new ones that are still empty. Throws errors of
 * node:fs, after removing the folders made so far.
 */
export function makeFolders(folder: string): () => void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && at !== path.dirname(at); at = path.dirname(at)) missing.push(at);
  const made: string[] = [];
  const remove = (): void => {
    for (let last = made.pop(); last !== undefined; last = made.pop()) removeEmpty(last);
  };
  try {
    // A folder that another process made in the meantime is not ours to remove.
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
