// Node's Buffer where the host has it, and elsewhere, as in browsers, the package that does the same. esbuild puts this in the
// place of the global name (library.mjs); the package's file runs only where it is required.

function substitute() {
  // A package in the old form, which is required where it is needed and nowhere else.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { Buffer: Substitute } = require("buffer/");
  const { from } = Substitute;
  // Shared memory of WebAssembly has a kind of buffer that most pages have no name for, which the package asks for.
  Substitute.from = (value, ...rest) =>
    Object.prototype.toString.call(value) === "[object SharedArrayBuffer]"
      ? Object.setPrototypeOf(new Uint8Array(value, ...rest), Substitute.prototype)
      : from(value, ...rest);
  return Substitute;
}

export const Buffer = globalThis.Buffer ?? substitute();
