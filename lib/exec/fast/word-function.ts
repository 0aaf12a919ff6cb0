// Writes functions of the driver: all values are words, parameters and locals have names, and memory accesses go to fields of
// records (context.table.ts).

import { CodeWriter, type Local } from "../../../formats/wasm/index.js";

export interface WordFunction<Name extends string> {
  readonly code: CodeWriter;
  /** Parameters and locals by name. */
  readonly local: Readonly<Record<Name, Local>>;
  /** Pushes a field of the record at `base`. */
  load(base: Local, field: number): CodeWriter;
  /** Stores what `push` pushes. */
  store(base: Local, field: number, push: () => void): void;
  /** Adds what `push` pushes to a field. */
  increase(base: Local, field: number, push: () => void): void;
  /** Adds to a local. */
  add(value: Local, amount: number): void;
}

/** Parameters and locals are numbered in the order of their names. */
export function wordFunction<const Parameter extends string, const Inner extends string>(
  parameters: readonly Parameter[],
  locals: readonly Inner[],
  results: readonly "i32"[] = ["i32"],
): WordFunction<Parameter | Inner> {
  const code = new CodeWriter(
    parameters.map(() => "i32"),
    results,
  );
  const given = Object.fromEntries(parameters.map((name, i) => [name, i])) as Record<Parameter, Local>;
  const load = (base: Local, field: number): CodeWriter => code.get(base).memory("i32.load", field);
  const store = (base: Local, field: number, push: () => void): void => {
    code.get(base);
    push();
    code.memory("i32.store", field);
  };
  return {
    code,
    local: { ...given, ...code.named("i32", locals) },
    load,
    store,
    increase: (base, field, push) =>
      store(base, field, () => {
        load(base, field);
        push();
        code.op("i32.add");
      }),
    add: (value, amount) => void code.get(value).i32(amount).op("i32.add").set(value),
  };
}
