// Every template of the intrinsic table as statements on registers of its types, one function each.

import { intrinsicRows } from "../../../lib/nvvm/intrinsics.table.js";
import { findIntrinsic } from "../../../lib/nvvm/intrinsics/find.js";
import { namesOf } from "../../../lib/nvvm/intrinsics/pattern.js";
import { defaultFloatOptions, fillTemplate } from "../../../lib/nvvm/intrinsics/template.js";

export interface TemplateFunction {
  readonly name: string;
  /** The template as a `.func`. */
  readonly text: string;
  readonly ownSampler: boolean;
}

/** Values of constant arguments, by name; others are 0 and 1. */
const constants: readonly (readonly [pattern: RegExp, values: readonly string[]])[] = [
  [/setmaxnreg/, ["40"]],
  [/tensormap_generic\.acquire|applypriority|discard/, ["128"]],
  [/st\.bulk/, ["0"]],
  [/nvvm\.(?:shfl\.sync\.i32|vote\.sync)$/, ["0", "1", "2", "3"]],
];

interface Operands {
  readonly declarations: string[];
  count: number;
}

/** The operand for a type of the table, with its registers declared. */
function operand(type: string, made: Operands): string {
  const vector = /^v(\d+)(.*)$/.exec(type);
  if (vector !== null && !/^v2(?:bf16|f16|i16)$/.test(type)) {
    const parts = Array.from({ length: Number(vector[1]) }, () => operand(vector[2]!, made));
    return `{${parts.join(", ")}}`;
  }
  if (type === "i128") return `{${operand("i64", made)}, ${operand("i64", made)}}`;
  const name = `%r${made.count++}`;
  made.declarations.push(`.reg .${registerType(type)} ${name};`);
  return name;
}

function registerType(type: string): string {
  if (type === "i1") return "pred";
  if (type === "f32" || type === "f64") return type;
  if (type.startsWith("v2")) return "b32";
  if (type.startsWith("ptr")) return "b64";
  const bits = Number(/\d+$/.exec(type)?.[0]);
  return `b${Math.max(bits, 16)}`;
}

const spaceNames: Readonly<Record<string, string>> = { ptr1: "global", ptr3: "shared", ptr5: "local" };

function functionOf(
  name: string,
  template: string,
  types: readonly string[],
  results: readonly string[],
  constant: string,
): string {
  const made: Operands = { declarations: [], count: 0 };
  const values = types.map((type) => (type.endsWith("!") ? constant : operand(type, made)));
  const lines = fillTemplate(
    template,
    {
      arguments: values,
      results: results.map((type) => operand(type, made)),
      spaces: types.map((type) => spaceNames[type] ?? ""),
      pointerBits: 64,
    },
    defaultFloatOptions,
  );
  return `.visible .func ${name}()\n{\n${made.declarations.join("\n")}\n${lines.join("\n")}\nret;\n}\n`;
}

/** All templates with every choice; each constant as 0 and as 1. */
export function templateFunctions(): readonly TemplateFunction[] {
  let count = 0;
  return intrinsicRows().flatMap((row) =>
    row.ptx === undefined
      ? []
      : namesOf(row).flatMap((short): readonly TemplateFunction[] => {
          const name = `llvm.${short}`;
          const found = findIntrinsic(name);
          if (found === undefined) throw new Error(`${name} is not found`);
          const { signature, ptx } = found;
          const ownSampler = row.ownSampler ?? false;
          const templates = typeof ptx === "string" ? { "": ptx } : ptx!;
          const hasConstants = signature.parameters.some(({ constant }) => constant);
          const values = constants.find(([pattern]) => pattern.test(name))?.[1] ?? (hasConstants ? ["0", "1"] : ["0"]);
          return Object.entries(templates).flatMap(([type, template]) =>
            values.map((value) => {
              const typed = (text: string): string => (/^[FGIJV]$/.test(text) ? type : text);
              const types = signature.parameters.map((rule) => typed(rule.text) + (rule.constant ? "!" : ""));
              const results = signature.results.map(({ text }) => typed(text));
              const label = `${name}${type === "" ? "" : ` ${type}`}${hasConstants ? ` ${value}` : ""}`;
              const symbol = `f${count++}`;
              return { name: label, text: functionOf(symbol, template, types, results, value), ownSampler };
            }),
          );
        }),
  );
}

export const moduleOf = (functions: readonly TemplateFunction[], version: string, target: string): string =>
  `.version ${version}\n.target ${target}\n.address_size 64\n${functions.map(({ text }) => text).join("")}`;
