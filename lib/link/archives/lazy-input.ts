// An input that is linked only if something needs it: a member of an archive, or a file between --start-lib and --end-lib.

import { once } from "../../base/once.js";
import { createSink, type DiagnosticSink } from "../../diag/sink.js";
import { parseTarget, type Target } from "../../isa/requirement.js";
import type { Source } from "../../ptx/source-text.js";
import { openArchive } from "../inputs/archive.js";
import { mostExpanded } from "../inputs/embedded.js";
import { embeddedModules, reportFault } from "../inputs/embedded-modules.js";
import { isFor, namesForLink, type ModuleNames } from "./member-names.js";
import { addDefined, noNames, type NameBook } from "./name-book.js";
import type { EntryCache } from "../inputs/entry-cache.js";
import type { Input } from "../inputs/input.js";
import { openMember, reportThin, type OpenOptions } from "../inputs/open-input.js";
import { ifSupported } from "../../object/columns/cursor.js";
import { fileInput } from "../inputs/packed-input.js";
import { openObjectFile, type ObjectElf } from "../../object/columns/read/elf-file.js";
import type { NameRange } from "../resolve/shared-names.js";
import { isEmbedding, isModule, kindOf } from "../inputs/recognise.js";

/** An input whose names are known; the rest is read on demand. */
export interface LazyInput {
  /** The name in messages: "lib.a(member.o)". */
  readonly name: string;
  /** Its bytes, read once; undefined if they are not available, which has been reported if it is an error. */
  readonly read: () => Source | undefined;
  /** The modules that a link would extract, read once. */
  readonly modules: () => readonly ModuleNames[];
  /** Adds the names that it defines. For a ptxkit object, also adds its references. */
  readonly addNames: (book: NameBook) => LazyNames;
  /** The texts in it that are assembled when it is extracted, if they are available. `open` finds them in the same memory. */
  readonly texts: () => readonly TargetedText[];
  /** Extracts it. */
  readonly open: (sink: DiagnosticSink) => readonly Input[];
  /** The library that it is a part of, which is opened once all needed parts are known. */
  readonly library?: LibraryInput;
}

/** An input whose needed parts are extracted, and opened together. */
export interface LibraryInput {
  /** Opens the extracted parts. */
  readonly finish: (sink: DiagnosticSink) => readonly Input[];
}

/** A text; for a text from a fatbin also the target of the link. */
export interface TargetedText {
  readonly source: Source;
  readonly linkTarget: Target | undefined;
}

export interface LazyNames extends NameRange {
  /** Whether its references are included, so that it need not be opened to know them. */
  readonly isWhole: boolean;
}

/** The members of an archive, unread; any other file is one input. */
export function openLazily(source: Source, sink: DiagnosticSink, options: OpenOptions = {}): readonly LazyInput[] {
  if (kindOf(source) !== "archive") return [lazyInput(source.name, () => source, options)];
  const archive = openArchive(source, options.readFile);
  if (archive.fault !== undefined) {
    reportFault(source.name, archive.fault, sink);
    return [];
  }
  reportThin(source, archive, sink, options);
  return archive.members.map(({ name, read }) => lazyInput(name, read, options));
}

/** The state of an input while it is read. */
interface Reading {
  readonly name: string;
  readonly options: OpenOptions;
  readonly read: () => Source | undefined;
  readonly modules: () => readonly ModuleNames[];
  readonly linkTarget: Target | undefined;
  readonly entries: EntryCache | undefined;
  /** The ptxkit object, if the link takes objects as files. */
  file: ObjectElf | undefined;
}

function lazyInput(name: string, readSource: () => Source | undefined, options: OpenOptions): LazyInput {
  const read = once(readSource);
  const linkTarget = options.arch === undefined ? undefined : parseTarget(options.arch);
  const modules = once(() => {
    const source = read();
    return source === undefined ? [] : namesForLink(source, linkTarget);
  });
  const entries = options.entries?.openFile();
  const reading: Reading = { name, options, read, modules, linkTarget, entries, file: undefined };
  return {
    name,
    read,
    modules,
    addNames: (book) => addNames(reading, book),
    texts: () => textsIn(reading),
    open: (sink) => open(reading, sink),
  };
}

function addNames(reading: Reading, book: NameBook): LazyNames {
  const { options, read, modules, linkTarget, entries } = reading;
  const source = read();
  const own = source && options.asFiles === true ? ownFile(source) : undefined;
  const found = own && ifSupported(() => book.read(own));
  if (found !== undefined) {
    reading.file = own;
    return { ...(isFor(found.targets, linkTarget) ? found : noNames), isWhole: true };
  }
  // Do not keep the declarations of a text: thousands of texts would take too much memory.
  const kept =
    source === undefined || kindOf(source) === "ptxkit"
      ? modules()
      : namesForLink(source, linkTarget, { reading: book.memory, cache: entries });
  source?.reread?.release();
  const defined = kept.flatMap(({ names }) => names);
  return { ...addDefined(book.rows, defined), isWhole: false };
}

function textsIn({ read, linkTarget, entries }: Reading): readonly TargetedText[] {
  const source = read();
  if (source === undefined) return [];
  const kind = kindOf(source);
  if (isModule(kind)) return [{ source, linkTarget: undefined }];
  if (!isEmbedding(kind)) return [];
  // Entries that would have to be decompressed twice are left to `open`.
  if (linkTarget === undefined || entries?.isWhole() !== true) return [];
  const expansion = { left: mostExpanded(source.bytes.length) };
  // Errors are reported when the source is opened.
  const found = [
    ...embeddedModules(source, kind, createSink(), { arch: () => linkTarget.name, expansion, cache: entries }),
  ];
  if (!entries.isWhole()) return [];
  return found.flatMap((module) => (kindOf(module) === "ptx" ? [{ source: module, linkTarget }] : []));
}

function open({ name, options, read, modules, entries, file }: Reading, sink: DiagnosticSink): readonly Input[] {
  const source = read();
  if (source === undefined) return [];
  const isRead = file === undefined && kindOf(source) === "ptxkit";
  const object = isRead ? modules()[0]?.object : undefined;
  if (file === undefined && object === undefined) {
    const inputs = openMember(source, sink, options, entries);
    entries?.clear();
    return inputs;
  }
  options.onSource?.(source);
  return [object === undefined ? fileInput(name, source.bytes, file) : { kind: "object", name, object }];
}

/** A ptxkit object; undefined for anything else, and for files that ptxkit's writer did not make. */
const ownFile = (source: Source): ObjectElf | undefined =>
  kindOf(source) === "ptxkit" ? ifSupported(() => openObjectFile(source.bytes)) : undefined;
