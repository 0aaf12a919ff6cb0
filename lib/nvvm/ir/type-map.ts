// Properties of a module's types, by their numbers: a list keeps neighbours adjacent, and needs no hashing.

import type { Type } from "./type.js";

export interface TypeMap<T> {
  get(type: Type): T | undefined;
  set(type: Type, value: T): void;
  delete(type: Type): void;
}

export function createTypeMap<T>(): TypeMap<T> {
  const list: (T | undefined)[] = [];
  return {
    get: ({ id }) => (id < list.length ? list[id] : undefined),
    set({ id }, value) {
      // Without gaps, which would make the engine use a hash table.
      while (list.length < id) list.push(undefined);
      list[id] = value;
    },
    delete({ id }) {
      if (id < list.length) list[id] = undefined;
    },
  };
}
