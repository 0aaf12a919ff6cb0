// Checks bounds and alignment of one lane's access by the object that its address derives from. The access itself continues, and
// faults where it must.

import { type Actor, type Found, type LaunchContext, objectAtTarget, report } from "./context.js";
import type { AccessName } from "./finding.js";
import { globalObject, heapBlockAt, type MemoryObject, objectAt } from "./objects.js";
import { MIXED } from "./register-shadow.js";
import type { Target } from "../operands/target.js";

export const hex = (address: number): string => `0x${address.toString(16)}`;

/** "8 bytes after variable 'x' (4096 bytes)". */
function relation({ base, size, title }: MemoryObject, address: number, bytes: number): string {
  const past = address - (base + size);
  const place =
    past >= 0
      ? `${past === 0 ? "directly" : `${past} bytes`} after`
      : address < base
        ? `${base - address} bytes before`
        : `${address + bytes - base - size} bytes past the end of`;
  return `${place} ${title} (${size} bytes)`;
}

export const verb: Readonly<Record<AccessName, string>> = { read: "read", write: "write", atomic: "atomic access" };

/** The fault of an address, as it is reported. */
interface AddressFault {
  readonly kind: "out-of-bounds" | "use-after-free" | "misaligned";
  readonly message: string;
  readonly remedy: string;
  readonly object: MemoryObject | undefined;
}

/** Whether the access can be checked further; reports a bad address. */
export function checkBounds(
  context: LaunchContext,
  actor: Actor,
  target: Target,
  objectId: number,
  access: AccessName,
  align: number,
): boolean {
  const object = objectId === MIXED || objectId === 0 ? undefined : objectAt(context.objects, objectId);
  const fault =
    object === undefined
      ? unknownFault(context, target, access)
      : (lifetimeFault(object, target, actor.lane, access) ?? boundsFault(context, object, target, access));
  if (fault !== undefined) reportAddress(context, actor, target, access, fault);
  else if (target.address % align === 0) return true;
  else reportAddress(context, actor, target, access, alignmentFault(context, object, target, access, align));
  return false;
}

function reportAddress(
  context: LaunchContext,
  actor: Actor,
  { space, address, bytes, value }: Target,
  access: AccessName,
  { kind, message, remedy, object }: AddressFault,
): void {
  const make = (): Found => ({
    kind,
    ...(space === undefined && object === undefined ? {} : { space: space ?? object?.space }),
    message,
    remedy,
    access,
    bytes,
    object,
    ...(object === undefined ? {} : { offset: address - object.base }),
    address: value,
  });
  report(context, actor, make, `${kind}:${object?.kind === "local" ? object.name : (object?.id ?? "")}`);
}

const accessText = ({ bytes }: Target, access: AccessName): string => `${bytes}-byte ${verb[access]}`;

function lifetimeFault(
  object: MemoryObject,
  target: Target,
  lane: number,
  access: AccessName,
): AddressFault | undefined {
  const { kind, dead, size, title } = object;
  if ((dead & (kind === "heap" ? -1 : 1 << lane)) === 0) return undefined;
  const what = accessText(target, access);
  if (kind === "heap")
    return {
      kind: "use-after-free",
      message: `${what} at ${hex(target.value)}, in a block of the device heap (${size} bytes) that has been freed`,
      remedy: "free the block after its last use",
      object,
    };
  return {
    kind: "use-after-free",
    message: `${what} of ${title} of a function that has returned`,
    remedy: "return the value, or pass a pointer to a variable of the caller",
    object,
  };
}

/** The fault of an address that derives from `object`; undefined if it is inside. */
function boundsFault(
  context: LaunchContext,
  object: MemoryObject,
  target: Target,
  access: AccessName,
): AddressFault | undefined {
  const { space, address, bytes } = target;
  if (object.space === space && address >= object.base && address + bytes <= object.base + object.size)
    return undefined;
  const what = accessText(target, access);
  const into = objectAtTarget(context, target);
  if (object.space !== space && space !== undefined)
    return {
      kind: "out-of-bounds",
      message: `${what} at ${hex(target.value)} in ${space} memory${into === undefined ? "" : ` (${into.title})`}, through an address derived from ${object.title} in ${object.space} memory`,
      remedy: `use ld and st of the address's state space, or convert it to generic first (cvta.${object.space})`,
      object,
    };
  const other = into === undefined || into.id === object.id ? "" : `, in ${into.title}`;
  return {
    kind: "out-of-bounds",
    message: `${what} ${relation(object, address, bytes)}${other}`,
    remedy: remedyOf(object, bytes, address),
    object,
  };
}

/** The fault of an address whose object is unknown; undefined if it is in some memory. */
function unknownFault(context: LaunchContext, target: Target, access: AccessName): AddressFault | undefined {
  const outside = outsideOfAll(context, target);
  return (
    outside && {
      kind: "out-of-bounds",
      message: `${accessText(target, access)} at ${hex(target.value)}: ${outside.message}`,
      remedy: outside.remedy,
      object: outside.object,
    }
  );
}

function alignmentFault(
  context: LaunchContext,
  known: MemoryObject | undefined,
  target: Target,
  access: AccessName,
  align: number,
): AddressFault {
  const object = known ?? objectAtTarget(context, target);
  const within = object === undefined ? "" : ` (${object.title}, offset ${target.address - object.base})`;
  return {
    kind: "misaligned",
    message: `${accessText(target, access)} at ${hex(target.value)}, which is not a multiple of ${align}${within}`,
    remedy: "make the address a multiple of the access size; for a vector, of the whole vector's",
    object,
  };
}

function remedyOf({ kind, size, base }: MemoryObject, bytes: number, address: number): string {
  if (size === 0 && kind === "dynamic") return "give the launch dynamic shared memory (sharedBytes, --shared)";
  if (kind === "dynamic")
    return `give the launch at least ${address + bytes - base} bytes of dynamic shared memory, or check the index`;
  if (kind === "heap") return "allocate more with malloc, or check the index against the allocated size";
  return "check the index against the number of elements, or make the array larger";
}

/** Message and remedy for an address in no memory; undefined if it is in some memory. */
function outsideOfAll(
  context: LaunchContext,
  target: Target,
): { readonly message: string; readonly remedy: string; readonly object?: MemoryObject } | undefined {
  const { space, address, bytes, value, block } = target;
  const { memory } = context.launch.process;
  switch (space) {
    case undefined:
      return value < 4096
        ? { message: "a null pointer", remedy: "check the pointer, or pass a buffer for it" }
        : {
            message: "the address is not in any memory",
            remedy: "check where the pointer comes from: it is not in any memory of this launch",
          };
    case "global": {
      if (memory.find(address, bytes) !== undefined) return undefined;
      const freed = heapBlockAt(context.objects, address);
      if (freed !== undefined && freed.dead !== 0)
        return {
          message: "a block of the device heap that has been freed",
          remedy: "free the block after its last use",
          object: freed,
        };
      const near = memory.nearest(address);
      const id = near === undefined ? 0 : globalObject(context.objects, near.base);
      const object = objectAt(context.objects, id);
      return {
        message: object === undefined ? "no memory is allocated there" : relation(object, address, bytes),
        remedy: "check the index against the number of elements, or make the buffer larger",
        ...(object === undefined ? {} : { object }),
      };
    }
    case "shared":
      if (address + bytes > block.shared.byteLength)
        return {
          message:
            value >= block.shared.byteLength && block.launch.process.memory.find(value, 1) !== undefined
              ? "a global address is used as a shared address"
              : `the block's shared memory has ${block.shared.byteLength} bytes`,
          remedy: "check the index, or give the launch more dynamic shared memory (sharedBytes, --shared)",
        };
      return undefined;
    case "local":
      return undefined;
    default:
      return undefined;
  }
}
