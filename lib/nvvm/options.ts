// Options for compiling NVVM IR: target, float arithmetic (libNVVM's names and defaults), and the annotations of other modules
// for this one's functions and variables.

export interface NvvmOptions {
  /** Target of the PTX, "sm_90"; default: that of the functions' "target-cpu", or sm_75. */
  readonly arch?: string;
  /** Subnormal f32 operands and results are flushed to zero; default false. */
  readonly ftz?: boolean;
  /** f32 division is IEEE's; default true. */
  readonly precDiv?: boolean;
  /** f32 square roots are IEEE's; default true. */
  readonly precSqrt?: boolean;
  /** Multiply and add fuse everywhere, not only where the module has `contract`; default false. */
  readonly fma?: boolean;
  /** Annotations of names that other modules only declare, which are merged before any is compiled (section 11.2). */
  readonly annotations?: NamedAnnotations;
  /**
   * No other module will be linked before the module is compiled: annotations of declarations have no effect, and are reported.
   */
  readonly alone?: boolean;
}

/** Properties by the name of the annotated global. Plain data, which can be sent between threads. */
export type NamedAnnotations = Readonly<Record<string, readonly Property[]>>;

/** `!"maxntidx", i32 128`, and the file that contains it. */
export interface Property {
  readonly name: string;
  readonly value: number;
  readonly file?: string;
}

/** Options that may be computed on demand. */
export const resolveOptions = (options: NvvmOptions | (() => NvvmOptions) | undefined): NvvmOptions =>
  typeof options === "function" ? options() : (options ?? {});
