// Maps of -r and --emit ptx: the symbols of the output, their names, and what was discarded. Sums over rows equal those
// of modules.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { emitPtx, linkRelocatable } from "../../lib/link/link-objects.js";
import type { LinkOptions } from "../../lib/link/options.js";
import type { PartialLink } from "../../lib/link/model/relocatable.js";
import { makeObjectMap, type ObjectMap } from "../../lib/link/reports/object-map.js";
import type { ObjectFile } from "../../lib/object/object.js";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText, objectOf } from "./build.js";

const bodies = [
  `.global .u32 count = 1;
.weak .const .u32 w[4] = {1, 2, 3, 4};
.common .global .u32 c;
.extern .func f();
.extern .func idle();
.extern .shared .b8 smem[];
.visible .entry k() { .shared .b8 own[8]; .reg .b64 %r; mov.u64 %r, smem; mov.u64 %r, own; call f; ret; }`,
  `.global .u32 count = 2;
.weak .const .u32 w[4] = {1, 2, 3, 4};
.common .global .align 8 .b8 c[16];
.func plain() { .reg .b64 %r; mov.u64 %r, count; ret; }
.visible .func f();
.alias f, plain;`,
];
const objects = bodies.map((body, i) => objectOf(`${"ab"[i]}.ptx`, moduleText(body)));

type Make = (objects: readonly ObjectFile[], options: LinkOptions) => unknown;
const makes: Readonly<Record<ObjectMap["output"], Make>> = {
  object: (all, options) => linkRelocatable(all, options, createSink()),
  ptx: (all, options) => emitPtx(all, options, createSink()),
};

function mapOf(output: ObjectMap["output"]): ObjectMap {
  let joined: PartialLink | undefined;
  makes[output](objects, { name: "out", onPartialLink: (each) => (joined = each) });
  return makeObjectMap(joined!);
}

const rowsOf = ({ symbols }: ObjectMap): readonly string[] =>
  symbols.map(({ kind, name, textName, binding, file, line, size, section, offset }) =>
    [kind, name, textName, binding, `${file}:${line}`, kind === "variable" ? size : "", section, offset].join(" "),
  );

test("-r: every symbol with its module, and its offset in its module's section", (t) => {
  const map = mapOf("object");
  t.deepEqual(
    rowsOf(map).filter((row) => row.startsWith("variable")),
    [
      "variable count  static a.ptx:4 4 .nv.global.init 0",
      "variable w  weak a.ptx:5 16 .nv.constant3 0",
      "variable c  common a.ptx:6 16  ",
      "variable $__own__0  static a.ptx:10 8 .nv.shared.k ",
      "variable count  static b.ptx:4 4 .nv.global.init 0",
    ],
  );
  t.deepEqual(map.open.map(({ name }) => name), ["smem"]); // prettier-ignore
  t.deepEqual(
    map.discarded.map(({ name, file, reason, keepsBytes }) => [name, file, reason, keepsBytes]),
    [["w", "b.ptx", "lost", true]],
  );
  t.deepEqual(map.modules.map(({ file, functions, variables, bytes }) => [file, functions, variables, bytes.const, bytes.dead]), [
    ["a.ptx", 1, 4, 16, 0],
    ["b.ptx", 1, 1, 16, 16],
  ]); // prettier-ignore
});

test("--emit ptx: the names of the text, and no places", (t) => {
  const map = mapOf("ptx");
  t.deepEqual(
    map.symbols.flatMap(({ name, textName, file }) => (textName === undefined ? [] : [[name, textName, file]])),
    [["count", "count_1", "b.ptx"]],
  );
  t.true(map.symbols.every(({ section, offset }) => section === undefined && offset === undefined));
  t.deepEqual(map.open.map(({ name }) => name), ["smem"]); // prettier-ignore
  t.deepEqual(map.discarded.map(({ name, keepsBytes }) => [name, keepsBytes]), [["w", false]]); // prettier-ignore
  t.true(rowsOf(map).includes("alias f  visible b.ptx:8   "));
  const sum = (of: (row: ObjectMap["symbols"][number]) => number): number => map.symbols.reduce((all, row) => all + of(row), 0); // prettier-ignore
  const inModules = map.modules.flatMap(({ bytes: { dead: _, ...bytes } }) => Object.values(bytes));
  t.is(
    sum(({ size }) => size),
    inModules.reduce((a, b) => a + b, 0),
  );
});

test("as text and as JSON, beside either output", async (t) => {
  const files = Object.fromEntries(bodies.map((body, i) => [`${"ab"[i]}.ptx`, moduleText(body)]));
  const made = await ptxkit("link --emit ptx a.ptx b.ptx --map m --print-symbol-counts n -o o.ptx".split(" "), { files }); // prettier-ignore
  t.is(made.status, 0, made.err);
  const text = Buffer.from(made.written.get("m")!).toString();
  t.regex(text, /^Link map of o\.ptx, a PTX module for sm_80, PTX 8\.5\n/);
  t.regex(text, / b\.ptx:4 +count_1 +count\n/);
  t.is(Buffer.from(made.written.get("n")!).toString(), "symbols a.ptx 5 5 0\nsymbols b.ptx 3 2 1\n");
  const joined = await ptxkit("link -r a.ptx b.ptx --map m.json -o o".split(" "), { files });
  t.is(joined.status, 0, joined.err);
  t.deepEqual(JSON.parse(Buffer.from(joined.written.get("m.json")!).toString()), { ...mapOf("object"), name: "o" });
});
