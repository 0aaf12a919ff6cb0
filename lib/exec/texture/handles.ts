// Resolves the first operand of a texture or surface instruction: a handle in a register, a parameter, or a variable of the
// module that the host has bound. A handle that denotes no object is a fault.

import type { Operand } from "../../isa/instruction.js";
import type { LoadedImage, SurfaceObject, TextureObject } from "../../load/images.js";
import { handleOffset } from "../../load/parameters.js";
import { hex } from "../operands/access.js";
import type { Binder } from "../operands/binder.js";
import { KernelFault } from "../state/fault.js";
import type { Frame, Place } from "../state/frame.js";
import { fitsKind, type Geometry } from "./geometry.table.js";
import { createSampler, type Sampler, samplingOfFields, withSampler } from "./sampler.js";

/** Reads the handle of a lane, as two words. */
export interface HandleReader {
  readonly high: (frame: Frame, lane: number) => number;
  readonly low: (frame: Frame, lane: number) => number;
}

const TWO_32 = 2 ** 32;

const inRegister = ({ word, stride }: Place): HandleReader => ({
  high: ({ unsigned }, lane) => (stride === 2 ? unsigned[word + 2 * lane + 1]! : 0),
  low: ({ unsigned }, lane) => unsigned[word + stride * lane]!,
});

/** Binds the operand of a handle, in brackets or as a sampler. */
export function handleReader(binder: Binder, operand: Operand | undefined): HandleReader {
  if (operand?.kind !== "address" && operand?.kind !== "address-of") return inRegister(binder.read(operand, 64));
  const { base } = operand;
  switch (base.kind) {
    case "register":
      return inRegister(binder.scope.register(base.register));
    case "variable": {
      // The function is a kernel: only kernels have parameters of opaque types.
      const offset = handleOffset(binder.process.kernels.get(binder.scope.fn.name)!, base.variable);
      return {
        high: ({ warp }) => warp.block.launch.parameters.getUint32(offset + 4, true),
        low: ({ warp }) => warp.block.launch.parameters.getUint32(offset, true),
      };
    }
    case "symbol":
    case "absolute": {
      const value = base.kind === "symbol" ? binder.slot(base).value : Number(operand.offset);
      const [high, low] = [Math.floor(value / TWO_32), value % TWO_32];
      return { high: () => high, low: () => low };
    }
  }
}

const text = (high: number, low: number): string => hex((BigInt(high) << 32n) | BigInt(low));

function noObject(binder: Binder, what: string, high: number, low: number, lane: number): KernelFault {
  const reference = binder.process.images.reference(high, low);
  const message =
    reference !== undefined
      ? reference.bound === undefined
        ? `nothing is bound to the .${reference.type} '${reference.name}': bind a ${what} of the launch to that name`
        : `'${reference.name}' is a .${reference.type}; ${binder.opcode.form.opcode} needs a ${what}`
      : high === 0 && low === 0
        ? `the handle of a ${what} is null`
        : `${text(high, low)} is not the handle of a ${what}`;
  return new KernelFault("illegal-address", message, { lane });
}

function checkImage(image: LoadedImage, lane: number): void {
  if (image.isReleased) throw new KernelFault("illegal-address", "the memory of this image has been freed", { lane });
}

/** The texture or surface of a handle; undefined if it denotes none. */
function objectOf(binder: Binder, high: number, low: number): TextureObject | SurfaceObject | undefined {
  const { images } = binder.process;
  return images.object(high, low) ?? images.reference(high, low)?.bound;
}

function textureOf(binder: Binder, high: number, low: number, lane: number): TextureObject {
  const object = objectOf(binder, high, low);
  if (object?.kind !== "texture") throw noObject(binder, "texture", high, low, lane);
  if (object.memory.kind === "image") checkImage(object.memory.image, lane);
  return object;
}

/**
 * Binds a texture operand. The returned function finds the texture that a lane reads, prepared for fetches, and caches the last
 * one.
 */
export function textureFinder(
  binder: Binder,
  operand: (Operand & { readonly kind: "address" }) | undefined,
  samplerOperand: Operand | undefined,
  geometry: Geometry | undefined,
): (frame: Frame, lane: number) => Sampler {
  const handle = handleReader(binder, operand);
  const sampler = samplerOperand === undefined ? undefined : handleReader(binder, samplerOperand);
  const { images, memory } = binder.process;
  let last: Sampler | undefined;
  let [high, low, samplerHigh, samplerLow, version, releases] = [0, 0, 0, 0, -1, -1];
  const made = new WeakMap<TextureObject, Sampler>();

  const prepare = (lane: number): Sampler => {
    const object = textureOf(binder, high, low, lane);
    if (geometry !== undefined && !fitsKind(geometry, object.shape.kind))
      throw new KernelFault(
        "illegal-address",
        `${binder.opcode.spelling} of a ${object.shape.kind.name} ${object.memory.kind}`,
        { lane },
      );
    if (sampler !== undefined) {
      const reference = images.reference(samplerHigh, samplerLow);
      const bound = reference?.bound ?? images.object(samplerHigh, samplerLow);
      if (bound?.kind !== "texture" && reference?.type !== "samplerref")
        throw noObject(binder, "sampler", samplerHigh, samplerLow, lane);
      const own = bound?.kind === "texture" ? bound.sampling : samplingOfFields(reference!.fields);
      return createSampler(object, withSampler(object.sampling, own));
    }
    const known = made.get(object);
    if (known !== undefined) return known;
    const fresh = createSampler(object, object.sampling);
    made.set(object, fresh);
    return fresh;
  };
  /** Looks up the current location of a buffer's bytes. */
  const locate = (found: Sampler, lane: number): void => {
    const { memory: texels, shape } = found.object;
    if (texels.kind !== "buffer") return;
    const region = memory.find(texels.address, shape.bytes);
    if (region === undefined)
      throw new KernelFault("illegal-address", "the buffer of this texture has been freed", { lane });
    found.view = region.view;
    found.base = texels.address - region.base;
  };
  return (frame, lane) => {
    const [h, l] = [handle.high(frame, lane), handle.low(frame, lane)];
    const [sh, sl] = sampler === undefined ? noHandle : [sampler.high(frame, lane), sampler.low(frame, lane)];
    const isSame = h === high && l === low && sh === samplerHigh && sl === samplerLow;
    if (last !== undefined && isSame && version === images.version && releases === memory.releases) return last;
    last = undefined;
    [high, low, samplerHigh, samplerLow] = [h, l, sh, sl];
    const found = prepare(lane);
    locate(found, lane);
    version = images.version;
    releases = memory.releases;
    last = found;
    return found;
  };
}

const noHandle = [0, 0] as const;

/** Binds a surface operand. The returned function finds the surface that a lane accesses, and caches the last one. */
export function surfaceFinder(
  binder: Binder,
  operand: (Operand & { readonly kind: "address" }) | undefined,
  geometry: Geometry | undefined,
): (frame: Frame, lane: number) => SurfaceObject {
  const handle = handleReader(binder, operand);
  const { images } = binder.process;
  let last: SurfaceObject | undefined;
  let [high, low, version] = [0, 0, -1];
  return (frame, lane) => {
    const [h, l] = [handle.high(frame, lane), handle.low(frame, lane)];
    if (last !== undefined && h === high && l === low && version === images.version) return last;
    last = undefined;
    const object = objectOf(binder, h, l);
    if (object?.kind !== "surface") throw noObject(binder, "surface", h, l, lane);
    checkImage(object.image, lane);
    if (geometry !== undefined && !fitsKind(geometry, object.image.shape.kind))
      throw new KernelFault("illegal-address", `${binder.opcode.spelling} of a ${object.image.shape.kind.name} image`, {
        lane,
      });
    [high, low, version] = [h, l, images.version];
    last = object;
    return object;
  };
}
