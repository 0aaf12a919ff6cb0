// Checks state spaces of an instruction's addresses. The variable that an address names must be in the space that the instruction
// accesses. A register with an address must be as wide as that space's addresses. PTX ISA 9.0 sections 5.1 and 9.7.9; further
// rules of each space are those of ptxas 13.0.

import type { Note } from "../diag/diagnostic.js";
import type { Register } from "../isa/code.js";
import type { Opcode } from "../isa/opcode.js";
import { isStateSpace } from "../isa/state-spaces.table.js";
import { mayBeNarrow, type AddressUse } from "./address-size.js";
import { opaqueType } from "./texture-operands.js";
import type { Reporter } from "./reporter.js";
import type { Resolved } from "./resolve.js";

type Address = Resolved & { readonly kind: "address" };

/** Reports each address whose space is not allowed. `registers` needs only those that the operands name. */
export function checkSpaces(
  opcode: Opcode,
  operands: readonly Resolved[],
  registers: readonly Register[],
  sizes: AddressUse,
  reporter: Reporter,
): void {
  const { form, chosen } = opcode;
  const addresses = operands.filter((operand) => operand.kind === "address");
  if (form.traits.has("to-generic")) checkConverted(chosen, operands, reporter);
  if (form.traits.has("converts-address")) checkConvertedSize(chosen, operands, sizes, reporter);
  if (form.traits.has("takes-address")) checkTakenAddress(opcode, operands, sizes, reporter);
  if (form.traits.has("cluster-address")) checkMapped(form.opcode, operands[1], reporter);
  if (form.traits.has("asks-space")) checkAddressRegister(operands[1], reporter);
  if (addresses.length === 0) return;
  const written = chosen.filter((text) => text !== undefined && isStateSpace(text));
  const hasSlot = takesSpace(form);
  const isWide = form.traits.has("wide-address");
  const only = form.traits.has("shared-only") ? "shared" : undefined;
  const isGlobal = form.traits.has("global-only");
  // The last address is the barrier on which a copy completes.
  const completes = form.slots.some(({ choices }) => choices[0]!.text === "mbarrier::complete_tx::bytes");
  const places = opcode.operands.filter(({ spec, presence }) => spec.kind === "address" && presence !== "absent");
  addresses.forEach((address, i) => {
    const place = places[i];
    if (place?.type?.bits === 32) return checkTensorMemory(address, registers, reporter);
    const isBarrier = completes && written.length > 0 && i > 0 && i === addresses.length - 1;
    const space = isBarrier ? "shared" : written.length === 1 ? written[0] : written[i];
    if (space === undefined && written.length > 0) return;
    if (address.base.kind === "absolute" && space !== "local") {
      reporter.report("operand-space", address.of.node, "constant addresses are only valid in .local memory", {
        remedy: "put the address into a register",
      });
      return;
    }
    checkUnified(address, space, reporter);
    const accessed = isGlobal ? "global" : space;
    if (isWide) checkWidth(address, accessed, registers, sizes, reporter);
    if (isGlobal) return checkVariable(address, opcode, accessed, reporter);
    if (!hasSlot) return;
    // Barriers are in shared memory, whatever the address space: mbarrier.init.b64 [bar].
    checkVariable(address, opcode, space ?? only, reporter);
  });
}

/** Checks that an address in tensor memory is in a 32-bit register: section 9.7.16.1. No variable has such an address. */
function checkTensorMemory({ of, base }: Address, registers: readonly Register[], reporter: Reporter): void {
  if (base.kind === "register" && registers[base.register]!.type.bits === 32) return;
  reporter.report("operand-type", of.node, "an address in tensor memory must be in a 32-bit register");
}

/**
 * Checks that global and generic addresses have 64 bits, except in 32-bit modules. Offsets in the windows of other spaces fit
 * into 32.
 */
function checkWidth(
  address: Address,
  space: string | undefined,
  registers: readonly Register[],
  sizes: AddressUse,
  reporter: Reporter,
): void {
  if (address.base.kind !== "register" || (space !== undefined && space !== "global")) return;
  const { name, type } = registers[address.base.register]!;
  if (type.bits === 64 || mayBeNarrow(sizes)) return;
  reporter.report(
    "operand-type",
    address.of.node,
    `${name} is .${type.name}; a global or generic address has 64 bits`,
    { remedy: "widen it with cvt.u64.u32, or compute it in a .b64 register" },
  );
}

/** Checks the variable that an address names; `space` is undefined for a generic access. */
function checkVariable({ of }: Address, { form }: Opcode, space: string | undefined, reporter: Reporter): void {
  const actual = operandSpace(of);
  if (actual === undefined) return;
  const name = of.kind === "variable" ? of.variable.name : of.kind === "symbol" ? of.symbol.name : "";
  if (actual === "code") {
    reporter.report("operand-kind", of.node, `'${name}' is a function; code cannot be accessed as memory`);
  } else if (space === undefined ? actual === "param" || actual === "const" : actual !== windowOf(space)) {
    const accessed = space === undefined ? "generic addresses, which do not reach it" : `.${space}`;
    reporter.report("operand-space", of.node, `'${name}' is in .${actual}, and the instruction accesses ${accessed}`, {
      notes: declarationOf(of),
      remedy: takesSpace(form) ? `name the state space: ${form.opcode}.${actual}` : "use an address in .global",
    });
  } else if (of.kind === "variable" && form.traits.has("store") && of.variable.kind === "parameter") {
    reporter.report("operand-space", of.node, `'${name}' is an input parameter and cannot be written`);
  } else if (of.kind === "variable" && form.traits.has("load") && of.variable.kind === "return") {
    reporter.report("operand-space", of.node, `'${name}' is the function's result and cannot be read`);
  }
}

const takesSpace = ({ slots }: Opcode["form"]): boolean =>
  slots.some(({ choices }) => choices.some(({ text }) => isStateSpace(text)));

/** Checks cvta: the source is an address in the space that the instruction names. */
function checkConverted(chosen: Opcode["chosen"], operands: readonly Resolved[], reporter: Reporter): void {
  const space = chosen.find((text) => text !== undefined && isStateSpace(text));
  const source = operands[1];
  const actual = source === undefined ? undefined : operandSpace(source);
  if (actual === undefined || space === undefined || actual === windowOf(space)) return;
  if (source!.kind === "symbol" && actual === "code") {
    const message = `'${source!.symbol.name}' is a function; its address is in no state space that could be converted`;
    reporter.report("operand-space", source!.node, message, {
      notes: declarationOf(source!),
      remedy: "take its address with mov.u64",
    });
    return;
  }
  reporter.report("operand-space", source!.node, `this is in .${actual}, and the instruction converts .${space}`, {
    notes: declarationOf(source!),
    remedy: `name the state space: cvta.${actual}`,
  });
}

/** Checks mapa and getctarank, which take addresses in shared memory: sections 9.7.9.23 f. */
function checkMapped(opcode: string, source: Resolved | undefined, reporter: Reporter): void {
  const actual = source === undefined ? undefined : operandSpace(source);
  if (actual === undefined || actual === "shared" || actual === "code") return;
  reporter.report("operand-space", source!.node, `this is in .${actual}, and ${opcode} takes an address in .shared`, {
    notes: declarationOf(source!),
  });
}

/** Rejects addresses in registers of 128 bits. */
function checkAddressRegister(source: Resolved | undefined, reporter: Reporter): void {
  if (source?.kind !== "register" || source.register.type.bits <= 64) return;
  const { name, type } = source.register;
  reporter.report("operand-type", source.node, `${name} is .${type.name}; an address has 64 or 32 bits`);
}

/** Checks `[a].unified`: the access is to global memory, and a named variable is .unified. */
function checkUnified({ of, node }: Address, space: string | undefined, reporter: Reporter): void {
  if (node.kind !== "address" || node.unified !== true) return;
  if (space !== undefined && space !== "global")
    reporter.report("operand-space", node, `'.unified' belongs to addresses in .global, not .${space}`);
  else if (of.kind === "symbol" && of.symbol.kind === "variable" && of.symbol.unified === undefined)
    reporter.report("operand-space", node, `'${of.symbol.name}' is not .unified`, { notes: declarationOf(of) });
}

/** Checks that 32-bit generic addresses occur in 32-bit modules only. */
function checkConvertedSize(
  chosen: Opcode["chosen"],
  operands: readonly Resolved[],
  sizes: AddressUse,
  reporter: Reporter,
): void {
  if (!chosen.includes("u32") || mayBeNarrow(sizes)) return;
  reporter.report("operand-type", operands[0]!.node, "a generic address has 64 bits in this module", {
    remedy: "write .u64 in place of .u32, and use 64-bit registers",
  });
}

/**
 * Checks that an address taken by name fits its register: addresses of .global variables have 64 bits, except in 32-bit modules.
 */
function checkTakenAddress(
  { operands: shapes }: Opcode,
  operands: readonly Resolved[],
  sizes: AddressUse,
  reporter: Reporter,
): void {
  const [, source] = operands;
  const what = source && (opaqueType(source)?.name ?? operandSpace(source));
  if (what === undefined || !wide.has(what) || shapes[0]?.type?.bits !== 32) return;
  if (what === "global" && mayBeNarrow(sizes)) return;
  reporter.report("operand-type", source!.node, `the address of a .${what} variable has 64 bits`, {
    remedy: "use mov.u64 and a 64-bit register",
  });
}

/** A note with the declaration of a module-scope variable. */
function declarationOf(of: Resolved): readonly Note[] {
  return of.kind === "symbol" ? [{ message: `'${of.symbol.name}' is declared here`, place: of.symbol.place }] : [];
}

/** State spaces and types whose addresses do not fit into 32 bits. */
const wide: ReadonlySet<string> = new Set(["global", "texref", "samplerref", "surfref"]);

/** The window of a space: "shared" of "shared::cta". ptxas does not compare the numbers of constant banks. */
const windowOf = (space: string): string => space.split(/::|\[/, 1)[0]!;

function operandSpace(of: Resolved): string | undefined {
  if (of.kind === "variable") return of.variable.kind === "local" ? "local" : "param";
  if (of.kind !== "symbol") return undefined;
  switch (of.symbol.kind) {
    case "variable":
      return windowOf(of.symbol.space);
    case "function":
      return "code";
    case "reference":
      return undefined;
  }
}
