// Tables of named numbers: one row contains the value, the name that tools print and a line of documentation. The object of
// constants that code uses (`SHT.PROGBITS`) and the names that reports print are both derived from it. A number without a row is
// kept as a number. Rejected: TypeScript enums (closed, and not erasable) and two hand-kept tables, one per direction.

export interface NamedValue {
  readonly value: number;
  readonly name: string;
  readonly doc: string;
}

/** `{ PROGBITS: 1, … }` from rows named `SHT_PROGBITS`, …: the constants of a table, without the prefix. */
export type ConstantsOf<T extends readonly NamedValue[], P extends string> = {
  readonly [R in T[number] as R["name"] extends `${P}${infer Short}` ? Short : never]: R["value"];
};

export function constantsOf<const T extends readonly NamedValue[], P extends string>(
  table: T,
  prefix: P,
): ConstantsOf<T, P> {
  return Object.fromEntries(table.map((row) => [row.name.slice(prefix.length), row.value])) as ConstantsOf<T, P>;
}

/** A function that maps a value to its name, or to undefined if no table contains it. */
export function namesOf(...tables: readonly (readonly NamedValue[])[]): (value: number) => string | undefined {
  const names = new Map(tables.flat().map((row) => [row.value, row.name]));
  return (value) => names.get(value);
}

/** The name of a value, or its number in hexadecimal. */
export function nameOrNumber(name: string | undefined, value: number): string {
  return name ?? `0x${value.toString(16)}`;
}

/** The names of the set bits, lowest first; unknown bits come last, as one number. */
export function bitNames(table: readonly NamedValue[], value: number): readonly string[] {
  // Arithmetic instead of bit operators: section flags reach beyond 32 bits.
  const has = (bit: number) => Math.floor(value / bit) % 2 === 1;
  const known = table.filter((row) => has(row.value));
  const rest = known.reduce((left, row) => left - row.value, value);
  return [...known.map((row) => row.name), ...(rest > 0 ? [`0x${rest.toString(16)}`] : [])];
}
