// An input that is taken only when something needs it: a member of an archive, or a file between --start-lib and --end-lib.

import type { DiagnosticSink } from "../diag/sink.js";
import { parseTarget } from "../isa/requirement.js";
import type { Source } from "../ptx/tree.js";
import { openArchive } from "./archive.js";
import { reportFault } from "./embedded-modules.js";
import { namesForLink, type ModuleNames } from "./member-names.js";
import { openMember, reportThin, type Input, type OpenOptions } from "./open-input.js";
import { recognise } from "./recognise.js";

export interface LazyInput {
  /** As messages name it: "lib.a(member.o)". */
  readonly name: string;
  /** Its bytes, read once; undefined after a report, or where there are none. */
  readonly read: () => Source | undefined;
  /** What a link would take of it, read once. */
  readonly modules: () => readonly ModuleNames[];
  /** Takes it. */
  readonly open: (sink: DiagnosticSink) => readonly Input[];
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
  return {
    name,
    read,
    modules,
    open(sink) {
      const source = read();
      if (source === undefined) return [];
      const object = modules()[0]?.object;
      if (object === undefined) return openMember(source, sink, options);
      options.onSource?.(source);
      return [{ kind: "object", name, object, file: source.bytes }];
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
