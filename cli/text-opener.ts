// Opens the texts of a link that no pool has on its own: one assembler for all of them, and each is assembled once, also where
// the inputs are read again (link-selected.ts).

import { reportAgain, type DiagnosticSink } from "../lib/diag/sink.js";
import type { Target } from "../lib/isa/requirement.js";
import { openArchive } from "../lib/link/inputs/archive.js";
import { packedInput } from "../lib/link/inputs/held-input.js";
import type { GoalText } from "../lib/link/archives/lazy-input.js";
import type { Input } from "../lib/link/inputs/input.js";
import { isPacked } from "../lib/link/plain/packed/packed.js";
import { createUnpacker } from "../lib/link/plain/packed/unpacked.js";
import { isModule, kindOf } from "../lib/link/inputs/recognise.js";
import { heldNow } from "../lib/ptx/text-again.js";
import type { Source } from "../lib/ptx/tree.js";
import {
  createTextAssembler,
  newVocabulary,
  type Assembled,
  type AssemblyOptions,
  type Job,
} from "./assembler-batch.js";
import type { AssemblerPool } from "./assembler-pool.js";
import type { TextsInside } from "./texts-inside.js";

export interface TextOpener {
  /** The input in a text, for the target of the link if it is inside a fatbin; none after a report. */
  readonly open: (source: Source, sink: DiagnosticSink, goal: Target | undefined) => readonly Input[];
  /** The input that came of a text. */
  readonly inputsOf: (name: string, assembled: Assembled, sink: DiagnosticSink) => readonly Input[];
}

export interface TextOpenerOptions extends AssemblyOptions {
  /** Whether packed objects are wanted, and to be kept. */
  readonly wantsPacked: boolean;
  readonly inside: TextsInside;
}

export function createTextOpener({ wantsPacked, inside, ...options }: TextOpenerOptions): TextOpener {
  const assemble = createTextAssembler(options);
  const unpack = createUnpacker();
  const vocabulary = wantsPacked ? newVocabulary() : undefined;

  function inputsOf(name: string, { output, diagnostics }: Assembled, sink: DiagnosticSink): readonly Input[] {
    reportAgain(diagnostics, sink);
    if (output === undefined) return [];
    if (!isPacked(output)) return [{ kind: "object", name, object: output }];
    return wantsPacked ? [packedInput(name, output, unpack)] : [{ kind: "object", name, object: unpack(output) }];
  }

  return {
    inputsOf,
    open(source, sink, goal) {
      const known = inside.get(source);
      const assembled = known ?? assemble(jobOf({ source, goal }), vocabulary);
      if (!wantsPacked) inside.delete(source);
      else if (known === undefined) inside.set(source, assembled);
      return inputsOf(source.name, assembled, sink);
    },
  };
}

/** A text that can be read again is let go as soon as it is assembled. */
const jobOf = ({ source, goal }: GoalText): Job =>
  source.again === undefined ? { source, goal } : { source: heldNow(source), goal, onRead: source.again.letGo };

/** Has texts assembled that will be opened. */
export async function assembleTexts(
  texts: Iterable<GoalText>,
  inside: TextsInside,
  openPool: () => Promise<AssemblerPool>,
): Promise<void> {
  const added: (readonly [Source, number])[] = [];
  let pool: AssemblerPool | undefined;
  for (const { source, goal } of texts) {
    if (inside.get(source) !== undefined) continue;
    pool ??= await openPool();
    added.push([source, await pool.add(jobOf({ source, goal }))]);
  }
  const results = (await pool?.results()) ?? [];
  for (const [source, number] of added) inside.set(source, results[number]!);
}

/**
 * The texts of an archive of which every member is taken. Members of thin archives are files, which are read, and missed, when it is
 * their turn.
 */
export function* textsOf(archive: Source): Generator<GoalText> {
  const { isThin, fault, members } = openArchive(archive);
  if (isThin || fault !== undefined) return;
  for (const member of members) {
    const source = member.read();
    if (source !== undefined && isModule(kindOf(source))) yield { source, goal: undefined };
  }
}
