// The part of the host's WebAssembly interface that is used, with types of its own: the types of the `dom` library would make
// `document` available everywhere, and @types/node has none.

export interface WasmMemory {
  /** The whole memory. A new object after growing; the old one still accesses the same bytes. */
  readonly buffer: SharedArrayBuffer;
  /** Adds pages of 64 KiB; throws RangeError if there are none. */
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

/** Undefined if the host has none (`node --jitless`). */
export const webAssembly: WebAssemblyInterface | undefined = (
  globalThis as unknown as { readonly WebAssembly?: WebAssemblyInterface }
).WebAssembly;
