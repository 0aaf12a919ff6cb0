// The text of --emit ptx in UTF-8, in parts that are worth a call of the system: it is gathered line by line.

import { printTo } from "../object/disassemble.js";
import type { PrintedObject } from "../object/printed.js";

/** Characters of text that are gathered before they are encoded. */
const CHUNK = 1 << 18;

export interface TextParts {
  write(text: string): void;
  /** What was written. */
  parts(): readonly Uint8Array[];
  whole(): Uint8Array;
}

export function createTextParts(): TextParts {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let pending: string[] = [];
  let length = 0;
  const flush = (): void => {
    parts.push(encoder.encode(pending.join("")));
    [pending, length] = [[], 0];
  };
  const all = (): readonly Uint8Array[] => {
    flush();
    return parts;
  };
  return {
    write(text) {
      pending.push(text);
      length += text.length;
      if (length >= CHUNK) flush();
    },
    parts: all,
    whole() {
      const whole = new Uint8Array(all().reduce((size, part) => size + part.length, 0));
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    },
  };
}

/** The text of what has no debug sections; undefined where code is malformed. */
export function printedText(object: PrintedObject): readonly Uint8Array[] | undefined {
  const text = createTextParts();
  return printTo(object, text.write).ok ? text.parts() : undefined;
}
