// Node's Buffer if the host has it, and otherwise, as in browsers, a package with the same functions. esbuild substitutes this
// for the global name (library.mjs); the package's file runs only if it is required.

function substitute() {
  // A package in the old form, which is required where it is needed and nowhere else.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { Buffer: Substitute } = require("buffer/");
  const { from } = Substitute;
  // Shared memory of WebAssembly has a type of buffer that most pages cannot name, but which the package tests for.
  Substitute.from = (value, ...rest) =>
    Object.prototype.toString.call(value) === "[object SharedArrayBuffer]"
      ? Object.setPrototypeOf(new Uint8Array(value, ...rest), Substitute.prototype)
      : from(value, ...rest);
  return Substitute;
}

export const Buffer = globalThis.Buffer ?? substitute();
