// Fills operands into a PTX template of the intrinsic table (row.ts).

/** How float arithmetic is lowered, with the names and defaults of libNVVM. */
export interface FloatOptions {
  /** Subnormal f32 are zero; libNVVM's `-ftz=1`. */
  readonly ftz: boolean;
  /** f32 square roots are rounded to nearest; otherwise approximate. */
  readonly precSqrt: boolean;
  /** f32 quotients are rounded to nearest; otherwise `div.full`. */
  readonly precDiv: boolean;
}

export const defaultFloatOptions: FloatOptions = { ftz: false, precSqrt: true, precDiv: true };

export interface TemplateOperands {
  /** Registers, or lists of them; constants if the row has `!`. */
  readonly arguments: readonly string[];
  readonly results: readonly string[];
  /** State space of each pointer argument: "global", "shared", …, or "" if generic. */
  readonly spaces: readonly string[];
  /** 32 or 64. */
  readonly pointerBits: number;
}

/** The instructions, one a line, without indentation. */
export function fillTemplate(template: string, operands: TemplateOperands, options: FloatOptions): readonly string[] {
  const { arguments: values, results, spaces, pointerBits } = operands;
  const isZero = (index: string): boolean => /^(?:0|false)$/.test(values[Number(index)] ?? "0");
  const text = template
    .replace(/<([?!])(\d+):([^>]*)>/g, (_, sign: string, index: string, then: string) =>
      isZero(index) === (sign === "!") ? then : "",
    )
    .replace(/<(\d+)=(\d+):([^>]*)>/g, (_, index: string, value: string, then: string) =>
      values[Number(index)] === value ? then : "",
    )
    .replace(/<(ftz|sqrt|div|w|space(\d))>/g, (_, word: string, index: string | undefined) => {
      if (index !== undefined) return spaces[Number(index)] ? `.${spaces[Number(index)]}` : "";
      if (word === "w") return `${pointerBits}`;
      if (word === "ftz") return options.ftz ? ".ftz" : "";
      if (word === "sqrt") return options.precSqrt ? "rn" : "approx";
      return options.precDiv ? "rn" : "full";
    })
    .replace(/\$(d?)(\d*)/g, (all, result: string, digits: string) => {
      if (result === "") return digits === "" ? all : (values[Number(digits)] ?? all);
      return results[digits === "" ? 0 : Number(digits)] ?? all;
    });
  return linesOf(text);
}

/** Splits after each semicolon and each brace that opens or closes a scope. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (letter === ";") {
      lines.push(text.slice(start, at + 1).trim());
      start = at + 1;
    } else if ((letter === "{" || letter === "}") && text.slice(start, at).trim() === "") {
      // A brace at the start of a statement opens a scope, any other a list.
      if (letter === "{" ? true : depth > 0) {
        depth += letter === "{" ? 1 : -1;
        lines.push(letter);
        start = at + 1;
      }
    }
  }
  const rest = text.slice(start).trim();
  return rest === "" ? lines : [...lines, rest];
}
