// Reads location expressions as lists of operations. DWARF 4 section 7.7.1. An unknown operation is an error that ends reading,
// because the length of its operands is unknown.

import { decoding, malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import type { Result } from "../bytes/result.js";
import { readSleb128, readVarU, readVarU64 } from "../bytes/varint.js";
import { OP } from "./names.table.js";

export interface Operation {
  /** DW_OP_*. */
  readonly code: number;
  /** Offset of the operands in the expression. */
  readonly at: number;
  readonly operands: readonly bigint[];
  /** The value of DW_OP_implicit_value. */
  readonly bytes?: Uint8Array;
}

type Operand = "u1" | "s1" | "u2" | "s2" | "u4" | "s4" | "u8" | "s8" | "uleb" | "sleb" | "address";

const CONSTANTS: readonly Operand[] = ["u1", "s1", "u2", "s2", "u4", "s4", "u8", "s8"];

const operandsOf: ReadonlyMap<number, readonly Operand[]> = new Map<number, readonly Operand[]>([
  [OP.addr, ["address"]],
  ...CONSTANTS.map((operand, i): [number, readonly Operand[]] => [OP.const1u + i, [operand]]),
  [OP.constu, ["uleb"]],
  [OP.consts, ["sleb"]],
  [OP.plusUconst, ["uleb"]],
  [OP.regx, ["uleb"]],
  [OP.fbreg, ["sleb"]],
  [OP.bregx, ["uleb", "sleb"]],
  ...[OP.deref, OP.dup, OP.drop, OP.swap, OP.minus, OP.plus, OP.nop, OP.stackValue].map(
    (code): [number, readonly Operand[]] => [code, []],
  ),
  ...Array.from({ length: 32 }, (_, i): [number, readonly Operand[]] => [OP.lit0 + i, []]),
]);

export function readExpression(bytes: Uint8Array, addressBytes: number): Result<readonly Operation[]> {
  return decoding(() => {
    const reader = new ByteReader(bytes);
    const operations: Operation[] = [];
    while (reader.remaining > 0) {
      const code = reader.u8("operation");
      const at = reader.position;
      if (code === OP.implicitValue) {
        const value = reader.view8(readVarU(reader, "size of a value"), "value");
        operations.push({ code, at, operands: [], bytes: value });
        continue;
      }
      const kinds =
        operandsOf.get(code) ?? malformed("unsupported", at - 1, `operation 0x${code.toString(16)} of a location`);
      operations.push({ code, at, operands: kinds.map((kind) => readOperand(reader, kind, addressBytes)) });
    }
    return operations;
  });
}

function readOperand(reader: ByteReader, kind: Operand, addressBytes: number): bigint {
  if (kind === "uleb") return readVarU64(reader, "operand");
  if (kind === "sleb") return readSleb128(reader, "operand");
  const bytes = kind === "address" ? addressBytes : Number(kind.slice(1));
  const value = reader.view8(bytes, "operand").reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return kind.startsWith("s") ? BigInt.asIntN(8 * bytes, value) : value;
}
