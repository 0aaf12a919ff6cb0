// For a name that stays undefined, finds archive members that were not extracted but define it: only for their own module, for
// another architecture, or as machine code. Members are read only if a link fails, and then once.

import { decodeFlags } from "../../../formats/cuda/index.js";
import { readElf, SHN, STB, symbolsOf, sectionNamed } from "../../../formats/elf/index.js";
import type { Note } from "../../diag/diagnostic.js";
import { parseTarget, type Target } from "../../isa/requirement.js";
import type { Source } from "../../ptx/source-text.js";
import { subjectText } from "../model/describe.js";
import { fatbinsToLink, kindName, mostExpanded, readEmbedded, readEntry } from "../inputs/embedded.js";
import type { LazyInput } from "./lazy-input.js";
import { openArchive } from "../inputs/archive.js";
import { namesForLink, namesOf } from "./member-names.js";
import { kindOf } from "../inputs/recognise.js";
import { linksInto } from "../model/targets.js";
import { STATIC_REMEDY, type Suggestion } from "../model/suggestion.js";

/** Why a member's definition does not help the link. */
interface Hidden {
  readonly kind: "static" | "nested" | "ptx" | "cubin";
  readonly target: string;
  readonly note: Note | undefined;
  readonly input: LazyInput;
}

/** Limit of the definitions that a message shows. */
const MAX_NOTES = 3;

/** Returns a function that looks up names; `linkTarget`: the target of the link. */
export function createElsewhere(
  left: readonly LazyInput[],
  linkTarget: string | undefined,
): (name: string) => Suggestion | undefined {
  const target = linkTarget === undefined ? undefined : parseTarget(linkTarget);
  let hidden: ReadonlyMap<string, readonly Hidden[]> | undefined;
  return (name) => {
    hidden ??= findHidden(left, target);
    const found = hidden.get(name);
    if (found === undefined) return undefined;
    const statics = found.filter(({ kind }) => kind === "static");
    if (statics.length > 0) {
      return { notes: statics.slice(0, MAX_NOTES).flatMap(({ note }) => note ?? []), remedy: STATIC_REMEDY };
    }
    const nested = found.filter(({ kind }) => kind === "nested");
    if (nested.length > 0)
      return {
        notes: nested.slice(0, MAX_NOTES).flatMap(({ note }) => note ?? []),
        remedy:
          "an archive inside an archive is not looked into: take it out (ar x) and name it as an input of its own",
      };
    const inputs = [...new Set(found.map(({ input }) => input))];
    const notes = inputs.slice(0, MAX_NOTES).map((input): Note => {
      const targets = (kind: Hidden["kind"]): string =>
        [
          ...new Set(found.filter((each) => each.input === input && each.kind === kind).map((each) => each.target)),
        ].join(", ");
      const [ptx, cubin] = [targets("ptx"), targets("cubin")];
      const forms = [
        ...(ptx === "" ? [] : [`PTX for ${ptx}`]),
        ...(cubin === "" ? [] : [`machine code (SASS) for ${cubin}`]),
      ];
      return { message: `${input.name} defines ${subjectText(name)} as ${forms.join(" and ")}` };
    });
    const wanted = (linkTarget ?? "sm_90").replace("sm_", "compute_");
    const others = [...new Set(found.flatMap(({ kind, target }) => (kind === "ptx" ? [target] : [])))];
    return {
      notes,
      remedy:
        `none of that can be linked${linkTarget === undefined ? "" : ` for ${linkTarget}`}: compile the library with -gencode arch=${wanted},code=${wanted}` +
        (others.length === 0 ? "" : `, or everything else for ${others.join(" or ")}`),
    };
  };
}

function findHidden(
  left: readonly LazyInput[],
  linkTarget: Target | undefined,
): ReadonlyMap<string, readonly Hidden[]> {
  const byName = new Map<string, Hidden[]>();
  const add = (name: string, hidden: Hidden): void => {
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [hidden]);
    else known.push(hidden);
  };
  for (const input of left) {
    for (const { names } of input.modules())
      for (const { name, claim, place } of names)
        if (claim === "static") {
          const note = { message: `${subjectText(name)} is defined without .visible in ${input.name}`, place: place() };
          add(name, { kind: "static", target: "", note, input });
        }
    const source = input.read();
    if (source === undefined) continue;
    if (kindOf(source) === "archive") {
      for (const { name, member } of namesInside(source, linkTarget)) {
        const note = { message: `${subjectText(name)} is defined in ${member}` };
        add(name, { kind: "nested", target: "", note, input });
      }
      continue;
    }
    for (const { kind, target, names } of formsOf(source, linkTarget))
      for (const name of names) add(name, { kind, target, note: undefined, input });
  }
  return byName;
}

/** The names that members of an archive inside an archive define. */
function namesInside(source: Source, linkTarget: Target | undefined) {
  return openArchive(source).members.flatMap(({ name: member, read }) => {
    const inner = read();
    const modules = inner === undefined ? [] : namesForLink(inner, linkTarget);
    return modules.flatMap(({ names }) =>
      names.flatMap(({ name, claim }) => (claim === "static" ? [] : [{ name, member }])),
    );
  });
}

interface Form {
  readonly kind: "ptx" | "cubin";
  readonly target: string;
  readonly names: readonly string[];
}

/** Every form of code in a member, except the one that the link would extract. */
function formsOf(source: Source, linkTarget: Target | undefined): readonly Form[] {
  const kind = kindOf(source);
  switch (kind) {
    case "ptx":
    case "ptxkit": {
      const { targets, names } = namesOf(source);
      if (linkTarget === undefined || targets.every((target) => linksInto(target, linkTarget))) return [];
      const others = names.filter(({ claim }) => claim !== "static").map(({ name }) => name);
      return [{ kind: "ptx", target: targets.map(({ name }) => name).join(", "), names: others }];
    }
    case "cubin":
      return [{ kind, target: targetOfMachineCode(source.bytes), names: namesOfMachineCode(source.bytes) }];
    case "fatbin":
    case "host-elf":
    case "pe":
    case "mach-o": {
      let left = mostExpanded(source.bytes.length);
      return fatbinsToLink(readEmbedded(source, kind).fatbins).flatMap(({ entries }) =>
        entries.flatMap((entry): readonly Form[] => {
          const form = kindName(entry);
          if ((form !== "ptx" && form !== "cubin") || (left -= entry.size) < 0) return [];
          const read = readEntry(entry);
          if (!read.ok) return [];
          if (form === "cubin")
            return [{ kind: form, target: entry.target, names: namesOfMachineCode(read.value.bytes) }];
          const names = namesOf(read.value).names.filter(({ claim }) => claim !== "static");
          return [{ kind: form, target: entry.target, names: names.map(({ name }) => name) }];
        }),
      );
    }
    default:
      return [];
  }
}

/** The target of one of NVIDIA's cubins: "sm_90". */
function targetOfMachineCode(bytes: Uint8Array): string {
  const file = readElf(bytes);
  const flags = file.ok ? decodeFlags(file.value.header.abiVersion, file.value.header.flags) : undefined;
  return flags === undefined ? "an unknown architecture" : `sm_${flags.sm}`;
}

/** The names that one of NVIDIA's cubins defines for other modules. */
function namesOfMachineCode(bytes: Uint8Array): readonly string[] {
  const file = readElf(bytes);
  const section = file.ok ? sectionNamed(file.value, ".symtab") : undefined;
  if (!file.ok || section === undefined) return [];
  const table = symbolsOf(file.value, section);
  if (!table.ok) return [];
  const names: string[] = [];
  for (let i = 1; i < table.value.count; i++) {
    const { name, binding, sectionIndex, special } = table.value.at(i);
    if (binding !== STB.LOCAL && (sectionIndex !== 0 || special === SHN.COMMON)) names.push(name);
  }
  return names;
}
