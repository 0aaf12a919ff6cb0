// The part of the host's WebAssembly interface that is used here, typed by hand: the types of the `dom` library would let
// a document be used anywhere, and @types/node has none.

export interface WasmMemory {
  /** All of it; a new object after it has grown, and what the old one reaches stays the same bytes. */
  readonly buffer: SharedArrayBuffer;
  /** Pages of 64 KiB more; throws RangeError when there are none. */
  grow(pages: number): number;
}

export interface WasmTable {
  readonly length: number;
  grow(entries: number): number;
}

export type WasmExports = Readonly<Record<string, (...operands: number[]) => number>>;

interface WebAssemblyInterface {
  readonly Memory: new (limits: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: true;
  }) => WasmMemory;
  readonly Table: new (limits: { readonly element: "anyfunc"; readonly initial: number }) => WasmTable;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: WasmExports };
  validate(bytes: Uint8Array): boolean;
}

/** Undefined where the host has none (`node --jitless`). */
export const webAssembly: WebAssemblyInterface | undefined = (
  globalThis as unknown as { readonly WebAssembly?: WebAssemblyInterface }
).WebAssembly;
