// A linked image that is kept as the bytes of its file. Writing it requires no decoding; the first access to a property decodes
// it, once. The bytes come from ptxkit's writer, so decoding cannot fail.

import { assert } from "../../base/assert.js";
import { once } from "../../base/once.js";
import type { LinkedImage, ObjectFile } from "../object.js";
import { decodeObject } from "./read.js";

const files = new WeakMap<ObjectFile, Uint8Array>();

/** The file in which an image is kept; undefined for other objects. */
export const heldFile = (object: ObjectFile): Uint8Array | undefined => files.get(object);

/** `hasDebug`: whether there are debug sections; without any, an image has no such property. The bytes must not be changed. */
export function lazyImage(bytes: Uint8Array, name: string, hasDebug: boolean): LinkedImage {
  const read = once((): LinkedImage => {
    const decoded = decodeObject(bytes, name);
    assert(decoded.ok, "an image that was just written can be read");
    return decoded.value as LinkedImage;
  });
  const image: LinkedImage = {
    type: "executable",
    name,
    get target() {
      return read().target;
    },
    get version() {
      return read().version;
    },
    get modules() {
      return read().modules;
    },
    get sections() {
      return read().sections;
    },
    get symbols() {
      return read().symbols;
    },
    get kernels() {
      return read().kernels;
    },
    get calls() {
      return read().calls;
    },
    get addressTaken() {
      return read().addressTaken;
    },
    get codeProperties() {
      return read().codeProperties;
    },
  };
  if (hasDebug) Object.defineProperty(image, "debugSections", { enumerable: true, get: () => read().debugSections });
  files.set(image, bytes);
  return image;
}
