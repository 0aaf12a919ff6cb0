// `.ptxkit.decl` of the image of a plain link (../link.ts), byte for byte as object/file/declarations.ts writes it.

import { DECLARATIONS_VERSION } from "../../../object/file/declarations.js";
import { bytesOf, createGrowing, putAgain, putText, putU8, putVarU, putVarU64, type Growing } from "../tables/bytes.js";
import { WIDE, wideAt, type ShapeId, type Shapes } from "../tables/shapes.js";
import type { TextId, Texts } from "../tables/texts.js";

/** "PTXd" */
const MAGIC = [0x50, 0x54, 0x58, 0x64] as const;

/** A declaration table whose texts are numbered when they are first written. */
export interface Declaring {
  readonly body: Growing;
  readonly texts: Texts;
  /** The number of each text, -1 for those that were not written. */
  readonly index: Int32Array;
  readonly used: TextId[];
  /** Where each shape stands in `body` since it was first written, start and end; 0 for others. */
  readonly shapes: Int32Array;
}

export const createDeclaring = (texts: Texts, shapes: number, capacity: number): Declaring => ({
  body: createGrowing(capacity),
  texts,
  index: new Int32Array(texts.count).fill(-1),
  used: [],
  shapes: new Int32Array(2 * shapes),
});

export function declareText({ body, index, used }: Declaring, id: TextId): void {
  if (index[id]! < 0) index[id] = used.push(id) - 1;
  putVarU(body, index[id]!);
}

/** Numbers and texts as shapes have them, from `start` up to `end`. */
export function declareWords(declaring: Declaring, words: ArrayLike<number>, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    const word = words[at]!;
    if (word === WIDE) {
      putVarU64(declaring.body, wideAt(words, at));
      at += 3;
    } else if (word < 0) declareText(declaring, -word - 1);
    else putVarU(declaring.body, word);
  }
}

/** A shape's numbers and texts: the same bytes each time, because a text keeps its number. */
export function declareShape(declaring: Declaring, { words, start }: Shapes, shape: ShapeId): void {
  const { body, shapes } = declaring;
  if (shapes[2 * shape + 1] !== 0) {
    putAgain(body, shapes[2 * shape]!, shapes[2 * shape + 1]!);
    return;
  }
  shapes[2 * shape] = body.length;
  declareWords(declaring, words, start[shape]!, start[shape + 1]!);
  shapes[2 * shape + 1] = body.length;
}

export function finishDeclaring({ body, texts, used }: Declaring): Uint8Array {
  const front = createGrowing(16 * used.length + 64);
  for (const byte of [...MAGIC, DECLARATIONS_VERSION, 0, 0, 0]) putU8(front, byte);
  putVarU(front, used.length);
  for (const id of used) {
    putVarU(front, texts.start[id + 1]! - texts.start[id]!);
    putText(front, texts, id);
  }
  const whole = new Uint8Array(front.length + body.length);
  whole.set(bytesOf(front));
  whole.set(bytesOf(body), front.length);
  return whole;
}
