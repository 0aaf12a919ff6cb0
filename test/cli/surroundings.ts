// A Host in memory: files, streams and a terminal that do not exist, so that a command line runs in the test's own process and
// takes a millisecond. If a test provides a folder, files that are not in memory are read from it.

import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { HostError, nodeHost, type Host, type Threads } from "../../cli/files/host.js";
import type { Contents } from "../../cli/files/stream.js";
import { runProgram } from "../../cli/program.js";

export interface Surroundings {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** A real folder in which the command runs; nothing is ever written there. */
  readonly folder?: string;
  readonly stdin?: string | Uint8Array;
  /** Files, and "-", that cannot be written. */
  readonly unwritable?: readonly string[];
  /** Thrown by every write, as a defect of ptxkit would be. */
  readonly defect?: Error;
  /** Columns of the terminal on that stream; undefined if there is none. */
  readonly outColumns?: number;
  readonly errColumns?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Only the test's own thread unless given. */
  readonly threads?: Threads;
}

export interface Answer {
  readonly status: number;
  readonly out: string;
  readonly outBytes: Uint8Array;
  readonly err: string;
  /** What was written, by name. */
  readonly written: ReadonlyMap<string, Uint8Array>;
  readonly folders: readonly string[];
}

function bytesOf(data: Contents): Uint8Array {
  if (typeof data === "string") return Buffer.from(data);
  // Copies, because slices of a Buffer share its bytes.
  if (data instanceof Uint8Array) return data;
  return Uint8Array.from(Buffer.concat(Array.from(data, (part) => Buffer.from(part as Uint8Array))));
}

/** A Buffer, as Node reads files: some of its methods differ from those of Uint8Array. */
const asRead = (data: string | Uint8Array): Uint8Array => Buffer.from(bytesOf(data));

/** Runs `ptxkit` with these arguments. */
export async function ptxkit(args: readonly string[], around: Surroundings = {}): Promise<Answer> {
  const out: Uint8Array[] = [];
  const err: string[] = [];
  const written = new Map<string, Uint8Array>();
  const folders: string[] = [];
  const read = (file: string): Uint8Array => {
    if (file === "-") return asRead(around.stdin ?? "");
    const held = written.get(file) ?? around.files?.[file];
    if (held !== undefined) return asRead(held);
    if (around.folder === undefined) throw new HostError(`cannot read ${file}: no such file or folder`);
    try {
      return readFileSync(path.resolve(around.folder, file));
    } catch (error) {
      throw new HostError(`cannot read ${file}: ${(error as Error).message}`);
    }
  };
  /** A regular file that is read from the folder. */
  const realFile = (file: string): string | undefined => {
    const isHeld = file === "-" || written.has(file) || around.files?.[file] !== undefined;
    if (isHeld || around.folder === undefined) return undefined;
    const real = path.resolve(around.folder, file);
    return statSync(real, { throwIfNoEntry: false })?.isFile() === true ? real : undefined;
  };
  let clock = 0;
  const host: Host = {
    read,
    readInspected: read,
    readInput(file) {
      const real = realFile(file);
      return real === undefined ? { name: file, bytes: read(file) } : { ...nodeHost().readInput(real), name: file };
    },
    readRegular(file) {
      const found = realFile(file);
      return found === undefined ? read(file) : nodeHost().readRegular(found);
    },
    release: ({ bytes }) => void bytes.fill(0xff),
    exists(file) {
      const held = file === "-" || written.has(file) || around.files?.[file] !== undefined;
      return held || (around.folder !== undefined && existsSync(path.resolve(around.folder, file)));
    },
    sizeOf: (file) => (file === "-" ? undefined : (written.get(file) ?? around.files?.[file])?.length),
    write: (file, data) => host.stage(file, data).commit(),
    stage(file, data) {
      if (around.defect !== undefined) throw around.defect;
      const missing = path.dirname(file) !== "." && !path.isAbsolute(file) && !folders.includes(path.dirname(file));
      if (missing || around.unwritable?.includes(file) === true) throw new HostError(`cannot write ${file}: refused`);
      if (file === "-") return { isStream: true, commit: () => void out.push(bytesOf(data)), discard: () => {} };
      const bytes = bytesOf(data);
      return { isStream: false, commit: () => void written.set(file, bytes), discard: () => {} };
    },
    versionOf: (file) => (host.sizeOf(file) === undefined ? undefined : String(host.sizeOf(file))),
    readPart: (file, start, end) => read(file).subarray(start, end),
    identity: (file) => (file !== "-" && (written.has(file) || around.files?.[file] !== undefined) ? file : undefined),
    makeFolder(folder) {
      folders.push(folder);
      return () => void folders.splice(folders.indexOf(folder), 1);
    },
    out: (text) => void out.push(bytesOf(text)),
    err: (text) => void err.push(text),
    outColumns: around.outColumns,
    errColumns: around.errColumns,
    now: () => clock++,
    peakMemory: () => 1 << 26,
    environment: around.environment ?? {},
    connect: () => ({
      input: Readable.from([Buffer.from(bytesOf(around.stdin ?? ""))]),
      output: new Writable({
        write(data: Uint8Array, _, done) {
          out.push(data);
          done();
        },
      }),
    }),
    list: () => [],
    onInterrupt: () => () => {},
    threads: around.threads ?? {
      available: () => 1,
      worthwhileBytes: Infinity,
      start: () => Promise.reject(new Error("no other thread")),
    },
  };
  const status = await runProgram(args, host);
  const outBytes = Buffer.concat(out);
  return { status, out: outBytes.toString("utf8"), outBytes, err: err.join(""), written, folders };
}

/** A module with nothing wrong in it. */
export const goodModule = `.version 8.5
.target sm_80
.address_size 64
.visible .global .align 4 .u32 counter = 7;
.visible .entry k(.param .u64 p)
{
  ret;
}
`;

/** A module with this many errors, each on a line of its own from line 4 on. */
export const badModule = (errors: number): string =>
  `.version 8.5\n.target sm_80\n.address_size 64\n${Array.from({ length: errors }, (_, i) => `.global .u33 x${i};\n`).join("")}`;
