// Starts the bundled program (.ci/bundle.mjs): one script, with what V8 compiled of it in the first run of the same command, kept in
// the user's folder of caches, so that it need not be read and compiled again. Most commands take less time than that does. The
// environment variables are those of Node's own compile cache, which Node 20 lacks: NODE_COMPILE_CACHE names another folder, and
// NODE_DISABLE_COMPILE_CACHE=1 keeps nothing.
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

/** Commands of which code is kept; for other command lines that of the last. Of links of texts, and of NVVM IR, it is kept apart. */
const kept = ["as", "check", "inspect", "link", "run", "help"] as const;

/**
 * What the inputs seem to be, as far as it decides which code runs: NVVM IR is compiled, and a link of texts runs the assembler, too,
 * whose code other links need not load.
 */
function inputsIn([command, ...args]: readonly string[]): "nvvm" | "texts" | undefined {
  const lists =
    command === "link" ? args.filter((word) => word.startsWith("@")).map((word) => listed(word.slice(1))) : [];
  const has = (...endings: readonly string[]): boolean =>
    endings.some((ending) => args.some((word) => word.endsWith(ending)) || lists.some((list) => list.includes(ending)));
  if (has(".ll", ".bc")) return "nvvm";
  return command === "link" && has(".ptx") ? "texts" : undefined;
}

/** Bytes of a list of inputs that are examined; the rest is assumed to be alike. */
const GLANCE = 4096;

/**
 * The beginning of a list of inputs. Reads regular files only, because reading consumes a pipe; the command itself reports files
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
  const bytes = Buffer.alloc(GLANCE);
  const descriptor = openSync(file, "r");
  try {
    return bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, GLANCE, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Where caches of this kind are kept; undefined where none are wanted, or there is no place for them. */
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
 * The file in the folder for the code of a command line. Code fits one program, one version of Node and V8's flags, of
 * which V8 itself looks at the last, and at the program's length alone.
 */
export function codeCacheIn(folder: string, args: readonly string[]): string {
  const inputs = inputsIn(args);
  const command = kept.find((each) => each === args[0]) ?? "help";
  const name = inputs === "texts" ? inputs : inputs === "nvvm" && command !== "help" ? `${command}_nvvm` : command;
  const { size = 0, mtimeMs = 0, ino = 0 } = statSync(program, { throwIfNoEntry: false }) ?? {};
  const made = crc32(`${fileURLToPath(program)} ${size} ${mtimeMs} ${ino}`).toString(16);
  return join(folder, `${name}-${process.version}-${process.arch}-${cachedDataVersionTag().toString(16)}-${made}.code`);
}

/** Bytes of a checksum behind the code: V8 looks at its head and its length alone, and damaged code ends the process. */
const CHECKSUM = 4;

function keptCode(file: string | undefined): { readonly cachedData?: Buffer } {
  if (file === undefined) return {};
  try {
    const bytes = readFileSync(file);
    const cachedData = bytes.subarray(0, -CHECKSUM);
    return crc32(cachedData) === bytes.readUInt32LE(cachedData.length) ? { cachedData } : {};
  } catch {
    // There is none yet, or it is cut: the program starts without it.
    return {};
  }
}

/** Code with its checksum: the contents of a cache file. */
function checkedCode(code: Buffer): Buffer {
  const checksum = Buffer.alloc(CHECKSUM);
  checksum.writeUInt32LE(crc32(code));
  return Buffer.concat([code, checksum]);
}

/** Programs and versions of Node of which the code of a command is kept: those of the latest first runs. */
const MOST_KEPT = 4;

/** Keeps the code of a run that has ended well. Where it cannot, the next run does without, too. */
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
    for (const name of others.toSorted((a, b) => made(b) - made(a)).slice(MOST_KEPT))
      rmSync(join(folder, name), { force: true });
  } catch {
    try {
      rmSync(own, { force: true });
    } catch {
      // There is no such folder.
    }
  }
}

/** `args`: the command line, which selects the code. V8 checks that the cached code is of its version and of this program. */
export function loadBundled(args: readonly string[]): { readonly start: typeof start } {
  const folder = cacheFolder();
  const file = folder === undefined ? undefined : codeCacheIn(folder, args);
  const cached = keptCode(file);
  // It is ASCII: read so, each character takes one byte.
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
      // The code that V8 has compiled by then is the code that such a run needs.
      if (status === 0) keepCode(file, codeOf(script));
      return status;
    },
  };
}

/** Code fits the flags under which it was made; the engine's flag for WebAssembly (lib/exec/fast/probe.ts) is not set at a start. */
function codeOf(script: Script): Buffer {
  if (process.versions.node.startsWith("20.")) setFlagsFromString("--no-experimental-wasm-relaxed-simd");
  return script.createCachedData();
}
