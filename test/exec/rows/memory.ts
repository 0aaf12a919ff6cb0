// Helpers for tests of loads and stores: bytes in every space, their addresses, and how registers are shown.

import { hasModifier, modifier, type Opcode } from "../../../lib/isa/opcode.js";
import { dataType, type DataType } from "../../../lib/isa/types.table.js";
import { randomBytes } from "./support.js";

export const BYTES = 512;
export const STRIDE = 64;
export const source = randomBytes(BYTES, 3);

interface Shape {
  readonly type: DataType;
  readonly count: number;
  readonly space: string;
  readonly bytes: number;
  /** Bits of each register. */
  readonly register: number;
}

export const spaces = ["global", "shared", "local", "const", "param"];

/** Generic loads and stores use the spaces in turn. */
export function shapeOf(opcode: Opcode, turn: number, writes: boolean): Shape {
  const named = opcode.chosen.find((text) => text !== undefined && spaces.includes(text.split("::")[0]!));
  const generic = writes ? ["global", "shared", "local"] : spaces;
  const isGlobal = opcode.form.id !== "ld" && opcode.form.id !== "st";
  const type = dataType(opcode.chosen.findLast((text) => text !== undefined && dataType(text) !== undefined)!)!;
  const count = Number(modifier(opcode, "vec")?.slice(1) ?? 1);
  const space = named?.split("::")[0] ?? (isGlobal ? "global" : generic[turn % generic.length]!);
  // Registers of the type's size, or wider ones, alternating. Floats have their own.
  const least = Math.max(8, type.bits);
  const widths = [8, 16, 32, 64].filter((bits) => bits >= least);
  const register = type.class === "float" || type.bits === 128 ? type.bits : widths[turn % widths.length]!;
  return { type, count, space, bytes: (type.bits / 8) * count, register };
}

/** The address of a lane's bytes. */
export const offsetOf = (lane: number, { bytes }: Shape): number =>
  ((lane * 7 + 3) % Math.floor(BYTES / bytes)) * bytes;

/** Copies the source's bytes to a space, and puts the lane's address into %a. */
export function approach({ space, bytes }: Shape, isGeneric: boolean): string {
  const places = Math.floor(BYTES / bytes);
  const fill = (target: string): string => `mov.u32 %i, 0;
    fill: cvt.u64.u32 %x, %i; add.u64 %b, %in, %x; ld.global.b64 %y, [%b]; mov.u64 %b, ${target}; add.u64 %b, %b, %x;
    st.${space}.b64 [%b], %y; add.u32 %i, %i, 8; setp.lt.u32 %p, %i, ${BYTES}; @%p bra fill;`;
  const base =
    space === "shared" ? "sh" : space === "local" ? "lo" : space === "const" ? "co" : space === "param" ? "bytes" : "";
  const generic = isGeneric && space !== "global" ? `cvta.${space}.u64 %a, %a;` : "";
  return `.shared .align 64 .b8 sh[${BYTES}]; .local .align 64 .b8 lo[${BYTES}];
    .reg .b64 %a, %b, %x, %y, %z, %pol; .reg .b32 %i; .reg .pred %p; mov.u64 %pol, 0;
    ${space === "shared" || space === "local" ? `${fill(base)} bar.sync 0;` : ""}
    mad.lo.u32 %i, %t, 7, 3; rem.u32 %i, %i, ${places}; mul.wide.u32 %x, %i, ${bytes};
    ${space === "global" ? "add.u64 %a, %in, %x;" : `mov.u64 %a, ${base}; add.u64 %a, %a, %x;`} ${generic}`;
}

export const isGenericAccess = (opcode: Opcode): boolean =>
  (opcode.form.id === "ld" || opcode.form.id === "st") &&
  !opcode.chosen.some((text) => text !== undefined && spaces.includes(text.split("::")[0]!));

export const registerType = ({ type, register }: Shape): string =>
  type.class === "float" ? type.name : `b${register}`;
export const list = (count: number): string =>
  count === 1 ? "v0" : `{${Array.from({ length: count }, (_, i) => `v${i}`).join(", ")}}`;

/** Stores the registers unchanged. */
export function show({ register, count }: Shape): string {
  const stores = Array.from({ length: count }, (_, i) =>
    register === 128
      ? "mov.b128 {%x, %z}, v0; st.global.v2.b64 [%out], {%x, %z};"
      : `st.global.b${register} [%out+${(register / 8) * i}], v${i};`,
  );
  return `mul.wide.u32 %y, %t, ${STRIDE}; add.u64 %out, %out, %y; ${stores.join(" ")}`;
}

/** The kernel's module: constants have the source's bytes, and so does a parameter passed by value. */
export const constants = `.const .align 64 .b8 co[${BYTES}] = {${[...source].join(", ")}};`;

/** The contents of a register of that width after a load of an element. */
export function extended(view: DataView, at: number, { type, register }: Shape): string {
  const bytes = Array.from({ length: register / 8 }, (_, i) => {
    if (i < type.bits / 8) return view.getUint8(at + i);
    return type.class === "signed" && view.getInt8(at + type.bits / 8 - 1) < 0 ? 255 : 0;
  });
  return Buffer.from(bytes).toString("hex");
}

/** The operand of a cache hint. */
export const policyOf = (opcode: Opcode): string => (hasModifier(opcode, "L2::cache_hint") ? ", %pol" : "");
