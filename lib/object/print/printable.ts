// Whether what an object's file says of its modules can be said in PTX: a damaged object would make a text that is none.
// Images are shown as far as they can be.

import { malformed } from "../../../formats/bytes/malformed.js";
import { isName } from "../../base/ptx-name.js";
import { functionDirectives } from "../../ptx/words.table.js";
import type { CodeSymbol, ObjectSymbol, Relocation, VariableSymbol } from "../object.js";

/** A name as messages quote it, shortened. */
const quoted = (text: string): string => JSON.stringify(text.slice(0, 40));

/** `at`: where its name or its code stands in the file, in bytes, as far as that is known. */
export function checkName(name: string, at: number, owner?: string): void {
  if (isName(name)) return;
  malformed("malformed", at, `${owner === undefined ? "" : `${owner}: `}${quoted(name)} is no name in PTX`);
}

/** What no string of PTX holds: it is ASCII, and ends at a quotation mark, which nothing escapes. */
const UNQUOTABLE = /[^\t-\r -!#-~]/;

export function checkString(text: string, what: string): void {
  if (UNQUOTABLE.test(text)) malformed("malformed", 0, `${quoted(text)} is no ${what}: no string of PTX holds that`);
}

/** Directives behind the parameters of a function, those that are texts among them. */
export function checkDirectives({ name, entry, directives }: CodeSymbol): void {
  for (const { name: directive, values, strings } of directives) {
    for (const text of strings) checkString(text, "text of a directive");
    if (directive === "pragma") continue;
    const shape = functionDirectives.get(`.${directive}`);
    if (shape === undefined || strings.length > 0)
      malformed("malformed", 0, `${name}: ${quoted(`.${directive}`)} is no directive of functions in PTX`);
    const [least, most] = shape.values;
    if (values.length < least || values.length > most || shape.on !== (entry ? "entry" : "func"))
      malformed("malformed", 0, `${name}: .${directive} with ${values.length} values is none of such a function's`);
  }
}

/** `.managed` and `.unified` are of global memory. */
export function checkAttributes({ name, space, managed, unified }: VariableSymbol): void {
  if (space === "global" || (!managed && unified === undefined)) return;
  malformed("malformed", 0, `${name}: a .${space} variable has no .${managed ? "managed" : "unified"} attribute`);
}

/** Addresses of functions are taken as they are. */
export function checkAddend({ addend }: Relocation, { kind, name }: ObjectSymbol): void {
  if (kind === "function" && addend !== 0n)
    malformed("malformed", 0, `the address of function ${name} is taken with ${addend} bytes added`);
}
