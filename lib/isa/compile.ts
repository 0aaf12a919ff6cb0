// Compiles the rows' language (form.ts) to Forms. It reads only ptxkit's own tables, so that an error in a row is a defect and
// throws InternalError with the row's id. The rows of an opcode are compiled when it first occurs, so that the program's start
// does not pay for the whole table.

import { assert } from "../base/assert.js";
import { compileOperands } from "./compile-operands.js";
import { compileLimit } from "./conditions.js";
import type { Choice, Form, Row, Slot } from "./form.js";
import { bothRequirements, noRequirement, parseGone, parseRequirement, type Requirement } from "./requirement.js";

/** Compiles one row. */
export function compileRow(row: Row): Form {
  const at = row.syntax.search(/\s/);
  const head = at < 0 ? row.syntax : row.syntax.slice(0, at);
  const tail = at < 0 ? "" : row.syntax.slice(at).trim();
  const { opcode, slots } = compileHead(row, head);
  const gone = row.until === undefined ? noRequirement : parseGone(row.until);
  return {
    id: row.id,
    opcode,
    traits: new Set(row.traits),
    slots,
    operands: compileOperands(row, slots, tail),
    needs: bothRequirements(parseRequirement(row.needs), gone),
    limits: (row.limits ?? []).map((text) => compileLimit(`isa row ${row.id}`, slots, text)),
    section: row.section,
    syntax: row.syntax,
  };
}

/** Modifiers that were added to every instruction at once, whatever the version of the instruction itself. */
const literalNeeds: Readonly<Record<string, Requirement | undefined>> = { ftz: parseRequirement("1.4") };

function compileChoice(text: string): Choice {
  const at = text.indexOf("@");
  return at < 0
    ? { text, needs: noRequirement }
    : { text: text.slice(0, at), needs: parseRequirement(text.slice(at + 1)) };
}

function compileHead(row: Row, head: string): { opcode: string; slots: readonly Slot[] } {
  const tokens = head.match(/\{\.[^.{}]+\}|\.[^.{}]+|^[^.{}]+/g);
  assert(tokens !== null && tokens.join("") === head, `isa row ${row.id}: cannot read '${head}'`);
  const used = new Set<string>();
  const slots = tokens.slice(1).map((token): Slot => {
    const optional = token.startsWith("{");
    const word = optional ? token.slice(2, -1) : token.slice(1);
    const own = row.slots ?? {};
    const choices = Object.hasOwn(own, word) ? own[word] : undefined;
    if (choices === undefined)
      return { name: undefined, choices: [{ text: word, needs: literalNeeds[word] ?? noRequirement }], optional };
    used.add(word);
    return { name: word, choices: choices.split(/\s+/).map(compileChoice), optional };
  });
  for (const name of Object.keys(row.slots ?? {}))
    assert(used.has(name), `isa row ${row.id}: slot '${name}' is not used`);
  return { opcode: tokens[0]!, slots };
}
