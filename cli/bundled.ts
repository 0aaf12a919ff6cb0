// Starts the bundled program (.ci/bundle.mjs), which is one script. The code that V8 compiled in the first run of the same
// command is cached in the user's cache folder, because reading and compiling the script takes longer than most commands. The
// environment variables are those of Node's own compile cache, which Node 20 lacks: NODE_COMPILE_CACHE names another folder, and
// NODE_DISABLE_COMPILE_CACHE=1 disables the cache.
// Rejected: node:module's compile cache, for Node 20, and because it keeps one code for all commands of a file.

import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cachedDataVersionTag, setFlagsFromString } from "node:v8";
import { constants, Script } from "node:vm";
import { crc32 } from "node:zlib";
import type { start } from "./start.js";

const program = new URL("../bundle/program.cjs", import.meta.url);

/**
 * Commands with a code cache of their own; all other command lines share that of `help`. Links of texts, and commands on NVVM IR,
 * have separate caches.
 */
const kept = ["as", "check", "inspect", "link", "run", "help"] as const;

/**
 * The kind of the inputs, as far as it decides which code runs. NVVM IR runs the compiler, and a link of texts runs the
 * assembler, which other links do not load. Judged by file names.
 */
function inputsIn([command, ...args]: readonly string[]): "nvvm" | "texts" | undefined {
  const lists =
    command === "link" ? args.filter((word) => word.startsWith("@")).map((word) => listed(word.slice(1))) : [];
  const has = (...endings: readonly string[]): boolean =>
    endings.some((ending) => args.some((word) => word.endsWith(ending)) || lists.some((list) => list.includes(ending)));
  if (has(".ll", ".bc")) return "nvvm";
  return command === "link" && has(".ptx") ? "texts" : undefined;
}

/** Bytes of a response file that are examined; the rest is assumed to be alike. */
const EXAMINED_BYTES = 4096;

/**
 * The beginning of a response file. Reads regular files only, because reading consumes a pipe; the command itself reports files
 * that it cannot read.
 */
function listed(list: string): string {
  try {
    return statSync(list).isFile() ? beginning(list) : "";
  } catch {
    return "";
  }
}

function beginning(file: string): string {
  const bytes = Buffer.alloc(EXAMINED_BYTES);
  const descriptor = openSync(file, "r");
  try {
    return bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, EXAMINED_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** The folder of the code caches; undefined if caching is disabled or no folder can be determined. */
function cacheFolder(): string | undefined {
  const { NODE_DISABLE_COMPILE_CACHE, NODE_COMPILE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
  if (NODE_DISABLE_COMPILE_CACHE !== undefined && NODE_DISABLE_COMPILE_CACHE !== "") return undefined;
  const [base, below] =
    NODE_COMPILE_CACHE !== undefined && NODE_COMPILE_CACHE !== ""
      ? [NODE_COMPILE_CACHE, "ptxkit"]
      : process.platform === "win32"
        ? [LOCALAPPDATA, "ptxkit/cache"]
        : process.platform === "darwin"
          ? [HOME, "Library/Caches/ptxkit"]
          : XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME)
            ? [XDG_CACHE_HOME, "ptxkit"]
            : [HOME, ".cache/ptxkit"];
  return base === undefined || base === "" ? undefined : join(base, below);
}

/**
 * The cache file for a command line. Cached code fits one program, one version of Node and one set of V8's flags. V8 itself
 * checks only the flags and the program's length, so the name contains the rest.
 */
export function codeCacheIn(folder: string, args: readonly string[]): string {
  const inputs = inputsIn(args);
  const command = kept.find((each) => each === args[0]) ?? "help";
  const name = inputs === "texts" ? inputs : inputs === "nvvm" && command !== "help" ? `${command}_nvvm` : command;
  const { size = 0, mtimeMs = 0, ino = 0 } = statSync(program, { throwIfNoEntry: false }) ?? {};
  const made = crc32(`${fileURLToPath(program)} ${size} ${mtimeMs} ${ino}`).toString(16);
  return join(folder, `${name}-${process.version}-${process.arch}-${cachedDataVersionTag().toString(16)}-${made}.code`);
}

/** Bytes of the checksum after the code. V8 checks only the code's header and length, and damaged code crashes the process. */
const CHECKSUM = 4;

function keptCode(file: string | undefined): { readonly cachedData?: Buffer } {
  if (file === undefined) return {};
  try {
    const bytes = readFileSync(file);
    const cachedData = bytes.subarray(0, -CHECKSUM);
    return crc32(cachedData) === bytes.readUInt32LE(cachedData.length) ? { cachedData } : {};
  } catch {
    // The cache file is missing or truncated: the program starts without it.
    return {};
  }
}

/** Code with its checksum: the contents of a cache file. */
function checkedCode(code: Buffer): Buffer {
  const checksum = Buffer.alloc(CHECKSUM);
  checksum.writeUInt32LE(crc32(code));
  return Buffer.concat([code, checksum]);
}

/** Cache files that are kept for each command, the newest first: one for each program and version of Node. */
const MAX_KEPT = 4;

/** Stores the code of a successful run. If that fails, the next run compiles again. */
function keepCode(file: string, code: Buffer): void {
  const folder = dirname(file);
  const own = `${file}.${process.pid}.new`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(own, checkedCode(code));
    renameSync(own, file);
    const command = basename(file).replace(/-.*/, "-");
    const made = (name: string): number => statSync(join(folder, name)).mtimeMs;
    const others = readdirSync(folder).filter((name) => name.startsWith(command) && name.endsWith(".code"));
    for (const name of others.toSorted((a, b) => made(b) - made(a)).slice(MAX_KEPT))
      rmSync(join(folder, name), { force: true });
  } catch {
    try {
      rmSync(own, { force: true });
    } catch {
      // The folder does not exist.
    }
  }
}

/**
 * `args`: the command line, which selects the cached code. V8 rejects code of another version or of a program of another length.
 */
export function loadBundled(args: readonly string[]): { readonly start: typeof start } {
  const folder = cacheFolder();
  const file = folder === undefined ? undefined : codeCacheIn(folder, args);
  const cached = keptCode(file);
  // The script is ASCII; as latin1, V8 stores one byte for each character.
  const script = new Script(readFileSync(program, "latin1"), {
    filename: program.href,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...cached,
  });
  const run = script.runInThisContext() as (require: NodeJS.Require, url: string) => { readonly start: typeof start };
  const bundled = run(createRequire(fileURLToPath(program)), program.href);
  if (file === undefined || (cached.cachedData !== undefined && script.cachedDataRejected !== true)) return bundled;
  return {
    async start(words) {
      const status = await bundled.start(words);
      // V8 has compiled by now what such a run needs.
      if (status === 0) keepCode(file, codeOf(script));
      return status;
    },
  };
}

/**
 * Code fits only the flags under which it was made. The flag for WebAssembly that lib/exec/fast/probe.ts sets is not set at a
 * start, so it is reset here.
 */
function codeOf(script: Script): Buffer {
  if (process.versions.node.startsWith("20.")) setFlagsFromString("--no-experimental-wasm-relaxed-simd");
  return script.createCachedData();
}
