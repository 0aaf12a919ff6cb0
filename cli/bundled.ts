// Starts the bundled program (.ci/bundle.mjs): one script, with what V8 compiled of it in an earlier run of the same command
// beside it, so that it need not be read and compiled again. Most commands take less time than that does.

import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { constants, Script } from "node:vm";
import { crc32 } from "node:zlib";
import type { start } from "./start.js";

const program = new URL("../bundle/program.cjs", import.meta.url);

/** Commands of which code is kept; for other command lines that of the last. Of links of texts it is kept apart. */
const kept = ["as", "check", "inspect", "link", "run", "help"] as const;

/** Whether a link seems to have texts among its inputs: it runs the assembler, too, whose code other links need not load. */
const mayAssemble = (args: readonly string[]): boolean =>
  args[0] === "link" &&
  args.some((word) => word.endsWith(".ptx") || (word.startsWith("@") && listsTexts(word.slice(1))));

/** Bytes of a list of inputs that are looked at: those behind are like them. */
const GLANCE = 4096;

/**
 * Whether a list of inputs begins with texts. Whatever is no file is left alone, because what is read of a pipe is gone; of what
 * cannot be read the command tells.
 */
function listsTexts(list: string): boolean {
  try {
    return statSync(list).isFile() && beginning(list).includes(".ptx");
  } catch {
    return false;
  }
}

function beginning(file: string): string {
  const bytes = Buffer.alloc(GLANCE);
  const descriptor = openSync(file, "r");
  try {
    return bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, GLANCE, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Where the code of a command line is kept. It fits one version of Node, one machine, and V8's flags. */
export function codeCacheOf(args: readonly string[]): URL {
  const name = mayAssemble(args) ? "texts" : (kept.find((each) => each === args[0]) ?? "help");
  const { version, arch } = process;
  return new URL(`${name}-${version}-${arch}-${cachedDataVersionTag().toString(16)}.cache`, program);
}

/** Bytes of a checksum behind the code: V8 looks at its head and its length alone, and damaged code ends the process. */
const CHECKSUM = 4;

function keptCode(args: readonly string[]): { readonly cachedData?: Buffer } {
  try {
    const file = readFileSync(codeCacheOf(args));
    const cachedData = file.subarray(0, -CHECKSUM);
    return crc32(cachedData) === file.readUInt32LE(cachedData.length) ? { cachedData } : {};
  } catch {
    // It is none, or was made by another version of Node: the program starts without it.
    return {};
  }
}

/** Code with its checksum, as it is kept. */
export function checkedCode(code: Buffer): Buffer {
  const checksum = Buffer.alloc(CHECKSUM);
  checksum.writeUInt32LE(crc32(code));
  return Buffer.concat([code, checksum]);
}

/** `args`: the command line, of which is the code that is looked for. V8 looks whether the code is that of its version and of such a program. */
export function loadBundled(args: readonly string[]): { readonly script: Script; readonly start: typeof start } {
  // It is ASCII: read so, each character takes one byte.
  const script = new Script(readFileSync(program, "latin1"), {
    filename: program.href,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...keptCode(args),
  });
  const run = script.runInThisContext() as (require: NodeJS.Require, url: string) => { readonly start: typeof start };
  return { script, ...run(createRequire(fileURLToPath(program)), program.href) };
}
