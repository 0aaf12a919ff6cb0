// The text that an editor shows for the word under the pointer, as Markdown: the possible forms of an opcode, the declaration of
// a name, the type of a special register.

import { choicesText, limitTexts, needsText, syntaxText } from "../isa/form-text.js";
import type { Form } from "../isa/form.js";
import { formsOf, resolveOpcode } from "../isa/opcode.js";
import { specialRegister } from "../isa/special-registers.table.js";
import { requirementText } from "../isa/requirement.js";
import { printParameters, printVariables } from "../ptx/print-declaration.js";
import type { Ranged } from "../ptx/source-text.js";
import { functionDirectives } from "../ptx/words.table.js";
import { classRowOf } from "../timing/lowering/recipe.js";
import type { AnyFunction, LanguageDocument } from "./document.js";
import { type Declaration, type NamedSymbol } from "./names.js";
import { nameAt } from "./occurrences.js";
import { extentOf, parameterOffset } from "./sizes.js";
import { statementAt, wordAt } from "./words.js";

export interface Hover extends Ranged {
  readonly markdown: string;
}

/** `places`: one line for each place where other files declare a module's name. */
export function hoverAt(
  document: LanguageDocument,
  offset: number,
  places: (symbol: NamedSymbol) => readonly string[] = () => [],
): Hover | undefined {
  const word = wordAt(document, offset);
  if (word === undefined) return undefined;
  if (word.text.startsWith(".")) return directiveHover(word);
  if (statementAt(document, word.start).isFirst) {
    const markdown = opcodeText(word.text);
    return markdown === undefined ? undefined : { ...word, markdown };
  }
  const found = nameAt(document, offset);
  if (found === undefined) return undefined;
  const { name, symbol } = found;
  const lines = [...symbolLines(symbol), ...places(symbol)];
  return { start: name.start, end: name.end, markdown: lines.join("\n\n") };
}

const block = (text: string): string => `\`\`\`ptx\n${text}\n\`\`\``;

// ---------------------------------------------------------------------------------------------------------- instructions

/** Number of forms that are shown in full; further ones are only counted. */
const MAX_FORMS = 6;

/** The text for an opcode: the forms that its spelling can mean or, if it is incomplete or wrong, all forms of the opcode. */
export function opcodeText(spelling: string): string | undefined {
  const base = spelling.split(".", 1)[0]!;
  const readings = resolveOpcode(spelling).map(({ form }) => form);
  const forms = readings.length > 0 ? [...new Set(readings)] : formsOf(base);
  if (forms.length === 0) return undefined;
  const shown = forms.slice(0, MAX_FORMS).map(formText);
  const rest = forms.length - shown.length;
  if (rest > 0) shown.push(`and ${rest} more forms of \`${base}\`, such as ${someOf(forms.slice(MAX_FORMS))}`);
  return shown.join("\n\n---\n\n");
}

const someOf = (forms: readonly Form[]): string =>
  forms
    .slice(0, 4)
    .map(({ id }) => `\`${id}\``)
    .join(", ");

function formText(form: Form): string {
  const details = [...choicesText(form.slots), ...limitTexts(form)].map((line) => `- \`${line}\``);
  const timing = classRowOf(form.id);
  const facts = [
    `PTX ISA section ${form.section}`,
    `needs ${form.needs.length === 0 ? "PTX 1.0" : `PTX ${needsText(form.needs)}`}`,
    ...(timing === undefined ? [] : [`timing class \`${timing.lines.join("; ")}\``]),
  ];
  return [block(syntaxText(form)), ...(details.length === 0 ? [] : [details.join("\n")]), facts.join(" · ")].join(
    "\n\n",
  );
}

// ----------------------------------------------------------------------------------------------------------------- names

function symbolLines(symbol: NamedSymbol): readonly string[] {
  const special = symbol.kind === "special register" ? specialRegister(symbol.text) : undefined;
  if (special !== undefined) {
    const { name, type, vector, needs, section } = special;
    const shape = vector ? ".v4" : "";
    return [
      block(`.sreg ${shape === "" ? "" : `${shape} `}.${type.name} ${name};`),
      `special register · PTX ISA section ${section} · needs ${requirementText(needs)}`,
    ];
  }
  const definition = symbol.declarations.find(({ isDefinition }) => isDefinition) ?? symbol.declarations[0];
  if (definition === undefined) return [];
  return [block(declarationText(definition, symbol)), factsOf(definition, symbol)];
}

/** The declaration as PTX, without the body of a function or the values of a variable. */
export function declarationText({ syntax, name }: Declaration, symbol?: NamedSymbol): string {
  switch (syntax.kind) {
    case "variable": {
      const { type, linkage } = syntax;
      const { initializer: _, ...declarator } = syntax.declarator;
      const head = linkage === undefined ? {} : { linkage };
      const { start, end } = declarator;
      return printVariables({ kind: "variable", start, end, type, declarators: [declarator], ...head });
    }
    case "parameter":
      return printParameters([syntax.parameter]).slice(1, -1);
    case "function":
      return headText(syntax.declaration);
    case "label":
      return `${name.text}:`;
    case "prototype": {
      const returns = syntax.returns.length === 0 ? "" : `${printParameters(syntax.returns)} `;
      return `${name.text}: .callprototype ${returns}_ ${printParameters(syntax.parameters)};`;
    }
    case "branch-targets":
    case "call-targets": {
      const word = syntax.kind === "branch-targets" ? "branchtargets" : "calltargets";
      return `${symbol?.text ?? name.text}: .${word} ${syntax.targets.map(({ text }) => text).join(", ")};`;
    }
  }
}

/** A function's declaration with its directives: `.visible .entry k(.param .u64 p)`. */
function headText({ linkage, entry, returns, name, parameters, directives }: AnyFunction): string {
  const words = [
    ...(linkage === undefined ? [] : [`.${linkage}`]),
    entry ? ".entry" : ".func",
    ...(returns.length === 0 ? [] : [printParameters(returns)]),
    name.text + printParameters(parameters),
  ];
  const rest = directives.map((one) => `\n.${one.name}${one.values.length === 0 ? "" : ` ${one.values.join(", ")}`}`);
  return words.join(" ") + rest.join("");
}

function factsOf({ syntax }: Declaration, { kind, family, owner, text }: NamedSymbol): string {
  const facts: string[] = [family === undefined ? kind : `${kind} ${text}, one of the family`];
  const typed =
    syntax.kind === "variable"
      ? ([syntax.type, syntax.declarator] as const)
      : syntax.kind === "parameter"
        ? ([syntax.parameter.type, syntax.parameter.declarator] as const)
        : undefined;
  if (typed !== undefined && kind !== "register") {
    const extent = extentOf(...typed);
    if (extent !== undefined) {
      facts.push(extent.size === undefined ? "size open" : bytes(extent.size), `aligned to ${extent.align}`);
    }
    facts.push(`in .${typed[0].space}`);
    if (syntax.kind === "parameter") {
      const at = parameterOffset(syntax.parameter, syntax.among);
      if (at !== undefined) facts.push(`at byte ${at} of the parameters`);
    }
  } else if (typed !== undefined) {
    const bits = extentOf(...typed)?.size;
    if (bits !== undefined) facts.push(`${bits * 8} bits`);
  }
  if (owner !== undefined) facts.push(`of \`${owner.name.text}\``);
  return facts.join(" · ");
}

const bytes = (count: number): string => `${count} byte${count === 1 ? "" : "s"}`;

// ------------------------------------------------------------------------------------------------------------ directives

function directiveHover(word: Ranged & { readonly text: string }): Hover | undefined {
  const shape = functionDirectives.get(word.text);
  if (shape === undefined) return undefined;
  const [least, most] = shape.values;
  const count = least === most ? `${least}` : `${least} to ${most}`;
  const on = shape.on === "entry" ? "kernels" : "device functions and call prototypes";
  return { ...word, markdown: `${block(word.text)}\n\ndirective of ${on} · ${count} value${most === 1 ? "" : "s"}` };
}
