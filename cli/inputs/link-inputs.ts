// The inputs of link and run: reads and opens them, and extracts the needed members of archives
// (lib/link/archives/select-archive.ts).

import { checkKernels } from "../../lib/link/archives/check-kernels.js";
import { keepInner } from "../../lib/diag/inner-text.js";
import { createSink, reportAgain, type DiagnosticSink } from "../../lib/diag/sink.js";
import type { Target } from "../../lib/isa/requirement.js";
import { createElsewhere } from "../../lib/link/archives/elsewhere.js";
import { openArchive } from "../../lib/link/inputs/archive.js";
import { createEntryStore } from "../../lib/link/inputs/entry-cache.js";
import { targetOf } from "../../lib/link/inputs/packed-input.js";
import { isLibrary, isNvvmSource } from "../../lib/link/archives/library.js";
import { openLibrary } from "../../lib/link/archives/library-input.js";
import { openLazily, type LazyInput } from "../../lib/link/archives/lazy-input.js";
import type { LinkOptions } from "../../lib/link/options.js";
import type { Input } from "../../lib/link/inputs/input.js";
import { openInputs, type OpenOptions } from "../../lib/link/inputs/open-input.js";
import {
  selectInWaves,
  extractionReason,
  type Candidate,
  type Extraction,
  type NameRoot,
} from "../../lib/link/archives/select-archive.js";
import type { ObjectFile } from "../../lib/object/object.js";
import { selectOptions } from "../../lib/link/archives/select-options.js";
import { hasLines, isEmbedding, isModule, kindOf, recognise, type FileKind } from "../../lib/link/inputs/recognise.js";
import type { Source } from "../../lib/ptx/source-text.js";
import type { Assembled } from "../assembly/assembler-batch.js";
import type { CommonOptions, Session } from "../options/common.js";
import { checkOptions, memberReader, releaserOf } from "./inputs.js";
import { slowGrowthFor, delayOptimisation } from "../base/engine.js";
import type { LinkOptionValues } from "../options/link-options.table.js";
import { createWaiting, fileOf, libraryFile, type PlacedInput } from "./placed-inputs.js";
import { libdeviceSuggester } from "./libdevice.js";
import { tryReadSelected } from "./selected.js";
import { createLazyPool, helpersFor, openAssemblerPool, type LazyPool } from "./source-pool.js";
import { assembleSources, createSourceOpener, sourcesOf, type SourceOpener } from "../assembly/source-opener.js";
import { createAssembledMembers, type AssembledMembers } from "../assembly/assembled-members.js";
import { warningOptions } from "../options/warnings.js";
import type { Suggestion } from "../../lib/link/model/suggestion.js";

export interface InputOptions extends CommonOptions, Pick<LinkOptionValues, "defsym" | "libraryPath" | "wrap"> {
  /** Names given with -u and --require-defined. */
  readonly undefined?: readonly string[];
  readonly undefinedGlob?: readonly string[];
  readonly requireDefined?: readonly string[];
  readonly arch?: string;
  readonly relocatable?: boolean;
  /** Threads that may assemble, this one included; 1 unless given. */
  readonly jobs?: number;
}

export interface LinkInputs {
  /** In command-line order. `names` and `objects` belong to them; the objects are decoded on demand. */
  readonly inputs: readonly Input[];
  readonly names: readonly string[];
  readonly objects: () => readonly ObjectFile[];
  /** Index of the first object that is no member of an archive. */
  readonly leader: number;
  /** Whether the only input is one PTX module, which a driver compiles as a whole. */
  readonly isOneModule: boolean;
  readonly extractions: readonly Extraction[];
  readonly left: readonly LazyInput[];
  /** The target for which members of archives are selected: --arch, or that of the first input that is no member. */
  readonly linkTarget: string | undefined;
  /** Suggests a library that defines a name but is not an input. */
  readonly suggestLibrary: (name: string) => Suggestion | undefined;
}

/** The input at one position of the command line, and its diagnostics. */
interface Slot {
  readonly found: DiagnosticSink;
  readonly state: InputState | undefined;
  /** The name of an archive from which nothing was extracted yet. */
  readonly archive?: string;
  readonly isText?: boolean;
}

/**
 * The state of an input. An archive waits until all inputs that are linked in any case are open, because the first of them
 * decides which entries of the archive fit.
 */
type InputState =
  | { readonly kind: "open"; readonly inputs: readonly Input[] }
  | { readonly kind: "waiting"; readonly source: Source }
  /** A text that the assembler pool is assembling. */
  | { readonly kind: "assembling"; readonly name: string; readonly number: number };

/** Context besides the options. */
export interface InputContext extends Representation {
  /** Additional names that are referenced. */
  readonly roots?: readonly NameRoot[];
  /** Assembled sources, by name: files, and members of others. */
  readonly assembled?: ReadonlyMap<string, Assembled>;
  /** Texts in archives that have been assembled, including those added by this call. */
  readonly inside?: AssembledMembers;
}

/** The representation of opened inputs. */
type Representation = Pick<OpenOptions, "pack" | "asFiles">;

/** Reads every input that can be read; errors are reported to the sink. Libraries have been located before. */
export async function readInputs(
  placed: readonly PlacedInput[],
  session: Session,
  options: InputOptions,
  { roots = [], assembled = new Map(), inside = createAssembledMembers(), ...representation }: InputContext = {},
): Promise<LinkInputs> {
  const { asFiles: wantsPacked = false } = representation;
  const texts = createSourceOpener({
    wantsPacked,
    inside,
    check: checkOptions(options),
    warnings: warningOptions(options.W ?? []),
  });
  const helpers = helpersFor(placed, session.host, options);
  // Linking objects is too short to profit from optimised code; assembling sources is not.
  const optimiseAsUsual = wantsPacked ? delayOptimisation() : undefined;
  const pool = createLazyPool(() => {
    optimiseAsUsual?.();
    return openAssemblerPool({ helpers, wantsPacked }, session.host, options);
  });
  const reading: Reading = { assembled, inside, texts, pool, isPooled: helpers > 0 || wantsPacked };
  try {
    const opened = await openPlaced(placed, reading, representation, session, options);
    return await select(opened, reading, representation, roots, session, options);
  } finally {
    optimiseAsUsual?.();
    await pool.close();
  }
}

/** The context of reading inputs. */
interface Reading extends Required<Pick<InputContext, "assembled" | "inside">> {
  readonly texts: SourceOpener;
  readonly pool: LazyPool;
  /** Whether texts are assembled by the pool. */
  readonly isPooled: boolean;
}

async function select(
  { slots, linkTarget }: Opened,
  { inside, texts, pool, isPooled }: Reading,
  representation: Representation,
  roots: readonly NameRoot[],
  session: Session,
  options: InputOptions,
): Promise<LinkInputs> {
  const { sink } = session;
  const entries = createEntryStore();
  // Report in command-line order, whichever thread found the diagnostics first.
  for (const { found } of slots) reportAgain(found.all, sink);
  const candidates = slots.flatMap(({ state }): readonly Candidate[] => {
    if (state === undefined) return [];
    if (state.kind === "open") return [{ kind: "taken", inputs: state.inputs }];
    const opening = { ...openOptions(session, options, linkTarget, representation), openText: texts.open, entries };
    // In NVVM IR after --start-lib, or in a library recognised by its triple, each function is a member of its own.
    const lazily = isNvvmSource(state.source)
      ? openLibrary(state.source, opening)
      : openLazily(state.source, sink, opening);
    return lazily.map((input) => ({ kind: "lazy", input }));
  });
  const hasFaults = sink.errorCount > 0;
  const { undefined: referred, requireDefined: required, undefinedGlob: globs, wrap, defsym: define } = options;
  const asked = selectOptions({ undefined: referred, required, globs, define, wrap }, words);
  const waves = selectInWaves(
    hasFaults ? [] : candidates,
    { ...asked, roots: [...roots, ...(asked.roots ?? [])] },
    sink,
  );
  let wave = waves.next();
  for (; wave.done !== true; wave = waves.next()) {
    const found = isPooled ? wave.value.flatMap((input) => input.texts()) : [];
    await assembleSources(found, inside, pool.open);
  }
  entries.clear();
  const selection = wave.value;
  if (sink.errorCount === 0) {
    const archives = slots.flatMap(({ archive }) => archive ?? []);
    checkKernels(selection, archives, options.relocatable !== true, sink);
  }
  const names = selection.inputs.map((input) => (input.kind === "object" ? input.name : input.image.name));
  const leading = slots.flatMap(({ state }) => (state?.kind === "open" ? state.inputs : []))[0];
  const leader = leading === undefined ? 0 : selection.inputs.indexOf(leading);
  const isOneModule = slots.length === 1 && slots[0]!.isText === true && selection.inputs.length === 1;
  const suggestLibrary = libdeviceSuggester(session.host);
  return {
    ...selection,
    suggestLibrary,
    names,
    objects: () => selection.inputs.map(objectOf),
    leader,
    linkTarget,
    isOneModule,
  };
}

/** A slot whose assembly has finished. */
interface OpenSlot extends Slot {
  readonly state: Exclude<InputState, { readonly kind: "assembling" }> | undefined;
}

interface Opened {
  readonly slots: readonly OpenSlot[];
  readonly linkTarget: string | undefined;
}

/** The inputs of a command line while they are opened. */
interface Opening extends Reading {
  readonly representation: Representation;
  readonly session: Session;
  readonly options: InputOptions;
  readonly waiting: ReturnType<typeof createWaiting>;
  readonly slots: Slot[];
  linkTarget: string | undefined;
}

async function openPlaced(
  placed: readonly PlacedInput[],
  reading: Reading,
  representation: Representation,
  session: Session,
  options: InputOptions,
): Promise<Opened> {
  const { arch: linkTarget } = options;
  const opening: Opening = {
    ...reading,
    representation,
    session,
    options,
    waiting: createWaiting(),
    slots: [],
    linkTarget,
  };
  for (const [i, each] of placed.entries()) {
    const found = createSink(warningOptions(options.W ?? []));
    if (session.unread.length >= MAX_UNREAD) {
      reportSkipped(each.name, placed.length - i, { ...session, sink: found });
      opening.slots.push({ found, state: undefined });
      break;
    }
    const slot = await openSlot(opening, each, found);
    if (slot !== undefined) opening.slots.push(slot);
  }
  const slots = await finishAssembling(opening);
  return { slots, linkTarget: opening.linkTarget ?? firstTarget(slots) };
}

/** Opens one input; undefined for a library that already waits. */
async function openSlot(opening: Opening, placed: PlacedInput, found: DiagnosticSink): Promise<Slot | undefined> {
  const { assembled, texts, session, options, waiting } = opening;
  const given = placed.isLibrary || placed.isLazy ? undefined : assembled.get(placed.name);
  if (given !== undefined) return { found, state: { kind: "open", inputs: texts.inputsOf(placed.name, given, found) } };
  if (waiting.has(placed)) return undefined;
  const source = readPlaced(placed, { ...session, sink: found }, options);
  const kind = source && recognise(source.bytes);
  // Diagnostics show lines of texts only.
  if (source !== undefined && !hasLines(kind)) session.sources.delete(source.name);
  // The entry to use inside an input depends on the target of the inputs before it.
  if (opening.linkTarget === undefined && (kind === "archive" || isEmbedding(kind)))
    opening.linkTarget = firstTarget(await finishAssembling(opening));
  const isMany = kind === "archive" || (source !== undefined && isLibrary(source));
  const isWaiting = source !== undefined && waiting.takes(placed, isMany);
  const state: InputState | undefined = isWaiting
    ? { kind: "waiting", source }
    : source && (await openSource(opening, source, kind!, placed, found));
  const mayBeEmpty = isWaiting || (state?.kind === "open" && state.inputs.length === 0);
  const isNamed = kind === "archive" && mayBeEmpty && (isWaiting || openArchive(source!).members.length === 0);
  return { found, state, ...(isNamed && { archive: source!.name }), isText: isModule(kind) };
}

async function openSource(
  { inside, texts, pool, isPooled, assembled, representation, session, options, linkTarget }: Opening,
  source: Source,
  kind: FileKind,
  { name }: PlacedInput,
  found: DiagnosticSink,
): Promise<InputState> {
  const isText = isModule(kind) && source.name === name;
  const onRead = isText ? releaserOf(source, session) : undefined;
  if (kind === "archive" && isPooled) await assembleSources(sourcesOf(source), inside, pool.open);
  /** Opens a text, which may have been assembled before. */
  const openKnown = (text: Source, sink: DiagnosticSink, target: Target | undefined): readonly Input[] => {
    const given = assembled.get(text.name);
    return given === undefined ? texts.open(text, sink, target) : texts.inputsOf(text.name, given, sink);
  };
  if (isText && isPooled)
    return { kind: "assembling", name, number: await (await pool.open()).add({ source, ...(onRead && { onRead }) }) };
  const inputs = openInputs(source, found, {
    ...openOptions(session, options, linkTarget, representation),
    openText: kind === "archive" ? texts.open : openKnown,
  });
  if (!isPooled) onRead?.();
  return { kind: "open", inputs };
}

/** Waits for the texts that are being assembled, and opens them in their slots. */
async function finishAssembling({ pool, texts, slots }: Opening): Promise<readonly OpenSlot[]> {
  const results = await pool.results();
  slots.forEach((slot, i) => {
    const { found, state } = slot;
    if (state?.kind !== "assembling") return;
    slots[i] = { ...slot, state: { kind: "open", inputs: texts.inputsOf(state.name, results[state.number]!, found) } };
  });
  return slots as readonly OpenSlot[];
}

function readPlaced(placed: PlacedInput, session: Session, options: InputOptions): Source | undefined {
  const file = fileOf(placed);
  if (file === undefined) reportLibrary(placed.name, options, session);
  return file === undefined ? undefined : tryReadSelected(file, session);
}

/** The target of the first opened input. */
function firstTarget(slots: readonly Slot[]): string | undefined {
  for (const { state } of slots) {
    const input = state?.kind === "open" ? state.inputs[0] : undefined;
    if (input !== undefined) return targetOf(input);
  }
  return undefined;
}

/** What the linker needs to know about the inputs besides the objects. */
export function inputFacts({
  leader,
  extractions,
  left,
  linkTarget,
  suggestLibrary,
}: LinkInputs): Pick<LinkOptions, "leader" | "suggestElsewhere" | "extractionReason"> {
  const elsewhere = left.length === 0 ? undefined : createElsewhere(left, linkTarget);
  return {
    leader,
    extractionReason: extractionReason(extractions),
    suggestElsewhere: (name) => elsewhere?.(name) ?? suggestLibrary(name),
  };
}

const objectOf = (input: Input): ObjectFile => (input.kind === "object" ? input.object : input.image);

/** Stops reading after this many unreadable inputs: if the list names something else, it may have a million lines. */
const MAX_UNREAD = 10_000;

function reportSkipped(name: string, count: number, { sink, unread }: Session): void {
  const inputs = count === 1 ? "input was" : "inputs were";
  const message = `${count} more ${inputs} not read, from ${name} on: ${MAX_UNREAD} inputs cannot be read`;
  sink.report("file-access", message, undefined, { remedy: "check that the list contains the names of the inputs" });
  unread.push(name);
}

/** Reports that no folder contains the library of -l NAME. */
function reportLibrary(
  name: string,
  { libraryPath: folders = [] }: Pick<LinkOptionValues, "libraryPath">,
  session: Session,
): void {
  const searched =
    folders.length === 0
      ? "no folder to search was named"
      : `there is no ${libraryFile(name)} in ${folders.join(", ")}`;
  session.sink.report("file-access", `cannot find -l${name}: ${searched}`, undefined, {
    remedy: "specify the folder of the library with -L FOLDER",
  });
  session.unread.push(`-l${name}`);
}

const words = { undefined: "-u", required: "--require-defined", define: "--defsym" };

function openOptions(
  session: Session,
  options: InputOptions,
  arch: string | undefined,
  representation: Representation,
): OpenOptions {
  const readMember = memberReader(session);
  return {
    ...representation,
    ...checkOptions(options),
    ...(arch === undefined ? {} : { arch }),
    readFile(file, archive) {
      const found = readMember(file, archive);
      if (found !== undefined && !(found instanceof Uint8Array)) slowGrowthFor(found.length);
      return found;
    },
    onSource(source) {
      if (hasLines(kindOf(source))) keepInner(session.sources, source.name, source.reread?.shown ?? source.bytes);
    },
  };
}
