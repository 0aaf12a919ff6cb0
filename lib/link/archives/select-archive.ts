// Selects the archive members to link, before the linker's passes, as lld and mold do. A member is extracted if it defines a name
// that is undefined so far, wherever the archive is on the command line, and is placed in command-line order. So an archive may
// precede the inputs that need it, archives may need each other, and --start-group has no effect.
// Of several members that define a name the first one wins, strong or weak. A `.common` definition extracts the first member with
// a strong one, as in lld. A member is extracted once. docs/linking.md, "Archives".
// References are an object's undefined symbols: functions that its code or data refer to, and every .extern variable. Rejected:
// counting only references that kernels reach. A link without --gc-sections keeps all inputs; with it, the result would depend on
// what the members make reachable.
// Linear in the inputs and in the definitions of the members, which are read only if a name is missing. Names are numbers in
// columns (name-book.ts): a library may have a hundred thousand.

import { deviceRuntimeNames } from "../../isa/device-runtime.table.js";
import { compileGlobList } from "../../base/glob-list.js";
import type { Note } from "../../diag/diagnostic.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import { subjectText } from "../model/describe.js";
import type { LazyInput, LazyNames, LibraryInput } from "./lazy-input.js";
import { addInput, createNameBook, noNames, type NameBook } from "./name-book.js";
import type { Input } from "../inputs/input.js";
import { RANK_BITS, FROM_DRIVER, UNPLACED, type NameRange, type NameRows } from "../resolve/shared-names.js";
import { internString, larger32, stringOf, type StringId, type StringTable } from "../../object/columns/strings.js";
import { wrappedNames } from "../resolve/wrap.js";
import { RANK } from "../model/binding-rank.js";

/** The input at one position of the command line. */
export type Candidate =
  { readonly kind: "taken"; readonly inputs: readonly Input[] } | { readonly kind: "lazy"; readonly input: LazyInput };

/** A name that an option refers to, and that option. */
export interface NameRoot {
  readonly name: string;
  readonly by: string;
}

/** The names, besides undefined symbols, for which members are extracted. */
export interface SelectOptions {
  readonly roots?: readonly NameRoot[];
  /** Patterns; matching names that members define are referred to (--undefined-glob). */
  readonly globs?: readonly string[];
  /** Names that options define (--defsym). */
  readonly defined?: readonly string[];
  /** Names whose undefined references mean __wrap_NAME. */
  readonly wrap?: readonly string[];
}

/** Why a member was extracted. */
export interface Extraction {
  readonly input: string;
  readonly symbol: string;
  /** The input, or the option, that refers to the symbol. */
  readonly by: string;
}

/** Limit of the steps that a message shows, from a member back to an input of the command line. */
const MAX_LINKS = 4;

/**
 * Explains why a member was extracted: the chain from the input that refers to it back to one that is not from an archive. Empty
 * for other inputs.
 */
export function extractionReason(extractions: readonly Extraction[]): (input: string) => readonly Note[] {
  const byInput = new Map(extractions.map((extraction) => [extraction.input, extraction]));
  return (input) => {
    const notes: Note[] = [];
    for (let at = byInput.get(input); at !== undefined && notes.length < MAX_LINKS; at = byInput.get(at.by))
      notes.push({ message: `${at.input} is linked because ${at.by} refers to ${subjectText(at.symbol)}` });
    return notes;
  };
}

/** The selected inputs, and the reasons. */
export interface Selection {
  /** In command-line order. */
  readonly inputs: readonly Input[];
  /** In the order of extraction. */
  readonly extractions: readonly Extraction[];
  /** Inputs that were not extracted, in command-line order. */
  readonly left: readonly LazyInput[];
  /**
   * Whether any input has a kernel, or is an image; undefined if there was nothing to select, because then no caller needs it.
   */
  readonly hasKernels: boolean | undefined;
}

/** Extracts the needed members; `sink` receives the errors of extracted members. */
export function selectInputs(
  candidates: readonly Candidate[],
  options: SelectOptions,
  sink: DiagnosticSink,
): Selection {
  const waves = selectInWaves(candidates, options, sink);
  for (;;) {
    const { done, value } = waves.next();
    if (done === true) return value;
  }
}

/**
 * The same, but first yields the sources that will be opened next, several at once, so that a caller with threads can assemble
 * them. Extracted members and reasons are the same.
 */
export function* selectInWaves(
  candidates: readonly Candidate[],
  options: SelectOptions,
  sink: DiagnosticSink,
): Generator<readonly LazyInput[], Selection> {
  // Names are needed only if some input is lazy.
  if (candidates.every(({ kind }) => kind === "taken")) {
    const inputs = candidates.flatMap((candidate) => (candidate.kind === "taken" ? candidate.inputs : []));
    return { inputs, extractions: [], left: [], hasKernels: undefined };
  }
  const names = createNameBook();
  const needs = createNeeds(names.rows.strings, options);
  const selecting: Selecting = { candidates, names, needs, extracted: new Map(), extractions: [], definers: undefined };
  for (const candidate of candidates) if (candidate.kind === "taken") take(selecting, candidate.inputs);
  needMatching(selecting, options.globs ?? []);
  for (let wave = nextWave(selecting); wave.length > 0; wave = nextWave(selecting)) {
    yield wave.map(({ input }) => input);
    for (const each of wave) extract(selecting, each, sink);
  }
  finishLibraries(selecting, sink);
  const { extracted, extractions } = selecting;
  return {
    inputs: candidates.flatMap((candidate, i) =>
      candidate.kind === "taken" ? candidate.inputs : (extracted.get(i) ?? []),
    ),
    extractions,
    left: candidates.flatMap((candidate, i) =>
      candidate.kind === "lazy" && !extracted.has(i) ? [candidate.input] : [],
    ),
    hasKernels: needs.hasKernels,
  };
}

/** The state of a selection. */
interface Selecting {
  readonly candidates: readonly Candidate[];
  readonly names: NameBook;
  readonly needs: Needs;
  /** Inputs of the extracted candidates, by index. */
  readonly extracted: Map<number, readonly Input[]>;
  readonly extractions: Extraction[];
  /** Read when the first name is needed. */
  definers: Definers | undefined;
}

const definersOf = (selecting: Selecting): Definers =>
  (selecting.definers ??= findDefiners(selecting.candidates, selecting.names));

/** Adds the definitions and references of inputs. */
function take({ names, needs }: Selecting, inputs: readonly Input[]): void {
  for (const input of inputs) {
    needs.hasKernels ||= input.kind === "image";
    if (input.kind === "object") needs.addAll(names.rows, addInput(names, input), input.name);
  }
}

/**
 * --undefined-glob: refers to the names that match, pattern by pattern, as if each pattern were matched against all names in
 * turn.
 */
function needMatching(selecting: Selecting, globs: readonly string[]): void {
  if (globs.length === 0) return;
  const { strings } = selecting.names.rows;
  const { fitting } = compileGlobList(globs);
  const wanted = definersOf(selecting).names.flatMap((name) =>
    fitting(stringOf(strings, name)).map((glob) => ({ name, glob })),
  );
  for (const { name, glob } of wanted.sort((a, b) => a.glob - b.glob))
    selecting.needs.add(name, `--undefined-glob=${globs[glob]!}`);
}

/** Opens one member of a wave. */
function extract(selecting: Selecting, { at, input, symbol, by }: Pending, sink: DiagnosticSink): void {
  const { names, needs, extracted, extractions } = selecting;
  const inputs = input.open(withNote(sink, `${input.name} is taken for '${symbol}', which ${by} needs`));
  extracted.set(at, inputs);
  extractions.push({ input: input.name, symbol, by });
  const found = definersOf(selecting).found[at]!;
  if (found.isWhole) needs.addAll(names.rows, found, input.name);
  else take(selecting, inputs);
}

/** Opens the libraries in place of their first extracted parts. A library is self-contained. */
function finishLibraries(selecting: Selecting, sink: DiagnosticSink): void {
  const { candidates, extracted } = selecting;
  const finished = new Set<LibraryInput>();
  for (const at of [...extracted.keys()].sort((a, b) => a - b)) {
    const candidate = candidates[at]!;
    const library = candidate.kind === "lazy" ? candidate.input.library : undefined;
    if (library === undefined || finished.has(library)) continue;
    finished.add(library);
    const inputs = library.finish(sink);
    extracted.set(at, inputs);
    take(selecting, inputs);
  }
}

/**
 * The members that are known to be needed. Their definitions are recorded; their references are unknown until they are opened.
 */
function nextWave(selecting: Selecting): readonly Pending[] {
  const { candidates, names, needs, extracted } = selecting;
  const wave: Pending[] = [];
  let size = 0;
  while (size < WAVE) {
    const need = needs.next();
    if (need === undefined) break;
    const { name, by, isCommon } = need;
    const { any, strong, found } = definersOf(selecting);
    // Names that were added later are beyond the columns, and no candidate defines them.
    const at = ((isCommon ? strong : any)[name] ?? 0) - 1;
    const candidate = at < 0 || extracted.has(at) ? undefined : candidates[at];
    if (candidate?.kind !== "lazy") continue;
    const { input } = candidate;
    extracted.set(at, []);
    needs.define(names.rows, found[at]!);
    wave.push({ at, input, symbol: stringOf(names.rows.strings, name), by });
    size += input.read()?.bytes.length ?? 0;
  }
  return wave;
}

/** Limit in bytes for the members of one wave: enough for several threads, and a bound on the memory until all are assembled. */
const WAVE = 8 * 2 ** 20;

/** A candidate to extract. */
interface Pending extends Omit<Extraction, "input"> {
  readonly at: number;
  readonly input: LazyInput;
}

/** A reference to a name. For a common definition, only a strong definition of a member satisfies it. */
interface Need {
  readonly name: StringId;
  readonly by: string;
  readonly isCommon: boolean;
}

/** The definitions of the selected inputs, and their references that nothing defines yet. */
interface Needs {
  hasKernels: boolean;
  /** Adds a reference by an option. */
  readonly add: (name: StringId, by: string) => void;
  /** Records only the definitions of an input; `addAll` follows when it is opened. */
  readonly define: (rows: NameRows, range: NameRange) => void;
  /** Adds all definitions and references of an input. */
  readonly addAll: (rows: NameRows, range: NameRange, by: string) => void;
  /** The next undefined reference; undefined after the last one. */
  readonly next: () => Need | undefined;
}

function createNeeds(strings: StringTable, { roots = [], defined: given = [], wrap = [] }: SelectOptions): Needs {
  const idOf = (name: string): StringId => internString(strings, name);
  const wrapped = new Map([...wrappedNames(wrap)].map(([from, to]) => [idOf(from), idOf(to)] as const));
  // The device runtime is built in: libcudadevrt contains it only as machine code.
  const runtime = new Set([...deviceRuntimeNames.keys()].map(idOf));
  const defined = createNumbers();
  const names: StringId[] = [];
  const commons: boolean[] = [];
  /** The first reference of each input or option. */
  const owners: { readonly start: number; readonly by: string }[] = [];
  let at = 0;
  let owner = 0;
  for (const id of given.map(idOf)) defined.upTo(strings.count)[id] = RANK.strong;
  const needs: Needs = {
    hasKernels: false,
    add(name, by) {
      owners.push({ start: names.length, by });
      names.push(name);
      commons.push(false);
    },
    define({ name: ids, rank: claims }, { start, end }) {
      const known = defined.upTo(strings.count);
      for (let row = start; row < end; row++) {
        const rank = claims[row]! & RANK_BITS;
        if (rank > known[ids[row]!]!) known[ids[row]!] = rank;
      }
    },
    addAll({ name: ids, rank: claims }, { start, end, hasKernels }, by) {
      needs.hasKernels ||= hasKernels;
      owners.push({ start: names.length, by });
      const known = defined.upTo(strings.count);
      for (let row = start; row < end; row++) {
        const flags = claims[row]!;
        if ((flags & FROM_DRIVER) !== 0) continue;
        const rank = flags & RANK_BITS;
        const name = (flags & UNPLACED) === 0 ? ids[row]! : (wrapped.get(ids[row]!) ?? ids[row]!);
        if (rank > known[name]!) known[name] = rank;
        if (rank > RANK.common || (rank !== RANK.common && runtime.has(name))) continue;
        names.push(name);
        commons.push(rank === RANK.common);
      }
    },
    next() {
      const known = defined.upTo(strings.count);
      for (; at < names.length; at++) {
        const isCommon = commons[at]!;
        if (known[names[at]!] !== (isCommon ? RANK.common : RANK.declared)) continue;
        while (owner + 1 < owners.length && owners[owner + 1]!.start <= at) owner++;
        return { name: names[at++]!, by: owners[owner]!.by, isCommon };
      }
      return undefined;
    },
  };
  for (const { name, by } of roots) needs.add(idOf(name), by);
  return needs;
}

/** A number for each string, initially 0. */
interface Numbers {
  /** The numbers of the strings below `count`; valid until there are more strings. */
  readonly upTo: (count: number) => Int32Array;
}

function createNumbers(): Numbers {
  let column = new Int32Array(1 << 12);
  return {
    upTo(count) {
      while (count > column.length) column = larger32(column);
      return column;
    },
  };
}

/** For each name, 1 + the index of the first candidate that defines it, and of the first that defines it strongly. */
interface Definers {
  readonly any: Int32Array;
  readonly strong: Int32Array;
  /** Names that some candidate defines, in order. */
  readonly names: readonly StringId[];
  /** The names of each candidate. */
  readonly found: readonly LazyNames[];
}

function findDefiners(candidates: readonly Candidate[], book: NameBook): Definers {
  const { rows } = book;
  const found = candidates.map((candidate) =>
    candidate.kind === "lazy" ? candidate.input.addNames(book) : { ...noNames, isWhole: false },
  );
  const { name: ids, rank: claims, strings } = rows;
  const [any, strong] = [new Int32Array(strings.count), new Int32Array(strings.count)];
  const names: StringId[] = [];
  found.forEach(({ start, end }, i) => {
    for (let row = start; row < end; row++) {
      const rank = claims[row]! & RANK_BITS;
      if (rank === RANK.declared) continue;
      const name = ids[row]!;
      if (any[name] === 0) {
        any[name] = i + 1;
        names.push(name);
      }
      if (rank === RANK.strong && strong[name] === 0) strong[name] = i + 1;
    }
  });
  return { any, strong, names, found };
}

/** A sink that adds a note to each report. */
function withNote(sink: DiagnosticSink, message: string): DiagnosticSink {
  return {
    all: sink.all,
    get errorCount() {
      return sink.errorCount;
    },
    report: (code, text, place, details = {}) =>
      sink.report(code, text, place, { ...details, notes: [...(details.notes ?? []), { message }] }),
  };
}
