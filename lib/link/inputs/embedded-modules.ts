// The modules that a link extracts from a fatbin or a host file, one of each fatbin in it, and the report if there is none for
// the target. They are sources or ptxkit objects; the caller decides how they become inputs.

import { ENTRY_KIND } from "../../../formats/fatbin/index.js";
import type { FormatError } from "../../../formats/bytes/result.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import type { Target } from "../../isa/requirement.js";
import type { Source } from "../../ptx/source-text.js";
import type { EmbeddingKind } from "./recognise.js";
import {
  chooseEntry,
  fatbinsToLink,
  kindName,
  readEmbedded,
  readEntry,
  type Choice,
  type EmbeddedFatbin,
} from "./embedded.js";
import type { EntryCache } from "./entry-cache.js";
import { linkTargetOf } from "../model/targets.js";

export interface EmbeddedOptions {
  /** The target of the link, "sm_90", asked before each fatbin: the first module may be what decides it. */
  readonly arch: () => string | undefined;
  /** How many bytes may still be decompressed. */
  readonly expansion: { left: number };
  /** What was decompressed before. */
  readonly held?: EntryCache | undefined;
}

/** In the order of the file, each decompressed when it is its turn. What cannot be taken is reported. */
export function* embeddedModules(
  source: Source,
  kind: EmbeddingKind,
  sink: DiagnosticSink,
  { arch, expansion, held }: EmbeddedOptions,
): Generator<Source> {
  const { isLinked, fatbins, faults } = readEmbedded(source, kind);
  for (const fault of faults) reportFault(source.name, fault, sink);
  if (faults.length > 0) return;
  if (fatbins.length === 0) {
    refuseHostOnly(source, sink);
    return;
  }
  const toLink = fatbinsToLink(fatbins);
  // Programs of nvcc -rdc=true have the device runtime in them, which is PTX for the latest architecture alone.
  const isPartial =
    isLinked && toLink.some((fatbin) => chooseEntry(fatbin, linkTargetOf(arch()), expansion).kind === "chosen");
  const code = isPartial ? "embedded-left-out" : "no-embedded-ptx";
  for (const fatbin of toLink) {
    const module = takeModule(source.name, fatbin, linkTargetOf(arch()), { code, expansion, held }, sink);
    if (module !== undefined) yield module;
  }
}

type NoPtxCode = "no-embedded-ptx" | "embedded-left-out";

interface Taking extends Pick<EmbeddedOptions, "expansion" | "held"> {
  /** The code of the report for a fatbin without PTX for the target. */
  readonly code: NoPtxCode;
}

function takeModule(
  file: string,
  fatbin: EmbeddedFatbin,
  linkTarget: Target | undefined,
  { code, expansion, held }: Taking,
  sink: DiagnosticSink,
): Source | undefined {
  const choice = chooseEntry(fatbin, linkTarget, expansion);
  if (choice.kind === "empty") return undefined;
  if (choice.kind === "none") {
    reportNone(file, fatbin.offset, choice, linkTarget, code, sink);
    return undefined;
  }
  const { entry } = choice;
  expansion.left -= entry.size;
  if (expansion.left < 0) {
    const what = `${entry.size} bytes of code make more in all than a file of this size may hold`;
    reportFault(file, { code: "limit", offset: entry.offset, what }, sink);
    return undefined;
  }
  const module = readEntry(entry, held);
  if (module.ok) return module.value;
  reportFault(file, module.error, sink);
  return undefined;
}

// --------------------------------------------------------------------------------------------------------------- messages

export function reportFault(file: string, { offset, what }: FormatError, sink: DiagnosticSink): void {
  sink.report("malformed-file", what, { kind: "bytes", file, offset });
}

/** A host object that was looked into: as a member of an archive it is nothing. */
function refuseHostOnly({ name }: Source, sink: DiagnosticSink): void {
  sink.report(
    "unknown-format",
    `${name} is a file for another machine without GPU code`,
    { kind: "bytes", file: name, offset: 0 },
    {
      remedy: "leave it out, or compile it with nvcc -gencode arch=compute_90,code=compute_90 or another architecture",
    },
  );
}

/** Targets to choose from, of which there may be one. */
const choiceText = (targets: readonly string[]): string => {
  const [only, ...others] = new Set(targets);
  return others.length === 0 ? only! : "one of these";
};

const list = (words: readonly string[]): string => [...new Set(words)].join(", ");

/** What is there instead of PTX for the target, and how to compile so that it is. */
function reportNone(
  file: string,
  offset: number,
  { ptx, own, others }: Choice & { readonly kind: "none" },
  linkTarget: Target | undefined,
  code: NoPtxCode,
  sink: DiagnosticSink,
): void {
  const held = (name: string): string => list(others.filter((entry) => kindName(entry) === name).map((e) => e.target));
  const unknown = list(
    others
      .filter(({ kind }) => kind !== ENTRY_KIND.cubin && kind !== ENTRY_KIND["lto-ir"])
      .map((entry) => kindName(entry)),
  );
  const parts = [
    ...(ptx.length === 0 ? [] : [`PTX for ${list(ptx)}`]),
    ...(own.length === 0 ? [] : [`objects of ptxkit's for ${list(own)}`]),
    ...(held("cubin") === "" ? [] : [`machine code (SASS) for ${held("cubin")}`]),
    ...(held("lto-ir") === "" ? [] : [`LTO-IR (nvcc -dlto) for ${held("lto-ir")}`]),
    ...(unknown === "" ? [] : [`code of an unknown kind (${unknown})`]),
  ].join(" and ");
  const isOther = ptx.length + own.length > 0;
  const wanted = (linkTarget?.name ?? others[0]?.target ?? "sm_90").replace("sm_", "compute_");
  const compile = `compile with -gencode arch=${wanted},code=${wanted}, so that PTX is embedded`;
  const leftOut = code === "embedded-left-out" ? ": left out" : "";
  sink.report(
    code,
    `${file} embeds ${parts}, and no PTX${isOther && linkTarget !== undefined ? ` that runs on ${linkTarget.name}` : ""}${leftOut}`,
    { kind: "bytes", file, offset },
    { remedy: isOther ? `link for ${choiceText([...ptx, ...own])} with --arch, or ${compile}` : compile },
  );
}
