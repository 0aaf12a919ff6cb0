// The inputs of link and run: read, opened, and of archives the members that are needed (lib/link/select-archive.ts).

import path from "node:path";
import { createElsewhere } from "../lib/link/elsewhere.js";
import { openLazily, type LazyInput } from "../lib/link/lazy-input.js";
import type { LinkOptions } from "../lib/link/options.js";
import { openInputs, type Input, type OpenOptions } from "../lib/link/open-input.js";
import {
  checkKernels,
  selectInputs,
  type Candidate,
  type Extraction,
  type NameRoot,
  type SelectOptions,
} from "../lib/link/select-archive.js";
import type { ObjectFile } from "../lib/object/object.js";
import { recognise } from "../lib/link/recognise.js";
import type { Source } from "../lib/ptx/tree.js";
import type { CommonOptions, Session } from "./common.js";
import { checkOptions, memberReader } from "./inputs.js";
import type { NameOptions } from "./name-options.js";
import type { LibraryOptions, PlacedInput } from "./placed-inputs.js";
import { tryReadSelected } from "./selected.js";

export interface InputOptions extends CommonOptions, LibraryOptions, Pick<NameOptions, "defsym" | "wrap"> {
  /** Of -u and --require-defined. */
  readonly undefined?: readonly string[];
  readonly requireDefined?: readonly string[];
  readonly arch?: string;
  readonly relocatable?: boolean;
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

/** Every input that could be read; faults are in the sink. `roots`: names that are referred to besides. */
export function readInputs(
  placed: readonly PlacedInput[],
  session: Session,
  options: InputOptions,
  roots: readonly NameRoot[] = [],
): LinkInputs {
  const { sink } = session;
  // An archive waits until all that is taken in any case is open: the first of that says what of the archive fits.
  const slots: ({ readonly inputs: readonly Input[] } | { readonly waiting: Source })[] = [];
  let goal = options.arch;
  for (const each of placed) {
    const file = each.isLibrary ? findLibrary(each.name, options.libraryPath ?? [], session) : each.name;
    const source = file === undefined ? undefined : tryReadSelected(file, session);
    if (source === undefined) continue;
    if (each.isLazy || (!each.isWhole && recognise(source.bytes) === "archive")) {
      slots.push({ waiting: source });
      continue;
    }
    const inputs = openInputs(source, sink, openOptions(session, options, goal));
    slots.push({ inputs });
    goal ??= inputs[0] && objectOf(inputs[0]).target.name;
  }
  const candidates = slots.flatMap((slot): readonly Candidate[] => {
    if ("inputs" in slot) return [{ kind: "taken", inputs: slot.inputs }];
    const lazily = openLazily(slot.waiting, sink, openOptions(session, options, goal));
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
  const leading = slots.flatMap((slot) => ("inputs" in slot ? slot.inputs : []))[0];
  const leader = leading === undefined ? 0 : selection.inputs.indexOf(leading);
  return { ...selection, objects, leader, goal };
}

/** What the linker is to know of the inputs besides the objects. */
export function inputFacts({ leader, left, goal }: LinkInputs): Pick<LinkOptions, "leader" | "suggestElsewhere"> {
  return { leader, ...(left.length === 0 ? {} : { suggestElsewhere: createElsewhere(left, goal) }) };
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
