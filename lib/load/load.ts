// The loader: places an image's variables in device memory, assigns code addresses to functions, and applies the relocations that
// need both. Functions of older modules get the modifiers that their version implies (isa/dialect.ts). Functions are decoded on
// first use, so that the cost of a large image depends on the part that is used.

import type { Address } from "../base/brand.js";
import { targetFacts } from "../../formats/cuda/index.js";
import { InternalError } from "../base/assert.js";
import { emptyCode, type Code } from "../isa/code.js";
import { dialectOf, inDialect, type Dialect } from "../isa/dialect.js";
import { bankOffset, CONSTANT_BANK_BYTES, isConstantBank } from "../isa/state-spaces.table.js";
import { decodeFunction } from "../object/code/decode.js";
import { addressSizeOf, type CodeSymbol, type LinkedImage, type Section } from "../object/object.js";
import { slotFaults } from "../object/code/slot-fit.js";
import type { SlotSpace } from "../object/code/slots.js";
import {
  ADDRESS_SPACES,
  type AddressSpace,
  codeAddress,
  functionNumber,
  handleOf,
  unresolvedAddress,
  unresolvedSymbol,
  windowBase,
} from "./address-space.js";
import { allocateBytes } from "./arena.js";
import { createImages } from "./images.js";
import { createMemory, createRegion, DEFAULT_MEMORY_LIMIT, type Memory } from "./memory.js";
import type { LoadedFunction, LoadedKernel, LoadedSlot, LoadedVariable, Process } from "./process.js";
import type { Region } from "./region-list.js";
import { applyRelocation, relocatedValue, type SymbolValue } from "./relocate.js";
import { systemFunction } from "../isa/system-functions.js";

/** Options of loading an image. */
export interface LoadOptions {
  /** Limit of device memory in bytes; 4 GiB by default. */
  readonly memoryBytes?: number;
}

/** Thrown when the bytes of a function are not valid code: the image is damaged. */
export class MalformedCode extends Error {
  override readonly name = "MalformedCode";
  /** The file of the image, and the byte offset in the function's section. */
  readonly file: string;
  readonly offset: number;
  constructor(message: string, file: string, offset: number) {
    super(message);
    this.file = file;
    this.offset = offset;
  }
}

/** Creates a process with the image's variables initialised. Throws RangeError if they need more memory than the limit. */
export function loadImage(image: LinkedImage, options: LoadOptions = {}): Process {
  const memory = createMemory(options.memoryBytes ?? DEFAULT_MEMORY_LIMIT, addressSpaceOf(image));
  const constantBytes = mayUseBanks(image) ? bankOffset("const[11]") : 0;
  const regions = image.sections.map((section) => placeSection(section, memory, constantBytes));
  const constants =
    regions.find((_, i) => image.sections[i]!.role.kind === "constant") ??
    createRegion(0, allocateBytes(memory.arena, constantBytes), false);
  const sectionBases = regions.map((region) => region?.base);
  const valueOf = symbolValues(image, sectionBases);
  image.sections.forEach((section, i) => {
    const region = regions[i];
    if (region === undefined) return;
    for (const relocation of section.relocations) applyRelocation(region.bytes, relocation, valueOf);
  });
  return placedProcess(image, memory, sectionBases, constants);
}

/** The address space of the image's processes. */
export const addressSpaceOf = (image: LinkedImage): AddressSpace => ADDRESS_SPACES[addressSizeOf(image)];

/** Creates the process of an image whose sections are already in memory. */
export function placedProcess(
  image: LinkedImage,
  memory: Memory,
  sectionBases: Process["sectionBases"],
  constants: Region,
): Process {
  const space = addressSpaceOf(image);
  const valueOf = symbolValues(image, sectionBases);
  const functions = image.symbols.map((symbol, i) =>
    symbol.kind === "function" ? loadFunction(image, symbol, i, valueOf) : undefined,
  );
  const systemSharedBytes = targetFacts(image.target.sm).reservedSharedBytes;
  const kernels = new Map<string, LoadedKernel>();
  for (const info of image.kernels) {
    const fn = functions[info.symbol];
    if (fn !== undefined)
      kernels.set(fn.name, {
        name: fn.name,
        function: fn,
        info,
        systemSharedBytes,
        sm: image.target.sm,
        addressBits: space.bits,
      });
  }
  return {
    image,
    space,
    memory,
    images: createImages(image.symbols, memory),
    history: { warpInstructions: 0, names: new Map(), texts: new Map() },
    kernels,
    constants,
    sectionBases,
    threadBytes: image.sections
      .filter(({ role }) => role.kind === "local")
      .reduce((bytes, { size }) => Math.ceil((bytes + size) / 16) * 16, 0),
    variables: loadVariables(image, valueOf),
    functionAt(address) {
      return functions[functionNumber(address, space)];
    },
    unresolvedAt(address) {
      const symbol = image.symbols[unresolvedSymbol(address, space) ?? functionNumber(address, space)];
      return symbol?.placement.kind === "undefined" ? symbol : undefined;
    },
  };
}

/**
 * The variable of that name, or `NAME@MODULE`; undefined if there is none, "ambiguous" if several statics share the name. A
 * MODULE is the file's name as it was given, or its last parts: `x@a.ptx` is x of `build/a.ptx`. Without one, a variable with
 * external linkage takes precedence over statics.
 */
export const findVariable = (process: Process, name: string): LoadedVariable | "ambiguous" | undefined =>
  createVariableFinder(process)(name);

/** `findVariable` for many names, with an index. */
export function createVariableFinder(
  process: Pick<Process, "variables">,
): (name: string) => LoadedVariable | "ambiguous" | undefined {
  const byName = new Map<string, LoadedVariable[]>();
  for (const variable of process.variables) {
    const known = byName.get(variable.name);
    if (known === undefined) byName.set(variable.name, [variable]);
    else known.push(variable);
  }
  return (name) => {
    const at = name.lastIndexOf("@");
    const module = at < 0 ? undefined : name.slice(at + 1);
    const ofModule = ({ module: file }: LoadedVariable): boolean => file === module || file.endsWith(`/${module}`);
    const named = at < 0 ? [] : (byName.get(name.slice(0, at)) ?? []).filter(ofModule);
    const found = byName.get(name) ?? named;
    const visible = found.filter((variable) => variable.symbol.linkage !== "static");
    if (visible.length === 1) return visible[0];
    return found.length > 1 ? "ambiguous" : found[0];
  };
}

/** `NAME@MODULE`, which distinguishes statics of one name. */
export function qualified(variable: LoadedVariable): string {
  return `${variable.name}@${variable.module}`;
}

/** The bytes of a variable, for reading and writing. The next launch sees what is written. */
export function variableBytes(process: Process, variable: LoadedVariable): Uint8Array {
  const { address, size, symbol } = variable;
  if (symbol.space === "const" || isConstantBank(symbol.space)) {
    const offset = address - windowBase("const", process.space);
    return process.constants.bytes.subarray(offset, offset + size);
  }
  const region = process.memory.find(address, size);
  if (region === undefined) throw new InternalError(`variable ${variable.name} is not in memory`);
  return region.bytes.subarray(address - region.base, address - region.base + size);
}

/** Code of PTX 1.5 to 2.1 may access constant banks for which the image has no section. */
const mayUseBanks = ({ modules }: LinkedImage): boolean =>
  modules.some(({ version }) => version >= 15 && version <= 21);

/** Allocates memory for a section that exists before any launch: in global memory or the constant bank. */
function placeSection(section: Section, memory: Process["memory"], constantBytes: number): Region | undefined {
  switch (section.role.kind) {
    case "global":
    case "global-init": {
      const region = memory.allocate(section.size, section.align);
      if (section.data !== undefined) region.bytes.set(section.data);
      return region;
    }
    case "constant": {
      const region = createRegion(0, allocateBytes(memory.arena, Math.max(section.size, constantBytes)), false);
      if (section.data !== undefined) region.bytes.set(section.data);
      return region;
    }
    case "text":
    case "shared":
    case "shared-module":
    case "local":
      return undefined;
  }
}

/** Returns the function that maps a symbol to its address, once memory is laid out. */
function symbolValues(image: LinkedImage, bases: Process["sectionBases"]): (symbol: number) => SymbolValue {
  const space = addressSpaceOf(image);
  return (index) => {
    const symbol = image.symbols[index];
    if (symbol === undefined)
      throw new InternalError(`a relocation against symbol ${index} of ${image.symbols.length}`);
    if (symbol.kind === "reference") {
      const handle = handleOf("reference", index);
      return { plain: handle, generic: handle };
    }
    const { placement } = symbol;
    if (symbol.kind === "function") {
      // Undefined functions (link --unresolved-symbols) have a code address, too: a call faults and names the function.
      const address = codeAddress(index, space);
      return { plain: address, generic: address };
    }
    if (placement.kind === "undefined" && (symbol.space === "global" || symbol.space === "const")) {
      const address = unresolvedAddress(index, space);
      return { plain: address, generic: address };
    }
    const offset = placement.kind === "section" ? placement.offset : 0;
    switch (symbol.space) {
      case "const":
        return { plain: offset, generic: windowBase("const", space) + offset };
      case "shared":
        return { plain: offset, generic: windowBase("shared", space) + offset };
      case "local":
      case "reg":
        return { plain: offset, generic: windowBase("local", space) + offset };
      case "global": {
        const base = placement.kind === "section" ? (bases[placement.section] ?? 0) : 0;
        return { plain: base + offset, generic: base + offset };
      }
      // The driver's array begins at the start of its bank.
      default:
        return { plain: 0, generic: windowBase("const", space) + bankOffset(symbol.space) };
    }
  };
}

function loadVariables(image: LinkedImage, valueOf: (symbol: number) => SymbolValue): readonly LoadedVariable[] {
  return image.symbols.flatMap((symbol, i): LoadedVariable[] => {
    if (symbol.kind !== "variable") return [];
    const { space, placement, layout } = symbol;
    const isBank = isConstantBank(space);
    const hasAddress = (space === "global" || space === "const") && placement.kind === "section";
    if (!hasAddress && !isBank) return [];
    return [
      {
        name: symbol.name,
        module: image.modules[symbol.origin.module]?.name ?? image.name,
        symbol,
        address: valueOf(i).generic as Address,
        size: isBank ? CONSTANT_BANK_BYTES : layout.size,
      },
    ];
  });
}

/** A function whose code is decoded on first use; undefined if the symbol has no definition. */
function loadFunction(
  image: LinkedImage,
  symbol: CodeSymbol,
  index: number,
  valueOf: (symbol: number) => SymbolValue,
): LoadedFunction | undefined {
  const module = image.modules[symbol.origin.module];
  const system = systemFunction(symbol.name);
  const common = {
    name: symbol.name,
    symbol,
    address: codeAddress(index, addressSpaceOf(image)),
    file: module?.name ?? image.name,
    files: new Map((module?.files ?? []).map((file) => [file.index, file.path])),
  };
  if (symbol.placement.kind !== "section")
    return system === undefined ? undefined : { ...common, code: emptyCode, slots: [], system };
  const section = image.sections[symbol.placement.section];
  if (section?.data === undefined) throw new InternalError(`function ${symbol.name} has no section`);
  let decoded: Decoded | undefined;
  const dialect = module === undefined ? undefined : dialectOf(module.version, module.target);
  const decode = (): Decoded => (decoded ??= decodeText(image, section, valueOf, symbol.name, dialect));
  return {
    ...common,
    get code() {
      return decode().code;
    },
    get slots() {
      return decode().slots;
    },
  };
}

interface Decoded {
  readonly code: Code;
  readonly slots: readonly LoadedSlot[];
}

const spaces: Readonly<Record<SlotSpace, LoadedSlot["space"]>> = {
  global: "global",
  const: "const",
  shared: "shared",
  function: "function",
  kernel: "function",
  reference: "reference",
  local: "local",
};

function decodeText(
  image: LinkedImage,
  section: Section,
  valueOf: (symbol: number) => SymbolValue,
  name: string,
  dialect: Dialect | undefined,
): Decoded {
  const { fileOffset = 0 } = section;
  const decoded = decodeFunction(section.data!, fileOffset);
  if (!decoded.ok) throw new MalformedCode(`${name}: ${decoded.error.what}`, image.name, decoded.error.offset);
  const [fault] = slotFaults(image.type, decoded.value.slots, section.relocations, (index) => image.symbols[index]!);
  if (fault !== undefined) throw new MalformedCode(`${name}: ${fault.what}`, image.name, fileOffset + fault.offset);
  const relocations = new Map(section.relocations.map((relocation) => [relocation.offset, relocation]));
  const slots = decoded.value.slots.map(({ space, offset, word }): LoadedSlot => {
    const relocation = relocations.get(offset);
    return {
      space: spaces[space],
      value: Number(relocation === undefined ? word : relocatedValue(relocation, valueOf)),
    };
  });
  return { code: inDialect(decoded.value.code, dialect), slots };
}
