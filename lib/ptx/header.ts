// The directives at the start of a module: PTX ISA 9.0 section 11.1. `.version` and its number are on one line; `.target` may be
// repeated; `.address_size` may be omitted.

import { exampleOf } from "./examples.table.js";
import {
  describeToken,
  rangeOf,
  report,
  accept,
  type Cursor,
  endOf,
  expectName,
  fail,
  failExpected,
  peek,
  peekDirective,
  startOf,
  tokenText,
} from "./cursor.js";
import { parseCount } from "./expression.js";
import { remedyFor } from "./other-texts.table.js";
import * as kind from "./token.js";
import type { AddressSizeDirective, ModuleItem, Name, TargetDirective, VersionDirective } from "./tree.js";

type HeaderDirective = VersionDirective | TargetDirective | AddressSizeDirective;

/** Reads the module's header into `items`; `attempt` runs a part of it and recovers from its errors. */
export function parseHeader(cursor: Cursor, items: ModuleItem<unknown>[], attempt: (parse: () => void) => void): void {
  if (peekDirective(cursor) === ".version") attempt(() => items.push(parseVersion(cursor)));
  else if (!hasHeader(cursor.source.bytes)) reportNoModule(cursor);
  else reportMissing(cursor, "'.version' at the start of the module");
  if (peekDirective(cursor) !== ".target") reportMissing(cursor, "'.target' after '.version'");
  while (peekDirective(cursor) === ".target") attempt(() => items.push(parseTarget(cursor)));
  if (peekDirective(cursor) === ".address_size") attempt(() => items.push(parseAddressSize(cursor)));
}

/** Whether the text contains a directive with which a module begins. */
export function hasHeader(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return text.includes(".version") || text.includes(".target");
}

function reportNoModule(cursor: Cursor): void {
  cursor.headless = true;
  const found = describeToken(cursor, cursor.index);
  const message = `this text is not PTX: a module begins with '.version', and here is ${found}`;
  const { name, bytes } = cursor.source;
  report(cursor, rangeOf(cursor, cursor.index), message, remedyFor(name, bytes));
}

function reportMissing(cursor: Cursor, what: string): void {
  cursor.headless = true;
  report(
    cursor,
    rangeOf(cursor, cursor.index),
    `expected ${what}, found ${describeToken(cursor, cursor.index)}`,
    exampleOf(what),
  );
}

/** Reads one directive of the header. */
export function parseHeaderDirective(cursor: Cursor, word: ".version" | ".target" | ".address_size"): HeaderDirective {
  if (word === ".version") return parseVersion(cursor);
  return word === ".target" ? parseTarget(cursor) : parseAddressSize(cursor);
}

function parseAddressSize(cursor: Cursor): AddressSizeDirective {
  const start = startOf(cursor);
  cursor.index++;
  const bits = parseCount(cursor, "32 or 64 after '.address_size'");
  return { kind: "address-size", start, end: endOf(cursor), bits };
}

function parseVersion(cursor: Cursor): VersionDirective {
  const start = startOf(cursor);
  cursor.index++;
  if (peek(cursor) !== kind.FLOAT) failExpected(cursor, "a version such as 8.5");
  const match = /^([0-9]{1,9})\.([0-9]{1,9})$/.exec(tokenText(cursor));
  if (match === null) return failExpected(cursor, "a version such as 8.5");
  if (!isBlank(cursor.source.bytes, endOf(cursor), startOf(cursor))) {
    fail(
      cursor,
      { start, end: cursor.ends[cursor.index]! },
      "the version must stand on the line of '.version', after spaces only",
    );
  }
  cursor.index++;
  return { kind: "version", start, end: endOf(cursor), major: Number(match[1]), minor: Number(match[2]) };
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== 0x20 && bytes[at] !== 0x09) return false;
  return true;
}

/** Reads `.target sm_90a, debug`. */
export function parseTarget(cursor: Cursor): TargetDirective {
  const start = startOf(cursor);
  cursor.index++;
  const names: Name[] = [];
  do names.push(expectName(cursor, "a target such as sm_90"));
  while (accept(cursor, kind.COMMA));
  return { kind: "target", start, end: endOf(cursor), names };
}
