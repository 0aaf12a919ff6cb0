// The part of AbortSignal that a launch uses. The type itself is in libraries that a program may compile without, Node's and the
// DOM's, and the package's types need neither.

/** An `AbortSignal`. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
