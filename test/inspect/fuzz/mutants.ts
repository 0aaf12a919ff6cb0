// Damaged files for the inspector, each made from its number alone: a recorded file with changed bits, fields and
// ranges, truncated, or continued with part of another file. Then everything that inspect and diff do is done with it.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createSink } from "../../../lib/diag/sink.js";
import { diffSnapshots } from "../../../lib/inspect/compare/diff.js";
import { exploreFile } from "../../../lib/inspect/explore.js";
import { extractInside } from "../../../lib/inspect/parts/extract.js";
import { inspectFile } from "../../../lib/inspect/inspect.js";
import { VIEWS, type InspectOptions } from "../../../lib/inspect/inspection.js";
import { occupancyView } from "../../../lib/inspect/occupancy.js";
import { snapshotsOf } from "../../../lib/inspect/compare/snapshot.js";
import { recognise } from "../../../lib/link/inputs/recognise.js";
import { renderInspection } from "../../../lib/report/inspect-text.js";
import { randomNumbers } from "../../formats/hostile.js";
import { assembled, linked } from "../own.js";

export interface Seed {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Bytes of the largest seed, so that a mutant takes milliseconds. */
const MAX_BYTES = 40_000;

const testdata = fileURLToPath(new URL("../../../../testdata/", import.meta.url));

/** Files in the folders of containers, cubins, host files and objects, and objects of this version. */
export function recordedSeeds(): readonly Seed[] {
  const folders = ["containers", "cubins", "inspect/cubins", "inspect/resources"];
  const files = folders.flatMap((folder) =>
    readdirSync(`${testdata}${folder}`)
      .filter((name) => !/\.(md|json|txt|sh|cu|mjs|s|zst)$/.test(name))
      .sort()
      .map((name) => ({ name: `${folder}/${name}`, bytes: readFileSync(`${testdata}${folder}/${name}`) })),
  );
  const own = [
    { name: "object of this version", bytes: assembled() },
    { name: "image of this version", bytes: linked() },
  ];
  return [...files, ...own].filter(({ bytes }) => bytes.length <= MAX_BYTES && recognise(bytes) !== "unknown");
}

/** Values at which computations of sizes and indices break. */
const EDGES = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

/** The mutant of a number: the same bytes everywhere for the same seeds. */
export function mutantOf(seeds: readonly Seed[], number: number): Seed {
  const random = randomNumbers(number);
  const below = (limit: number): number => (limit <= 0 ? 0 : random() % limit);
  const seed = seeds[below(seeds.length)]!;
  let bytes = Uint8Array.from(seed.bytes);
  const place = (): number => (below(3) === 0 ? below(Math.min(256, bytes.length)) : below(bytes.length));
  const changes = 1 + below(below(4) === 0 ? 40 : 4);
  for (let i = 0; i < changes; i++) {
    const at = place();
    const view = new DataView(bytes.buffer);
    switch (below(9)) {
      case 0:
        if (at < bytes.length) bytes[at]! ^= 1 << below(8);
        break;
      case 1:
        if (at < bytes.length) bytes[at] = below(256);
        break;
      case 2:
        if ((at & ~1) + 2 <= bytes.length) view.setUint16(at & ~1, EDGES[below(EDGES.length)]!, true);
        break;
      case 3:
        if ((at & ~3) + 4 <= bytes.length) view.setUint32(at & ~3, EDGES[below(EDGES.length)]!, true);
        break;
      case 4:
        // A number close to the file's size: offsets and sizes that just fit, or just do not.
        if ((at & ~3) + 4 <= bytes.length) view.setUint32(at & ~3, Math.max(0, bytes.length - 64 + below(128)), true);
        break;
      case 5:
        if ((at & ~7) + 8 <= bytes.length) view.setBigUint64(at & ~7, BigInt(EDGES[below(EDGES.length)]!) << 21n, true);
        break;
      case 6:
        bytes.copyWithin(at, place(), place());
        break;
      case 7: {
        const { bytes: other } = seeds[below(seeds.length)]!;
        const from = below(other.length);
        const part = other.subarray(from, from + below(512));
        if (at + part.length <= bytes.length) bytes.set(part, at);
        break;
      }
      default:
        if (below(6) === 0) bytes = bytes.slice(0, at);
        else if (below(12) === 0) bytes = Uint8Array.from([...bytes, ...seeds[below(seeds.length)]!.bytes]);
    }
  }
  return { name: `${number} of ${seed.name}`, bytes };
}

const hexOf = ["1", ".nv_fatbin", ".symtab"];

/** Does everything with one file. Exceptions are defects. */
const uses: readonly ((source: Seed, whole: Seed) => void)[] = [
  (source) => look(source, { views: VIEWS, hex: hexOf, occupancyOf: occupancyView }),
  (source) => look(source, { views: [], verify: true }),
  (source) => look(source, { views: VIEWS.filter((view) => view !== "resourceUsage") }),
  (source) => look(source, { views: [], loadsOn: 90 }),
  (source) => look(source, { views: ["kernels", "resourceUsage"], functions: ["scale"] }),
  (source) => void JSON.stringify(exploreFile(source, createSink())),
  (source) => void [...extractInside(source, createSink())],
  (source, whole) => void diffSnapshots(snapshotsOf(whole, createSink()), snapshotsOf(source, createSink()), {}),
];

function look(source: Seed, options: InspectOptions): void {
  const { inspection } = inspectFile(source, options, createSink());
  if (inspection === undefined) return;
  JSON.stringify(inspection);
  renderInspection(inspection, { width: 100 });
}

/** The summary, and another view that the number selects. */
export function exercise(seeds: readonly Seed[], number: number): void {
  const mutant = mutantOf(seeds, number);
  look(mutant, { views: [] });
  uses[number % uses.length]!(mutant, seeds[number % seeds.length]!);
}
