// A host that records what ptxkit link reads: files with their bytes (--save-repro, --dependency-file) and times (--time-trace).
// It also redirects files (--remap-inputs). Rejected: hooks in every reader, because each kind of input adds one.

import type { Source, RereadableText } from "../../lib/ptx/source-text.js";
import type { Host } from "../files/host.js";
import type { GivenOptions } from "../options/link-options.js";
import type { Span } from "../../lib/report/link-trace.js";
import { UsageError } from "../base/status.js";

export interface Read {
  /** The name that was requested. */
  readonly file: string;
  /** The file that was read. */
  readonly place: string;
  /** Start of reading in milliseconds, by the host's clock. */
  readonly at: number;
  /** Size in bytes. */
  readonly size: number;
  /** For --save-repro. */
  readonly bytes: Uint8Array | undefined;
}

export interface ObservedHost {
  readonly host: Host;
  /** Reads in order, if an option needs them. */
  readonly reads: readonly Read[];
  /** Files that thin archives name, by the name under which they were read. */
  readonly members: readonly string[];
}

export function observe(given: Host, options: GivenOptions): ObservedHost {
  const members: string[] = [];
  const host: Host = {
    ...given,
    readRegular(file) {
      members.push(file);
      return given.readRegular(file);
    },
  };
  const { remapInputs = [], saveRepro, timeTrace, dependencyFile, stats = false } = options;
  const isAsked =
    stats || remapInputs.length > 0 || [saveRepro, timeTrace, dependencyFile].some((option) => option !== undefined);
  if (!isAsked) return { host, reads: [], members };
  const elsewhere = new Map(remapInputs.map((each) => parseRemap(each, host)));
  const isCopied = saveRepro !== undefined;
  const reads: Read[] = [];
  const placeOf = (file: string): string => elsewhere.get(file) ?? file;
  const reading =
    <T extends Contents>(read: (file: string) => T) =>
    (file: string): T => {
      const at = host.now();
      const place = placeOf(file);
      const found = read(place);
      reads.push({ file, place, at, size: sizeOf(found), bytes: isCopied ? bytesOf(found) : undefined });
      return found;
    };
  const readInput = reading((file) => (isCopied ? { name: file, bytes: host.read(file) } : host.readInput(file)));
  const observed: Host = {
    ...host,
    read: reading((file) => host.read(file)),
    // The copy needs all bytes of an input.
    readInput: (file) => ({ ...readInput(file), name: file }),
    readRegular: reading((file) => (isCopied ? bytesOf(host.readRegular(file)) : host.readRegular(file))),
    release: isCopied ? () => {} : host.release,
    exists: (file) => host.exists(placeOf(file)),
    identity: (file) => host.identity(placeOf(file)),
    sizeOf: (file) => host.sizeOf(placeOf(file)),
    versionOf: (file) => host.versionOf(placeOf(file)),
    readPart: (file, start, end) => host.readPart(placeOf(file), start, end),
  };
  return { host: observed, reads, members };
}

/** Results of the host's reading functions. */
type Contents = Uint8Array | RereadableText | Source;

const bytesOf = (found: Contents): Uint8Array =>
  found instanceof Uint8Array ? found : typeof found.bytes === "function" ? found.bytes() : found.bytes;

/** Size in bytes. */
const sizeOf = (found: Contents): number => ("length" in found ? found.length : found.bytes.length);

/**
 * Parses FROM=TO, both of which may contain "=". Splits at the last "=" after which the name of an existing file follows, or at
 * the last "=".
 */
function parseRemap(text: string, host: Host): readonly [from: string, to: string] {
  const splits = [...text.matchAll(/=/g)].map(({ index }) => index).filter((at) => at > 0 && at < text.length - 1);
  const at = splits.findLast((each) => host.exists(text.slice(each + 1))) ?? splits.at(-1);
  if (at === undefined)
    throw new UsageError(
      `--remap-inputs ${text} is not FROM=TO`,
      "name the requested file and its replacement, such as old.o=new.o",
    );
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Records the times of consecutive steps. */
export interface Timeline {
  /** Records the time since the end of the previous step under this name. */
  lap(name: string): void;
  /** Drops the steps so far; their time becomes part of the next step. */
  forget(): void;
  /** All steps. The span of a file lasts until the next file is read. */
  spans(): readonly Span[];
}

export function startTimeline({ host, reads }: ObservedHost): Timeline {
  const start = host.now();
  const laps: Span[] = [];
  return {
    lap: (name) => void laps.push({ name, start: laps.at(-1)?.end ?? start, end: host.now() }),
    forget: () => void (laps.length = 0),
    spans() {
      const opened = laps[0]?.end ?? start;
      const files = reads.map(({ file, at, size }, i): Span => ({
        name: file,
        start: at,
        end: reads[i + 1]?.at ?? Math.max(at, opened),
        detail: `${size} bytes`,
      }));
      return [{ name: "ptxkit link", start, end: laps.at(-1)?.end ?? start }, ...laps, ...files];
    },
  };
}
