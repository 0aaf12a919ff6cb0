// Parses the argument of --defsym: NAME=SYMBOL, NAME=SYMBOL+OFFSET or NAME=ADDRESS.

import { InvalidArgumentError } from "commander";
import { NAME } from "../../lib/base/ptx-name.js";
import type { SymbolDefinition } from "../../lib/link/model/symbol-definition.js";

const definitionPattern = (() => {
  const number = "(?:0[xX][0-9a-fA-F]+|\\d+)";
  return new RegExp(`^ *(${NAME}) *= *(?:(${NAME}) *(?:([+-]) *(${number}))?|(${number})) *$`);
})();

const LAST_ADDRESS = 2n ** 64n - 1n;

/** "a=b", "a=b+0x10", "a=b-4", "a=0x1000". */
export function parseDefinition(text: string): SymbolDefinition {
  const match = definitionPattern.exec(text);
  if (match === null)
    throw new InvalidArgumentError("write NAME=SYMBOL, NAME=SYMBOL+BYTES or NAME=ADDRESS, such as table=data+0x40");
  const [, defined, base, sign, bytes, address] = match;
  if (address !== undefined && BigInt(address) > LAST_ADDRESS)
    throw new InvalidArgumentError(`addresses have 64 bits: the last one is 0x${LAST_ADDRESS.toString(16)}`);
  const offset = BigInt(bytes ?? address ?? 0) * (sign === "-" ? -1n : 1n);
  return { name: defined!, ...(base === undefined ? {} : { base }), offset };
}
