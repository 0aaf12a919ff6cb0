// Opens the sources of a link that no pool has assembled. They share one assembler, and each is assembled once, even if the
// inputs are read again (link-selected.ts).

import { reportAgain, type DiagnosticSink } from "../../lib/diag/sink.js";
import type { Target } from "../../lib/isa/requirement.js";
import { openArchive } from "../../lib/link/inputs/archive.js";
import { packedInput } from "../../lib/link/inputs/packed-input.js";
import type { TargetedText } from "../../lib/link/archives/lazy-input.js";
import type { Input } from "../../lib/link/inputs/input.js";
import { isPacked } from "../../lib/object/columns/packed/packed-object.js";
import { createUnpacker } from "../../lib/object/columns/packed/unpack-object.js";
import { isModule, kindOf } from "../../lib/link/inputs/recognise.js";
import { loadedSource } from "../../lib/ptx/rereadable-source.js";
import type { Source } from "../../lib/ptx/source-text.js";
import {
  createTextAssembler,
  createDictionary,
  type Assembled,
  type AssemblyOptions,
  type Job,
} from "./assembler-batch.js";
import type { AssemblerPool } from "./assembler-pool.js";
import type { AssembledMembers } from "./assembled-members.js";

export interface SourceOpener {
  /** The inputs of a source, compiled for the link's target if it is inside a fatbin; empty if an error was reported. */
  readonly open: (source: Source, sink: DiagnosticSink, linkTarget: Target | undefined) => readonly Input[];
  /** The inputs of an assembled source. */
  readonly inputsOf: (name: string, assembled: Assembled, sink: DiagnosticSink) => readonly Input[];
}

export interface SourceOpenerOptions extends AssemblyOptions {
  /** Whether to return packed objects, which are then cached. */
  readonly wantsPacked: boolean;
  readonly inside: AssembledMembers;
}

export function createSourceOpener({ wantsPacked, inside, ...options }: SourceOpenerOptions): SourceOpener {
  const assemble = createTextAssembler(options);
  const unpack = createUnpacker();
  const dictionary = wantsPacked ? createDictionary() : undefined;

  function inputsOf(name: string, { output, diagnostics }: Assembled, sink: DiagnosticSink): readonly Input[] {
    reportAgain(diagnostics, sink);
    if (output === undefined) return [];
    if (!isPacked(output)) return [{ kind: "object", name, object: output }];
    return wantsPacked ? [packedInput(name, output, unpack)] : [{ kind: "object", name, object: unpack(output) }];
  }

  return {
    inputsOf,
    open(source, sink, linkTarget) {
      const known = inside.get(source);
      const assembled = known ?? assemble(jobOf({ source, linkTarget }), dictionary);
      if (!wantsPacked) inside.delete(source);
      else if (known === undefined) inside.set(source, assembled);
      return inputsOf(source.name, assembled, sink);
    },
  };
}

/** The job for a text; a re-readable source is freed as soon as it is assembled. */
const jobOf = ({ source, linkTarget }: TargetedText): Job =>
  source.reread === undefined
    ? { source, linkTarget }
    : { source: loadedSource(source), linkTarget, onRead: source.reread.release };

/** Assembles sources that will be opened. */
export async function assembleSources(
  texts: Iterable<TargetedText>,
  inside: AssembledMembers,
  openPool: () => Promise<AssemblerPool>,
): Promise<void> {
  const added: (readonly [Source, number])[] = [];
  let pool: AssemblerPool | undefined;
  for (const { source, linkTarget } of texts) {
    if (inside.get(source) !== undefined) continue;
    pool ??= await openPool();
    added.push([source, await pool.add(jobOf({ source, linkTarget }))]);
  }
  const results = (await pool?.results()) ?? [];
  for (const [source, number] of added) inside.set(source, results[number]!);
}

/**
 * The sources of an archive all of whose members are extracted. Members of thin archives are files: they are read, or reported
 * missing, when they are linked.
 */
export function* sourcesOf(archive: Source): Generator<TargetedText> {
  const { isThin, fault, members } = openArchive(archive);
  if (isThin || fault !== undefined) return;
  for (const member of members) {
    const source = member.read();
    if (source !== undefined && isModule(kindOf(source))) yield { source, linkTarget: undefined };
  }
}
