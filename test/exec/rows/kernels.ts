// Runs cases on a device. Each is a kernel with COUNT threads, one for each value of its operands, which executes the
// instruction three times: on separate registers, with the first result in the first operand's register, and guarded
// for every other thread, with other values in the results. The three must agree, and their values are the case's
// result.

import type { Device } from "../../../lib/exec/device/interface.js";
import type { EngineName } from "../../../lib/exec/state/launch.js";
import { parseTarget, parseVersion } from "../../../lib/isa/requirement.js";
import { deviceOfModule } from "../kernel.js";
import type { Case, Slot } from "./cases.js";
import { bitsOf, columnOf, COUNT } from "./operands.js";

/** "i32+": a 32-bit value in a 64-bit register, with other bits above it. */
const isWide = (kind: string): boolean => kind.endsWith("+");
const narrow = (kind: string): string => kind.replace("+", "");

/** The column of an operand, as C reads it. */
export function operandColumn(kind: string, place: number, seed: number): BigUint64Array {
  const column = columnOf(narrow(kind), place, seed);
  if (!isWide(kind)) return column;
  const bits = BigInt(bitsOf(narrow(kind)));
  const above = columnOf("i64", 5, seed);
  return column.map((value, i) => BigInt.asUintN(64, value | ((above[i]! >> bits) << bits)));
}

const registerBits = (kind: string): number => (isWide(kind) ? 64 : bitsOf(kind));

const registerType = (kind: string): string =>
  kind === "pred" || kind === "f32" || kind === "f64" ? kind : `b${registerBits(kind)}`;

const load = ({ name, kind }: Slot, from: string): string =>
  kind === "pred"
    ? `ld.global.u32 %w, [${from}]; setp.ne.u32 ${name}, %w, 0;`
    : `ld.global.b${registerBits(kind)} ${name}, [${from}];`;

const store = ({ name, kind }: Slot, to: string): string =>
  kind === "pred"
    ? `selp.u32 %w, 1, 0, ${name}; st.global.u32 [${to}], %w;`
    : `st.global.b${registerBits(kind)} [${to}], ${name};`;

/** The previous value of a guarded result. */
const PRESET = 0x5an;
const preset = ({ name, kind }: Slot): string =>
  kind === "pred"
    ? `setp.eq.u32 ${name}, %w, %w;`
    : `${kind === "i8" ? "cvt.u8.u32" : `mov.b${registerBits(kind)}`} ${name}, ${kind === "i8" ? "%p" : String(PRESET)};`;

/** Whether the first result may be in the first operand's register. */
function isAliasable({ results, operands }: Case): boolean {
  const [d, a] = [results[0]!, operands[0]];
  return a !== undefined && a.name === "a" && results[0]!.name === "d" && registerType(d.kind) === registerType(a.kind);
}

const BYTES = 8 * COUNT;

/** Stores all three executions: results of the first, of the aliased one, then of the guarded ones. */
function kernelOf(each: Case, index: number, places: ReadonlyMap<string, number>): string {
  const { text, results, operands, before = "", after = "" } = each;
  const at = (slot: number): string => `%out+${BYTES * slot}`;
  const loads = operands.map((slot, i) => load(slot, `%in+${BYTES * places.get(`${slot.kind} ${i}`)!}`));
  // The result overwrites the first operand, which is loaded again for the third execution.
  const aliased = isAliasable(each)
    ? `${before} ${text.replace(/ d\b/, " a")}; ${after} ${store({ ...results[0]!, name: "a" }, at(results.length))} ${loads[0]}`
    : "";
  const old = parseVersion(each.platform.version) < 20;
  return `.entry k${index} {
  .reg .b64 %in, %out, %at; .reg .b32 %t, %w, %p; .reg .pred %g;
  ${[...results, ...operands].map(({ name, kind }) => `.reg .${registerType(kind)} ${name};`).join(" ")}
  ${old ? "cvt.u32.u16" : "mov.u32"} %t, %tid.x; mul.wide.u32 %at, %t, 8;
  mov.u64 %in, input; add.u64 %in, %in, %at; mov.u64 %out, output; add.u64 %out, %out, %at;
  ${loads.join(" ")}
  ${before} ${text}; ${after}
  ${results.map((slot, i) => store(slot, at(i))).join(" ")}
  ${aliased}
  and.b32 %w, %t, 1; setp.ne.u32 %g, %w, 0; mov.u32 %p, ${PRESET};
  ${results.map(preset).join(" ")}
  ${before} @%g ${text}; ${after}
  ${results.map((slot, i) => store(slot, at(results.length + 1 + i))).join(" ")}
  exit;
}`;
}

/** Results of a case: each result for each thread. */
export interface Outcome {
  readonly case: Case;
  /** COUNT values of the first result, then of the second. */
  readonly values: BigUint64Array;
  /** Other problems: a fault, or executions that differ. */
  readonly complaint: string | undefined;
}

function moduleOf(
  cases: readonly Case[],
  seed: number,
): { readonly text: string; readonly columns: readonly BigUint64Array[] } {
  const places = new Map<string, number>();
  const columns: BigUint64Array[] = [];
  for (const { operands } of cases)
    operands.forEach(({ kind }, place) => {
      const key = `${kind} ${place}`;
      if (places.has(key)) return;
      places.set(key, columns.length);
      columns.push(operandColumn(kind, place, seed));
    });
  const { version, target } = cases[0]!.platform;
  const text = [
    `.version ${version}\n.target ${target}${parseVersion(version) < 23 ? "" : "\n.address_size 64"}`,
    `.global .align 8 .b8 input[${BYTES * Math.max(1, columns.length)}]; .global .align 8 .b8 output[${BYTES * 8}];`,
    ...cases.map((each, i) => kernelOf(each, i, places)),
  ].join("\n");
  return { text, columns };
}

/** Runs cases of one platform. */
async function runModule(cases: readonly Case[], seed: number, engine: EngineName): Promise<readonly Outcome[]> {
  const { text, columns } = moduleOf(cases, seed);
  // The fast engine compiles at once.
  const device = deviceOfModule(text, { hotAfter: 0 });
  columns.forEach((column, i) => device.write(device.symbol("input"), column, BYTES * i));
  const outcomes: Outcome[] = [];
  for (const [index, each] of cases.entries()) outcomes.push(await runKernel(device, each, index, engine));
  return outcomes;
}

async function runKernel(device: Device, each: Case, index: number, engine: EngineName): Promise<Outcome> {
  const { results } = each;
  const { fault } = await device.launch(`k${index}`, { grid: 1, block: COUNT, engine });
  const found = device.read(device.symbol("output"), new BigUint64Array(8 * COUNT));
  const bits = results.map(({ kind }) => Math.max(8, registerBits(kind)));
  const value = (slot: number, result: number, i: number): bigint =>
    BigInt.asUintN(bits[result]!, found[COUNT * slot + i]!);
  const values = new BigUint64Array(COUNT * results.length);
  results.forEach((_, r) => {
    for (let i = 0; i < COUNT; i++) values[COUNT * r + i] = value(r, r, i);
  });
  const differing = Array.from({ length: COUNT }, (_, i) => i).find((i) => {
    if (isAliasable(each) && value(results.length, 0, i) !== values[i]) return true;
    return results.some(({ kind }, r) => {
      // Reads of the flag are not guarded, and depend on the guarded instruction.
      if (each.after !== undefined && r === results.length - 1) return false;
      const kept = kind === "pred" ? 1n : PRESET;
      return value(results.length + 1 + r, r, i) !== ((i & 1) === 1 ? values[COUNT * r + i]! : kept);
    });
  });
  const complaint =
    fault?.message ??
    (differing === undefined ? undefined : `thread ${differing}: aliased or guarded it gives something else`);
  return { case: each, values, complaint };
}

/** The platform in C's numbers. */
export const smOf = ({ platform }: Case): number => parseTarget(platform.target)!.sm;
export const versionOf = ({ platform }: Case): number => parseVersion(platform.version);

/** Kernels in one module, so that memory is freed between modules. */
const BATCH = 250;

/** Runs cases, in their order, on one of the engines. */
export async function run(
  cases: readonly Case[],
  seed = 0,
  engine: EngineName = "reference",
): Promise<readonly Outcome[]> {
  const platforms = new Map<string, Case[]>();
  for (const each of cases) {
    const key = `${each.platform.version} ${each.platform.target}`;
    const group = platforms.get(key);
    if (group === undefined) platforms.set(key, [each]);
    else group.push(each);
  }
  const outcomes = new Map<Case, Outcome>();
  for (const group of platforms.values())
    for (let from = 0; from < group.length; from += BATCH)
      for (const outcome of await runModule(group.slice(from, from + BATCH), seed, engine))
        outcomes.set(outcome.case, outcome);
  return cases.map((each) => outcomes.get(each)!);
}
