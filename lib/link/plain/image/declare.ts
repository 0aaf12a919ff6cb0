// `.ptxkit.decl` of the image of a plain link (../link.ts), byte for byte as object/file/declarations.ts writes it.

import { DECLARATIONS_VERSION } from "../../../object/file/declarations.js";
import {
  createGrowing,
  putAgain,
  putText,
  putU8,
  putVarU,
  putVarU64,
  varUBytes,
  type Growing,
} from "../tables/bytes.js";
import { largeNumber, WIDE, wideAt, type ShapeId, type Shapes } from "../tables/shapes.js";
import type { TextId, Texts } from "../tables/texts.js";

/** "PTXd" */
const MAGIC = [0x50, 0x54, 0x58, 0x64] as const;

/** Bytes of a number below 2^31, at most. */
const COUNT_BYTES = 5;
/** The magic, the version, and how many texts there are, at most. */
const HEAD_BYTES = 8 + COUNT_BYTES;

/** A declaration table whose texts are numbered when they are first written. */
export interface Declaring {
  /** It begins with room for what stands in front of it, which is known at the end. */
  readonly body: Growing;
  readonly room: number;
  readonly texts: Texts;
  /** The number of each text, -1 for those that were not written. */
  readonly index: Int32Array;
  readonly used: TextId[];
  /** Where each shape stands in `body` since it was first written, start and end; 0 for others. */
  readonly shapes: Int32Array;
}

export function createDeclaring(texts: Texts, shapes: number, capacity: number): Declaring {
  // Room for all texts: where it is not used it is not touched, and costs nothing.
  const room = HEAD_BYTES + texts.count * COUNT_BYTES + texts.start[texts.count]!;
  const body = createGrowing(room + capacity);
  body.length = room;
  return {
    body,
    room,
    texts,
    index: new Int32Array(texts.count).fill(-1),
    used: [],
    shapes: new Int32Array(2 * shapes),
  };
}

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
    } else if (word >= 0) putVarU(declaring.body, word);
    else {
      const large = largeNumber(declaring.texts, -word - 1);
      if (large === undefined) declareText(declaring, -word - 1);
      else putVarU64(declaring.body, BigInt(large));
    }
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

export function finishDeclaring({ body, room, texts, used }: Declaring): Uint8Array {
  const start = room - frontBytes(texts, used);
  const front = { bytes: body.bytes, length: start };
  for (const byte of [...MAGIC, DECLARATIONS_VERSION, 0, 0, 0]) putU8(front, byte);
  putVarU(front, used.length);
  for (let i = 0; i < used.length; i++) {
    const id = used[i]!;
    putVarU(front, texts.start[id + 1]! - texts.start[id]!);
    putText(front, texts, id);
  }
  return body.bytes.subarray(start, body.length);
}

/** Bytes in front of the body. */
function frontBytes({ start }: Texts, used: readonly TextId[]): number {
  let bytes = 8 + varUBytes(used.length);
  for (let i = 0; i < used.length; i++) {
    const length = start[used[i]! + 1]! - start[used[i]!]!;
    bytes += varUBytes(length) + length;
  }
  return bytes;
}
