// Pass: checks that all modules have the same address size, which PTX ISA 9.0 section 11.1.3 requires for separate compilation. A
// module that neither declares a size nor uses one in its code fits both.

import type { AddressSize } from "../../check/address-size.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import type { ModuleOrigin } from "../../object/object.js";
import type { PlacedModule } from "./targets.js";

const sizeOf = ({ addressSize }: Pick<ModuleOrigin, "addressSize">): AddressSize | undefined =>
  addressSize === "any" ? undefined : (addressSize ?? 64);

const says = (each: PlacedModule, size: AddressSize | undefined): boolean => sizeOf(each.module) === size;

/** Reports modules whose size differs from the first declared one; false if there are some. */
export function checkAddressSizes(modules: readonly PlacedModule[], sink: DiagnosticSink): boolean {
  const first = modules.find((each) => !says(each, undefined));
  if (first === undefined) return true;
  const size = sizeOf(first.module)!;
  const other = size === 64 ? 32 : 64;
  const [odd, ...others] = modules.filter((each) => says(each, other));
  if (odd === undefined) return true;
  sink.report(
    "address-size",
    `${odd.name} has addresses of ${other} bits, which cannot be linked with ${first.name} of ${size} bits`,
    odd.place,
    {
      notes: [
        { message: `${first.name} has addresses of ${size} bits`, place: first.place },
        ...others.map(({ name, place }) => ({ message: `${name} has addresses of ${other} bits too`, place })),
      ],
      remedy: `compile every module for the same address size: write .address_size 64, and keep addresses in 64-bit registers`,
    },
  );
  return false;
}
