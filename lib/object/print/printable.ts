// Checks that declarations in an object's file can be expressed in PTX: a damaged object would make an invalid text. Images are
// shown as far as possible.

import { malformed } from "../../../formats/bytes/malformed.js";
import { addendFault, functionFault, nameFault, stringFault, variableFault } from "../declared.js";
import type { CodeSymbol, ObjectSymbol, Relocation, VariableSymbol } from "../object.js";

/** `at`: offset in the file, in bytes, if known; `owner`: the name in the message. */
function refuse(fault: string | undefined, at: number, owner?: string): void {
  if (fault !== undefined) malformed("malformed", at, owner === undefined ? fault : `${owner}: ${fault}`);
}

export const checkName = (name: string, at: number, owner?: string): void => refuse(nameFault(name), at, owner);

export const checkString = (text: string, what: string): void => refuse(stringFault(text, what), 0);

/** A function's prototype and directives. */
export const checkFunction = (symbol: CodeSymbol): void => refuse(functionFault(symbol), 0, symbol.name);

export const checkAttributes = (symbol: VariableSymbol): void => refuse(variableFault(symbol), 0, symbol.name);

export const checkAddend = ({ addend }: Relocation, symbol: ObjectSymbol): void =>
  refuse(addendFault(addend, symbol), 0);
