// `npm run oracle:link -- --orders`: the order of a module's functions and shared variables in ptxas' objects, live. With
// SEED COUNT, of the modules of that many random sets: ours beside `ptxas -O0`, and beside the other levels the order in which
// those have functions where the module takes no address of one: each behind what it calls, the last of the module and its
// last call first. With --record it asks again about the modules of testdata/oracle/link/orders.json, and writes the answers.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { need } from "../../formats/bytes/malformed.js";
import { readElf, sectionNamed, symbolsOf } from "../../formats/elf/index.js";
import { calledIn, functionOrder } from "../../lib/link/shared/function-order.js";
import { sharedOrder } from "../../lib/link/shared/shared-order.js";
import type { RelocObject } from "../../lib/object/object.js";
import { objectOf } from "../link/build.js";
import { plainName } from "./image-facts.js";
import { testdata } from "./programs.js";
import { randomSets } from "./random-sets.js";

export interface ModuleOrder {
  readonly text: string;
  /** Names in the order of the `.text` sections. */
  readonly functions: readonly string[];
  /** Name and size of what is in `.nv_debug.shared`, in the order of the symbols; where the module has such. */
  readonly shared?: readonly string[];
}

const levels = ["-O0", "-O1", "-O2", "-O3"] as const;
type Level = (typeof levels)[number];

const command = "ptxas -c -O0 -arch=TARGET m.ptx -o m.o: sections .text.*, symbols of .nv_debug.shared (CUDA 13.0)";

const recordFile = new URL("oracle/link/orders.json", testdata);

export const functionsOf = (object: RelocObject): readonly string[] =>
  functionOrder(object).map((index) => object.symbols[index]!.name);

export const sharedOf = (object: RelocObject): readonly string[] =>
  sharedOrder(object, false).flatMap((index) => {
    const symbol = object.symbols[index]!;
    if (symbol.kind !== "variable" || symbol.placement.kind === "undefined") return [];
    return [`${plainName(symbol.name)}:${symbol.layout.size}`];
  });

/** Of an object of one module; each function behind those that it calls. */
function calleesFirst(object: RelocObject): readonly string[] {
  const texts = new Map(
    object.sections.flatMap((each) => (each.role.kind === "text" ? [[each.role.symbol, each]] : [])),
  );
  // A second name stands for the function.
  const ownerOf = (index: number): number => {
    const { placement } = object.symbols[index]!;
    const role = placement.kind === "section" ? object.sections[placement.section]!.role : undefined;
    return role?.kind === "text" ? role.symbol : index;
  };
  const seen = new Set<number>();
  const visit = (index: number): readonly number[] => {
    const text = texts.get(index);
    if (text === undefined || seen.has(index)) return [];
    seen.add(index);
    return [
      ...calledIn(text)
        .toReversed()
        .flatMap((callee) => visit(ownerOf(callee))),
      index,
    ];
  };
  return functionOrder(object)
    .toReversed()
    .flatMap(visit)
    .map((index) => object.symbols[index]!.name);
}

const targetOf = (text: string): string => /^\.target (\w+)/m.exec(text)![1]!;

/** Undefined where ptxas refuses the module. */
function askPtxas(text: string, level: Level): ModuleOrder | undefined {
  const folder = mkdtempSync(join(tmpdir(), "oracle-"));
  try {
    writeFileSync(join(folder, "m.ptx"), text);
    const { status } = spawnSync("ptxas", ["-c", level, `-arch=${targetOf(text)}`, "m.ptx", "-o", "m.o"], {
      cwd: folder,
    });
    if (status !== 0) return undefined;
    const file = need(readElf(readFileSync(join(folder, "m.o"))));
    const functions = file.sections.flatMap(({ name }) => (name.startsWith(".text.") ? [name.slice(6)] : []));
    const own = file.sections.findIndex(({ name }) => name === ".nv_debug.shared");
    if (own === -1) return { text, functions };
    const table = need(symbolsOf(file, sectionNamed(file, ".symtab")!));
    const symbols = Array.from({ length: table.count }, (_, i) => table.at(i));
    const shared = symbols.flatMap(({ name, size, sectionIndex }) =>
      sectionIndex === own && size > 0 ? [`${plainName(name)}:${size}`] : [],
    );
    return { text, functions, shared };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The number of modules on which ours and ptxas differ. */
export function recordOrders(): number {
  const { cases } = JSON.parse(readFileSync(recordFile, "utf8")) as { readonly cases: readonly ModuleOrder[] };
  const asked = cases.map(({ text }) => askPtxas(text, "-O0")!);
  const lines = asked.map((each) => `    ${JSON.stringify(each)}`).join(",\n");
  writeFileSync(recordFile, `{\n  "command": ${JSON.stringify(command)},\n  "cases": [\n${lines}\n  ]\n}\n`);
  const differing = asked.filter((each) => !isOurs(each));
  console.log(`orders.json: ${asked.length - differing.length} of ${asked.length} modules agree`);
  return differing.length;
}

function isOurs({ text, functions, shared = [] }: ModuleOrder): boolean {
  const object = objectOf("m.ptx", text);
  return isSame(functionsOf(object), functions) && isSame(sharedOf(object), shared);
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.join(" ") === b.join(" ");

export function compareOrders(seed: number, count: number): number {
  const texts = randomSets(seed, count).flatMap(({ texts: modules }) => modules);
  const counts = new Map<string, { all: number; agreeing: number }>();
  const put = (what: string, agrees: boolean): void => {
    const known = counts.get(what) ?? { all: 0, agreeing: 0 };
    counts.set(what, { all: known.all + 1, agreeing: known.agreeing + (agrees ? 1 : 0) });
  };
  let differing = 0;
  for (const text of texts) {
    const object = objectOf("m.ptx", text);
    for (const level of levels) {
      const asked = askPtxas(text, level);
      if (asked === undefined) continue;
      if (level === "-O0") {
        const agrees = isOurs(asked);
        put("-O0, functions and shared variables", agrees);
        if (agrees) continue;
        differing++;
        console.log(`${text}\nptxas: ${asked.functions.join(" ")}; ${(asked.shared ?? []).join(" ")}`);
      } else {
        // What is inlined everywhere is gone.
        const ours = calleesFirst(object).filter((name) => asked.functions.includes(name));
        const what = object.addressTaken.length === 0 ? "without addresses" : "with addresses";
        put(`${level}, functions of modules ${what}, callees first`, isSame(ours, asked.functions));
      }
    }
  }
  for (const [what, { all, agreeing }] of counts) console.log(`${what}: ${agreeing} of ${all}`);
  return differing;
}
