// The recorded containers of testdata/containers; its README says how each was made.
import { readFileSync } from "node:fs";

const folder = new URL("../../../testdata/containers/", import.meta.url);

export function containerBytes(name: string): Uint8Array {
  return Uint8Array.from(readFileSync(new URL(name, folder)));
}
