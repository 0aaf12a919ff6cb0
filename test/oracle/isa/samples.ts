// Uses of the instruction table's rows, right ones and wrong ones, for ptxas and the checker to judge. A purpose says what was
// meant to be wrong; whether it is, only ptxas knows: `add.sat.s32` without .sat is another right instruction.
//
// Rejected: mutating text without the table (most of it is noise that both sides refuse for want of an opcode).

import { allHold, brokenLimit, type Chosen } from "../../../lib/isa/conditions.js";
import type { Form } from "../../../lib/isa/form.js";
import { resolveOpcode, type Opcode } from "../../../lib/isa/opcode.js";
import { parseTarget, satisfies, versionText, type Clause, type Requirement } from "../../../lib/isa/requirement.js";
import { specialRegisters } from "../../../lib/isa/special-registers.table.js";
import { isVersion, knownTarget, newestVersion, targets } from "../../../lib/isa/targets.table.js";
import { dataType, dataTypes, type DataType } from "../../../lib/isa/types.table.js";
import { opcodeFor, platformFor, randomFrom, sampleChoices, seedOf, spell, type Platform } from "./choices.js";
import { splitOperands, strangeOperands, writeInstruction } from "./operands.js";

/** Why a statement was written. */
export const purposes = [
  "row",
  "limit",
  "type",
  "missing",
  "extra",
  "order",
  "operand",
  "version",
  "target",
  "oldest",
  "register",
] as const;
export type Purpose = (typeof purposes)[number];

export interface Sample {
  readonly purpose: Purpose;
  readonly form: string;
  readonly version: string;
  readonly target: string;
  readonly statement: string;
}

/** How many of each kind a row gets: uses of every choice, and spoilt uses of every kind. */
export interface Amounts {
  readonly each: number;
  readonly spoilt: number;
}

const newest = "9.0";
/** Right uses, as the start of wrong ones. */
interface Use {
  readonly opcode: Opcode;
  readonly platform: Platform;
  readonly statement: string;
}

function usesOf(form: Form, each: number): readonly Use[] {
  return sampleChoices(form, each).vectors.flatMap((chosen) => {
    const opcode = opcodeFor(form, chosen);
    const platform = opcode && platformFor(opcode.needs);
    if (opcode === undefined || platform === undefined) return [];
    const hasOptional =
      form.operands.some((o) => o.optional && o.condition.length === 0) || form.operands.some((o) => o.pair?.optional);
    return (hasOptional ? [false, true] : [false]).flatMap((optional) => {
      const statement = writeInstruction(opcode, { optional });
      return statement === undefined ? [] : [{ opcode, platform, statement }];
    });
  });
}

/** As many of a list as are asked for, spread over it without order but the same every time. */
function draw<T>(list: readonly T[], count: number, seed: string): readonly T[] {
  if (list.length <= count) return list;
  const random = randomFrom(seedOf(seed));
  const left = [...list];
  return Array.from({ length: count }, () => left.splice(random(left.length), 1)[0]!);
}

const withOpcode = ({ opcode, statement }: Use, words: readonly string[]): string =>
  statement.replace(opcode.spelling, words.join("."));

// ------------------------------------------------------------------------------------------------------- wrong modifiers

/** Combinations that the limits rule out: the operands follow, so only the modifiers are at fault. */
function* limitSamples(form: Form, count: number): Generator<Sample> {
  if (form.limits.length === 0) return;
  const random = randomFrom(seedOf(`${form.id} limits`));
  const allowed = sampleChoices(form, 1).vectors;
  for (let n = 0, made = 0; n < 50 * count && made < count; n++) {
    const base = allowed[random(allowed.length)]!;
    const s = random(form.slots.length);
    const slot = form.slots[s]!;
    const text = slot.choices[random(slot.choices.length + (slot.optional ? 1 : 0))]?.text;
    const chosen = base.map((old, i) => (i === s ? text : old));
    if (brokenLimit(form, chosen) === undefined || resolveOpcode(spell(form, chosen)).length > 0) continue;
    const opcode = opcodeFor(form, base)!;
    const platform = platformFor(opcode.needs);
    const statement = platform && retyped(opcode, form, chosen);
    if (statement === undefined) continue;
    made++;
    yield { purpose: "limit", form: form.id, ...platform!, statement };
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

type Spoilt = Omit<Sample, "form">;

/** A modifier left out. */
const missing = (use: Use): readonly Spoilt[] => {
  const words = use.opcode.spelling.split(".");
  return words.slice(1).map((_, i) => ({
    purpose: "missing",
    ...use.platform,
    statement: withOpcode(
      use,
      words.filter((__, at) => at !== i + 1),
    ),
  }));
};

/** A modifier of this or another row more, in every place, and instead of another. */
const extra = (use: Use, vocabulary: readonly string[]): readonly Spoilt[] => {
  const words = use.opcode.spelling.split(".");
  return words.flatMap((_, i) =>
    vocabulary.flatMap((word) => [
      {
        purpose: "extra" as const,
        ...use.platform,
        statement: withOpcode(use, [...words.slice(0, i + 1), word, ...words.slice(i + 1)]),
      },
      ...(i === 0 || words[i] === word
        ? []
        : [
            {
              purpose: "extra" as const,
              ...use.platform,
              statement: withOpcode(use, [...words.slice(0, i), word, ...words.slice(i + 1)]),
            },
          ]),
    ]),
  );
};

/** Two modifiers exchanged. */
const order = (use: Use): readonly Spoilt[] => {
  const words = use.opcode.spelling.split(".");
  return words.flatMap((first, i) =>
    words.flatMap((second, k) => {
      if (i === 0 || k <= i || first === second) return [];
      const swapped = words.map((word, at) => (at === i ? second : at === k ? first : word));
      return [{ purpose: "order", ...use.platform, statement: withOpcode(use, swapped) }];
    }),
  );
};

// -------------------------------------------------------------------------------------------------------- wrong operands

/** Each operand in a register of every other type. */
function wrongTypes({ opcode, platform }: Use): readonly Spoilt[] {
  const registers = dataTypes.filter((type) => type.declarable && type.class !== "opaque");
  return Array.from({ length: 40 }, (_, at) => at).flatMap((at) =>
    registers.flatMap((other): readonly Spoilt[] => {
      const statement = writeInstruction(opcode, {
        spoil: { at, by: (type) => (type === other ? undefined : other) },
      });
      return statement === undefined ? [] : [{ purpose: "type", ...platform, statement }];
    }),
  );
}

/** Each operand replaced by another kind of thing, left out, or one more of them. */
function wrongOperands({ opcode, platform, statement }: Use): readonly Spoilt[] {
  const operands = splitOperands(statement);
  const write = (list: readonly string[]): Spoilt => ({
    purpose: "operand",
    ...platform,
    statement: `${opcode.spelling} ${list.join(", ")};`,
  });
  return operands.flatMap((own, i) => [
    write(operands.filter((_, at) => at !== i)),
    write([...operands.slice(0, i), own, ...operands.slice(i)]),
    ...strangeOperands(own).map((text) => write(operands.map((operand, at) => (at === i ? text : operand)))),
  ]);
}

// --------------------------------------------------------------------------------------------------- versions and targets

/** The PTX versions. */
const versions = Array.from({ length: newestVersion - 9 }, (_, i) => i + 10).filter(isVersion);

const existsIn = (name: string, version: number): boolean =>
  knownTarget(name)!.since <= version && (knownTarget(name)!.until ?? version) >= version;

/** Modules that do not meet a clause: of the version before the one it needs, and for a target that lacks it. */
function* unmetModules(clause: Clause, seed: string): Generator<Platform> {
  if (clause.kind !== "needs") return;
  const oldest = Math.min(...clause.alternatives.map((a) => a.ptx));
  const older = versions.filter((v) => v < oldest).at(-1);
  const target = targets.filter((t) => older !== undefined && existsIn(t.name, older)).at(-1);
  if (target !== undefined) yield { version: versionText(older!), target: target.name };
  const lacking = targets.filter(({ name }) => {
    const parsed = parseTarget(name)!;
    return existsIn(name, 90) && parsed.sm >= 75 && !satisfies(90, parsed, [clause]);
  });
  const without = lacking[randomFrom(seedOf(seed))(Math.max(1, lacking.length))];
  if (without !== undefined) yield { version: newest, target: without.name };
}

/** Modules that meet it only just: the first version with any target that has it then, the oldest target. */
function* oldestModules(needs: Requirement): Generator<Platform> {
  const has = (version: number, name: string): boolean =>
    existsIn(name, version) && satisfies(version, parseTarget(name)!, needs);
  const version = versions.find((v) => targets.some(({ name }) => has(v, name)));
  const target = targets.findLast(({ name }) => version !== undefined && has(version, name));
  if (target !== undefined) yield { version: versionText(version!), target: target.name };
  const oldest = targets.find(({ name }) => has(90, name));
  if (oldest !== undefined) yield { version: newest, target: oldest.name };
  for (const family of ["sm_100f", "sm_103f", "sm_110f", "sm_120f", "sm_121f", "sm_110a", "sm_121a", "sm_120", "sm_88"])
    if (has(90, family)) yield { version: newest, target: family };
}

/** A use of the row in such modules. */
function* unmet(form: Form, chosen: Chosen, clause: Clause): Generator<Sample> {
  const opcode = opcodeFor(form, chosen);
  const statement = opcode && writeInstruction(opcode);
  if (opcode === undefined || statement === undefined) return;
  for (const { version, target } of unmetModules(clause, opcode.spelling))
    yield { purpose: version === newest ? "target" : "version", form: form.id, version, target, statement };
}

/** What the row needs, and what each of its choices and combinations needs beyond it; and every choice where it is just met. */
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
  for (const chosen of vectors) {
    const opcode = opcodeFor(form, chosen);
    const statement = opcode && writeInstruction(opcode);
    if (opcode === undefined || statement === undefined) continue;
    for (const platform of oldestModules(opcode.needs))
      yield { purpose: "oldest", form: form.id, ...platform, statement };
  }
}

// ------------------------------------------------------------------------------------------------------------ everything

/** Modifiers that are put where they do not belong, besides those of the opcode's own rows. */
const foreign = [
  "ftz",
  "sat",
  "rn",
  "rz",
  "NaN",
  "relu",
  "approx",
  "sync",
  "aligned",
  "cta",
  "relaxed",
  "s32",
  "f32",
  "b64",
];

/** All samples of the rows of one opcode. */
export function samplesOf(forms: readonly Form[], { each, spoilt }: Amounts): readonly Sample[] {
  const own = new Set(forms.flatMap((f) => f.slots.flatMap((s) => s.choices.map((c) => c.text))));
  const vocabulary = [...new Set([...own, ...foreign])];
  return forms.flatMap((form) => {
    const uses = usesOf(form, each);
    const some = draw(uses, 12, form.id);
    const kinds = [missing, (use: Use) => extra(use, vocabulary), order, wrongTypes, wrongOperands];
    const made = kinds.flatMap((kind, i) => draw(some.flatMap(kind), spoilt, `${form.id} ${i}`));
    return [
      ...uses.map(({ platform, statement }): Sample => ({ purpose: "row", form: form.id, ...platform, statement })),
      ...limitSamples(form, spoilt),
      ...made.map((sample) => ({ ...sample, form: form.id })),
      ...requirementSamples(form),
    ];
  });
}

/** Special registers: read whole or by component in their own type and in every size, and in modules too old for them. */
export function* registerSamples(): Generator<Sample> {
  for (const { name, type, vector, needs } of specialRegisters) {
    const source = vector ? `${name}.x` : name;
    const { target } = platformFor(needs)!;
    const sizes = type.class === "predicate" ? [type.name, "b32"] : ["u16", "u32", "u64", "b32", "s64", "f32", "b128"];
    for (const size of sizes) {
      const statement = `mov.${size} %${size}_1, ${source};`;
      yield { purpose: "register", form: name, version: newest, target, statement };
    }
    for (const statement of [
      `cvt.u64.u32 %u64_1, ${source};`,
      `cvt.u32.u64 %u32_1, ${source};`,
      `add.u32 %u32_1, ${source}, 1;`,
      `mov.v4.u32 {%u32_1, %u32_2, %u32_3, %u32_4}, ${name};`,
      `mov.u32 ${source}, %u32_1;`,
      `mov.u32 %u32_1, ${name};`,
      ...["x", "y", "z", "w", "r"].map((part) => `mov.u32 %u32_1, ${name}.${part};`),
    ])
      yield { purpose: "register", form: name, version: newest, target, statement };
    const own = `mov.${type.name} %${type.name}_1, ${source};`;
    for (const clause of needs)
      for (const platform of unmetModules(clause, name))
        yield { purpose: "register", form: name, ...platform, statement: own };
    for (const platform of oldestModules(needs)) yield { purpose: "register", form: name, ...platform, statement: own };
  }
}
