// Holds the instruction table against ptxas: writes instructions for every row and its modifiers, and others that are wrong
// by design, asks ptxas and the checker about each, and lists where they disagree. Run it by hand, with ptxas on the path:
//
//     npm run oracle:isa -- [--only OPCODE,...] [--each N] [--record]
//
// --each asks for N uses of every choice of every slot (2 unless given).
// --record writes testdata/isa/verdicts.json, which test/isa holds the checker against where there is no ptxas.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { allHold, brokenLimit, type Chosen } from "../../lib/isa/conditions.js";
import type { Form } from "../../lib/isa/form.js";
import { formsOf, resolveOpcode, type Opcode } from "../../lib/isa/opcode.js";
import { parseTarget, satisfies, versionText, type Clause, type Requirement } from "../../lib/isa/requirement.js";
import { opcodeNames } from "../../lib/isa/rows/all.table.js";
import { specialRegisters } from "../../lib/isa/special-registers.table.js";
import { knownTarget, targets } from "../../lib/isa/targets.table.js";
import { dataType, dataTypes, type DataType } from "../../lib/isa/types.table.js";
import { askChecker } from "./isa/checker.js";
import { randomFrom, sampleChoices, seedOf, spell } from "./isa/choices.js";
import { writeInstruction } from "./isa/operands.js";
import { askPtxas } from "./isa/ptxas.js";

/** Why a statement was written. */
const purposes = ["row", "limit", "type", "modifier", "version", "target", "register"] as const;
type Purpose = (typeof purposes)[number];

interface Sample {
  readonly purpose: Purpose;
  readonly form: string;
  readonly version: string;
  readonly target: string;
  readonly statement: string;
}

const newest = "9.0";
/** Targets in the order in which they are tried: one of each family, most capable first. */
const offered = ["sm_100a", "sm_90a", "sm_120a", "sm_110a", "sm_103a", "sm_121a"];

const newestTarget = offered[0]!;

function targetFor(needs: Requirement): string | undefined {
  return offered.find((name) => satisfies(90, parseTarget(name)!, needs));
}

// ------------------------------------------------------------------------------------------------------------- samples

/** The Opcode of a form with those modifiers, if the table has it. */
function opcodeOf(form: Form, chosen: Chosen): Opcode | undefined {
  return resolveOpcode(spell(form, chosen)).find((opcode) => opcode.form.id === form.id);
}

function* rowSamples(form: Form, each: number): Generator<Sample> {
  for (const chosen of sampleChoices(form, each).vectors) {
    const opcode = opcodeOf(form, chosen);
    const target = opcode && targetFor(opcode.needs);
    if (opcode === undefined || target === undefined) continue;
    const hasOptional =
      form.operands.some((o) => o.optional && o.condition.length === 0) || form.operands.some((o) => o.pair?.optional);
    for (const optional of hasOptional ? [false, true] : [false]) {
      const statement = writeInstruction(opcode, { optional });
      if (statement !== undefined) yield { purpose: "row", form: form.id, version: newest, target, statement };
    }
  }
}

/** Combinations that the limits rule out: the operands are those of an allowed one, so only the modifiers are at fault. */
function* limitSamples(form: Form): Generator<Sample> {
  if (form.limits.length === 0) return;
  const random = randomFrom(seedOf(`${form.id} limits`));
  const allowed = sampleChoices(form, 1).vectors;
  for (let n = 0, made = 0; n < 400 && made < 8; n++) {
    const base = allowed[random(allowed.length)]!;
    const s = random(form.slots.length);
    const slot = form.slots[s]!;
    const text = slot.choices[random(slot.choices.length + (slot.optional ? 1 : 0))]?.text;
    const chosen = base.map((old, i) => (i === s ? text : old));
    if (brokenLimit(form, chosen) === undefined || resolveOpcode(spell(form, chosen)).length > 0) continue;
    const opcode = opcodeOf(form, base)!;
    const target = targetFor(opcode.needs);
    // Operands follow the changed type, or they would be at fault too.
    const shaped = retyped(opcode, form, chosen);
    const statement = target && shaped;
    if (statement === undefined) continue;
    made++;
    yield { purpose: "limit", form: form.id, version: newest, target: target!, statement };
  }
}

/** The operands that the chosen modifiers would have if the limits allowed them. */
function retyped(opcode: Opcode, form: Form, chosen: Chosen): string | undefined {
  const text = writeInstruction(opcode);
  if (text === undefined) return undefined;
  const [, operands = ""] = /^\S+ (.*)$/.exec(text) ?? [];
  let result = operands;
  form.slots.forEach((slot, s) => {
    const [old, now] = [opcode.chosen[s], chosen[s]].map((name) => dataType(name ?? ""));
    if (old === undefined || now === undefined || old === now || slot.name === undefined) return;
    const register = (type: DataType): string => (type.declarable ? type.name : `b${Math.max(8, type.bits)}`);
    result = result.replaceAll(`%${register(old)}_`, `%${register(now)}_`);
  });
  return `${spell(form, chosen)} ${result}`;
}

/** One operand of the wrong class or size. */
function* typeSamples(form: Form): Generator<Sample> {
  const random = randomFrom(seedOf(`${form.id} types`));
  const vectors = sampleChoices(form, 1).vectors;
  const registers = dataTypes.filter((type) => type.declarable && type.class !== "opaque" && type.bits < 128);
  for (let n = 0; n < 4 && vectors.length > 0; n++) {
    const opcode = opcodeOf(form, vectors[random(vectors.length)]!);
    const target = opcode && targetFor(opcode.needs);
    if (opcode === undefined || target === undefined) continue;
    const other = registers[random(registers.length)]!;
    const at = random(Math.max(1, opcode.operands.length));
    const statement = writeInstruction(opcode, { spoil: { at, by: (type) => (type === other ? undefined : other) } });
    if (statement !== undefined) yield { purpose: "type", form: form.id, version: newest, target, statement };
  }
}

/** A modifier too many, too few, or one of another row. */
function* modifierSamples(form: Form, vocabulary: readonly string[]): Generator<Sample> {
  const random = randomFrom(seedOf(`${form.id} modifiers`));
  const vectors = sampleChoices(form, 1).vectors;
  for (let n = 0; n < 4 && vectors.length > 0; n++) {
    const opcode = opcodeOf(form, vectors[random(vectors.length)]!);
    const target = opcode && targetFor(opcode.needs);
    const text = opcode && writeInstruction(opcode);
    if (opcode === undefined || target === undefined || text === undefined) continue;
    const words = opcode.spelling.split(".");
    const at = 1 + random(words.length);
    const extra = vocabulary[random(vocabulary.length)] ?? "u32";
    const changed =
      n % 3 === 0
        ? [...words.slice(0, at), ...words.slice(at + 1)]
        : n % 3 === 1
          ? [...words.slice(0, at), extra, ...words.slice(at)]
          : [...words.slice(0, at), extra, ...words.slice(at + 1)];
    if (changed.join(".") === opcode.spelling) continue;
    const statement = text.replace(opcode.spelling, changed.join("."));
    yield { purpose: "modifier", form: form.id, version: newest, target, statement };
  }
}

/** PTX versions that brought a target, from 6.0 on: ptxas reads older modules, but the prelude is not for them. */
const versions = [...new Set([60, ...targets.map((target) => target.since)])]
  .filter((v) => v >= 60)
  .sort((a, b) => a - b);

const existsIn = (name: string, version: number): boolean =>
  knownTarget(name)!.since <= version && (knownTarget(name)!.until ?? version) >= version;

/** Modules that do not meet a clause: of the version before the one it needs, and for a target that lacks it. */
function* unmetModules(clause: Clause, seed: string): Generator<{ readonly version: string; readonly target: string }> {
  if (clause.kind !== "needs") return;
  const oldest = Math.min(...clause.alternatives.map((a) => a.ptx));
  const older = versions.filter((v) => v < oldest).at(-1);
  const target = targets.filter((t) => older !== undefined && existsIn(t.name, older) && t.since >= 60).at(-1);
  if (target !== undefined) yield { version: versionText(older!), target: target.name };
  const lacking = targets.filter(({ name }) => {
    const parsed = parseTarget(name)!;
    return existsIn(name, 90) && parsed.sm >= 75 && !satisfies(90, parsed, [clause]);
  });
  const without = lacking[randomFrom(seedOf(seed))(Math.max(1, lacking.length))];
  if (without !== undefined) yield { version: newest, target: without.name };
}

/** A use of the row in such modules. */
function* unmet(form: Form, chosen: Chosen, clause: Clause): Generator<Sample> {
  const opcode = opcodeOf(form, chosen);
  const statement = opcode && writeInstruction(opcode);
  if (opcode === undefined || statement === undefined) return;
  for (const { version, target } of unmetModules(clause, opcode.spelling))
    yield { purpose: version === newest ? "target" : "version", form: form.id, version, target, statement };
}

/** What the row needs, and what each of its choices and combinations needs beyond it. */
function* requirementSamples(form: Form): Generator<Sample> {
  const vectors = sampleChoices(form, 1).vectors;
  const last = vectors.at(-1);
  if (last !== undefined) for (const clause of form.needs) yield* unmet(form, last, clause);
  for (const [s, slot] of form.slots.entries())
    for (const { text, needs } of slot.choices) {
      const having = vectors.find((chosen) => chosen[s] === text);
      if (having !== undefined) for (const clause of needs) yield* unmet(form, having, clause);
    }
  for (const { when, then } of form.limits) {
    const meeting = then.kind === "needs" ? vectors.find((chosen) => allHold(when, chosen)) : undefined;
    if (meeting !== undefined && then.kind === "needs")
      for (const clause of then.needs) yield* unmet(form, meeting, clause);
  }
}

function samplesOf(opcode: string, each: number): readonly Sample[] {
  const forms = formsOf(opcode);
  const vocabulary = [...new Set(forms.flatMap((f) => f.slots.flatMap((s) => s.choices.map((c) => c.text))))];
  return forms.flatMap((form) => [
    ...rowSamples(form, each),
    ...limitSamples(form),
    ...typeSamples(form),
    ...modifierSamples(form, vocabulary),
    ...requirementSamples(form),
  ]);
}

/** Special registers: read whole or by component in their own type and in every size, and in modules too old for them. */
function* registerSamples(): Generator<Sample> {
  for (const { name, type, vector, needs } of specialRegisters) {
    const source = vector ? `${name}.x` : name;
    const target = targetFor(needs) ?? newestTarget;
    const sizes = type.class === "predicate" ? [type.name] : ["u16", "u32", "u64", "b32", "s64", "f32"];
    for (const size of sizes) {
      const statement = `mov.${size} %${size}_1, ${source};`;
      yield { purpose: "register", form: name, version: newest, target, statement };
    }
    if (vector) {
      const whole = `mov.v4.u32 {%u32_1, %u32_2, %u32_3, %u32_4}, ${name};`;
      yield { purpose: "register", form: name, version: newest, target, statement: whole };
    }
    const own = `mov.${type.name} %${type.name}_1, ${source};`;
    for (const clause of needs)
      for (const { version, target: lacking } of unmetModules(clause, name))
        yield { purpose: "register", form: name, version, target: lacking, statement: own };
  }
}

// ------------------------------------------------------------------------------------------------------------ verdicts

interface Judged extends Sample {
  readonly ptxas: string | undefined;
  readonly ours: string | undefined;
}

function judge(samples: readonly Sample[]): readonly Judged[] {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = `${sample.version} ${sample.target}`;
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  const judged: Judged[] = [];
  for (const group of groups.values())
    for (let at = 0; at < group.length; at += 500) {
      const part = group.slice(at, at + 500);
      const batch = { version: part[0]!.version, target: part[0]!.target, statements: part.map((s) => s.statement) };
      const [ptxas, ours] = [askPtxas(batch), askChecker(batch)];
      judged.push(...part.map((sample, i) => ({ ...sample, ptxas: ptxas[i], ours: ours[i] })));
    }
  return judged;
}

function main(): void {
  const { values } = parseArgs({
    options: { only: { type: "string" }, each: { type: "string" }, record: { type: "boolean" } },
  });
  const names = values.only === undefined ? opcodeNames() : values.only.split(",");
  const each = Number(values.each ?? 2);
  const samples = [...names.flatMap((name) => samplesOf(name, each)), ...registerSamples()];
  const unique = new Map(samples.map((s) => [`${s.version} ${s.target} ${s.statement}`, s]));
  const judged = judge([...unique.values()]);
  for (const purpose of purposes) {
    const part = judged.filter((j) => j.purpose === purpose);
    const disagree = part.filter((j) => (j.ptxas === undefined) !== (j.ours === undefined));
    const accepted = part.filter((j) => j.ptxas === undefined).length;
    console.log(`${purpose}: ${part.length} statements, ptxas accepts ${accepted}; ${disagree.length} disagreements`);
    for (const j of disagree)
      console.log(
        `  ${j.version} ${j.target} [${j.form}] ${j.statement}\n      ptxas: ${j.ptxas ?? "accepted"}; ours: ${j.ours ?? "accepted"}`,
      );
  }
  if (values.record === true) record(judged);
}

/** Long statements (the registers of wgmma) say little more than short ones. */
function keepOneIn({ statement, purpose }: Judged): number {
  return statement.length > 250 ? 25 : purpose === "row" ? 5 : 3;
}

/** Keeps a part of what both sides agree on: of what is refused more than of a row's plain uses. */
function record(judged: readonly Judged[]): void {
  const kept = judged.filter(
    (j) => (j.ptxas === undefined) === (j.ours === undefined) && seedOf(j.statement) % keepOneIn(j) === 0,
  );
  const entries = kept.map(({ version, target, statement, ptxas, purpose }) => ({
    version,
    target,
    purpose,
    statement,
    accepted: ptxas === undefined,
  }));
  const file = fileURLToPath(new URL("../../../testdata/isa/verdicts.json", import.meta.url));
  const lines = entries.map((entry) => `    ${JSON.stringify(entry)}`).join(",\n");
  const head = `  "by": "ptxas 13.0 (V13.0.88), node dist/test/oracle/isa-snippets.js --record",\n`;
  writeFileSync(file, `{\n${head}  "verdicts": [\n${lines}\n  ]\n}\n`);
  console.log(`recorded ${entries.length} verdicts`);
}

main();
