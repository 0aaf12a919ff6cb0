// Loads and stores of values of any type at an address, by pieces that its alignment allows.

import { joinElements, takeApart, type Element } from "../lower/bits.js";
import { binary, clean, resize } from "../lower/integer.js";
import { classOf, type Leaf, type Part, type RegisterClass, type Shape } from "../lower/parts.js";
import { alignmentAt, isWholePart, runsOf, type Piece, type Run } from "../lower/pieces.js";
import { literal, widths, type Address, type Register, type Scalar } from "./machine.js";
import type { Place, Selection } from "./selection.js";
import { addressable } from "./values.js";

/** The modifiers of an access other than its space and type. */
export interface AccessWords {
  /** ".volatile", ".relaxed.gpu", ".nc", or nothing: after ld or st. */
  readonly mode: string;
  /** The access may not be shared, moved or dropped. */
  readonly stays: boolean;
  /** Alignment in bytes; a power of two. */
  readonly align: number;
}

const spaceText = (space: string): string => (space === "" || space === "code" ? "" : `.${space}`);

export function addressAt(selection: Selection, place: Place, offset: number): Address {
  const { base, offset: start } = addressable(selection, { ...place, offset: place.offset + offset });
  return { kind: "address", base, offset: start };
}

/** The register that a piece of that many bytes is loaded into. */
const pieceClass = (bytes: number): RegisterClass => classOf(Math.max(bytes * 8, 16));

/** Loads a value: its parts. */
export function loadParts(selection: Selection, shape: Shape, place: Place, words: AccessWords): readonly Scalar[] {
  const loaded = new Map<Leaf, { readonly piece: Piece; readonly value: Register }[]>();
  for (const run of runsOf(shape.leaves, words.align, canVector(place, words))) {
    const values = loadRun(selection, run, place, words);
    run.forEach((piece, i) => {
      const list = loaded.get(piece.leaf);
      const entry = { piece, value: values[i]! };
      if (list === undefined) loaded.set(piece.leaf, [entry]);
      else list.push(entry);
    });
  }
  return shape.leaves.flatMap((leaf) => leafParts(selection, leaf, loaded.get(leaf) ?? [], shape.parts));
}

const canVector = (place: Place, words: AccessWords): boolean =>
  !words.stays || words.mode === "" || words.mode === ".volatile" ? place.space !== "code" : false;

function loadRun(
  selection: Selection,
  run: Run,
  place: Place,
  { mode, stays, align }: AccessWords,
): readonly Register[] {
  const { emit } = selection;
  const [first] = run;
  const kind = pieceClass(first!.bytes);
  const address = addressAt(selection, place, first!.offset);
  const vector = run.length > 1 ? `.v${run.length}` : "";
  const type = first!.bytes === 1 ? "u8" : `b${first!.bytes * 8}`;
  const op = `ld${mode}${spaceText(place.space)}${vector}.${type}`;
  const kinds = run.map(() => kind);
  let results: readonly Register[];
  if (stays) {
    results = kinds.map((one) => emit.register(one));
    emit.effect(op, results, [address]);
  } else if (run.length === 1 && first!.bytes > 1) {
    results = [emit.load(op, kind, address, alignmentAt(align, first!.offset))];
  } else {
    // Not shared with an equal one, because a store may be in between. Dropped if unused.
    results = emit.unshared(op, kinds, address);
  }
  if (first!.bytes === 1) for (const one of results) Object.assign(one, { zero: 8, sign: 9 });
  return results;
}

/** A leaf's parts, made from its pieces. */
function leafParts(
  selection: Selection,
  leaf: Leaf,
  pieces: readonly { readonly piece: Piece; readonly value: Register }[],
  parts: readonly Part[],
): readonly Scalar[] {
  const { emit } = selection;
  if (leaf.elementBits !== undefined) {
    const words = wordsOf(selection, pieces, leaf.bits);
    return takeApart(emit, words, leaf.bits, leaf.elementBits);
  }
  return Array.from({ length: leaf.count }, (_, i) => {
    const part = parts[leaf.first + i]!;
    const mine = pieces.filter(({ piece }) => Math.floor(piece.inside / 8) === i);
    const [only] = mine;
    if (mine.length === 1 && isWholePart(only!.piece, parts)) {
      return part.class === "p" ? resize(emit, only!.value, 16, 1, false) : narrowed(selection, only!.value, part);
    }
    const value = joinPieces(selection, mine, i * 8, part.bits);
    // The last word of a wide integer is a whole register.
    return part.class === classOf(part.bits) ? value : resize(emit, value, part.bits, widths[part.class], false);
  });
}

function narrowed(selection: Selection, value: Register, part: Part): Scalar {
  return value.class === part.class ? value : resize(selection.emit, value, widths[value.class], part.bits, false);
}

function wordsOf(
  selection: Selection,
  pieces: readonly { readonly piece: Piece; readonly value: Register }[],
  bits: number,
): readonly Scalar[] {
  const count = Math.ceil(bits / 64);
  return Array.from({ length: count }, (_, i) => {
    const mine = pieces.filter(({ piece }) => Math.floor(piece.inside / 8) === i);
    return joinPieces(selection, mine, i * 8, count === 1 ? bits : 64);
  });
}

/** Pieces joined into one register of `bits`; `start` is the offset in the leaf at which it starts. */
function joinPieces(
  { emit }: Selection,
  pieces: readonly { readonly piece: Piece; readonly value: Register }[],
  start: number,
  bits: number,
): Scalar {
  const width = bits === 1 ? 16 : Math.max(bits, Math.max(...pieces.map(({ piece }) => piece.bytes)) * 8);
  const sum = pieces
    .map(({ piece, value }) => {
      const wide = resize(emit, value, Math.max(piece.bytes * 8, 16), width < 16 ? 16 : width, false);
      const shift = (piece.inside - start) * 8;
      return shift === 0 ? wide : binary(emit, "shl", wide, literal(wide.class, shift), widths[wide.class]);
    })
    .reduce((all, one) => binary(emit, "or", all, one, widths[all.class]));
  return bits === 1 ? resize(emit, sum, 16, 1, false) : sum;
}

/** Stores a value's parts. */
export function storeParts(
  selection: Selection,
  shape: Shape,
  parts: readonly Scalar[],
  place: Place,
  words: AccessWords,
): void {
  const { emit } = selection;
  for (const run of runsOf(shape.leaves, words.align, canVector(place, words))) {
    const values = run.map((piece) => pieceValue(selection, piece, shape, parts));
    const [first] = run;
    const vector = run.length > 1 ? `.v${run.length}` : "";
    const type = first!.bytes === 1 ? "u8" : `b${first!.bytes * 8}`;
    const address = addressAt(selection, place, first!.offset);
    const op = `st${words.mode}${spaceText(place.space)}${vector}.${type}`;
    if (run.length === 1) emit.effect(op, [], [address, values[0]!]);
    else {
      const registers = values.map((value) => emit.inRegister(value, value.class));
      emit.effect(op, [], [address, { kind: "group", elements: registers }]);
    }
  }
}

/** The value that one piece stores. */
function pieceValue(selection: Selection, piece: Piece, shape: Shape, parts: readonly Scalar[]): Scalar {
  const { emit } = selection;
  const { leaf, inside, bytes } = piece;
  const kind = pieceClass(bytes);
  if (leaf.elementBits !== undefined) {
    const elements = parts
      .slice(leaf.first, leaf.first + leaf.count)
      .map((value): Element => ({ value, bits: leaf.elementBits! }));
    const words = joinElements(emit, elements);
    return partOfWord(selection, words[Math.floor(inside / 8)]!, Math.min(leaf.bits, 64), inside % 8, bytes);
  }
  const index = leaf.first + Math.floor(inside / 8);
  const value = parts[index]!;
  const part = shape.parts[index]!;
  if (isWholePart(piece, shape.parts)) {
    if (part.class === "p") return resize(emit, value, 1, 16, false);
    const cleaned = part.bits === bytes * 8 ? value : clean(emit, value, part.bits, false);
    return widths[cleaned.class] === Math.max(bytes * 8, 16)
      ? cleaned
      : resize(emit, cleaned, part.bits, bytes * 8, false);
  }
  const whole = part.class === "p" ? resize(emit, value, 1, 16, false) : clean(emit, value, part.bits, false);
  const result = partOfWord(selection, whole, widths[whole.class], inside % 8, bytes);
  return result.class === kind ? result : resize(emit, result, widths[result.class], widths[kind], false);
}

function partOfWord({ emit }: Selection, value: Scalar, bits: number, byte: number, bytes: number): Scalar {
  const width = widths[value.class];
  if (value.class === "p") return resize(emit, value, 1, 16, false);
  const cleaned = clean(emit, value, Math.min(bits, width), false);
  const moved = byte === 0 ? cleaned : binary(emit, "lshr", cleaned, literal(value.class, byte * 8), width);
  const target = Math.max(bytes * 8, 16);
  return target === width ? moved : resize(emit, moved, width, target, false);
}
