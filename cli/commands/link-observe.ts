// A host that looks on while ptxkit link reads: which files with which bytes (--save-repro, --dependency-file), when (--time-trace), and from
// where else (--remap-inputs). Rejected: hooks in everything that reads, of which there are more with every kind of input.

import type { Source, RereadableText } from "../../lib/ptx/source-text.js";
import type { Host } from "../host.js";
import type { GivenOptions } from "../link-options.js";
import type { Span } from "../../lib/report/link-trace.js";
import { UsageError } from "../status.js";

export interface Read {
  /** As it was named. */
  readonly file: string;
  /** Where it was read. */
  readonly place: string;
  /** Milliseconds, by the host's clock. */
  readonly at: number;
  /** Bytes. */
  readonly size: number;
  /** For --save-repro. */
  readonly bytes: Uint8Array | undefined;
}

export interface ObservedHost {
  readonly host: Host;
  /** In the order of reading, where an option asks for them. */
  readonly reads: readonly Read[];
  /** Files that other files name, as they were read: members of thin archives. */
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
    // A copied input is needed whole.
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

/** The result of reading. */
type Contents = Uint8Array | RereadableText | Source;

const bytesOf = (found: Contents): Uint8Array =>
  found instanceof Uint8Array ? found : typeof found.bytes === "function" ? found.bytes() : found.bytes;

/** Bytes. */
const sizeOf = (found: Contents): number => ("length" in found ? found.length : found.bytes.length);

/** FROM=TO, both of which may have others: the last "=" behind which there is a file counts, or the last of all. */
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

/** Takes the time of what follows one on another. */
export interface Timeline {
  /** Records a span from the end of the one before until now. */
  lap(name: string): void;
  /** Drops the laps so far: their time becomes part of the next one. */
  forget(): void;
  /** All of it, with each file from its reading to the next one's. */
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
