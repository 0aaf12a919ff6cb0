// suld, sust and sured: PTX ISA section 9.7.11, as hopper executes them (docs/textures.md, "Surfaces").

import { hasModifier, type Opcode, typeOf } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";
import type { SurfaceObject } from "../../load/images.js";
import type { Binder, Bound } from "../operands/binder.js";
import { KernelFault } from "../state/fault.js";
import type { Frame, Place } from "../state/frame.js";
import { type Geometry, geometryNamed } from "../texture/geometry.table.js";
import { surfaceFinder } from "../texture/handles.js";
import { type FormatStore, formatStores } from "../texture/format-stores.table.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { addressOperand, named } from "./texture.js";

/** The effect of an access outside the surface: a fault, the nearest place, or nothing. */
type Clamp = "trap" | "clamp" | "zero";

const clampOf = (opcode: Opcode): Clamp =>
  (["clamp", "zero"] as const).find((each) => hasModifier(opcode, each)) ?? "trap";

/** The byte of the image at which a lane's access begins, or OUTSIDE. */
type FindByte = (surface: SurfaceObject, frame: Frame, lane: number, bytes: number) => number;

const OUTSIDE = -1;

/**
 * Finds the byte of a lane's access. `unit`: bytes for each unit of x, 0 for those of a texel. An access must be aligned to its
 * `bytes`.
 */
function byteFinder(binder: Binder, geometry: Geometry, unit: number): FindByte {
  const clamp = clampOf(binder.opcode);
  const places = binder.elements(addressOperand(binder).rest.at(-1)).map((element) => binder.read(element, 32));
  const at = (frame: Frame, lane: number, i: number): number => {
    const { word, stride } = places[i]!;
    return frame.words[word + stride * lane]!;
  };
  const { first, dimensions, layer } = geometry;
  return ({ image, level: number }, frame, lane, bytes) => {
    const { levels, slices, texelBytes } = image.shape;
    const level = levels[number]!;
    const row = level.width * texelBytes;
    const x = at(frame, lane, first) * (unit === 0 ? texelBytes : unit);
    if (x % bytes !== 0)
      throw new KernelFault("misaligned-address", `surface byte ${x} is not a multiple of ${bytes} bytes`, { lane });
    const y = dimensions > 1 ? at(frame, lane, first + 1) : 0;
    const z = dimensions > 2 ? at(frame, lane, first + 2) : layer < 0 ? 0 : at(frame, lane, layer) >>> 0;
    const deep = dimensions > 2 ? level.depth : slices;
    const isInside = x >= 0 && x + bytes <= row && y >= 0 && y < level.height && z >= 0 && z < deep;
    if (isInside) return level.offset + z * level.sliceBytes + y * level.rowBytes + x;
    if (clamp === "zero") return OUTSIDE;
    if (clamp === "trap")
      throw new KernelFault(
        "illegal-address",
        `surface access at byte ${x} of row ${y}, slice ${z}; the surface has ${row} bytes, ${level.height} rows, ${deep} slices`,
        { lane },
      );
    const nearest = (value: number, most: number): number => Math.max(0, Math.min(most, value));
    // An access that is wider than a row does not fit in it.
    if (bytes > row) return OUTSIDE;
    return (
      level.offset +
      nearest(z, deep - 1) * level.sliceBytes +
      nearest(y, level.height - 1) * level.rowBytes +
      nearest(x, row - bytes)
    );
  };
}

const surfaceMeaning = (
  lanesOf: (binder: Binder, geometry: Geometry) => (surface: SurfaceObject, frame: Frame, lane: number) => void,
): Meaning =>
  custom((binder): Bound => {
    const geometry = geometryNamed(binder.modifier("geom")!);
    const find = surfaceFinder(binder, addressOperand(binder), geometry);
    const access = lanesOf(binder, geometry);
    return {
      lanes: (frame, mask) => {
        for (let lane = 0; lane < 32; lane++) {
          if (((mask >>> lane) & 1) === 0) continue;
          access(find(frame, lane), frame, lane);
        }
      },
    };
  });

/** Moves one element of 8 to 64 bits between memory and a register's words. */
interface ElementMove {
  readonly load: (view: DataView, offset: number, frame: Frame, lane: number) => void;
  readonly store: (view: DataView, offset: number, frame: Frame, lane: number) => void;
}

const readers: Readonly<Record<number, (view: DataView, offset: number) => number>> = {
  8: (view, offset) => view.getUint8(offset),
  16: (view, offset) => view.getUint16(offset, true),
  32: (view, offset) => view.getInt32(offset, true),
};
const writers: Readonly<Record<number, (view: DataView, offset: number, value: number) => void>> = {
  8: (view, offset, value) => view.setInt8(offset, value),
  16: (view, offset, value) => view.setInt16(offset, value, true),
  32: (view, offset, value) => view.setInt32(offset, value, true),
};

function elementMove({ word, stride }: Place, bits: number): ElementMove {
  const [read, write] = [readers[Math.min(32, bits)]!, writers[Math.min(32, bits)]!];
  return {
    load: (view, offset, { words }, lane) => {
      const at = word + stride * lane;
      words[at] = offset < 0 ? 0 : read(view, offset);
      // A wider register is extended with zeros.
      for (let i = 1; i < stride; i++) words[at + i] = bits > 32 && offset >= 0 ? read(view, offset + 4 * i) : 0;
    },
    store: (view, offset, { words }, lane) => {
      const at = word + stride * lane;
      write(view, offset, words[at]!);
      if (bits > 32) write(view, offset + 4, words[at + 1]!);
    },
  };
}

const load: Reading = (opcode) => {
  const { bits } = typeOf(opcode)!;
  return surfaceMeaning((binder, geometry) => {
    const moves = binder.elements(binder.operand(0)).map((element) => elementMove(binder.write(element, bits), bits));
    const find = byteFinder(binder, geometry, 1);
    const bytes = (bits / 8) * moves.length;
    return (surface, frame, lane) => {
      const at = find(surface, frame, lane, bytes);
      const { view } = surface.image.storage;
      for (let i = 0; i < moves.length; i++) moves[i]!.load(view, at < 0 ? OUTSIDE : at + (bits / 8) * i, frame, lane);
    };
  });
};

const store: Reading = (opcode) => {
  if (opcode.form.id === "sust.formatted") return storeFormatted;
  const { bits } = typeOf(opcode)!;
  return surfaceMeaning((binder, geometry) => {
    const moves = binder.elements(named(binder, "a")).map((element) => elementMove(binder.read(element, bits), bits));
    const find = byteFinder(binder, geometry, 1);
    const bytes = (bits / 8) * moves.length;
    return (surface, frame, lane) => {
      const at = find(surface, frame, lane, bytes);
      if (at < 0) return;
      for (let i = 0; i < moves.length; i++)
        moves[i]!.store(surface.image.storage.view, at + (bits / 8) * i, frame, lane);
    };
  });
};

/** Converts components to elements of the surface's format; elements without a register are 0. */
const storeFormatted: Meaning = surfaceMeaning((binder, geometry) => {
  const places = binder.elements(named(binder, "a")).map((element) => binder.read(element, 32));
  const find = byteFinder(binder, geometry, 0);
  return (surface, frame, lane) => {
    const { shape, storage } = surface.image;
    const at = find(surface, frame, lane, shape.texelBytes);
    if (at < 0) return;
    const { name, element } = shape.format;
    const put: FormatStore = formatStores[name];
    for (let c = 0; c < shape.channels; c++) {
      const place = places[c];
      put(
        storage.view,
        at + c * element.bytes,
        place === undefined ? 0 : frame.words[place.word + place.stride * lane]!,
      );
    }
  };
});

// ------------------------------------------------------------------------------------------------------------ reductions

type Reduce = (old: bigint, operand: bigint) => bigint;

const reductions: Readonly<Record<string, Reduce>> = {
  add: (old, operand) => old + operand,
  min: (old, operand) => (operand < old ? operand : old),
  max: (old, operand) => (operand > old ? operand : old),
  and: (old, operand) => old & operand,
  or: (old, operand) => old | operand,
};

/** Reduces bytes of an image atomically, as other host threads may change them at the same time. */
function reduceAt(
  view: DataView,
  offset: number,
  bits: number,
  isSigned: boolean,
  reduce: Reduce,
  operand: bigint,
): void {
  const place = view.byteOffset + offset;
  const wrap = isSigned ? BigInt.asIntN : BigInt.asUintN;
  const { buffer } = view;
  if (bits === 64) {
    const words = new BigInt64Array(buffer, place, 1);
    for (let old = Atomics.load(words, 0); ;) {
      const found = Atomics.compareExchange(words, 0, old, BigInt.asIntN(64, reduce(wrap(64, old), wrap(64, operand))));
      if (found === old) return;
      old = found;
    }
  }
  const words = new Int32Array(buffer, place, 1);
  for (let old = Atomics.load(words, 0); ;) {
    const next = Number(BigInt.asIntN(32, reduce(wrap(32, BigInt(old)), wrap(32, operand))));
    const found = Atomics.compareExchange(words, 0, old, next);
    if (found === old) return;
    old = found;
  }
}

const sured: Reading = (opcode) => {
  const type: DataType = typeOf(opcode)!;
  const reduce = reductions[opcode.chosen.find((text) => text !== undefined && text in reductions) ?? "add"]!;
  const isSample = opcode.form.id === "sured.sample";
  return surfaceMeaning((binder, geometry) => {
    const { word, stride } = binder.read(named(binder, "a"), type.bits);
    const bytes = type.bits / 8;
    // Samples are as wide as the type: section 9.7.11.3.
    const find = byteFinder(binder, geometry, isSample ? bytes : 1);
    return (surface, frame, lane) => {
      const at = find(surface, frame, lane, bytes);
      if (at < 0) return;
      const operand = type.bits === 64 ? frame.longs[(word >> 1) + lane]! : BigInt(frame.words[word + stride * lane]!);
      const isSigned = isSample ? surface.image.shape.format.name.startsWith("s") : type.class === "signed";
      reduceAt(surface.image.storage.view, at, type.bits, isSigned, reduce, operand);
    };
  });
};

export const surfaceMeanings: Meanings = { suld: load, sust: store, sured };
