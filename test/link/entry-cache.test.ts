// Entries of an archive member are decompressed once: the cache keeps them from reading the names until the member is
// opened, while it has room.

import test from "ava";
import { writeArchive } from "../../formats/ar/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { createEntryStore, type EntryStore } from "../../lib/link/inputs/entry-cache.js";
import { openLazily } from "../../lib/link/archives/lazy-input.js";
import { createNameBook } from "../../lib/link/archives/name-book.js";
import { containerBytes } from "../formats/containers.js";

const archive = { name: "lib.a", bytes: writeArchive([{ name: "twice.o", data: containerBytes("twice.o") }]) };

/** The bytes of the texts that threads would assemble, and of those that were opened. */
function memories(entries: EntryStore) {
  const opened: Uint8Array[] = [];
  const [input] = openLazily(archive, createSink(), {
    arch: "sm_90",
    entries,
    openText({ bytes }) {
      opened.push(bytes);
      return [];
    },
  });
  input!.addNames(createNameBook());
  const given = input!.texts();
  const open = () => input!.open(createSink());
  open();
  return { given: given.map(({ source }) => source.bytes), opened, open };
}

test("an entry's text is decompressed once for listing and opening, and released then", (t) => {
  const { given, opened, open } = memories(createEntryStore());
  t.is(given.length, 1);
  t.is(given[0], opened[0]);
  open();
  t.not(opened[1], opened[0]);
  t.deepEqual(opened[1], opened[0]);
});

test("where the cache has no room, no entry is announced that would be decompressed again", (t) => {
  const { given, opened } = memories(createEntryStore(100));
  t.deepEqual(given, []);
  t.is(opened.length, 1);
});

test("files share the cache, and releasing one makes room again", (t) => {
  const store = createEntryStore(10);
  const entry = (offset: number) =>
    ({ offset, compression: "lz4" }) as Parameters<ReturnType<EntryStore["openFile"]>["get"]>[0];
  const [one, two] = [store.openFile(), store.openFile()];
  one.set(entry(1), new Uint8Array(6));
  two.set(entry(1), new Uint8Array(6));
  t.deepEqual([one.isWhole(), two.isWhole()], [true, false]);
  t.is(one.get(entry(1))?.length, 6);
  t.is(two.get(entry(1)), undefined);
  store.clear();
  const three = store.openFile();
  three.set(entry(1), new Uint8Array(10));
  t.true(three.isWhole());
  t.is(one.get(entry(1)), undefined);
});

test("an uncompressed entry takes no room", (t) => {
  const held = createEntryStore(0).openFile();
  const entry = { offset: 1, compression: "none" } as Parameters<typeof held.get>[0];
  held.set(entry, new Uint8Array(6));
  t.true(held.isWhole());
  t.is(held.get(entry), undefined);
});
