// An input that is taken only when something needs it: a member of an archive, or a file between --start-lib and --end-lib.

import type { DiagnosticSink } from "../diag/sink.js";
import { parseTarget } from "../isa/requirement.js";
import type { Source } from "../ptx/tree.js";
import { openArchive } from "./archive.js";
import { reportFault } from "./embedded-modules.js";
import { isFor, namesForLink, type ModuleNames } from "./member-names.js";
import { addDefined, noNames, type NameBook } from "./name-book.js";
import { openMember, reportThin, type Input, type OpenOptions } from "./open-input.js";
import { unlessNotPlain } from "./plain/cursor.js";
import { fileInput } from "./held-input.js";
import { openPlain, type ElfFrame } from "./plain/frame.js";
import type { NameRange } from "./plain/names.js";
import { recognise } from "./recognise.js";

export interface LazyInput {
  /** As messages name it: "lib.a(member.o)". */
  readonly name: string;
  /** Its bytes, read once; undefined after a report, or where there are none. */
  readonly read: () => Source | undefined;
  /** What a link would take of it, read once. */
  readonly modules: () => readonly ModuleNames[];
  /** The names that it defines, or, of one of our objects, all that it says of names. */
  readonly addNames: (book: NameBook) => LazyNames;
  /** Takes it. */
  readonly open: (sink: DiagnosticSink) => readonly Input[];
}

export interface LazyNames extends NameRange {
  /** Whether what it refers to is among them, so that it need not be opened to be known. */
  readonly isWhole: boolean;
}

/** The members of an archive, none of them read yet; of any other file that file. */
export function openLazily(source: Source, sink: DiagnosticSink, options: OpenOptions = {}): readonly LazyInput[] {
  if (recognise(source.bytes) !== "archive") return [lazyInput(source.name, () => source, options)];
  const archive = openArchive(source, options.readFile);
  if (archive.fault !== undefined) {
    reportFault(source.name, archive.fault, sink);
    return [];
  }
  reportThin(source, archive, sink, options);
  return archive.members.map(({ name, read }) => lazyInput(name, read, options));
}

function lazyInput(name: string, readSource: () => Source | undefined, options: OpenOptions): LazyInput {
  const read = once(readSource);
  const goal = options.arch === undefined ? undefined : parseTarget(options.arch);
  const modules = once(() => {
    const source = read();
    return source === undefined ? [] : namesForLink(source, goal);
  });
  let file: ElfFrame | undefined;
  return {
    name,
    read,
    modules,
    addNames(book) {
      const source = read();
      const own = source && options.asFiles === true ? ownFile(source) : undefined;
      const found = own && unlessNotPlain(() => book.read(own));
      if (found !== undefined) {
        file = own;
        return { ...(isFor(found.targets, goal) ? found : noNames), isWhole: true };
      }
      // Of thousands of texts the declarations are too much to be kept.
      const kept =
        source === undefined || recognise(source.bytes) === "ptxkit"
          ? modules()
          : namesForLink(source, goal, book.memory);
      return {
        ...addDefined(
          book.rows,
          kept.flatMap(({ names }) => names),
        ),
        isWhole: false,
      };
    },
    open(sink) {
      const source = read();
      if (source === undefined) return [];
      const isRead = file === undefined && recognise(source.bytes) === "ptxkit";
      const object = isRead ? modules()[0]?.object : undefined;
      if (file === undefined && object === undefined) return openMember(source, sink, options);
      options.onSource?.(source);
      return [object === undefined ? fileInput(name, source.bytes, file) : { kind: "object", name, object }];
    },
  };
}

/** One of our objects; undefined for anything else, and where it is not as our writer makes them. */
const ownFile = ({ bytes }: Source): ElfFrame | undefined =>
  recognise(bytes) === "ptxkit" ? unlessNotPlain(() => openPlain(bytes)) : undefined;

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
