// The inputs of link and run: read, opened, and of archives the members that are needed (lib/link/select-archive.ts).

import path from "node:path";
import type { Diagnostic } from "../lib/diag/diagnostic.js";
import { createSink, type DiagnosticSink } from "../lib/diag/sink.js";
import { createElsewhere } from "../lib/link/elsewhere.js";
import { openLazily, type LazyInput } from "../lib/link/lazy-input.js";
import type { LinkOptions } from "../lib/link/options.js";
import { openInputs, type Input, type OpenOptions } from "../lib/link/open-input.js";
import {
  checkKernels,
  selectInputs,
  whyTaken,
  type Candidate,
  type Extraction,
  type NameRoot,
  type SelectOptions,
} from "../lib/link/select-archive.js";
import type { ObjectFile } from "../lib/object/object.js";
import { recognise, type FileKind } from "../lib/link/recognise.js";
import type { Source } from "../lib/ptx/tree.js";
import type { Assembled } from "./assembler-batch.js";
import type { CommonOptions, Session } from "./common.js";
import { checkOptions, memberReader, releaseSource } from "./inputs.js";
import type { NameOptions } from "./name-options.js";
import type { LibraryOptions, PlacedInput } from "./placed-inputs.js";
import { tryReadSelected } from "./selected.js";
import { warningOptions } from "./warnings.js";

export interface InputOptions extends CommonOptions, LibraryOptions, Pick<NameOptions, "defsym" | "wrap"> {
  /** Of -u and --require-defined. */
  readonly undefined?: readonly string[];
  readonly requireDefined?: readonly string[];
  readonly arch?: string;
  readonly relocatable?: boolean;
  /** Threads that may assemble, this one included; 1 unless given. */
  readonly jobs?: number;
}

export interface LinkInputs {
  /** In command-line order. */
  readonly objects: readonly ObjectFile[];
  /** Number of the first object that is no member of an archive. */
  readonly leader: number;
  readonly extractions: readonly Extraction[];
  readonly left: readonly LazyInput[];
  /** The target that archives were read for: --arch, or that of the first input that is no member. */
  readonly goal: string | undefined;
}

/** What stands at one place of the command line, and what was said of it. */
interface Slot {
  readonly found: DiagnosticSink;
  readonly held: Held | undefined;
}

/** An archive waits until all that is taken in any case is open: the first of that says what of the archive fits. */
type Held =
  | { readonly kind: "open"; readonly inputs: readonly Input[] }
  | { readonly kind: "waiting"; readonly source: Source }
  /** A text that the pool has, by its number there. */
  | { readonly kind: "assembling"; readonly number: number };

/** Every input that could be read; faults are in the sink. `roots`: names that are referred to besides. */
export async function readInputs(
  placed: readonly PlacedInput[],
  session: Session,
  options: InputOptions,
  roots: readonly NameRoot[] = [],
): Promise<LinkInputs> {
  const { sink } = session;
  const { slots, goal } = await openPlaced(placed, session, options);
  // In command-line order, whichever thread found it when.
  for (const { found } of slots) reportAgain(found.all, sink);
  const candidates = slots.flatMap(({ held }): readonly Candidate[] => {
    if (held === undefined) return [];
    if (held.kind === "open") return [{ kind: "taken", inputs: held.inputs }];
    const lazily = openLazily(held.source, sink, openOptions(session, options, goal));
    return lazily.map((input) => ({ kind: "lazy", input }));
  });
  const hasFaults = sink.errorCount > 0;
  const select = selectOptions(options);
  const selection = selectInputs(
    hasFaults ? [] : candidates,
    { ...select, roots: [...roots, ...(select.roots ?? [])] },
    sink,
  );
  if (sink.errorCount === 0) checkKernels(selection, options.relocatable !== true, sink);
  const objects = selection.inputs.map(objectOf);
  const leading = slots.flatMap(({ held }) => (held?.kind === "open" ? held.inputs : []))[0];
  const leader = leading === undefined ? 0 : selection.inputs.indexOf(leading);
  return { ...selection, objects, leader, goal };
}

/** A slot of which nothing is under way any more. */
interface OpenSlot extends Slot {
  readonly held: Exclude<Held, { readonly kind: "assembling" }> | undefined;
}

interface Opened {
  readonly slots: readonly OpenSlot[];
  readonly goal: string | undefined;
}

async function openPlaced(placed: readonly PlacedInput[], session: Session, options: InputOptions): Promise<Opened> {
  const pool = await startPool(placed, session, options);
  const open = (slot: Slot, assembled: readonly Assembled[]): OpenSlot => {
    const { found, held } = slot;
    if (held?.kind !== "assembling") return { found, held };
    const { object, diagnostics } = assembled[held.number]!;
    reportAgain(diagnostics, found);
    return { found, held: { kind: "open", inputs: object === undefined ? [] : [{ kind: "object", object }] } };
  };
  try {
    const slots: Slot[] = [];
    let goal = options.arch;
    for (const each of placed) {
      const found = createSink(warningOptions(options.W ?? []));
      const source = readPlaced(each, { ...session, sink: found }, options);
      const kind = source && recognise(source.bytes);
      // What is inside others is chosen by the target of what stands before it.
      if (goal === undefined && (kind === "archive" || kind === "fatbin" || kind === "host-elf"))
        goal = firstTarget(slots, (await pool?.results()) ?? []);
      slots.push({ found, held: source && (await hold(source, kind!, each, found, goal)) });
    }
    const assembled = (await pool?.results()) ?? [];
    return { slots: slots.map((slot) => open(slot, assembled)), goal: goal ?? firstTarget(slots, assembled) };
  } finally {
    await pool?.close();
  }

  async function hold(
    source: Source,
    kind: FileKind,
    { isLazy, isWhole, name }: PlacedInput,
    found: DiagnosticSink,
    goal: string | undefined,
  ): Promise<Held> {
    if (isLazy || (!isWhole && kind === "archive")) return { kind: "waiting", source };
    const isText = kind === "ptx" && source.name === name;
    const held: Held =
      pool !== undefined && isText
        ? { kind: "assembling", number: await pool.add(source) }
        : { kind: "open", inputs: openInputs(source, found, openOptions(session, options, goal)) };
    if (isText) releaseSource(source, session);
    return held;
  }
}

function readPlaced(
  { isLibrary, name }: PlacedInput,
  session: Session,
  { libraryPath = [] }: InputOptions,
): Source | undefined {
  const file = isLibrary ? findLibrary(name, libraryPath, session) : name;
  return file === undefined ? undefined : tryReadSelected(file, session);
}

/** Threads to assemble texts with, where the inputs are large enough for more than one. */
async function startPool(placed: readonly PlacedInput[], session: Session, options: InputOptions) {
  const { jobs = 1 } = options;
  if (jobs === 1) return undefined;
  const { host } = session;
  const sizes = placed.map(({ name, isLibrary, isLazy }) => (isLibrary || isLazy ? 0 : (host.sizeOf(name) ?? 0)));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const helpers = Math.min(jobs - 1, Math.floor(bytes / host.threads.worthwhileBytes));
  if (helpers === 0) return undefined;
  const { createAssemblerPool } = await import("./assembler-pool.js");
  return createAssemblerPool({
    helpers,
    start: host.threads.start,
    check: checkOptions(options),
    warnings: warningOptions(options.W ?? []),
  });
}

/** The target of the first input of all. */
function firstTarget(slots: readonly Slot[], assembled: readonly Assembled[]): string | undefined {
  for (const { held } of slots) {
    const input = held?.kind === "open" ? held.inputs[0] : undefined;
    const object = held?.kind === "assembling" ? assembled[held.number]!.object : input && objectOf(input);
    if (object !== undefined) return object.target.name;
  }
  return undefined;
}

function reportAgain(diagnostics: readonly Diagnostic[], sink: DiagnosticSink): void {
  for (const { code, message, place, ...details } of diagnostics) sink.report(code, message, place, details);
}

/** What the linker is to know of the inputs besides the objects. */
export function inputFacts({
  leader,
  extractions,
  left,
  goal,
}: LinkInputs): Pick<LinkOptions, "leader" | "suggestElsewhere" | "whyTaken"> {
  return {
    leader,
    whyTaken: whyTaken(extractions),
    ...(left.length === 0 ? {} : { suggestElsewhere: createElsewhere(left, goal) }),
  };
}

const objectOf = (input: Input): ObjectFile => (input.kind === "object" ? input.object : input.image);

/** The file of -l NAME; undefined after a report. */
function findLibrary(name: string, folders: readonly string[], session: Session): string | undefined {
  const file = name.startsWith(":") ? name.slice(1) : `lib${name}.a`;
  const found = folders.map((folder) => path.posix.join(folder, file)).find((each) => session.host.exists(each));
  if (found !== undefined) return found;
  const searched =
    folders.length === 0 ? "no folder to search was named" : `there is no ${file} in ${folders.join(", ")}`;
  session.sink.report("file-access", `cannot find -l${name}: ${searched}`, undefined, {
    remedy: "-L FOLDER says where libraries are",
  });
  session.unread.push(`-l${name}`);
  return undefined;
}

/** Names that count as referred to, and names that options define. */
function selectOptions({
  undefined: names = [],
  requireDefined = [],
  defsym = [],
  wrap = [],
}: InputOptions): SelectOptions {
  const named =
    (by: string) =>
    (name: string): NameRoot => ({ name, by });
  return {
    roots: [
      ...names.map(named("-u")),
      ...requireDefined.map(named("--require-defined")),
      ...defsym.flatMap(({ base }) => (base === undefined ? [] : [base])).map(named("--defsym")),
    ],
    defined: defsym.map(({ name }) => name),
    wrap,
  };
}

function openOptions(session: Session, options: InputOptions, arch: string | undefined): OpenOptions {
  return {
    ...checkOptions(options),
    ...(arch === undefined ? {} : { arch }),
    readFile: memberReader(session),
    onSource: ({ name, bytes }) => void session.sources.set(name, bytes),
  };
}
