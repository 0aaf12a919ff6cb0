import fc from "fast-check";
import test from "ava";
import { resolveOpcode } from "../../lib/isa/opcode.js";
import {
  bothRequirements,
  parseGone,
  parseRequirement,
  parseTarget,
  requirementText,
  satisfies,
  unmetClause,
  versionText,
} from "../../lib/isa/requirement.js";
import { family, knownTarget, newestVersion, targets } from "../../lib/isa/targets.table.js";

const has = (version: number, target: string, needed: string): boolean =>
  satisfies(version, parseTarget(target)!, parseRequirement(needed));

test("a plain target is satisfied from its number on", (t) => {
  t.true(has(70, "sm_80", "7.0:sm_80"));
  t.true(has(80, "sm_90a", "7.0:sm_80"));
  t.false(has(70, "sm_75", "7.0:sm_80"));
  t.false(has(65, "sm_80", "7.0:sm_80"));
});

test("an architecture-specific feature needs exactly that architecture", (t) => {
  t.true(has(80, "sm_90a", "8.0:sm_90a"));
  t.false(has(86, "sm_100a", "8.0:sm_90a"));
  t.false(has(90, "sm_90", "8.0:sm_90a"));
});

test("a family-specific feature is available to later members of its family, in f and a modules", (t) => {
  for (const yes of ["sm_100a", "sm_100f", "sm_103a", "sm_103f"]) t.true(has(90, yes, "8.6:sm_100f"), yes);
  for (const no of ["sm_100", "sm_103", "sm_120a", "sm_110f", "sm_90a"]) t.false(has(90, no, "8.6:sm_100f"), no);
  t.true(has(90, "sm_110a", "8.6:sm_101f"));
  t.false(has(90, "sm_100a", "8.8:sm_103f"));
  t.is(family(121), 120);
  t.is(family(75), 75);
});

test("alternatives carry their own versions", (t) => {
  const e4m3 = "7.8:sm_90|8.1:sm_89";
  t.true(has(78, "sm_90", e4m3));
  t.false(has(78, "sm_89", e4m3));
  t.true(has(81, "sm_89", e4m3));
});

test("all of several requirements hold", (t) => {
  const both = bothRequirements(parseRequirement("8.0:sm_90a"), parseRequirement("8.6:sm_100a"));
  for (const { name } of targets) t.false(satisfies(newestVersion, parseTarget(name)!, both), name);
  const contradiction = unmetClause(90, parseTarget("sm_100a")!, both)!;
  t.is(requirementText([contradiction]), "PTX 8.0 and sm_90a");
});

test("a removed form is absent from later versions for newer targets", (t) => {
  const shfl = resolveOpcode("shfl.idx.b32")[0]!;
  t.true(satisfies(63, parseTarget("sm_70")!, shfl.needs));
  t.true(satisfies(90, parseTarget("sm_61")!, shfl.needs));
  t.false(satisfies(64, parseTarget("sm_70")!, shfl.needs));
  t.is(requirementText(parseGone("6.3:sm_70")), "at most PTX 6.3 for targets from sm_70 on");
});

test("modifiers and combinations add to what a row needs", (t) => {
  const needs = (spelling: string): string => requirementText(resolveOpcode(spelling)[0]!.needs);
  t.is(needs("add.u32"), "PTX 1.0");
  t.is(needs("ld.global.v8.f32"), "PTX 1.0; PTX 8.8 and sm_100 or newer");
  t.is(needs("mad.f32"), "PTX 1.0; at most PTX 3.1 for targets from sm_20 on");
});

test("malformed requirements are a defect of the table", (t) => {
  for (const wrong of ["", "8", "8.6:sm100a", ":sm_80", "8.6:", "sm_80"])
    t.throws(() => parseRequirement(wrong), undefined, wrong);
  t.is(parseTarget("sm_1000"), undefined);
  t.is(parseTarget("sm_90g"), undefined);
});

test("a newer version or plain target satisfies every requirement without an end", (t) => {
  const plain = targets.map(({ name }) => parseTarget(name)!).filter(({ suffix }) => suffix === "");
  const version = fc.integer({ min: 10, max: 90 });
  fc.assert(
    fc.property(fc.constantFrom(...plain), fc.constantFrom(...plain), version, version, (needed, actual, ptx, at) => {
      const requirement = parseRequirement(`${versionText(ptx)}:${needed.name}`);
      return satisfies(at, actual, requirement) === (at >= ptx && actual.sm >= needed.sm);
    }),
  );
  t.pass();
});

test("targets are recognised in both spellings, with their first version", (t) => {
  t.is(knownTarget("sm_90a")?.since, 80);
  t.is(knownTarget("compute_90a")?.since, 80);
  t.is(knownTarget("sm_101a")?.until, 88);
  t.is(knownTarget("sm_99"), undefined);
});
