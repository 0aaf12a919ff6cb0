// Checks textures, samplers and surfaces: PTX ISA 9.0 sections 5.3 and 9.7.10 f. An instruction on one names a variable of its
// opaque type, or has its address in a 64-bit register (indirect access). No other instruction may access such variables. With
// texmode_independent a fetch also names its sampler, and sampler properties are queried from samplers.

import type { Register } from "../isa/code.js";
import { type Opcode, type OperandShape, hasTrait } from "../isa/opcode.js";
import { dataType, type DataType } from "../isa/types.table.js";
import type { Header } from "./header.js";
import type { OpaqueReference, Variable } from "./module.js";
import type { Reporter } from "./reporter.js";
import { requireFeature, type Platform } from "./require.js";
import type { Resolved } from "./resolve.js";

type Address = Resolved & { readonly kind: "address" };

/** The opaque type of the variable that an operand names; undefined for other operands. */
export function opaqueType(operand: Resolved): DataType | undefined {
  switch (operand.kind) {
    case "variable": {
      const { type } = operand.variable.layout;
      return type.class === "opaque" ? type : undefined;
    }
    case "symbol":
      // A .tex variable of PTX 1.x has type .u32 or .u64.
      return operand.symbol.kind === "reference" ? dataType(operand.symbol.type) : undefined;
    default:
      return undefined;
  }
}

const isArray = (operand: Resolved & { readonly kind: "symbol" | "variable" }): boolean => {
  const { layout } = operand.kind === "variable" ? operand.variable : (operand.symbol as Variable | OpaqueReference);
  return layout.dimensions.length > 0;
};

/** The texture, sampler or surface operand of an instruction; undefined if it has none. */
export const textureOperand = ({ operands }: Opcode): OperandShape | undefined =>
  operands.find(({ spec, type }) => spec.kind === "address" && type?.class === "opaque");

/** Reports operands that must be opaque variables and are not, and the reverse. */
export function checkTextureOperands(
  opcode: Opcode,
  operands: readonly Resolved[],
  registers: readonly Register[],
  header: Header,
  reporter: Reporter,
): void {
  const place = textureOperand(opcode);
  if (place === undefined) {
    for (const operand of operands) checkOpaqueUse(opcode, operand, reporter);
    return;
  }
  const address = operands.find((operand): operand is Address => operand.kind === "address");
  if (address === undefined) return;
  const independent = header.targetOptions.includes("texmode_independent");
  const asksSampler = independent && opcode.chosen.some((text) => text !== undefined && samplerQueries.has(text));
  const wanted = hasTrait(opcode, "queries-sampler") && asksSampler ? "samplerref" : place.type!.name;
  checkVariable(address.of, wanted, registers, reporter);
  if (address.of.kind === "register") {
    requireFeature("a texture, sampler or surface by its address", address.of.node, header, reporter);
  }
  const takesSampler = place.rest.some(({ type }) => type?.class === "opaque");
  const sampler = takesSampler && address.rest.length > 1 ? address.rest[0] : undefined;
  if (sampler !== undefined) checkVariable(sampler, "samplerref", registers, reporter);
  else if (takesSampler && independent) {
    reporter.report("operand-count", address.node, "independent texturing needs a sampler after the texture", {
      remedy: "write [texture, sampler, {coordinates}]",
    });
  }
}

/** The fault of a sampler in a module without independent texturing: section 9.7.10.2. */
export const samplerFault = ({ name }: DataType, { targetOptions }: Platform): string | undefined =>
  name === "samplerref" && !targetOptions.includes("texmode_independent")
    ? ".samplerref needs independent texturing: texmode_independent in .target"
    : undefined;

/** The properties of a sampler that txq returns. */
const samplerQueries: ReadonlySet<string> = new Set([
  "filter_mode",
  "addr_mode_0",
  "addr_mode_1",
  "addr_mode_2",
  "force_unnormalized_coords",
]);

function checkVariable(operand: Resolved, wanted: string, registers: readonly Register[], reporter: Reporter): void {
  const fault = faultOf(operand, wanted, registers);
  if (fault === undefined) return;
  const named = operand.kind === "symbol" ? operand.symbol : undefined;
  reporter.report(
    "operand-kind",
    operand.node,
    `${fault}; expected a .${wanted}, or a 64-bit register with its address`,
    {
      notes: named === undefined ? [] : [{ message: `'${named.name}' is declared here`, place: named.place }],
    },
  );
}

/** The reason why the operand is neither a variable of that type nor an address in a register. */
function faultOf(operand: Resolved, wanted: string, registers: readonly Register[]): string | undefined {
  switch (operand.kind) {
    case "register-offset":
      return "an opaque variable has no parts to reach by an offset";
    case "register": {
      const { name, type } = registers[operand.index]!;
      return type.bits === 64 && type.class !== "float" ? undefined : `${name} is .${type.name}`;
    }
    case "variable":
    case "symbol": {
      if (operand.offset !== 0n) return "an opaque variable has no parts to reach by an offset";
      const type = opaqueType(operand);
      const { name } = operand.kind === "variable" ? operand.variable : operand.symbol;
      if (type?.name === wanted) return isArray(operand) ? `'${name}' is an array` : undefined;
      return `'${name}' is ${type === undefined ? "not opaque" : `a .${type.name}`}`;
    }
    default:
      return "this is not a variable";
  }
}

/** Rejects opaque variables in ld, st, cvta and all others: section 5.3 allows only mov of the address. */
function checkOpaqueUse(opcode: Opcode, operand: Resolved, reporter: Reporter): void {
  const { form } = opcode;
  if (form.traits.has("call") || form.traits.has("takes-address")) return;
  const of = operand.kind === "address" ? operand.of : operand;
  const type = opaqueType(of);
  if (type === undefined) return;
  reporter.report("operand-kind", of.node, `a .${type.name} is opaque; ${form.opcode} cannot access it`, {
    remedy: "take its address with mov.u64",
  });
}
