// Folds initialisers to bytes and fix-ups: PTX ISA 9.0 section 5.4.4.
//
// There are two choices where ptxas and the manual differ (docs/differences.md). An inner list shorter than its row leaves the
// rest of the row zero, as in C and in the manual's example; ptxas packs the next row directly after it. An `0f` literal in an
// .f64 or .b64 holder stores its 32 bits, as in ptxas, with a warning.

import type { Layout } from "../isa/code.js";
import type { DataType } from "../isa/types.table.js";
import type { Ranged } from "../ptx/source-text.js";
import type { Initializer } from "../ptx/tree.js";
import { f32OfBits, floatBits, foldConstant, type ReportFold, type Constant } from "../ptx/constant.js";
import { checkHasAddress, checkIsNotDrivers } from "./function-address.js";
import { findNamed, type SymbolLookup } from "./initializer-name.js";
import { requireFeature, type Platform } from "./require.js";
import { elementSize } from "./layout.js";
import type { Fixup, InitialValue } from "./module.js";
import type { Reporter } from "./reporter.js";

export interface FoldedInitializer {
  /** The layout with an unsized first dimension filled in. */
  readonly layout: Layout;
  /** Undefined if the list is empty: the variable is then not initialised. */
  readonly initial: InitialValue | undefined;
}

/** Folds the initialiser of one variable; undefined after a report. `maxBytes` limits the memory allocated for it. */
export function foldInitializer(
  declared: Layout,
  initializer: Initializer,
  lookup: SymbolLookup,
  platform: Platform,
  reporter: Reporter,
  maxBytes: number,
): FoldedInitializer | undefined {
  const layout = closeFirstBound(declared, initializer);
  if (initializer.kind === "list" && initializer.elements.length === 0 && layout.dimensions.length > 0) {
    return { layout, initial: undefined };
  }
  if (withoutValues.has(layout.type.name)) {
    reporter.report(
      "initializer-type",
      initializer,
      `a variable of type .${layout.type.name} cannot have an initial value`,
      {
        remedy: "declare it as a .b type and give the bits",
      },
    );
    return undefined;
  }
  if (layout.size > maxBytes) {
    reporter.report(
      "image-too-large",
      initializer,
      `${layout.size} bytes of initialised data; the limit is ${maxBytes}`,
      {
        remedy: "raise it with --max-image-size",
      },
    );
    return undefined;
  }
  const folder = new Folder(layout, lookup, platform, reporter);
  folder.fill(initializer, 0, 0);
  return folder.failed ? undefined : { layout, initial: { bytes: folder.bytes, fixups: folder.fixups } };
}

const withoutValues: ReadonlySet<string> = new Set(["f16", "f16x2", "pred"]);

function closeFirstBound(layout: Layout, initializer: Initializer): Layout {
  if (layout.dimensions[0] !== undefined || layout.dimensions.length === 0 || initializer.kind !== "list")
    return layout;
  const dimensions = [initializer.elements.length, ...layout.dimensions.slice(1)];
  const element = elementSize(layout.type, layout.vector);
  return { ...layout, dimensions, size: dimensions.reduce<number>((size, n) => size * (n ?? 0), element) };
}

/** Walks an initialiser along the dimensions and writes values at their offsets. */
class Folder {
  readonly bytes: Uint8Array;
  readonly fixups: Fixup[] = [];
  failed = false;
  private readonly layout: Layout;
  private readonly lookup: SymbolLookup;
  private readonly platform: Platform;
  private readonly reporter: Reporter;
  private readonly complain: ReportFold;

  constructor(layout: Layout, lookup: SymbolLookup, platform: Platform, reporter: Reporter) {
    this.layout = layout;
    this.lookup = lookup;
    this.platform = platform;
    this.reporter = reporter;
    this.bytes = new Uint8Array(layout.size);
    // Assigned through a local constant: V8 treats a function literal that is assigned to a field as constant, and retains the
    // module with it.
    const complain: ReportFold = (at, message, oddity) =>
      oddity === undefined ? this.fail("constant-expression", at, message) : reporter.report(oddity, at, message);
    this.complain = complain;
  }

  /** `level` is the number of array dimensions already entered; then follow the vector and the element. */
  fill(initializer: Initializer, level: number, offset: number): void {
    const { dimensions, vector, type } = this.layout;
    const isVector = level === dimensions.length && vector > 1;
    if (level < dimensions.length || isVector) {
      if (initializer.kind !== "list") {
        this.fail("initializer-shape", initializer, `expected a list in braces, one for each dimension`);
        return;
      }
      const bound = isVector ? vector : dimensions[level]!;
      if (initializer.elements.length > bound || (isVector && initializer.elements.length !== bound)) {
        const what = isVector ? `a vector of ${bound} elements` : `an array of ${bound} elements`;
        this.fail("initializer-shape", initializer, `${initializer.elements.length} values for ${what}`);
        return;
      }
      let stride = isVector ? type.bits / 8 : elementSize(type, vector);
      for (let inner = level + 1; inner < dimensions.length; inner++) stride *= dimensions[inner]!;
      let at = offset;
      for (const element of initializer.elements) {
        if (this.failed) break;
        if (isVector) this.element(element, at);
        else this.fill(element, level + 1, at);
        at += stride;
      }
      this.warnPacked(initializer, level);
      return;
    }
    this.element(initializer, offset);
  }

  /** Warns of rows that are too short, because ptxas packs them. */
  private warnPacked(list: Initializer & { kind: "list" }, level: number): void {
    const inner = this.layout.dimensions[level + 1];
    if (inner === undefined) return;
    const short = list.elements.slice(0, -1).find((row) => row.kind === "list" && row.elements.length < inner);
    if (short !== undefined) {
      this.reporter.report(
        "initializer-short-row",
        short,
        `this row has fewer values than its bound: the rest is zero here, but ptxas fills it from the next row`,
      );
    }
  }

  private element(initializer: Initializer, offset: number): void {
    const { type } = this.layout;
    switch (initializer.kind) {
      case "list":
        this.fail("initializer-shape", initializer, `expected one value, not a list`);
        return;
      case "field":
        this.fail(
          "initializer-type",
          initializer,
          `'${initializer.field.text} =' initialises texture, sampler and surface references only`,
        );
        return;
      case "constant": {
        const value = this.constant(initializer.value);
        if (value !== undefined) this.store(type, value, offset, initializer);
        return;
      }
      case "address": {
        const fixup = this.address(initializer);
        if (fixup === undefined) return;
        if (type.name !== "u32" && type.name !== "u64") {
          this.fail("initializer-type", initializer, `an address initialises a .u32 or .u64, not a .${type.name}`);
          return;
        }
        if (type.bits < 64 && this.platform.addresses.size !== 32) {
          this.reporter.report("narrow-address", initializer, `an address has 64 bits; only its low 32 fit this .u32`, {
            remedy: "declare the variable as .u64",
          });
        }
        const { kind, symbol, addend } = fixup;
        this.fixups.push({ kind, symbol, addend, offset, width: type.bits / 8 });
        return;
      }
      case "mask":
        this.masked(initializer, offset);
        return;
    }
  }

  private masked(initializer: Initializer & { kind: "mask" }, offset: number): void {
    const { type } = this.layout;
    requireFeature("an initial value mask()", initializer, this.platform, this.reporter);
    const byte = masks.indexOf(initializer.mask.value);
    if (byte < 0) {
      const mask = initializer.mask.value.toString(16);
      this.fail("initializer-mask", initializer.mask, `0x${mask} does not select one byte of an address`, {
        remedy: "use 0xFF, 0xFF00, 0xFF0000 and so on",
      });
      return;
    }
    const inner = initializer.value;
    if (inner.kind === "constant") {
      const value = this.constant(inner.value);
      if (value === undefined) return;
      if (value.kind !== "integer" || type.class === "float" || type.class === "bits") {
        this.fail(
          "initializer-type",
          initializer,
          `mask() of an integer initialises an integer variable, not a .${type.name}`,
        );
        return;
      }
      const selected = (BigInt.asUintN(64, value.value) >> BigInt(8 * byte)) & 0xffn;
      this.write(offset, type.bits, selected);
      return;
    }
    if (inner.kind !== "address") {
      this.fail("initializer-shape", inner, "mask() takes an integer or the address of a variable");
      return;
    }
    const fixup = this.address(inner);
    if (fixup === undefined) return;
    if (type.name !== "u8" && type.name !== "u32" && type.name !== "u64") {
      this.fail(
        "initializer-type",
        initializer,
        `a byte of an address initialises a .u8, .u32 or .u64, not a .${type.name}`,
      );
      return;
    }
    const { kind, symbol, addend } = fixup;
    this.fixups.push({ kind, symbol, addend, offset, width: type.bits / 8, byte });
  }

  private address(at: Initializer & { kind: "address" }): Omit<Fixup, "offset" | "width"> | undefined {
    const found = findNamed(at.name, this.lookup, this.reporter);
    if (found === undefined) {
      this.failed = true;
      return undefined;
    }
    const { symbol, index } = found;
    const isKernel = symbol.kind === "function" && symbol.entry;
    const feature = at.generic
      ? "an initial value generic()"
      : isKernel
        ? "the address of a kernel"
        : "an address as initial value";
    requireFeature(feature, at, this.platform, this.reporter);
    let addend = 0n;
    if (at.offset !== undefined) {
      const offset = this.constant(at.offset);
      if (offset === undefined) return undefined;
      if (offset.kind !== "integer") {
        this.fail("initializer-type", at.offset, "the offset of an address is an integer");
        return undefined;
      }
      addend = BigInt.asIntN(64, offset.value);
    }
    if (symbol.kind === "function" && (at.generic || at.offset !== undefined)) {
      this.fail(
        "initializer-type",
        at,
        `the address of function '${symbol.name}' takes neither generic() nor an offset`,
      );
      return undefined;
    }
    if (
      symbol.kind === "variable" &&
      (symbol.space === "shared" || symbol.space === "local" || symbol.space === "reg")
    ) {
      this.fail(
        "initializer-space",
        at.name,
        `'${at.name.text}' is in .${symbol.space}; only .global and .const addresses are known before a launch`,
      );
      return undefined;
    }
    // Other reasons why a function has no address depend on the whole body (function-address.ts).
    const check = this.lookup.inBody === undefined ? checkHasAddress : checkIsNotDrivers;
    if (symbol.kind === "function" && !check(symbol, at.name, this.reporter)) {
      this.failed = true;
      return undefined;
    }
    return { kind: at.generic ? "generic" : "address", symbol: index, addend };
  }

  private constant(expression: Parameters<typeof foldConstant>[0]): Constant | undefined {
    const value = foldConstant(expression, this.complain);
    if (value === undefined) this.failed = true;
    return value;
  }

  private store(type: DataType, value: Constant, offset: number, at: Ranged): void {
    if (value.kind === "integer") {
      if (type.class === "float") {
        this.fail("initializer-type", at, `an integer cannot initialise a .${type.name}`, {
          remedy: floatSpelling(value.value, type.bits),
        });
        return;
      }
      const wide = BigInt.asUintN(64, value.value);
      const low = -(1n << BigInt(type.bits - 1));
      if (type.bits < 64 && (value.value < low || value.value >= 1n << BigInt(type.bits))) {
        this.reporter.report(
          "initializer-truncated",
          at,
          `${value.value} does not fit .${type.name}; its low ${type.bits} bits are stored`,
        );
      }
      this.write(offset, type.bits, type.bits < 64 ? BigInt.asUintN(type.bits, wide) : wide);
      return;
    }
    if (type.class !== "float" && type.class !== "bits") {
      this.fail("initializer-type", at, `a float cannot initialise a .${type.name}`, {
        remedy: "use a .b type to store its bits",
      });
      return;
    }
    if (type.bits < 32) {
      const [bits, width] = value.kind === "float" ? [floatBits(value.value, 64), 64] : [BigInt(value.bits), 32];
      const message = `a float does not fit .${type.name}; the low ${type.bits} of its ${width} bits are stored`;
      this.reporter.report("initializer-truncated", at, message);
      this.write(offset, type.bits, bits);
      return;
    }
    if (value.kind === "f32-bits") {
      if (type.bits > 32) {
        this.reporter.report(
          "float-raw-bits",
          at,
          `the 32 bits of an 0f literal are stored in a .${type.name} as they are, not converted`,
          {
            remedy: "use an 0d literal",
          },
        );
      }
      this.write(offset, type.bits, BigInt(value.bits));
      return;
    }
    if (type.bits === 32 && Number.isFinite(value.value) && !Number.isFinite(Math.fround(value.value))) {
      const message = `${value.value} is beyond the range of 32 bits and becomes infinite`;
      this.reporter.report("float-range", at, message);
    }
    this.write(offset, type.bits, floatBits(value.value, type.bits === 32 ? 32 : 64));
  }

  /**
   * Writes little-endian bytes; values wider than 64 bits are zero-extended. Written by bytes, so that no DataView is created.
   */
  private write(offset: number, bits: number, value: bigint): void {
    writeWord(this.bytes, offset, Math.min(bits, 32), Number(BigInt.asUintN(32, value)));
    if (bits > 32) writeWord(this.bytes, offset + 4, 32, Number(BigInt.asUintN(32, value >> 32n)));
  }

  private fail(...report: Parameters<Reporter["report"]>): void {
    this.failed = true;
    this.reporter.report(...report);
  }
}

function writeWord(bytes: Uint8Array, offset: number, bits: number, value: number): void {
  for (let bit = 0; bit < bits; bit += 8) bytes[offset + bit / 8] = value >>> bit;
}

/** The masks of section 5.4.4, indexed by the byte that they select. */
const masks: readonly bigint[] = Array.from({ length: 8 }, (_, byte) => 0xffn << BigInt(8 * byte));

/** The bits of a constant as an f32 or f64 immediate. */
export function immediateFloatBits(value: Constant, bits: 32 | 64): bigint | undefined {
  switch (value.kind) {
    case "integer":
      return undefined;
    case "float":
      return floatBits(value.value, bits);
    case "f32-bits":
      return bits === 32 ? BigInt(value.bits) : floatBits(f32OfBits(value.bits), 64);
  }
}

/** The spelling of an integer as a float of that width; a large integer may be meant as the float's bits. */
function floatSpelling(value: bigint, bits: number): string {
  const asValue = `${value}.0`;
  const fraction = bits === 32 ? 23n : 52n;
  if ((bits !== 32 && bits !== 64) || value < 1n << fraction || value >= 1n << BigInt(bits)) return `write ${asValue}`;
  const digits = value
    .toString(16)
    .toUpperCase()
    .padStart(bits / 4, "0");
  return `write ${bits === 32 ? "0f" : "0d"}${digits} if these are its bits, ${asValue} if this is its value`;
}
