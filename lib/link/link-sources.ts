// Links files in memory to an image in one call: what `ptxkit link` does, for programs that generate PTX themselves. From
// archives, the needed members are extracted. All errors are thrown together.

import { checkOptions, describe, type OptionKinds } from "../base/known-options.js";
import { once } from "../base/once.js";
import { demand } from "../diag/demand.js";
import { keepInner, type InnerTexts } from "../diag/inner-text.js";
import { createSink, type DiagnosticSink } from "../diag/sink.js";
import type { NvvmOptions } from "../nvvm/options.js";
import type { LinkedImage } from "../object/object.js";
import type { Source } from "../ptx/source-text.js";
import { createEntryStore } from "./inputs/entry-cache.js";
import { isLibrary } from "./archives/library.js";
import { openLibrary } from "./archives/library-input.js";
import { openLazily } from "./archives/lazy-input.js";
import { inputPacker, targetOf } from "./inputs/packed-input.js";
import { linkObjects, linkOnColumns } from "./link-objects.js";
import { ifSupported } from "../object/columns/cursor.js";
import { openInputs, type OpenOptions } from "./inputs/open-input.js";
import { linkOptions, type LinkOptions } from "./options.js";
import { planNvvm } from "./inputs/nvvm-plan.js";
import { isModule, recognise } from "./inputs/recognise.js";
import { selectInputs, type Candidate } from "./archives/select-archive.js";
import { selectOptions } from "./archives/select-options.js";

/** PTX and NVVM IR as text; any input as bytes. */
export type SourceContent = string | Uint8Array;

/** Options of linkSources: those of linkObjects, and options for reading inputs and compiling NVVM IR. */
export interface LinkSourcesOptions extends LinkOptions {
  /** Receives the warnings, and sets their levels. Without it, warnings are dropped. */
  readonly sink?: DiagnosticSink;
  /** Reads the members of thin archives. */
  readonly readFile?: OpenOptions["readFile"];
  /** Options for compiling NVVM IR: float arithmetic, and the target if it differs from the link's. */
  readonly nvvm?: NvvmOptions;
}

/**
 * Links sources in this order; messages use the keys as names. Throws InputError, whose message shows the lines concerned, if a
 * source is wrong or sources conflict.
 */
export function linkSources(
  sources: Readonly<Record<string, SourceContent>>,
  options: LinkSourcesOptions = {},
): LinkedImage {
  checkOptions(options, sourcesOptions, "linkSources");
  if (typeof sources !== "object" || sources === null || Array.isArray(sources))
    throw new RangeError(`linkSources: an object { "name.ptx": text or bytes } is expected, not ${describe(sources)}`);
  const { sink = createSink(), nvvm } = options;
  const given = Object.entries(sources).map(([name, content]): Source => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    if (!(bytes instanceof Uint8Array))
      throw new RangeError(`linkSources, '${name}': text or a Uint8Array is expected, not ${describe(content)}`);
    return { name, bytes };
  });
  const { arch: target = options.arch } = nvvm ?? {};
  const plan = once(() => planNvvm(given, { ...nvvm, ...(target === undefined ? {} : { arch: target }) }));
  const [only, ...others] = Object.values(sources);
  const isOneText = others.length === 0 && only !== undefined && isText(only);
  const link = (onColumns: boolean): LinkedImage => linkGiven(given, { ...options, sink, plan, isOneText, onColumns });
  // Files that ptxkit's writer did not make are read in detail, and their errors reported then.
  return ifSupported(() => link(true)) ?? link(false);
}

interface Linking extends LinkSourcesOptions {
  readonly sink: DiagnosticSink;
  readonly plan: () => ReturnType<typeof planNvvm>;
  readonly isOneText: boolean;
  /** Whether inputs are kept as files or packed objects, for a link over columns. */
  readonly onColumns: boolean;
}

function linkGiven(given: readonly Source[], options: Linking): LinkedImage {
  const { sink, readFile, nvvm: _, plan, isOneText, onColumns, ...linking } = options;
  const strings: InnerTexts = new Map();
  let arch = options.arch;
  const entries = createEntryStore();
  const representation = onColumns ? { asFiles: true, pack: inputPacker() } : {};
  const opening = (): OpenOptions => ({
    ...representation,
    entries,
    onSource: (source) => keepInner(strings, source.name, source.reread?.shown ?? source.bytes),
    nvvm: plan,
    ...(arch === undefined ? {} : { arch }),
    ...(readFile === undefined ? {} : { readFile }),
  });
  const candidates = given.flatMap((source): readonly Candidate[] => {
    const { name } = source;
    strings.set(name, source.bytes);
    if (isLibrary(source)) return openLibrary(source, opening()).map((input) => ({ kind: "lazy", input }));
    if (recognise(source.bytes) === "archive")
      return openLazily(source, sink, opening()).map((input) => ({ kind: "lazy", input }));
    const inputs = openInputs(source, sink, opening());
    const [first] = inputs;
    arch ??= first && targetOf(first);
    return [{ kind: "taken", inputs }];
  });
  const showing = { readText: (file: string) => strings.get(file) };
  demand(candidates, sink, showing);
  const { roots: { undefinedGlobs: globs, ...roots } = {}, wrap, define } = linking;
  const selected = selectInputs(candidates, selectOptions({ ...roots, globs, wrap, define }, words), sink);
  const { inputs } = demand(selected, sink, showing);
  const { wholeProgram = isOneText && inputs.length === 1 } = linking;
  const asked = { ...linking, wholeProgram };
  const linked = onColumns ? linkOnColumns(inputs, asked, sink) : undefined;
  if (linked !== undefined) return demand(linked.image, sink, showing);
  const objects = inputs.map((input) => input.object ?? input.image);
  return demand(linkObjects(objects, asked, sink), sink, showing);
}

const nvvmOptions: OptionKinds<NvvmOptions> = {
  arch: "text",
  ftz: "flag",
  precDiv: "flag",
  precSqrt: "flag",
  fma: "flag",
  annotations: "object",
  alone: "flag",
};

const sourcesOptions: OptionKinds<LinkSourcesOptions> = {
  ...linkOptions,
  sink: "object",
  readFile: "function",
  nvvm: nvvmOptions,
};

const isText = (content: SourceContent): boolean => typeof content === "string" || isModule(recognise(content));

const words = { undefined: "roots.undefined", required: "roots.required", define: "define" };
