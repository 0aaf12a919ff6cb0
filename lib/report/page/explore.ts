// The explorer page: a tree of the contents of files. Each part has its kernels, sections, symbols, relocations, memory and text
// as tables, whose rows show their bytes. The page is complete without scripts; cli/viewer/explore.ts adds selection, search,
// bytes and the chart of sizes.

import type { Explored, ExploredPart } from "../../inspect/explore.js";
import type { Inspection } from "../../inspect/inspection.js";
import { nameOf } from "../../inspect/context/values.js";
import { card, records, shown, type Column } from "./explore-parts.js";
import { constantsPart, linesPart, occupancyPart } from "./explore-cubin.js";
import { html, jsonHtml, type Html, type HtmlPart } from "./html.js";
import { grouped } from "./numbers.js";
import { memoryPicture } from "./memory-picture.js";
import { exploreStyle, pageStyle } from "./style.js";

/** The data for the page's script; parts are in the order of the sections. */
export interface ExploreData {
  readonly parts: readonly {
    readonly id: string;
    readonly name: string;
    /** Base64. */
    readonly bytes?: string;
    readonly sizes?: readonly { readonly name: string; readonly bytes: number }[];
  }[];
}

/** Options of the explorer page. */
export interface ExplorePageOptions {
  readonly files: readonly Explored[];
  /** The script's text. */
  readonly viewer: string;
}

/** One HTML document that makes no network requests. */
export function explorePage({ files, viewer }: ExplorePageOptions): string {
  const names = files.map(({ whole }) => whole.file).join(", ");
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${names}: ptxkit inspect</title>
        <style>
          ${{ html: pageStyle + exploreStyle }}
        </style>
      </head>
      <body>
        <header>
          <h1>ptxkit inspect</h1>
          <p>${names}</p>
          <button type="button" id="theme" hidden>Light or dark</button>
        </header>
        <div id="explorer">${{ html: exploreHtml(files) }}</div>
        <script>
          ${{ html: viewer.replaceAll("</script", "<\\/script") }};
        </script>
      </body>
    </html>`;
  return `${page.html}\n`;
}

/** The page's content: the tree, the parts, and the script's data. */
export function exploreHtml(files: readonly Explored[]): string {
  let count = 0;
  const numbered = files.map(({ whole, parts }) => ({
    whole,
    parts: parts.map((part) => ({ part, id: `part${++count}` })),
  }));
  const all = numbered.flatMap(({ parts }) => parts);
  const data: ExploreData = { parts: all.map(({ part, id }) => dataOf(part, id)) };
  return html`<nav aria-label="What is inside">
      <label>Search <input type="search" id="search" placeholder="name, section, kernel" /></label>
      <ul class="tree">
        ${numbered.map(
          ({ whole, parts }) =>
            html`<li>
              <span>${shown(whole.file)}</span> <small>${whole.kind}, ${grouped(whole.size)} bytes</small>
              <ul>
                ${parts.map(
                  ({ part, id }) =>
                    html`<li><a href="#${id}">${shown(insideName(part.inspection.file, whole.file))}</a></li>`,
                )}
              </ul>
            </li>`,
        )}
      </ul>
    </nav>
    <main>
      ${all.map(({ part, id }) => partSection(part, id))}
      ${all.length === 0 ? html`<section><p>Nothing inside can be shown.</p></section>` : undefined}
    </main>
    <aside id="bytes" aria-label="Bytes" aria-live="polite" hidden>
      <div>
        <h2 id="bytes-title">Bytes</h2>
        <button type="button" id="bytes-close">Close</button>
      </div>
      <pre tabindex="0"></pre>
    </aside>
    <script type="application/json" id="data">
      ${jsonHtml(data)}
    </script>`.html;
}

/** "(1.sm_90.cubin)" of "app(1.sm_90.cubin)"; the whole name for the file itself. */
function insideName(name: string, file: string): string {
  return name.startsWith(file) && name.length > file.length ? name.slice(file.length) : name;
}

function dataOf({ inspection, bytes }: ExploredPart, id: string): ExploreData["parts"][number] {
  const { sizes, file } = inspection;
  const shares = sizes && [
    ...sizes.functions.map(({ name, demangled, code, metadata }) => ({
      name: demangled ?? name,
      bytes: code + metadata,
    })),
    ...sizes.others.map(({ group, bytes }) => ({ name: `(${group})`, bytes })),
  ];
  return {
    id,
    name: file,
    ...(bytes === undefined ? {} : { bytes }),
    ...(shares === undefined ? {} : { sizes: shares }),
  };
}

function partSection({ inspection }: ExploredPart, id: string): Html {
  const { file, kind, size, target, damaged } = inspection;
  return html`<section class="part" id="${id}" tabindex="-1">
    <h2>${shown(file)} <small>${kind}${target === undefined ? "" : `, ${target}`}, ${grouped(size)} bytes</small></h2>
    ${damaged ? html`<p role="alert">The file is damaged: this is what could be read of it.</p>` : undefined}
    ${functionsPart(inspection)} ${resourcesPart(inspection)} ${occupancyPart(inspection)} ${sizesPart(inspection, id)}
    ${headerPart(inspection)}
    ${sectionsPart(inspection)} ${symbolsPart(inspection)} ${relocationsPart(inspection)} ${infoPart(inspection)}
    ${layoutPart(inspection)} ${constantsPart(inspection)} ${linesPart(inspection)} ${textPart(inspection)}
  </section>`;
}

function functionsPart({ kernels = [], functions = [] }: Inspection): HtmlPart {
  if (kernels.length + functions.length === 0) return undefined;
  return html`<h3>Kernels and functions</h3>
    ${[...kernels.map((view) => card("Kernel", view)), ...functions.map((view) => card("Function", view))]}`;
}

function resourcesPart({ resourceUsage }: Inspection): HtmlPart {
  if (resourceUsage === undefined || resourceUsage.functions.length === 0) return undefined;
  const number = (title: string): Column => ({ title, isNumber: true });
  return records(
    "Resource usage",
    [{ title: "Function" }, ...["Registers", "Stack", "Shared", "Local", "Constant", "Barriers"].map(number)],
    resourceUsage.functions.map((one) => ({
      cells: [
        shown(one.demangled ?? one.name),
        one.registers ?? "",
        one.stackBytes,
        one.sharedBytes,
        one.localBytes,
        one.constants.map(({ bank, bytes }) => `[${bank}] ${bytes}`).join(" "),
        one.barriers,
      ],
    })),
  );
}

function sizesPart({ sizes }: Inspection, id: string): HtmlPart {
  if (sizes === undefined) return undefined;
  const rows = [
    ...sizes.functions.map(({ name, demangled, code, metadata }) => ({
      cells: [shown(demangled ?? name), code + metadata, code, metadata],
    })),
    ...sizes.others.map(({ group, bytes }) => ({ cells: [`(${group})`, bytes, "", ""] })),
  ];
  return html`<figure>
    <figcaption>Where the bytes go</figcaption>
    <div
      class="chart"
      data-chart="sizes"
      data-part="${id}"
      role="img"
      aria-label="Bytes of each function and kind of section; the table below has the numbers"
    ></div>
    <details>
      <summary>Numbers</summary>
      ${records(
        "Sizes",
        [
          { title: "What" },
          { title: "Bytes", isNumber: true },
          { title: "Code", isNumber: true },
          { title: "Metadata", isNumber: true },
        ],
        rows,
      )}
    </details>
  </figure>`;
}

function headerPart({ header }: Inspection): HtmlPart {
  if (header === undefined) return undefined;
  const { type, machine, flags } = header;
  return records(
    "Header",
    [{ title: "Field" }, { title: "Value" }],
    [
      { cells: ["e_type", nameOf(type)], at: { offset: 16, size: 2 } },
      { cells: ["e_machine", nameOf(machine)], at: { offset: 18, size: 2 } },
      { cells: ["e_flags", flags.hex], at: { offset: 48, size: 4 } },
    ],
  );
}

function sectionsPart({ sections }: Inspection): HtmlPart {
  if (sections === undefined) return undefined;
  return records(
    "Sections",
    [
      { title: "#", isNumber: true },
      { title: "Name" },
      { title: "Type" },
      { title: "Offset", isNumber: true },
      { title: "Size", isNumber: true },
      { title: "What it is for" },
    ],
    sections.map(({ index, name, type, offset, size, inFile, description }) => ({
      cells: [index, shown(name), nameOf(type), offset, size, description ?? ""],
      ...(inFile && size > 0 ? { at: { offset, size } } : {}),
    })),
  );
}

/** Bytes of an ELF64 symbol record. */
const SYMBOL_BYTES = 24;

function symbolsPart({ symbols, sections }: Inspection): HtmlPart {
  return symbols?.map(({ section, symbols }) => {
    const table = sections?.[section.index];
    return records(
      `Symbols of ${shown(section.name)}`,
      [
        { title: "#", isNumber: true },
        { title: "Name" },
        { title: "Type" },
        { title: "Binding" },
        { title: "Section" },
        { title: "Value" },
        { title: "Size", isNumber: true },
      ],
      symbols.map(({ index, name, demangled, type, binding, section, value, size }) => ({
        cells: [
          index,
          shown(demangled ?? name),
          nameOf(type),
          nameOf(binding),
          section.kind === "section" ? shown(section.name) : nameOf(section.special),
          value.hex,
          size,
        ],
        ...(table?.inFile === true ? { at: { offset: table.offset + SYMBOL_BYTES * index, size: SYMBOL_BYTES } } : {}),
      })),
    );
  });
}

function relocationsPart({ relocations, sections }: Inspection): HtmlPart {
  return relocations?.map(({ section, target, relocations }) => {
    const table = sections?.[section.index];
    return records(
      `Relocations of ${shown(target?.name ?? section.name)}`,
      [{ title: "Offset" }, { title: "Type" }, { title: "Symbol" }, { title: "Addend" }, { title: "Meaning" }],
      relocations.map(({ offset, type, symbol, addend, meaning }, i) => ({
        cells: [offset.hex, nameOf(type), shown(symbol.name), addend.hex, meaning ?? ""],
        ...(table !== undefined && table.inFile && table.entrySize > 0
          ? { at: { offset: table.offset + table.entrySize * i, size: table.entrySize } }
          : {}),
      })),
    );
  });
}

/** Bytes of an attribute's header. */
const ATTRIBUTE_BYTES = 4;

function infoPart({ info }: Inspection): HtmlPart {
  return info?.attributes.map(({ section, attributes }) =>
    records(
      `Attributes of ${shown(section.name)}`,
      [{ title: "Attribute" }, { title: "Value" }, { title: "Meaning" }],
      attributes.map(({ offset, attribute, value, meaning }) => ({
        cells: [nameOf(attribute), shown(JSON.stringify(value)), meaning ?? ""],
        at: { offset, size: ATTRIBUTE_BYTES },
      })),
    ),
  );
}

function layoutPart({ layout, sections }: Inspection): HtmlPart {
  if (layout === undefined || layout.memories.length === 0) return undefined;
  return html`<h3>Memory</h3>
    ${layout.memories.map((memory) => [
      memoryPicture(memory),
      records(
        `Variables in ${shown(memory.section)}, ${grouped(memory.size)} bytes`,
        [{ title: "Name" }, { title: "Type" }, { title: "Offset", isNumber: true }, { title: "Size", isNumber: true }],
        memory.variables.map(({ name, demangled, type, offset, size }) => {
          const section = sections?.find((one) => one.name === memory.section);
          return {
            cells: [shown(demangled ?? name), type ?? "", offset ?? "", size],
            ...(section?.inFile === true && offset !== undefined && size > 0
              ? { at: { offset: section.offset + offset, size } }
              : {}),
          };
        }),
      ),
    ])}`;
}

function textPart({ disassembly }: Inspection): HtmlPart {
  if (disassembly === undefined) return undefined;
  return html`<details class="text">
    <summary>PTX</summary>
    <pre><code>${disassembly}</code></pre>
  </details>`;
}
