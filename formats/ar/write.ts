// Archives (ar): writes GNU's regular kind, with long names in a `//` table and, if members have symbols, an index of them (`/`).
// The result depends on the members alone: times and owners are 0, as `ar D` writes them.
import { ByteWriter } from "../bytes/writer.js";
import { HEADER_SIZE } from "./read.js";

export interface MemberToWrite {
  readonly name: string;
  readonly data: Uint8Array;
  /** Names that the symbol index maps to the member. */
  readonly symbols?: readonly string[];
}

const MAGIC = "!<arch>\n";
const utf8 = new TextEncoder();

/** Writes members in the given order. Throws RangeError for a name with a newline or a zero byte. */
export function writeArchive(members: readonly MemberToWrite[]): Uint8Array {
  const { table, offsets } = longNames(members);
  const symbols = members.flatMap((member, i) => (member.symbols ?? []).map((name) => ({ name, member: i })));
  const names = utf8.encode(symbols.map(({ name }) => `${name}\0`).join(""));
  const indexSize = symbols.length === 0 ? 0 : 4 + 4 * symbols.length + names.length;

  const space = (size: number): number => (size === 0 ? 0 : HEADER_SIZE + size + (size % 2));
  let end = MAGIC.length + space(indexSize) + space(table.length);
  const places = members.map(({ data }) => {
    const place = end;
    end += HEADER_SIZE + data.length + (data.length % 2);
    return place;
  });

  const writer = new ByteWriter(end);
  writer.text(MAGIC);
  if (indexSize > 0) {
    const index = new Uint8Array(indexSize);
    const view = new DataView(index.buffer);
    view.setUint32(0, symbols.length);
    symbols.forEach(({ member }, i) => view.setUint32(4 + 4 * i, places[member]!));
    index.set(names, indexSize - names.length);
    writeMember(writer, "/", index);
  }
  if (table.length > 0) writeMember(writer, "//", table);
  for (const { name, data } of members) {
    const long = offsets.get(name);
    writeMember(writer, long === undefined ? `${name}/` : `/${long}`, data);
  }
  return writer.finish();
}

/** The names that do not fit a header, and the offset of each in the name table. */
function longNames(members: readonly MemberToWrite[]): {
  readonly table: Uint8Array;
  readonly offsets: ReadonlyMap<string, number>;
} {
  const table = new ByteWriter();
  const offsets = new Map<string, number>();
  for (const { name } of members) {
    if (name === "" || /[\n\0]/.test(name)) throw new RangeError(`${JSON.stringify(name)} cannot be a member's name`);
    const fits = utf8.encode(name).length < 16 && !/^[#/ ]|\/| $/.test(name);
    if (fits || offsets.has(name)) continue;
    offsets.set(name, table.length);
    table.text(`${name}/\n`);
  }
  return { table: table.finish(), offsets };
}

function writeMember(writer: ByteWriter, name: string, data: Uint8Array): void {
  const owner = name === "//" ? " ".repeat(32) : `${"0".padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"644".padEnd(8)}`;
  writer.text(name);
  writer.text(" ".repeat(16 - utf8.encode(name).length));
  writer.text(`${owner}${String(data.length).padEnd(10)}\`\n`);
  writer.put(data);
  if (data.length % 2 === 1) writer.text("\n");
}
