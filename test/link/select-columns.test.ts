// Archive members are selected from columns of names as from objects: the same ones, for the same reasons, in the same
// order.

import { checkKernels } from "../../lib/link/archives/check-kernels.js";
import test from "ava";
import fc from "fast-check";
import { writeArchive } from "../../formats/ar/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { inputPacker } from "../../lib/link/inputs/packed-input.js";
import { openLazily } from "../../lib/link/archives/lazy-input.js";
import { openInputs, type OpenOptions } from "../../lib/link/inputs/open-input.js";
import { ifSupported } from "../../lib/object/columns/cursor.js";
import { selectInputs, type Candidate, type SelectOptions } from "../../lib/link/archives/select-archive.js";
import { writeObject } from "../../lib/object/file/write.js";
import type { Source } from "../../lib/ptx/source-text.js";
import { rounds } from "../sample.js";
import { moduleText, objectOf } from "./build.js";

/** Ways in which a module mentions a name. */
const said: readonly ((name: string) => string)[] = [
  (name) => `.visible .func ${name} { ret; }`,
  (name) => `.weak .func ${name} { ret; }`,
  (name) => `.func ${name} { ret; }`,
  (name) => `.extern .func ${name}; .func calls_${name} { call ${name}; ret; }`,
  (name) => `.visible .entry ${name}() { ret; }`,
  (name) => `.extern .global .u32 ${name};`,
  (name) => `.common .global .u32 ${name};`,
  (name) => `.visible .global .u32 ${name} = 7;`,
  (name) => `.weak .const .u32 ${name} = 8;`,
  (name) => `.extern .global .texref ${name};`,
  (name) => `.visible .global .texref ${name};`,
  (name) => `.extern .shared .b8 ${name}[];`,
  (name) => `.visible .func real_${name} { ret; } .visible .func ${name}; .alias ${name}, real_${name};`,
];
const names = ["a", "b", "c", "d", "e", "f"];

interface Module {
  readonly says: readonly (number | undefined)[];
  readonly isText: boolean;
  readonly target: string;
  /** The byte that is damaged. */
  readonly spoilt: number | undefined;
}

const modules: fc.Arbitrary<Module> = fc.record({
  says: fc.tuple(...names.map(() => fc.option(fc.nat({ max: said.length - 1 }), { nil: undefined, freq: 2 }))),
  isText: fc.boolean(),
  target: fc.oneof(
    { weight: 6, arbitrary: fc.constant("sm_80") },
    { weight: 1, arbitrary: fc.constantFrom("sm_75", "sm_90") },
  ),
  spoilt: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat() }),
});

function memberOf({ says, isText, target, spoilt }: Module, i: number): { name: string; data: Uint8Array } {
  const text = moduleText(says.map((how, at) => (how === undefined ? "" : said[how]!(names[at]!))).join("\n"), target);
  if (isText) return { name: `m${i}.ptx`, data: Buffer.from(text) };
  const data = writeObject(objectOf(`m${i}.ptx`, text));
  if (spoilt !== undefined) data[spoilt % data.length]! ^= 0x11;
  return { name: `m${i}.o`, data };
}

const options: fc.Arbitrary<SelectOptions> = fc.record(
  {
    roots: fc.array(fc.record({ name: fc.constantFrom(...names), by: fc.constant("-u") }), { maxLength: 2 }),
    globs: fc.subarray(["*", "[a-c]", "real_*"], { maxLength: 1 }),
    defined: fc.subarray(names, { maxLength: 2 }),
    wrap: fc.subarray(names, { maxLength: 1 }),
  },
  { requiredKeys: [] },
);

/** The selected members and the diagnostics; undefined if the selection falls back to objects. */
function chosen(first: Source, archives: readonly Source[], how: SelectOptions, open: OpenOptions) {
  const sink = createSink();
  const select = () => {
    const candidates: readonly Candidate[] = [
      { kind: "taken", inputs: openInputs(first, sink, open) },
      ...archives.flatMap((archive) =>
        openLazily(archive, sink, { ...open, arch: "sm_80" }).map((input): Candidate => ({ kind: "lazy", input })),
      ),
    ];
    const selection = selectInputs(candidates, how, sink);
    checkKernels(selection, [], true, sink);
    return selection;
  };
  const found = open.asFiles === true ? ifSupported(select) : select();
  return (
    found && {
      selection: found,
      what: {
        inputs: found.inputs.map((input) => (input.kind === "object" ? input.name : input.image.name)),
        left: found.left.map(({ name }) => name),
        extractions: found.extractions,
        hasKernels: found.hasKernels,
        said: sink.all,
      },
    }
  );
}

test("the same members are selected from columns as from objects, for the same reasons", (t) => {
  const runs = rounds(400, 6);
  let taken = 0;
  let asFiles = 0;
  fc.assert(
    fc.property(
      modules,
      fc.array(fc.array(modules, { maxLength: 5 }), { maxLength: 3 }),
      options,
      (first, sets, how) => {
        const named = memberOf({ ...first, spoilt: undefined }, 99);
        const archives = sets.map((set, i) => ({ name: `lib${i}.a`, bytes: writeArchive(set.map(memberOf)) }));
        const source = { name: named.name, bytes: named.data };
        const objects = chosen(source, archives, how, {});
        const files = chosen(source, archives, how, { asFiles: true, pack: inputPacker() });
        taken += objects!.what.extractions.length;
        if (files === undefined) return;
        const areFiles = files.selection.inputs.every(
          (input) => input.kind === "object" && input.linkInput !== undefined,
        );
        // A damaged member is only detected when its file is linked.
        if (!areFiles || sets.flat().some(({ spoilt }) => spoilt !== undefined)) return;
        asFiles++;
        t.deepEqual(files.what, objects!.what);
      },
    ),
    { numRuns: runs },
  );
  t.true(taken * 4 > runs && asFiles * 4 > runs, `${taken} taken, ${asFiles} as files`);
});
