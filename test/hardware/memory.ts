// Memory records: each is a module with a launch specification, and what the hardware left in the outputs or how it
// faulted. The command line runs the specification in this process. The README of testdata/hardware/h200/memory
// describes the format.

import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { ptxkit, type Answer } from "../cli/surroundings.js";
import type { Outcome, Suite, SuiteOptions } from "./suite.js";

interface RecordedOutput {
  readonly type: string;
  readonly length: number;
  readonly hex: string;
}

type RecordedOutputs = Readonly<Record<string, RecordedOutput>>;

interface MemoryRecord {
  readonly id: string;
  readonly topic: string;
  readonly modules: readonly string[];
  readonly spec: object;
  readonly status: "ok" | "fault" | "refused";
  readonly outputs?: RecordedOutputs;
  /** The result when the module was linked, if that differs from a whole program. */
  readonly outputsLinked?: RecordedOutputs;
  readonly fault?: { readonly kind: string };
  /** By output: ranges of bytes [from, to) that may differ. */
  readonly ignore?: Readonly<Record<string, readonly (readonly [from: number, to: number])[]>>;
  /** Why the record is not compared. */
  readonly unchecked?: string;
}

/** The compared part of `run --json`. */
interface RunDocument {
  readonly outputs: RecordedOutputs;
  readonly fault?: { readonly kind: string; readonly message: string };
}

const statusFault = 3;
const statusWrong = 1;

/** The records of a folder, without those that are not compared. */
export function readMemoryRecords(folder: string): readonly MemoryRecord[] {
  const text = gunzipSync(readFileSync(path.join(folder, "records.json.gz"))).toString("utf8");
  return (JSON.parse(text) as readonly MemoryRecord[]).filter(({ unchecked }) => unchecked === undefined);
}

type Linked = "whole" | "linked";

/** Runs the record's modules, as text, or assembled to objects first for the variant "linked". */
async function answerOf(record: MemoryRecord, folder: string, engine: string, how: Linked): Promise<Answer> {
  const files: Record<string, string | Uint8Array> = { "spec.json": JSON.stringify(record.spec) };
  const inputs: string[] = [];
  for (const name of record.modules) {
    files[name] = readFileSync(path.join(folder, "ptx", name));
    if (how === "whole") inputs.push(name);
    else {
      const object = `${name}.o`;
      const assembled = await ptxkit(["as", name, "-o", object], { files });
      const bytes = assembled.written.get(object);
      if (bytes === undefined) return assembled;
      files[object] = bytes;
      inputs.push(object);
    }
  }
  return ptxkit(["run", ...inputs, "--launch", "spec.json", "--json", "--engine", engine], { files });
}

const firstLine = (text: string): string => text.split("\n", 1)[0]!;

/** The first difference of two outputs outside the ranges that are ignored. */
function differenceOf(
  name: string,
  expected: RecordedOutput,
  got: RecordedOutput | undefined,
  ignored: readonly (readonly [from: number, to: number])[],
): string | undefined {
  if (got === undefined) return `${name} is not among the outputs`;
  if (got.type !== expected.type || got.length !== expected.length)
    return `${name} is ${got.type}[${got.length}], recorded ${expected.type}[${expected.length}]`;
  const [one, other] = [Buffer.from(expected.hex, "hex"), Buffer.from(got.hex, "hex")];
  const at = one.findIndex(
    (byte, offset) => byte !== other[offset] && !ignored.some(([from, to]) => offset >= from && offset < to),
  );
  if (at < 0) return undefined;
  const word = (bytes: Buffer): string => bytes.subarray(at & ~3, (at & ~3) + 8).toString("hex");
  return `${name}, byte ${at}: ${word(other)}, recorded ${word(one)}`;
}

async function compare(
  record: MemoryRecord,
  outputs: RecordedOutputs | undefined,
  folder: string,
  engine: string,
  how: Linked,
): Promise<Outcome> {
  const name = `${record.topic}/${record.id}, ${engine}${how === "linked" ? ", linked" : ""}`;
  const answer = await answerOf(record, folder, engine, how);
  const one = (difference: string | undefined): Outcome =>
    difference === undefined ? { name, compared: 1, equal: 1 } : { name, compared: 1, equal: 0, difference };
  if (record.status === "refused")
    return one(answer.status === statusWrong ? undefined : `status ${answer.status}, recorded: refused`);
  if (answer.status !== 0 && answer.status !== statusFault) return one(firstLine(answer.err));
  const document = JSON.parse(answer.out) as RunDocument;
  const { fault } = document;
  if (record.status === "fault") {
    const kind = record.fault?.kind;
    return one(fault?.kind === kind ? undefined : `${fault?.kind ?? "no fault"}, recorded ${kind}`);
  }
  if (fault !== undefined) return one(`${fault.kind}: ${fault.message}`);
  const entries = Object.entries(outputs ?? {});
  const differences = entries.flatMap(
    ([output, expected]) =>
      differenceOf(output, expected, document.outputs[output], record.ignore?.[output] ?? []) ?? [],
  );
  const [difference] = differences;
  return {
    name,
    compared: entries.length,
    equal: entries.length - differences.length,
    ...(difference === undefined ? {} : { difference }),
  };
}

async function* run({ folder, engines, filter, every }: SuiteOptions): AsyncIterable<Outcome> {
  const chosen = readMemoryRecords(folder).filter(({ id, topic }) => `${topic}/${id}`.includes(filter));
  for (const [i, record] of chosen.entries()) {
    if (i % every !== 0) continue;
    for (const engine of engines) {
      yield await compare(record, record.outputs, folder, engine, "whole");
      if (record.outputsLinked !== undefined)
        yield await compare(record, record.outputsLinked, folder, engine, "linked");
    }
  }
}

export const memorySuite: Suite = {
  name: "memory",
  title: "textures, surfaces, tensor and bulk copies, addresses, faults",
  run,
};
