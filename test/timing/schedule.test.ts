// The order in which a compiler would put a region, and what it makes one of.

import test from "ava";
import { createProgram } from "../../lib/timing/lowering/lowering.js";
import { createPlanner, passageOf, unrolledPassage, type Passage } from "../../lib/timing/schedule/plan.js";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import { pipeNames } from "../../lib/timing/gpus/model.js";
import type { MicroOp } from "../../lib/timing/lowering/lowered.js";
import { codeOf } from "./kernels.js";

/** The passage of a whole body without branches, as positions in the text. */
function planOf(body: string, off: readonly number[] = []): Passage {
  const code = codeOf(body, "sm_90");
  const program = createProgram(findGpu("h200"), code);
  program.baseOf(code);
  const planner = createPlanner(program);
  return planner.passages[passageOf(planner, 0, code.instructions.length - 1, off)]!;
}

/** The passage of a program's first `last + 1` instructions. */
function createPlannedRegion(program: ReturnType<typeof createProgram>, last: number): Passage {
  const planner = createPlanner(program);
  return planner.passages[passageOf(planner, 0, last, [])]!;
}

const positions = ({ steps }: Passage): readonly number[] => steps.map(({ position }) => position);

test("loads move up, their uses down", (t) => {
  const body = `ld.global.f32 %f1, [%rd1]; fma.rn.f32 %f9, %f1, %f1, %f9;
    ld.global.f32 %f2, [%rd1+4]; fma.rn.f32 %f9, %f2, %f2, %f9; ld.global.f32 %f3, [%rd1+8]; fma.rn.f32 %f9, %f3, %f3, %f9;`;
  t.deepEqual(positions(planOf(body)), [0, 2, 4, 1, 3, 5]);
});

test("a load does not move above a store to the same space, but above one to another", (t) => {
  const store = (space: string): string =>
    `st.${space}.f32 [%rd2], %f5; ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f1, %f1;`;
  t.deepEqual(positions(planOf(store("global"))), [0, 1, 2]);
  t.deepEqual(positions(planOf(store("shared"))), [1, 0, 2]);
});

test("reuse of a register does not hold loads back", (t) => {
  const body = lines3("ld.global.u32 %r1, [%rd1]; xor.b32 %r9, %r9, %r1; prmt.b32 %r9, %r9, %r1, 0x1234;");
  t.deepEqual(positions(planOf(body)).slice(0, 3), [0, 3, 6]);
});

const lines3 = (line: string): string => Array.from({ length: 3 }, () => line).join("\n");

test("sums of three, logic of three and multiplied addresses are one machine instruction", (t) => {
  const count = (body: string): number => planOf(body).steps.filter(({ op }) => op !== undefined).length;
  t.is(count("add.s32 %r1, %r2, %r3; add.s32 %r4, %r1, %r5;"), 1);
  t.is(count("and.b32 %r1, %r2, %r3; xor.b32 %r4, %r1, %r5;"), 1);
  t.is(count("mul.wide.s32 %rd1, %r1, 4; add.s64 %rd2, %rd3, %rd1; add.s64 %rd4, %rd5, %rd1;"), 2);
  t.is(count("add.s32 %r1, %r2, %r3; add.s32 %r4, %r1, %r5; xor.b32 %r6, %r1, 1;"), 3, "its result is read elsewhere");
  t.is(count("xor.b32 %r1, %r2, %r3; xor.b32 %r4, %r1, %r5; xor.b32 %r4, %r4, %r6;"), 2, "four do not fit");
  t.is(count("shl.b32 %r1, %r2, 7; add.s32 %r3, %r1, %r4;"), 1);
});

test("a short forward branch becomes predication: the code around it is one region", (t) => {
  const code = codeOf(
    "ld.global.f32 %f1, [%rd1]; @%p1 bra L; add.f32 %f1, %f1, %f2; L: ld.global.f32 %f3, [%rd2]; ret;",
    "sm_90",
  );
  const program = createProgram(findGpu("h200"), code);
  program.baseOf(code);
  t.deepEqual(program.regionEnds, [4, 4, 4, 4, 4]);
  t.is(program.instructions[2]!.guards.length, 1, "the addition waits for the predicate");
  t.is(program.instructions[3]!.guards.length, 0, "what is behind it does not");
});

test("the two arms of an if and else do not wait for each other", (t) => {
  const code = codeOf("@%p1 bra E; add.s32 %r1, %r1, 1; bra J; E: mul.lo.s32 %r1, %r1, %r2; J: ret;", "sm_90");
  const program = createProgram(findGpu("h200"), code);
  program.baseOf(code);
  t.deepEqual(
    program.instructions.map(({ arm }) => Math.sign(arm)),
    [0, 1, 0, -1, 0],
  );
  const { steps } = createPlannedRegion(program, 4);
  const [add, mul] = steps.filter(({ kind }) => kind === "math");
  t.false(mul!.operands.includes(add!.operands.at(-1)!), "each has a result of its own");
});

test("behind an if and else, a register waits for the value of either arm", (t) => {
  const code = codeOf(
    "@%p1 bra E; ld.global.u32 %r1, [%rd1]; bra J; E: add.s32 %r1, %r2, 3; J: xor.b32 %r4, %r1, %r2; ret;",
    "sm_90",
  );
  const program = createProgram(findGpu("h200"), code);
  program.baseOf(code);
  const { steps } = createPlannedRegion(program, 5);
  const resultOf = (position: number) => steps.find((step) => step.position === position)!.operands.at(-1);
  const at = steps.findIndex(({ position }) => position < 0);
  const { op, operands, sourcesEnd } = steps[at]!;
  t.is(op, undefined);
  t.deepEqual([...operands.slice(0, sourcesEnd)].sort(), [resultOf(1), resultOf(3)].sort());
  t.true(at < steps.findIndex(({ position }) => position === 4), "before the reader");
});

test("comparisons that no iteration changes move before the loop", (t) => {
  const code = codeOf(
    "L: setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r3, 0; add.s32 %r3, %r3, 1; @%p2 bra L; ret;",
    "sm_90",
  );
  const program = createProgram(findGpu("h200"), code);
  program.baseOf(code);
  t.deepEqual(
    program.instructions.slice(0, 2).map(({ kind }) => kind),
    ["free", "math"],
  );
});

test("a loop with many branches back to its beginning is lowered quickly", (t) => {
  const secondsFor = (count: number): number => {
    const branches = "add.s32 %r1, %r1, 1; setp.eq.u32 %p1, %r1, 7; @%p1 bra L;\n".repeat(count);
    const code = codeOf(`L: setp.eq.u32 %p2, %r3, 0; @%p2 bra E; ${branches} E: ret;`, "sm_90");
    const before = process.cpuUsage();
    const program = createProgram(findGpu("h200"), code);
    program.baseOf(code);
    const { user, system } = process.cpuUsage(before);
    t.is(program.instructions[0]!.kind, "free", "no iteration writes its operand");
    return (user + system) / 1e6;
  };
  secondsFor(100);
  t.true(secondsFor(4000) < 2);
});

test("two conversions to halves are one machine instruction, if neither waits for the other", (t) => {
  const count = (body: string): number => planOf(body).steps.filter(({ op }) => op !== undefined).length;
  t.is(count("cvt.rn.f16.f32 %h1, %f1; cvt.rn.f16.f32 %h2, %f2;"), 1);
  t.is(count("cvt.rn.f16.f32 %h1, %f1; cvt.f32.f16 %f2, %h1; cvt.rn.f16.f32 %h2, %f2;"), 3);
});

test("a long branch and a loop's label end regions, a barrier does not", (t) => {
  const adds = Array.from({ length: 20 }, (_, i) => `add.f32 %f${i}, %f20, %f21;`).join(" ");
  const ends = (body: string): readonly number[] => {
    const code = codeOf(body, "sm_90");
    const program = createProgram(findGpu("h200"), code);
    program.baseOf(code);
    return program.regionEnds;
  };
  t.is(ends(`@%p1 bra L; ${adds} L: ret;`)[0], 0);
  t.deepEqual(ends("add.f32 %f1, %f2, %f3; bar.sync 0; ret;"), [2, 2, 2]);
  t.deepEqual(ends("mov.u32 %r1, 0; L: add.s32 %r1, %r1, 1; @%p1 bra L; ret;"), [0, 2, 2, 3]);
});

test("accesses keep their order in the trace whatever the order of issue", (t) => {
  const body = "st.shared.f32 [%r1], %f5; ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f1, %f1; st.shared.f32 [%r1], %f2;";
  const whole = planOf(body);
  t.deepEqual(
    positions(whole).map((position, i) => [position, whole.accessOf[i]]),
    [
      [1, 1],
      [0, 0],
      [2, -1],
      [3, 2],
    ],
  );
  const without = planOf(body, [0]);
  t.deepEqual([...without.accessOf], [0, -1, -1, 1]);
  t.deepEqual([...without.off!], [0, 1, 0, 0]);
});

/** The passage of four turns of the loop that begins at instruction 0; undefined where the compiler does not unroll it. */
function unrolledOf(body: string): Passage | undefined {
  const code = codeOf(`L: ${body} add.s32 %r1, %r1, -1; setp.gt.s32 %p1, %r1, 0; @%p1 bra L; ret;`, "sm_90");
  const program = createProgram(findGpu("h200"), code);
  program.baseOf(code);
  const planner = createPlanner(program);
  const unrolled = unrolledPassage(planner, passageOf(planner, 0, program.regionEnds[0]!, []));
  return unrolled === undefined ? undefined : planner.passages[unrolled];
}

test("a small counted loop becomes four copies of its body and one counter step", (t) => {
  const steps = (body: string): string[] | undefined =>
    unrolledOf(body)?.steps.map(({ instruction: { form } }) => form);
  const forms = steps("ld.global.f32 %f1, [%rd1]; fma.rn.f32 %f9, %f1, %f1, %f9; add.s64 %rd1, %rd1, 4;")!;
  t.is(forms.filter((form) => form === "ld").length, 4);
  const order = forms.filter((form) => form === "ld" || form === "fma.f32").map((form) => form.slice(0, 2));
  t.deepEqual(order, ["ld", "ld", "fm", "fm", "ld", "ld", "fm", "fm"], "loads of two copies are under way");
  t.is(forms.filter((form) => form === "add.int").length, 3, "counter, and both halves of the address");
  t.is(forms.filter((form) => form === "bra").length, 1);
});

test("a loop is not unrolled where ptxas does not", (t) => {
  const fma = "fma.rn.f32 %f9, %f1, %f1, %f9; ";
  t.not(unrolledOf(fma.repeat(18)), undefined);
  t.is(unrolledOf(fma.repeat(20)), undefined, "it is large");
  t.not(unrolledOf(`ld.global.f32 %f1, [%rd1]; ${fma.repeat(40)}`), undefined, "loads widen the bound");
  t.is(unrolledOf(`.pragma "nounroll"; ${fma}`), undefined);
  t.is(unrolledOf("red.global.add.u32 [%rd1], %r2; ".repeat(2)), undefined, "two atomics");
  t.is(unrolledOf("red.global.min.s32 [%rd1], %r2; ".repeat(2)), undefined, "that a warp may take together");
  t.not(unrolledOf("red.global.add.f32 [%rd1], %f2; ".repeat(2)), undefined, "of floating point");
  t.not(unrolledOf("atom.global.exch.b32 %r3, [%rd1], %r2; ".repeat(2)), undefined, "exchanges");
  t.is(unrolledOf(`${fma} add.s32 %r1, %r1, %r2;`), undefined, "the number of turns is not known");
});

test("an old value overwritten before it is read makes an atomic a reduction, except for an exchange", (t) => {
  const kinds = (body: string): readonly string[] => planOf(body).steps.map(({ kind }) => kind);
  const atom = "atom.global.add.u32 %r1, [%rd1], %r2; ";
  t.deepEqual(kinds(`${atom.repeat(3)} st.global.u32 [%rd2], %r1;`), ["reduce", "reduce", "atomic", "store"]);
  t.deepEqual(kinds(`${atom} st.global.u32 [%rd2], %r1; ${atom} st.global.u32 [%rd2], %r1;`).slice(0, 1), ["atomic"]);
  const exchange = "atom.global.exch.b32 %r1, [%rd1], %r2; ";
  t.deepEqual(kinds(`${exchange.repeat(2)} st.global.u32 [%rd2], %r1;`), ["atomic", "atomic", "store"]);
  t.deepEqual(kinds("ld.global.u32 %r1, [%rd1]; ld.global.u32 %r1, [%rd2]; st.global.u32 [%rd3], %r1;"), [
    "load",
    "store",
  ]);
});

test("lanes are summed once for each value of a region", (t) => {
  const body = `ld.param.u64 %rd1, [p]; red.global.add.u32 [%rd1], %r2; red.global.add.u32 [%rd1], %r2;
    red.global.min.u32 [%rd1], %r2; red.global.add.u32 [%rd1], %r3; red.global.add.u32 [%rd1+4], 1;`;
  const sums = planOf(body)
    .steps.filter(({ kind }) => kind === "reduce")
    .map(({ instruction }) => instruction);
  t.deepEqual(
    sums.map(({ atomic }) => atomic),
    Array.from(sums, () => "combined"),
  );
  t.deepEqual(
    sums.map(({ isSummed }) => isSummed),
    [false, true, false, false, false],
  );
  t.deepEqual(
    sums.map(({ countsLanes }) => countsLanes),
    [false, false, false, false, true],
  );
});

test("predicated atomics neither reuse nor provide a warp's sum", (t) => {
  const summed = (body: string): readonly boolean[] =>
    planOf(`ld.param.u64 %rd1, [p]; ${body}`)
      .steps.filter(({ kind }) => kind === "reduce")
      .map(({ instruction }) => instruction.isSummed);
  const red = "red.global.add.u32 [%rd1], %r2;";
  t.deepEqual(summed(`${red} ${red}`), [false, true]);
  t.deepEqual(summed(`@%p1 ${red} ${red} ${red}`), [false, false, true], "its lanes are others");
  t.deepEqual(summed(`${red} @%p1 ${red}`), [false, false]);
  t.deepEqual(summed(`@%p1 ${red} @!%p1 ${red}`), [false, false]);
});

const opsOf = ({ steps }: Passage): readonly MicroOp[] => steps.flatMap(({ op }) => op ?? []);
const pipesOf = (passage: Passage): readonly string[] => opsOf(passage).map(({ pipe }) => pipeNames[pipe]!);

test("upper halves that nothing reads are not computed, zero ones not counted", (t) => {
  const store = "st.global.u32 [%rd9], %r1;";
  const shift = "shl.b64 %rd1, %rd2, %r3; cvt.u32.u64 %r1, %rd1; mov.u64 %rd1, 0;";
  t.is(opsOf(planOf(`${shift} ${store}`)).length, 2);
  t.is(opsOf(planOf(`shl.b64 %rd1, %rd2, %r3; cvt.u32.u64 %r1, %rd1; ${store}`)).length, 3, "code behind may read it");
  t.is(opsOf(planOf(`shr.u64 %rd1, %rd2, %r3; cvt.u32.u64 %r1, %rd1; mov.u64 %rd1, 0; ${store}`)).length, 3);
  t.is(opsOf(planOf(`cvt.u64.u32 %rd1, %r2; popc.b64 %r1, %rd1; ${store}`)).length, 2);
  t.is(opsOf(planOf(`cvt.u64.u32 %rd1, %r2; ld.global.u64 %rd1, [%rd8]; popc.b64 %r1, %rd1; ${store}`)).length, 5);
  t.is(opsOf(planOf(`cvt.s64.s32 %rd1, %r2; popc.b64 %r1, %rd1; ${store}`)).length, 5, "a sign is not zero");
});

test("the compiler's stall counts hold the latency of fixed-latency results, and not that of loads", (t) => {
  const gaps = (body: string): readonly number[] => planOf(body).steps.map(({ gap }) => gap);
  t.deepEqual(gaps("fma.rn.f32 %f1, %f2, %f3, %f1; fma.rn.f32 %f1, %f2, %f3, %f1;"), [4, 1]);
  t.deepEqual(gaps("xor.b32 %r1, %r2, %r3; mad.lo.u32 %r1, %r1, %r4, %r5;"), [5, 1], "from pipe to pipe");
  t.deepEqual(gaps("setp.lt.u32 %p1, %r2, %r3; @%p1 xor.b32 %r1, %r1, %r2;"), [13, 1], "into a guard");
  t.deepEqual(gaps("ld.global.f32 %f1, [%rd1]; fma.rn.f32 %f1, %f2, %f3, %f1;"), [1, 1]);
});

test("a warp yields at a gap for a result, and at any after ten cycles without", (t) => {
  const yields = (body: string): readonly boolean[] => planOf(body).steps.map((step) => step.yields);
  t.deepEqual(yields("fma.rn.f32 %f1, %f2, %f3, %f1; fma.rn.f32 %f1, %f2, %f3, %f1;"), [true, false]);
  t.deepEqual(yields("rcp.approx.ftz.f32 %f1, %f2; rcp.approx.ftz.f32 %f3, %f4;"), [false, false], "for a pipe");
  const many = Array.from({ length: 13 }, (_, i) => `xor.b32 %r${i}, %r20, %r21;`).join(" ");
  t.deepEqual(
    yields(many).flatMap((is, at) => (is ? [at] : [])),
    [5, 11],
  );
});

test("integers that a warp's threads share run on the uniform datapath", (t) => {
  const counter = "add.s32 %r1, %r1, -1; setp.gt.s32 %p1, %r1, 0; @%p1 bra L; ret;";
  const loop = (start: string): readonly string[] => {
    const code = codeOf(`${start} L: ${counter}`, "sm_90");
    const program = createProgram(findGpu("h200"), code);
    program.baseOf(code);
    return program.instructions.flatMap(({ ops }) => ops.map(({ pipe }) => pipeNames[pipe]!));
  };
  t.true(loop("ld.param.u32 %r1, [p];").includes("uniform"));
  t.false(loop("mov.u32 %r1, %laneid;").includes("uniform"), "threads leave one after the other");
  t.false(loop("ld.global.u32 %r1, [%rd1];").includes("uniform"));
  const after = (guard: string): readonly string[] =>
    pipesOf(planOf(`mov.u32 %r2, %ctaid.x; ${guard} add.s32 %r1, %r2, 3; st.global.u32 [%rd1], %r1;`));
  t.true(after("").includes("uniform"));
  t.false(after("setp.lt.u32 %p1, %r9, 5; @%p1").includes("uniform"), "some threads only");
  const branch = "mov.u32 %r3, %laneid; setp.lt.u32 %p1, %r3, 5; @%p1 bra E;";
  const add = "add.s32 %r1, %r2, 3; st.global.u32 [%rd1], %r1;";
  const jumped = `mov.u32 %r2, %ctaid.x; ${branch} ${add} E:`;
  t.false(pipesOf(planOf(`${jumped} xor.b32 %r4, %r3, 1; ret;`)).includes("uniform"));
  t.true(pipesOf(planOf(`${jumped} ret;`)).includes("uniform"), "the others have ended");
});
