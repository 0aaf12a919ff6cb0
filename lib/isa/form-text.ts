// Forms of the instruction table as text, for docs/isa.md and for editors: the syntax line, the choices of its slots, the limits
// of their combinations, and the required PTX versions and targets.

import type { Condition, Form, OperandSpec, Slot } from "./form.js";
import { clauseText, type Requirement } from "./requirement.js";

/** Each clause as text: "8.6, sm_100a or sm_120a". */
export function needsText(needs: Requirement): string {
  return needs
    .map((clause) =>
      clauseText(clause).replaceAll("PTX ", "").replaceAll(" and sm_", ", sm_").replaceAll(" or newer", "+"),
    )
    .join("; ");
}

function slotText({ name, choices, optional }: Slot): string {
  const word = `.${name ?? choices[0]!.text}`;
  return optional ? `{${word}}` : word;
}

function operandText(spec: OperandSpec): string {
  const scalar =
    spec.kind === "address"
      ? `[${[spec.name, ...spec.rest.map((item) => (item.optional ? `{, ${operandText(item)}}` : `, ${operandText(item)}`))].join("")}]`
      : spec.kind === "list"
        ? `(${spec.name}, ...)`
        : spec.kind === "sink"
          ? "_"
          : spec.name;
  const vector = spec.count === undefined || spec.bare ? scalar : `{${scalar}, ...}`;
  const second =
    spec.pair === undefined ? "" : spec.pair.optional ? `{|${spec.pair.spec.name}}` : `|${spec.pair.spec.name}`;
  return `${spec.negatable ? "{!}" : ""}${spec.signed ? "{-}" : ""}${vector}${spec.selector === undefined ? "" : `{.${spec.selector}}`}${second}`;
}

/** The syntax line of a form: "add{.sat}.type d, a, b;". */
export function syntaxText({ opcode, slots, operands }: Form): string {
  let text = "";
  for (const spec of operands) {
    const own = operandText(spec);
    const first = text === "";
    text += spec.optional ? (first ? `{${own}, }` : `{, ${own}}`) : first || text.endsWith(", }") ? own : `, ${own}`;
  }
  return `${opcode}${slots.map(slotText).join("")}${text === "" ? "" : ` ${text}`};`;
}

/** The choices of each named slot, with requirements that exceed the form's. */
export function choicesText(slots: readonly Slot[]): readonly string[] {
  return slots.flatMap(({ name, choices }) => {
    if (name === undefined && choices[0]!.needs.length === 0) return [];
    const texts = choices.map(({ text, needs }) =>
      needs.length === 0 ? `.${text}` : `.${text} (${needsText(needs)})`,
    );
    return [name === undefined ? texts.join(" ") : `.${name} = ${texts.join(" ")}`];
  });
}

function conditionText(slots: readonly Slot[], { slot, texts, negated }: Condition): string {
  const { name, choices } = slots[slot]!;
  const word = `.${name ?? choices[0]!.text}`;
  if (texts === undefined) return negated ? `no ${word}` : word;
  const list = texts.map((text) => `.${text}`).join(" or ");
  return negated ? `${word} other than ${list}` : name === undefined ? word : list;
}

/** The form's limits on combinations of modifiers, one line each. */
export function limitTexts({ slots, limits }: Form): readonly string[] {
  const all = (conditions: readonly Condition[]): string =>
    conditions.map((condition) => conditionText(slots, condition)).join(" and ");
  return limits.map(({ when, then }) => {
    switch (then.kind) {
      case "never":
        return `not ${all(when)}`;
      case "narrow":
        return `${all(when)}: no wider registers`;
      case "must":
        return `${all(when)}: with ${all(then.conditions)} only`;
      case "needs":
        return `${all(when)}: ${needsText(then.needs)}`;
    }
  });
}
