// What ptxkit link writes: an image, a relocatable object (-r), or one PTX module (--emit ptx, with -r one that is left
// open), and which other options an output cannot heed.

import { linkObjects } from "../../lib/link/link.js";
import type { LinkOptions } from "../../lib/link/options.js";
import { writeObject } from "../../lib/object/file/write.js";
import type { ObjectFile } from "../../lib/object/object.js";
import type { DiagnosticSink } from "../../lib/diag/sink.js";
import type { PtxVersion } from "../../lib/isa/requirement.js";
import type { NameOptions } from "../name-options.js";
import { UsageError } from "../status.js";
import { wantsImage, type ExplainOptions } from "./link-explain.js";

export interface OutputOptions extends ExplainOptions, NameOptions {
  readonly emit: "elf" | "ptx";
  readonly relocatable?: boolean;
  readonly buildId?: boolean;
  /** Of --emit ptx. */
  readonly ptxVersion?: PtxVersion;
}

/** Why an option goes with an image only. */
const refusals: readonly {
  readonly refuses: (options: OutputOptions) => boolean;
  readonly why: string;
}[] = [
  {
    refuses: (options) => options.relocatable === true && wantsImage(options),
    why: "-r gives nothing its place: ask the link of the image for --print-memory-usage and --print-call-graph",
  },
  {
    refuses: ({ relocatable, defsym }) => relocatable === true && defsym !== undefined,
    why: "modules of later links could not use the name, because an object has no second names for variables: give --defsym to the link that makes the image",
  },
  {
    refuses: (options) => options.emit === "ptx" && wantsImage(options),
    why: "--emit ptx gives nothing its place: ask the link of the image for --print-memory-usage and --print-call-graph",
  },
  {
    refuses: ({ emit, relocatable = false, reverseSections = false, shuffleSections }) =>
      (emit === "ptx" || relocatable) && (reverseSections || shuffleSections !== undefined),
    why: "only an image gives modules' data its place: give --reverse-sections or --shuffle-sections to the link that makes it",
  },
  {
    refuses: ({ emit, relocatable = false, symbolOrderingFile, sortSection }) =>
      (emit === "ptx" || relocatable) && (symbolOrderingFile !== undefined || sortSection !== undefined),
    why: "only an image gives variables and functions their places: give --symbol-ordering-file or --sort-section to the link that makes it",
  },
  {
    refuses: ({ emit, relocatable = false, discardAll, stripAll }) =>
      (emit === "ptx" || relocatable) && (discardAll === true || stripAll === true),
    why: "a later link needs the names of static variables to give them their places: give --strip-all or --discard-all to the link that makes the image, and -S here",
  },
  {
    refuses: ({ emit, emitRelocs }) => emit === "ptx" && emitRelocs === true,
    why: "PTX has no relocations: give --emit-relocs to the link that makes the image",
  },
  {
    refuses: ({ emit, relocatable = false, debugLine }) => (emit === "ptx" || relocatable) && debugLine === true,
    why: "code keeps its lines: give --debug-line to the link that makes the image",
  },
  {
    refuses: ({ emit, ptxVersion }) => emit !== "ptx" && ptxVersion !== undefined,
    why: "no driver reads an image: give --ptx-version with --emit ptx",
  },
  {
    refuses: ({ emit, buildId }) => emit === "ptx" && buildId === true,
    why: "PTX has no notes: give --build-id to the link that makes the image",
  },
];

/** What an option that changes nothing is told. */
const idle: readonly {
  readonly option: string;
  readonly isIdle: (options: OutputOptions) => boolean;
  readonly why: string;
  readonly remedy: string;
}[] = [
  {
    option: "--map-format",
    isIdle: ({ map, mapFormat }) => map === undefined && mapFormat !== undefined,
    why: "without --map",
    remedy: "add --map FILE",
  },
  {
    option: "--debug-line",
    isIdle: ({ debugLine, stripDebug, stripAll }) => debugLine === true && (stripDebug === true || stripAll === true),
    why: "with --strip-debug, which leaves out lines",
    remedy: "give one of them",
  },
  {
    option: "--emit-relocs",
    isIdle: ({ relocatable, emitRelocs }) => relocatable === true && emitRelocs === true,
    why: "with -r, which applies no relocations and keeps all",
    remedy: "give it to the link that makes the image",
  },
  ...(
    [
      ["--unresolved-symbols", "unresolvedSymbols"],
      ["--ignore-unresolved-symbol", "ignoreUnresolvedSymbol"],
      ["--warn-unresolved-symbols", "warnUnresolvedSymbols"],
    ] as const
  ).map(([option, key]) => ({
    option,
    isIdle: (options: OutputOptions) => options.relocatable === true && options[key] !== undefined,
    why: "with -r, which leaves undefined names to the last link",
    remedy: "give it to the link that makes the image",
  })),
];

/** Throws UsageError for what the output cannot heed; warns of what changes nothing. */
export function checkOutputOptions(options: OutputOptions, sink: DiagnosticSink): void {
  const refusal = refusals.find(({ refuses }) => refuses(options));
  if (refusal !== undefined) throw new UsageError(refusal.why);
  for (const { option, isIdle, why, remedy } of idle)
    if (isIdle(options)) sink.report("no-effect", `${option} changes nothing ${why}`, undefined, { remedy });
}

/** Links, and leaves writing to the caller; undefined after a report. Each kind of output is loaded when it is made. */
export async function makeOutput(
  objects: readonly ObjectFile[],
  { emit, relocatable = false, buildId, ptxVersion }: OutputOptions,
  given: LinkOptions,
  sink: DiagnosticSink,
): Promise<(() => Promise<Uint8Array>) | undefined> {
  if (emit === "ptx") {
    const { emitPtx } = await import("../../lib/link/output/emit.js");
    const text = emitPtx(objects, { ...given, relocatable, ...(ptxVersion === undefined ? {} : { ptxVersion }) }, sink);
    return text && (() => Promise.resolve(text));
  }
  const join = relocatable ? (await import("../../lib/link/output/relocatable.js")).linkRelocatable : linkObjects;
  const object = join(objects, given, sink);
  if (object === undefined) return undefined;
  return async () =>
    buildId === true
      ? (await import("../../lib/object/file/build-id.js")).writeIdentified(object)
      : writeObject(object);
}
