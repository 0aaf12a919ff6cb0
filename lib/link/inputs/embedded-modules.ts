// Extracts the modules for a link from a fatbin or a host file, one from each fatbin in it, and reports if there is none for the
// target. They are sources or ptxkit objects; the caller decides how they become inputs.

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
  /** The target of the link, "sm_90"; called before each fatbin, because the first module may determine it. */
  readonly arch: () => string | undefined;
  /** Remaining bytes that may be decompressed. */
  readonly expansion: { left: number };
  /** Entries that were decompressed before. */
  readonly cache?: EntryCache | undefined;
}

/** The modules in file order, each decompressed on demand. Modules that cannot be extracted are reported. */
export function* embeddedModules(
  source: Source,
  kind: EmbeddingKind,
  sink: DiagnosticSink,
  { arch, expansion, cache }: EmbeddedOptions,
): Generator<Source> {
  const { isLinked, fatbins, faults } = readEmbedded(source, kind);
  for (const fault of faults) reportFault(source.name, fault, sink);
  if (faults.length > 0) return;
  if (fatbins.length === 0) {
    refuseHostOnly(source, sink);
    return;
  }
  const toLink = fatbinsToLink(fatbins);
  // Programs of nvcc -rdc=true contain the device runtime, which is PTX for the latest architecture only.
  const isPartial =
    isLinked && toLink.some((fatbin) => chooseEntry(fatbin, linkTargetOf(arch()), expansion).kind === "chosen");
  const code = isPartial ? "embedded-left-out" : "no-embedded-ptx";
  for (const fatbin of toLink) {
    const module = takeModule(source.name, fatbin, linkTargetOf(arch()), { code, expansion, cache }, sink);
    if (module !== undefined) yield module;
  }
}

type NoPtxCode = "no-embedded-ptx" | "embedded-left-out";

interface EmbeddedContext extends Pick<EmbeddedOptions, "expansion" | "cache"> {
  /** The code of the report for a fatbin without PTX for the target. */
  readonly code: NoPtxCode;
}

function takeModule(
  file: string,
  fatbin: EmbeddedFatbin,
  linkTarget: Target | undefined,
  { code, expansion, cache }: EmbeddedContext,
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
  const module = readEntry(entry, cache);
  if (module.ok) return module.value;
  reportFault(file, module.error, sink);
  return undefined;
}

// --------------------------------------------------------------------------------------------------------------- messages

export function reportFault(file: string, { offset, what }: FormatError, sink: DiagnosticSink): void {
  sink.report("malformed-file", what, { kind: "bytes", file, offset });
}

/** Reports a host object without GPU code. (As a member of an archive it is ignored.) */
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

/** Lists one or several targets. */
const choiceText = (targets: readonly string[]): string => {
  const [only, ...others] = new Set(targets);
  return others.length === 0 ? only! : "one of these";
};

const list = (words: readonly string[]): string => [...new Set(words)].join(", ");

/** Reports that there is no PTX for the target, what there is instead, and how to compile it. */
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
