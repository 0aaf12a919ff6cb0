// How far the program supports each form of the instruction table, found by trying: uses of it are parsed, checked,
// encoded, decoded and printed without loss, and have a meaning for exec and a recipe for timing.

import { meaningOf } from "../../lib/exec/meanings/all.js";
import { checkModule } from "../../lib/check/check.js";
import type { CheckedModule } from "../../lib/check/module.js";
import { createSink } from "../../lib/diag/sink.js";
import type { Code } from "../../lib/isa/code.js";
import type { Instruction } from "../../lib/isa/instruction.js";
import type { Form } from "../../lib/isa/form.js";
import { parseVersion } from "../../lib/isa/requirement.js";
import { assemble } from "../../lib/object/assemble.js";
import { parseModule } from "../../lib/ptx/parse.js";
import { recipeOf } from "../../lib/timing/lowering/recipe.js";
import { essence, textOf } from "../object/essence.js";
import { check } from "../object/pipeline.js";
import { opcodeFor, platformFor, sampleChoices } from "../oracle/isa/choices.js";
import { prelude, writeInstruction } from "../oracle/isa/operands.js";
import { isDeepStrictEqual } from "node:util";
import { rounds } from "../sample.js";

/** Of the uses tried: all, some or none. */
export type Extent = "all" | "some" | "none";

export interface FormStatus {
  /** How many uses were tried. */
  readonly uses: number;
  readonly parsed: Extent;
  readonly checked: Extent;
  readonly encoded: Extent;
  readonly executed: Extent;
  readonly timed: Extent;
}

interface Use {
  readonly form: string;
  readonly version: string;
  readonly target: string;
  readonly statement: string;
}

/** Uses of forms whose operands are labels, functions and parameters of functions. */
const written: Readonly<Record<string, readonly string[]>> = {
  bra: ["bra here;", "bra.uni here;"],
  "brx.idx": ["brx.idx %u32_1, places;", "brx.idx.uni %u32_1, places;"],
  call: [
    "{ .param .b32 p; st.param.b32 [p], %u32_1; call callee, (p); }",
    "{ .param .b32 p; st.param.b32 [p], %u32_1; call.uni %b64_1, (p), shape; }",
  ],
};

/** Two uses of every choice of every slot; one in a sample. */
function usesOf(form: Form): readonly Use[] {
  const own = written[form.id];
  if (own !== undefined)
    return own.map((statement) => ({ form: form.id, version: "9.0", target: "sm_90a", statement }));
  return sampleChoices(form, rounds(2, 2)).vectors.flatMap((chosen) => {
    const opcode = opcodeFor(form, chosen);
    const statement = opcode && writeInstruction(opcode);
    if (opcode === undefined || statement === undefined) return [];
    return [{ form: form.id, ...platformFor(opcode.needs)!, statement }];
  });
}

function moduleText(uses: readonly Use[]): string {
  const { version, target } = uses[0]!;
  const isNarrow = uses.some(({ statement }) => /^cvta\..*\.u32/.test(statement));
  const whole = prelude(version, target);
  const head = isNarrow ? whole.replace(".address_size 64\n", "") : whole;
  // Tables of labels and functions, in modules that have them.
  const text =
    parseVersion(version) < 60
      ? head
      : head
          .replace(".visible .entry", ".extern .func callee(.param .b32 x);\n.visible .entry")
          .replace("here:\n", "here:\nplaces: .branchtargets here;\nshape: .callprototype _ (.param .b32 _);\n");
  return `${text}${uses.map(({ statement }) => statement).join("\n")}\nret;\n}\n`;
}

/** Uses of one module that fail `attempt`, found by bisection. */
function failing(uses: readonly Use[], attempt: (uses: readonly Use[]) => boolean): readonly Use[] {
  if (uses.length === 0 || attempt(uses)) return [];
  if (uses.length === 1) return uses;
  const middle = uses.length >> 1;
  return [...failing(uses.slice(0, middle), attempt), ...failing(uses.slice(middle), attempt)];
}

const errors = (uses: readonly Use[], stage: "parsed" | "checked"): boolean => {
  const sink = createSink();
  const parsed = parseModule({ name: "m.ptx", bytes: new TextEncoder().encode(moduleText(uses)) }, sink);
  if (stage === "checked") checkModule(parsed, sink);
  return sink.errorCount > 0;
};

const survivesEncoding = (module: CheckedModule): boolean => {
  const object = assemble(module);
  return isDeepStrictEqual(essence(assemble(check(textOf(object)))), essence(object));
};

function comesBack(uses: readonly Use[]): boolean {
  try {
    return survivesEncoding(check(moduleText(uses)));
  } catch {
    return false;
  }
}

/** The module of the uses if none fails, which is the usual case and needs no search. */
function wholeModule(uses: readonly Use[]): CheckedModule | undefined {
  try {
    const module = check(moduleText(uses));
    return survivesEncoding(module) ? module : undefined;
  } catch {
    return undefined;
  }
}

/** The instructions of the uses, with their operands. */
function codeOf(module: CheckedModule): Code | undefined {
  const kernel = module.symbols.find((symbol) => symbol.name === "snippets");
  return kernel?.kind === "function" ? kernel.code : undefined;
}

/** The state of every form of the list. */
export function formStatuses(forms: readonly Form[]): ReadonlyMap<string, FormStatus> {
  const uses = forms.flatMap(usesOf);
  const modules = new Map<string, Use[]>();
  for (const use of uses) {
    const key = `${use.version} ${use.target}`;
    modules.set(key, [...(modules.get(key) ?? []), use]);
  }
  const unparsed = new Set<Use>();
  const unchecked = new Set<Use>();
  const unencoded = new Set<Use>();
  /** For each form: how many of its instructions have a meaning, and a recipe. */
  const later = new Map<string, { executed: number; timed: number; of: number }>();
  for (const module of modules.values()) {
    let whole = wholeModule(module);
    if (whole === undefined) {
      for (const use of failing(module, (some) => !errors(some, "parsed"))) unparsed.add(use);
      const parsed = module.filter((use) => !unparsed.has(use));
      for (const use of failing(parsed, (some) => !errors(some, "checked"))) unchecked.add(use);
      const checked = parsed.filter((use) => !unchecked.has(use));
      for (const use of failing(checked, comesBack)) unencoded.add(use);
      whole = check(moduleText(checked));
    }
    for (const instruction of codeOf(whole)?.instructions ?? []) {
      const { opcode } = instruction;
      const counts = later.get(opcode.form.id) ?? { executed: 0, timed: 0, of: 0 };
      counts.of++;
      if (meaningOf(opcode) !== undefined) counts.executed++;
      if (isTimed(instruction)) counts.timed++;
      later.set(opcode.form.id, counts);
    }
  }
  return new Map(
    forms.map((form) => {
      const own = uses.filter((use) => use.form === form.id);
      const extent = (failed: readonly Set<Use>[]): Extent =>
        extentOf(own.filter((use) => !failed.some((set) => set.has(use))).length, own.length);
      const { executed, timed, of } = later.get(form.id) ?? { executed: 0, timed: 0, of: 0 };
      return [
        form.id,
        {
          uses: own.length,
          parsed: extent([unparsed]),
          checked: extent([unparsed, unchecked]),
          encoded: extent([unparsed, unchecked, unencoded]),
          executed: extentOf(executed, of),
          timed: extentOf(timed, of),
        },
      ];
    }),
  );
}

const extentOf = (count: number, of: number): Extent => (count === 0 ? "none" : count === of ? "all" : "some");

function isTimed(instruction: Instruction): boolean {
  try {
    return recipeOf(instruction) !== undefined;
  } catch {
    return false;
  }
}
