// Checks that what a caller passes is a buffer, an image, a texture or a surface of a device. Throws RangeError otherwise.

import { describe } from "../../base/known-options.js";
import type { DeviceBuffer } from "./arguments.js";
import type { DeviceImage, DeviceSurface, DeviceTexture } from "./interface.js";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const isBuffer = (value: unknown): value is DeviceBuffer =>
  isObject(value) && typeof value["address"] === "number" && typeof value["size"] === "number";

const isImage = (value: unknown): value is DeviceImage =>
  isObject(value) && isObject(value["image"]) && "shape" in value["image"] && typeof value["size"] === "number";

const isBindable = (value: unknown): value is DeviceTexture | DeviceSurface =>
  isObject(value) && (value["kind"] === "texture" || value["kind"] === "surface") && "handle" in value;

/** `what` names the operation, for messages. */
const demandedAs =
  <T>(isIt: (value: unknown) => value is T, expected: string) =>
  (value: unknown, what: string): T => {
    if (isIt(value)) return value;
    throw new RangeError(`${what}: ${expected} is expected, not ${describe(value)}`);
  };

export const demandBuffer = demandedAs(isBuffer, "a buffer, as device.alloc returns it,");
export const demandImage = demandedAs(isImage, "an image, as device.image returns it,");
export const demandBindable = demandedAs(isBindable, "a texture or surface of the device");
export const demandMemory = demandedAs(
  (value: unknown): value is DeviceBuffer | DeviceImage => isBuffer(value) || isImage(value),
  "a buffer or an image of the device",
);
