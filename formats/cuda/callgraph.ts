// .nv.callgraph: pairs of words in four lists. The pair (0, -n) opens list n; all four openings are always present, in the order
// 1, 2, 3, 4. Lists with unknown numbers are kept.
import { decoding, malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import type { Result } from "../bytes/result.js";

export interface CallGraph {
  /** List 1: symbol indices of caller and callee */
  readonly calls: readonly { readonly caller: number; readonly callee: number }[];
  /** List 2: functions whose address is taken, with the .strtab offset of their prototype */
  readonly addressTaken: readonly { readonly symbol: number; readonly prototype: number }[];
  /** List 3: indirect calls, with the .strtab offset of the prototype called */
  readonly indirectCalls: readonly { readonly caller: number; readonly prototype: number }[];
  /** List 4: functions whose address is taken in the code of another */
  readonly addressUses: readonly { readonly user: number; readonly target: number }[];
  /** Lists with other numbers */
  readonly unknown: readonly { readonly list: number; readonly first: number; readonly second: number }[];
}

/** Reads the call graph from the bytes of a section; `base`: offset of the section in the file. */
export function readCallGraph(data: Uint8Array, base = 0): Result<CallGraph> {
  return decoding(() => {
    const reader = new ByteReader(data, base);
    const lists = new Map<number, (readonly [number, number])[]>();
    let current: (readonly [number, number])[] | undefined;
    while (reader.remaining > 0) {
      const offset = reader.position;
      const [first, second] = [reader.u32("call graph"), reader.i32("call graph")];
      if (first === 0 && second < 0) {
        current = lists.get(-second) ?? [];
        lists.set(-second, current);
      } else if (current === undefined) malformed("malformed", offset, "call graph: a pair before the first list");
      else current.push([first, second >>> 0]);
    }
    const list = (number: number) => lists.get(number) ?? [];
    return {
      calls: list(1).map(([caller, callee]) => ({ caller, callee })),
      addressTaken: list(2).map(([symbol, prototype]) => ({ symbol, prototype })),
      indirectCalls: list(3).map(([caller, prototype]) => ({ caller, prototype })),
      addressUses: list(4).map(([user, target]) => ({ user, target })),
      unknown: [...lists.keys()]
        .filter((number) => number > 4)
        .flatMap((number) => list(number).map(([first, second]) => ({ list: number, first, second }))),
    };
  });
}

/** Numbers of the lists in a section, in the order in which they are opened. */
export function callGraphLists(data: Uint8Array): readonly number[] {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const lists: number[] = [];
  for (let at = 0; at + 8 <= data.length; at += 8) {
    const second = view.getInt32(at + 4, true);
    if (second < 0 && view.getUint32(at, true) === 0) lists.push(-second);
  }
  return lists;
}
