// The script of `ptxkit serve`: explores files that are dropped on the page, and checks, links and runs the playground's source.
// The library runs here, in the browser.

import type * as Library from "../../lib/index.js";
import type { Explored } from "../../lib/index.js";
import { startExplorer, type Explorer } from "./explorer.js";
import { addThemeButton } from "./theme.js";

/** The bundled library, which the server provides next to this script. */
const LIBRARY = "/ptxkit.js";
const ptxkit = (await import(LIBRARY)) as typeof Library;

const byId = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const text = new TextEncoder();
/** The explorer of the files dropped last; undefined before the first. */
const shown: { explorer?: Explorer } = {};

// --------------------------------------------------------------------------------------------------------------- pages

/** Shows the page named by the URL's hash. Hashes of parts (#part3) belong to the page of files. */
function showPage(): void {
  const plays = location.hash === "#playground";
  byId("playground").hidden = !plays;
  byId("explore-page").hidden = plays;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("header nav a"))
    link.setAttribute("aria-current", String((link.hash === "#playground") === plays));
}
addEventListener("hashchange", showPage);
showPage();
addThemeButton(() => shown.explorer?.draw());

// ------------------------------------------------------------------------------------------------------------- explore

async function explore(files: readonly File[]): Promise<void> {
  const sink = ptxkit.createSink();
  const explored: Explored[] = [];
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const found = ptxkit.exploreFile({ name: file.name, bytes }, sink);
    if (found !== undefined) explored.push(found);
  }
  const messages = byId("explore-messages");
  messages.textContent = ptxkit.renderText(sink.all);
  messages.hidden = sink.all.length === 0;
  const root = byId("explorer");
  root.hidden = explored.length === 0;
  root.innerHTML = ptxkit.exploreHtml(explored);
  if (explored.length > 0) shown.explorer = startExplorer(root);
  document.documentElement.dataset["explored"] = String(explored.length);
}

const drop = byId("drop");
byId<HTMLInputElement>("files").addEventListener("change", (event) => {
  void explore([...((event.target as HTMLInputElement).files ?? [])]);
});
for (const kind of ["dragover", "dragleave", "drop"] as const)
  addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", kind === "dragover");
    if (kind === "drop") void explore([...(event.dataTransfer?.files ?? [])]);
  });

// ---------------------------------------------------------------------------------------------------------- playground

const module = byId<HTMLTextAreaElement>("module");
const specification = byId<HTMLTextAreaElement>("specification");
const result = byId("result");

/** The module, with a name whose suffix fits its kind. */
function source(): { readonly name: string; readonly bytes: Uint8Array } {
  const bytes = text.encode(module.value);
  return { name: ptxkit.recognise(bytes) === "ptx" ? "module.ptx" : "module.ll", bytes };
}

/** Shows diagnostics with their source lines. */
function check(): void {
  const input = source();
  const sink = ptxkit.createSink();
  try {
    if (input.name === "module.ptx") ptxkit.checkSource(input, sink);
    else ptxkit.linkSources({ [input.name]: input.bytes }, { sink });
  } catch (error) {
    if (sink.all.length === 0) throw error;
  }
  const said = ptxkit.renderText(sink.all, { readText: (file) => (file === input.name ? input.bytes : undefined) });
  byId("diagnostics").textContent = said === "" ? "none" : said;
}

/** Milliseconds without typing after which the module is checked. */
const PAUSE = 150;
const waiting: { timer?: ReturnType<typeof setTimeout> } = {};
module.addEventListener("input", () => {
  clearTimeout(waiting.timer);
  waiting.timer = setTimeout(check, PAUSE);
});

/** Limit of the buffer elements shown, and text without colours. */
const plainText = { mostElements: 256, width: 100, style: (_role: unknown, shown: string): string => shown };

async function run(): Promise<void> {
  result.textContent = "running";
  const sink = ptxkit.createSink();
  const input = source();
  const spec = { name: "launch.json", bytes: text.encode(specification.value) };
  const readText = (file: string): Uint8Array | undefined => [input, spec].find(({ name }) => name === file)?.bytes;
  try {
    const process = ptxkit.loadImage(ptxkit.linkSources({ [input.name]: input.bytes }));
    const asked = ptxkit.demand(ptxkit.readLaunchSpec(spec, sink), sink, { readText });
    const model = ptxkit.findGpu(byId<HTMLSelectElement>("gpu").value);
    const sanitize = byId<HTMLInputElement>("sanitize").checked;
    const report = await ptxkit.runSpec(process, asked, sink, {
      ...(model === undefined ? {} : { time: ptxkit.timedOn(model) }),
      ...(sanitize ? { sanitize: {} } : {}),
    });
    const messages = ptxkit.renderText(sink.all, { readText });
    result.textContent = (report === undefined ? "" : ptxkit.runText(report, plainText)) + messages;
  } catch (error) {
    result.textContent = String((error as Error).message);
  }
}
byId("run").addEventListener("click", () => void run());
check();
document.documentElement.dataset["ready"] = "true";
