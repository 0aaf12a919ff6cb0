// Opens a file as inputs of the linker. PTX is parsed, checked and assembled; ptxkit objects and images are read. From archives
// every member is taken, from fatbins and host objects the PTX for the target.

import type { CheckOptions } from "../../check/check.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import type { Target } from "../../isa/requirement.js";
import { assembleSource } from "../../object/assemble.js";
import type { LinkedImage, RelocObject } from "../../object/object.js";
import { readObject } from "../../object/file/read.js";
import type { Source } from "../../ptx/source-text.js";
import { openArchive, type OpenArchive, type ReadFile } from "./archive.js";
import { mostExpanded, readEmbedded } from "./embedded.js";
import { embeddedModules, reportFault } from "./embedded-modules.js";
import { fileInput, targetOf } from "./packed-input.js";
import type { EntryStore, EntryCache } from "./entry-cache.js";
import type { Input } from "./input.js";
import { isEmbedding, isModule, kindOf, kindText, type EmbeddingKind, type FileKind } from "./recognise.js";
import { compiledFor, linkTargetOf } from "../model/targets.js";

/** Options for opening inputs: the target, NVVM IR, files of thin archives. */
export interface OpenOptions extends CheckOptions {
  /** Target of the link, "sm_90": from a fatbin, the latest PTX that runs on it is selected. Default: the latest PTX. */
  readonly arch?: string;
  /** Reads the members of thin archives. */
  readonly readFile?: ReadFile;
  /** Converts each opened input to its packed form. Default: unchanged. */
  readonly pack?: (input: Input) => Input;
  /** Opens sources; those in fatbins for the link's target. Reuses memory from one to the next. */
  readonly openText?: (source: Source, sink: DiagnosticSink, linkTarget: Target | undefined) => readonly Input[];
  /**
   * Whether ptxkit objects stay files, for a link on columns, and are not decoded. Throws Unsupported (object/columns/cursor.ts)
   * for a file that ptxkit's writer did not make.
   */
  readonly asFiles?: boolean;
  /** Caches decompressed entries of archive members, from reading their names until they are opened. */
  readonly entries?: EntryStore;
  /** Called with every text and object inside others before it is read, to show the source lines of diagnostics. */
  readonly onSource?: (source: Source) => void;
}

/** State while a file is opened: remaining bytes that may be decompressed, and cached entries. */
interface Opening extends OpenOptions {
  readonly expansion: { left: number };
  readonly cache?: EntryCache | undefined;
}

/** The inputs in a file of any kind, in order. Inputs that cannot be read are reported. */
export function openInputs(source: Source, sink: DiagnosticSink, options: OpenOptions = {}): readonly Input[] {
  return openAny(source, sink, { ...options, expansion: { left: mostExpanded(source.bytes.length) } });
}

function openAny(source: Source, sink: DiagnosticSink, options: Opening): readonly Input[] {
  const kind = kindOf(source);
  if (kind === "archive") return openMembers(source, sink, options);
  if (isEmbedding(kind)) return openEmbedded(source, kind, sink, options);
  const input = openOne(source, sink, options, undefined);
  return input === undefined ? [] : [options.pack?.(input) ?? input];
}

function openOne(
  source: Source,
  sink: DiagnosticSink,
  options: Opening,
  linkTarget: Target | undefined,
): Input | undefined {
  return options.openText !== undefined && isModule(kindOf(source))
    ? options.openText(source, sink, linkTarget)[0]
    : compiled(linkTarget, assembleInput(source, sink, options));
}

/** The input in a file that is one module or image; undefined if it has errors, which are reported. */
export function assembleInput(
  source: Source,
  sink: DiagnosticSink,
  options: CheckOptions & Pick<OpenOptions, "asFiles"> = {},
): Input | undefined {
  const kind = kindOf(source);
  if (kind === "ptxkit" && options.asFiles === true) return fileInput(source.name, source.bytes);
  switch (kind) {
    case "ptx":
    case "nvvm":
    case "bitcode": {
      const object = assembleSource(source, sink, options);
      return object && { kind: "object", name: source.name, object };
    }
    case "ptxkit":
    case "cubin": {
      const object = readObject(source.bytes, source.name, sink);
      if (object === undefined) return undefined;
      return object.type === "executable"
        ? { kind: "image", image: object as LinkedImage }
        : { kind: "object", name: source.name, object: object as RelocObject };
    }
    case "archive":
    case "fatbin":
    case "host-elf":
    case "pe":
    case "mach-o":
    case "lto-ir":
    case "npy":
    case "empty":
    case "unknown":
      return refuse(source, kind, sink);
  }
}

const remedies: Partial<Readonly<Record<FileKind, string>>> = {
  "lto-ir": "compile without -dlto, with -gencode arch=compute_90,code=compute_90 or another architecture",
  // Only for assembleInput, which returns a single input.
  archive: "openInputs opens all that is in it",
  fatbin: "openInputs opens all that is in it",
};

function refuse(source: Source, kind: Exclude<FileKind, "ptx">, sink: DiagnosticSink): undefined {
  const place = { kind: "bytes", file: source.name, offset: 0 } as const;
  sink.report("unknown-format", `${source.name} is ${kindText(kind)}`, place, {
    remedy:
      remedies[kind] ??
      "inputs are PTX and NVVM IR modules, objects made by ptxkit as, and archives, fatbins or host objects with PTX",
  });
}

// ------------------------------------------------------------------------------------------------------------- archives

function openMembers(source: Source, sink: DiagnosticSink, options: Opening): readonly Input[] {
  const archive = openArchive(source, options.readFile);
  if (archive.fault !== undefined) {
    reportFault(source.name, archive.fault, sink);
    return [];
  }
  reportThin(source, archive, sink, options);
  return inTurn(archive.members, options, (member, withArch) => {
    const inner = member.read();
    return inner === undefined ? [] : openInner(inner, sink, withArch);
  });
}

/** Reports that members of a thin archive cannot be read without `readFile`. */
export function reportThin(
  { name }: Source,
  { isThin, members }: OpenArchive,
  sink: DiagnosticSink,
  { readFile }: OpenOptions,
): void {
  if (!isThin || members.length === 0 || readFile !== undefined) return;
  const message = `${name} is a thin archive: its members are files of their own`;
  sink.report("file-access", message, { kind: "file", file: name });
}

/** Opens items in order. Without a requested target, the first input's target applies to the following items. */
function inTurn<T>(
  items: readonly T[],
  options: Opening,
  open: (item: T, options: Opening) => readonly Input[],
): readonly Input[] {
  const inputs: Input[] = [];
  let { arch } = options;
  for (const item of items) {
    inputs.push(...open(item, arch === undefined ? options : { ...options, arch }));
    arch ??= firstTarget(inputs);
  }
  return inputs;
}

/** The target of the first input, if there is one. */
function firstTarget([first]: readonly Input[]): string | undefined {
  return first && targetOf(first);
}

/** The inputs in a member of an archive. Host objects without GPU code are common there, and are ignored. */
export function openMember(
  member: Source,
  sink: DiagnosticSink,
  options: OpenOptions = {},
  cache?: EntryCache,
): readonly Input[] {
  const left = isModule(kindOf(member)) ? 0 : mostExpanded(member.bytes.length);
  return openInner(member, sink, { ...options, expansion: { left }, cache });
}

function openInner(member: Source, sink: DiagnosticSink, options: Opening): readonly Input[] {
  options.onSource?.(member);
  const kind = kindOf(member);
  if (kind === "archive") {
    sink.report(
      "unknown-format",
      `${member.name} is an archive inside an archive`,
      { kind: "bytes", file: member.name, offset: 0 },
      { remedy: "take it out (ar x) and name it as an input of its own" },
    );
    return [];
  }
  if (kind === "fatbin" || !isEmbedding(kind)) return openAny(member, sink, options);
  const { fatbins, faults } = readEmbedded(member, kind);
  return fatbins.length === 0 && faults.length === 0 ? [] : openEmbedded(member, kind, sink, options);
}

// -------------------------------------------------------------------------------------------------------------- fatbins

function openEmbedded(source: Source, kind: EmbeddingKind, sink: DiagnosticSink, options: Opening): readonly Input[] {
  const inputs: Input[] = [];
  let { arch } = options;
  // Called only before another module, because reading it may decode the object again.
  const target = (): string | undefined => (arch ??= firstTarget(inputs));
  const { expansion, cache } = options;
  for (const module of embeddedModules(source, kind, sink, { arch: target, expansion, cache })) {
    options.onSource?.(module);
    const input = openOne(module, sink, options, linkTargetOf(target()));
    if (input !== undefined) inputs.push(options.pack?.(input) ?? input);
  }
  return inputs;
}

/**
 * Compiles the input for the target, if there is one. Without a target the object is not accessed, because that would decode it.
 */
function compiled(linkTarget: Target | undefined, input: Input | undefined): Input | undefined {
  if (linkTarget === undefined || input?.kind !== "object") return input;
  const { name, object: own } = input;
  const object = compiledFor(linkTarget, own);
  return object === own ? input : { kind: "object", name, object };
}
