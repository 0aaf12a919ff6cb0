// Random steps with control flow, and the choice of steps.

import { arithmeticSteps } from "./arithmetic.js";
import { callStep, indirectCallStep } from "./calls.js";
import { intrinsicStep, newerIntrinsicStep, saturatingShiftStep } from "./intrinsics.js";
import { memorySteps } from "./memory.js";
import { aggregateTypes, bitsOf, floatTypesOf, integerTypes, pick, structType } from "./types.js";
import { add, fresh, hidden, label, type Writer } from "./writer.js";

const plainSteps: readonly ((w: Writer) => void)[] = [
  ...arithmeticSteps,
  ...memorySteps,
  ...[intrinsicStep, intrinsicStep, intrinsicStep, newerIntrinsicStep, saturatingShiftStep],
  ...[callStep, callStep, indirectCallStep],
];

const anyType = (w: Writer): string =>
  w.random.pick([...integerTypes, ...floatTypesOf(w.parts.level), "<2 x i32>", "<4 x i8>", ...aggregateTypes]);

const someTypes = (w: Writer): readonly string[] => Array.from({ length: 1 + w.random.below(3) }, () => anyType(w));

/** One variable on the stack that is stored in several places: what promotion is for. */
function variableStep(w: Writer, depth: number): void {
  const type = w.random.pick(["i8", "i32", "float", "i64", "half", "i1", structType]);
  const name = `%a${w.next++}`;
  w.allocas.push(`  ${name} = alloca ${type}`);
  const store = (): void => void w.lines.push(`  store ${type} ${pick(w, type)}, ${type}* ${name}`);
  store();
  branch(w, depth, store);
  add(w, type, `load ${type}, ${type}* ${name}`);
}

/** Each of some blocks computes in a scope of its own, and goes to the end, where phis join what they made. */
function join(
  w: Writer,
  names: readonly string[],
  end: string,
  depth: number,
  also: () => void,
  types: readonly string[],
): void {
  const outer = w.scope;
  const ends = names.map((name) => {
    label(w, name);
    w.scope = [...outer];
    steps(w, 1 + w.random.below(3), depth - 1);
    also();
    const values = types.map((type) => pick(w, type));
    w.lines.push(`  br label %${end}`);
    return { block: w.block, values };
  });
  label(w, end);
  w.scope = outer;
  const phis = types.map(
    (type, i) => `phi ${type} ${ends.map(({ block, values }) => `[ ${values[i]}, %${block} ]`).join(", ")}`,
  );
  for (const [i, text] of phis.entries()) add(w, types[i]!, text);
}

const nothing = (): void => undefined;

function branch(w: Writer, depth: number, also: () => void = nothing): void {
  const id = w.next++;
  w.lines.push(`  br i1 ${pick(w, "i1")}, label %yes${id}, label %no${id}`);
  join(w, [`yes${id}`, `no${id}`], `end${id}`, depth, also, someTypes(w));
}

function loopStep(w: Writer, depth: number): void {
  const id = w.next++;
  const masked = hidden(w, `and i32 ${pick(w, "i32")}, 7`);
  const types = someTypes(w);
  const starts = types.map((type) => pick(w, type));
  const before = w.block;
  const outer = w.scope;
  w.lines.push(`  br label %loop${id}`);
  label(w, `loop${id}`);
  const names = types.map(() => fresh(w));
  const at = w.lines.length;
  const counter = `%i${id}`;
  w.scope = [...outer, { type: "i32", name: counter }, ...types.map((type, i) => ({ type, name: names[i]! }))];
  const inside = w.scope.slice(outer.length);
  steps(w, 2 + w.random.below(4), depth - 1);
  // Now and then values change places.
  const swap = w.random.below(3) === 0;
  const nexts = types.map((type, i) => {
    const other = types.findIndex((one, j) => one === type && j !== i);
    return swap && other >= 0 ? names[other]! : pick(w, type);
  });
  w.lines.push(`  ${counter}n = add i32 ${counter}, 1`);
  w.lines.push(`  ${counter}c = icmp ult i32 ${counter}n, ${masked}`);
  w.lines.push(`  br i1 ${counter}c, label %loop${id}, label %done${id}`);
  const phis = types.map(
    (type, i) => `  ${names[i]} = phi ${type} [ ${starts[i]}, %${before} ], [ ${nexts[i]}, %${w.block} ]`,
  );
  w.lines.splice(at, 0, `  ${counter} = phi i32 [ 0, %${before} ], [ ${counter}n, %${w.block} ]`, ...phis);
  label(w, `done${id}`);
  w.scope = [...outer, ...inside];
}

/** Few cases or many, near each other or far apart; some share a block. */
function switchStep(w: Writer, depth: number): void {
  const id = w.next++;
  const type = w.random.pick(["i8", "i32", "i64", "i3", "i13", "i33", "i128"]);
  const mask = w.random.pick([3, 3, 15]) & (2 ** Math.min(bitsOf(type) - 1, 10) - 1);
  const far = w.random.below(3) === 0 && bitsOf(type) > 8 ? 13 : 1;
  const small = hidden(w, `and ${type} ${pick(w, type)}, ${mask}`);
  const value = far === 1 ? small : hidden(w, `mul ${type} ${small}, ${far}`);
  const blocks = 2 + w.random.below(3);
  const cases = Array.from({ length: 1 + w.random.below(mask + 1) }, (_, i) => {
    const to = w.random.below(blocks);
    return `${type} ${i * far}, label %case${id}_${to}`;
  });
  w.lines.push(`  switch ${type} ${value}, label %case${id}_${w.random.below(blocks)} [ ${cases.join(" ")} ]`);
  const names = Array.from({ length: blocks }, (_, i) => `case${id}_${i}`);
  join(w, names, `join${id}`, depth, nothing, [anyType(w)]);
}

/** Two blocks that go to each other, and are both entered from outside: no loop has one head. */
function crossedStep(w: Writer): void {
  const id = w.next++;
  const type = w.random.pick(["i32", "i64", "i16", "float"]);
  const [a, b] = [pick(w, type), pick(w, type)];
  const before = w.block;
  const outer = w.scope;
  w.lines.push(`  br i1 ${pick(w, "i1")}, label %left${id}, label %right${id}`);
  for (const [side, other, start, limit] of [
    ["left", "right", a, 5],
    ["right", "left", b, 4],
  ] as const) {
    label(w, `${side}${id}`);
    const [count, value] = [`%${side[0]}c${id}`, `%${side[0]}v${id}`];
    w.lines.push(`  ${count} = phi i32 [ 0, %${before} ], [ %${other[0]}n${id}, %${other}${id} ]`);
    w.lines.push(`  ${value} = phi ${type} [ ${start}, %${before} ], [ %${other[0]}x${id}, %${other}${id} ]`);
    w.lines.push(`  %${side[0]}n${id} = add i32 ${count}, 1`);
    const opcode = type === "float" ? w.random.pick(["fadd", "fmul"]) : w.random.pick(["add", "mul", "xor", "sub"]);
    w.scope = [...outer, { type, name: value }];
    w.lines.push(`  %${side[0]}x${id} = ${opcode} ${type} ${value}, ${pick(w, type)}`);
    w.lines.push(`  %${side[0]}e${id} = icmp ult i32 ${count}, ${limit}`);
    w.lines.push(`  br i1 %${side[0]}e${id}, label %${other}${id}, label %out${id}`);
  }
  w.scope = outer;
  label(w, `out${id}`);
  add(w, type, `phi ${type} [ %lx${id}, %left${id} ], [ %rv${id}, %right${id} ]`);
}

export function steps(w: Writer, count: number, depth: number): void {
  for (let i = 0; i < count; i++) {
    const kind = depth > 0 ? w.random.below(10) : 10;
    if (kind === 0) branch(w, depth);
    else if (kind === 1) loopStep(w, depth);
    else if (kind === 2) switchStep(w, depth);
    else if (kind === 3) variableStep(w, depth);
    else if (kind === 4) crossedStep(w);
    else w.random.pick(plainSteps)(w);
  }
}
