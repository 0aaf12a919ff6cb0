// Properties of code in our files, compared with those that ptxas -c and nvlink write for the same text. With both
// tools installed, PTXKIT_UPDATE=1 npx ava test/object/code-properties.test.ts writes the record.

import test from "ava";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { need } from "../../formats/bytes/malformed.js";
import { decodeInfo, EIATTR, readCallGraph, readInfo } from "../../formats/cuda/index.js";
import { readElf, sectionNamed, stringAt, symbolsOf } from "../../formats/elf/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects, linkRelocatable } from "../../lib/link/link-objects.js";
import { assemble } from "../../lib/object/assemble.js";
import { writeObject } from "../../lib/object/file/write.js";
import { decodeObject } from "../../lib/object/file/read.js";
import { check } from "./pipeline.js";
import { isInstalled } from "../installed.js";

const testdata = new URL("../../../testdata/", import.meta.url);
const recordFile = new URL("oracle/code.json", testdata);
const own = new URL("oracle/code/", testdata);
const programs = [
  "barrier-votes/barrier-votes",
  "function-pointers/function-pointers",
  "old-parameters/old-parameters",
];

/** Targets for which NVIDIA's files differ: a text is tried for its own and each later one. */
const targets = [75, 80, 86, 89, 90, 100, 103, 110, 120];
const targetPattern = /^\.target sm_(\d+)/m;

/** The checker warns about this module. */
const excessive = `.version 9.0
.target sm_75
.address_size 64
.visible .entry a() .maxntid 1025 { ret; }
.visible .entry b() .maxntid 1537 { ret; }
.visible .entry c() .maxntid 65536, 65536 { ret; }
.visible .entry d() .maxntid 512 .minnctapersm 4294967295 { ret; }
.visible .entry e() .maxnreg 300 { ret; }
.visible .entry f() .maxntid 128 .minnctapersm 4 .maxnreg 300 { ret; }
`;

const texts: Readonly<Record<string, string>> = Object.fromEntries([
  ...["excessive", ...readdirSync(own)].flatMap((name) => {
    const text = name === "excessive" ? excessive : readFileSync(new URL(name, own), "utf8");
    const least = Number(targetPattern.exec(text)![1]);
    return targets.flatMap((sm) =>
      sm < least ? [] : [[`${name} sm_${sm}`, text.replace(targetPattern, `.target sm_${sm}`)] as const],
    );
  }),
  ...programs.flatMap((name) => {
    const file = new URL(`programs/${name}.ptx`, testdata);
    try {
      return [[name, readFileSync(file, "utf8")] as const];
    } catch {
      return [];
    }
  }),
]);

/** PTX determines payload and format of these; those with symbol indices are compared by presence. */
const ATTRIBUTES: ReadonlyMap<number, "payload" | "presence"> = new Map([
  [EIATTR.CTAIDZ_USED, "payload"],
  [EIATTR.WMMA_USED, "payload"],
  [EIATTR.MAXREG_COUNT, "payload"],
  [EIATTR.BLOCKS_ARE_CLUSTERS, "payload"],
  [EIATTR.MAX_THREADS, "payload"],
  [EIATTR.PARAM_CBANK, "presence"],
  [EIATTR.REQNTID, "payload"],
  [EIATTR.KPARAM_INFO, "payload"],
  [EIATTR.CBANK_PARAM_SIZE, "payload"],
  [EIATTR.CTA_PER_CLUSTER, "payload"],
  [EIATTR.EXPLICIT_CLUSTER, "payload"],
  [EIATTR.MAX_CLUSTER_RANK, "payload"],
  [EIATTR.KPARAM_INFO_V2, "payload"],
  [EIATTR.NUM_BARRIERS, "payload"],
  [EIATTR.TEXMODE_INDEPENDENT, "payload"],
]);

/** Sorted lines, without the routines that ptxas adds. */
function factsOf(bytes: Uint8Array): readonly string[] {
  const file = need(readElf(bytes));
  const symbols = need(symbolsOf(file, sectionNamed(file, ".symtab")!));
  const strings = file.sections.findIndex(({ name }) => name === ".strtab");
  const name = (symbol: number): string => symbols.name(symbol);
  const prototype = (offset: number): string => need(stringAt(file, strings, offset));
  const graph = need(readCallGraph(sectionNamed(file, ".nv.callgraph")!.data));
  const attributes = file.sections
    .filter((section) => section.name.startsWith(".nv.info"))
    .flatMap((section) =>
      need(readInfo(section.data)).flatMap((record) => {
        const { attribute, format, payload } = record;
        // ptxas also lists kernels whose address is taken, in unrelated functions.
        const decoded = decodeInfo(record).payload;
        const ofSampler = attribute === EIATTR.SAMPLER_INIT || attribute === EIATTR.SAMPLER_FORCE_UNNORMALIZED;
        if (ofSampler && decoded.kind === "symbol-value")
          return [
            `${section.name} 0x${attribute.toString(16)} ${name(decoded.symbol)} 0x${decoded.value.toString(16)}`,
          ];
        if (attribute === EIATTR.EXTERNS && decoded.kind === "symbols") {
          const undefinedOnes = decoded.symbols.filter((symbol) => symbols.sectionIndex(symbol) === 0);
          return undefinedOnes.map((symbol) => `${section.name} needs ${name(symbol)}`);
        }
        const isEndless = payload.length >= 4 && payload.subarray(-4).every((byte) => byte === 0xff);
        const held =
          isEndless && attribute === EIATTR.MIN_STACK_SIZE
            ? "presence"
            : isEndless && attribute === EIATTR.CRS_STACK_SIZE
              ? "payload"
              : ATTRIBUTES.get(attribute);
        if (held === undefined) return [];
        const value = held === "payload" ? Buffer.from(payload).toString("hex") : "";
        return [`${section.name} 0x${attribute.toString(16)} format ${format} ${value}`];
      }),
    );
  return [
    ...attributes,
    ...graph.calls.map(({ caller, callee }) => `${name(caller)} calls ${name(callee)}`),
    ...graph.addressTaken.map((taken) => `taken: ${name(taken.symbol)} ${prototype(taken.prototype)}`),
    ...graph.indirectCalls.map((call) => `${name(call.caller)} calls any ${prototype(call.prototype)}`),
    ...graph.addressUses.map(({ user, target }) => `${name(user)} takes ${name(target)}`),
  ]
    .filter((line) => !line.includes("__cuda_"))
    .sort();
}

interface Recording {
  readonly commands: readonly string[];
  readonly objects: { readonly [name: string]: readonly string[] };
  readonly images: { readonly [name: string]: readonly string[] };
}

function recordAll(): Recording {
  const folder = mkdtempSync(join(tmpdir(), "ptxkit-code-"));
  const made = {
    objects: {} as { [name: string]: readonly string[] },
    images: {} as { [name: string]: readonly string[] },
  };
  try {
    const [text, object, image] = [join(folder, "m.ptx"), join(folder, "m.o"), join(folder, "m.cubin")];
    for (const [name, ptx] of Object.entries(texts)) {
      const arch = `-arch=${check(ptx).target.name}`;
      writeFileSync(text, ptx);
      execFileSync("ptxas", ["-c", arch, text, "-o", object]);
      execFileSync("nvlink", [arch, object, "-o", image], { stdio: "pipe" });
      made.objects[name] = factsOf(readFileSync(object));
      made.images[name] = factsOf(readFileSync(image));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { commands: ["ptxas -c -arch=<target> m.ptx -o m.o", "nvlink -arch=<target> m.o -o m.cubin"], ...made };
}

if (process.env["PTXKIT_UPDATE"] !== undefined && isInstalled("ptxas"))
  writeFileSync(recordFile, `${JSON.stringify(recordAll(), undefined, 1)}\n`);
const record = JSON.parse(readFileSync(recordFile, "utf8")) as Recording;

/** ptxas also lists what a function may reach through tables that it names: docs/format.md explains why we do not. */
function throughTables(ours: readonly string[], line: string): boolean {
  const [, target] = line.split(" takes ");
  return target !== undefined && ours.some((other) => other.startsWith(`taken: ${target} `));
}

for (const [name, text] of Object.entries(texts)) {
  const object = assemble(check(text, name));

  test(`${name}: the object's code properties equal those of ptxas -c`, (t) => {
    const ours = factsOf(writeObject(object));
    const theirs = record.objects[name]!;
    t.deepEqual(
      ours.filter((line) => !theirs.includes(line)),
      [],
    );
    t.deepEqual(
      theirs.filter((line) => !ours.includes(line) && !throughTables(ours, line)),
      [],
    );
  });

  test(`${name}: the image's properties equal nvlink's, from text, from a file, and after -r`, (t) => {
    const sink = createSink();
    const file = writeObject(linkObjects([object], {}, sink)!);
    const ours = factsOf(file);
    const theirs = record.images[name]!;
    t.deepEqual(
      ours.filter((line) => !theirs.includes(line)),
      [],
    );
    t.deepEqual(
      theirs.filter((line) => !ours.includes(line) && !throughTables(ours, line)),
      [],
    );
    const read = need(decodeObject(writeObject(object), name));
    t.deepEqual(read.codeProperties, object.codeProperties);
    t.deepEqual(writeObject(linkObjects([read], {}, sink)!), file);
    const joined = linkRelocatable([object], {}, sink)!;
    t.deepEqual(factsOf(writeObject(linkObjects([joined], {}, sink)!)), ours);
    t.deepEqual(sink.all, []);
  });
}
