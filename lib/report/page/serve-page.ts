// The page of `ptxkit serve`: files dropped on it are explored, and a playground checks, links and runs modules, all in the
// browser. cli/viewer/serve.ts is its script.

import { html } from "./html.js";
import { exploreStyle, pageStyle, serveStyle } from "./style.js";

export interface PlaygroundExample {
  readonly module: string;
  readonly specification: string;
}

/** `gpus`: names of GPU models to time on. */
export function servePage({ module, specification }: PlaygroundExample, gpus: readonly string[]): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>ptxkit</title>
        <style>
          ${{ html: pageStyle + exploreStyle + serveStyle }}
        </style>
      </head>
      <body>
        <header>
          <h1>ptxkit</h1>
          <p>Everything happens in this page: no file leaves it.</p>
          <nav aria-label="Pages"><a href="#explore">Explore files</a> <a href="#playground">Playground</a></nav>
          <button type="button" id="theme" hidden>Light or dark</button>
        </header>
        <div id="explore-page">
          <label id="drop" class="drop">
            <input type="file" id="files" multiple />
            <span>Drop objects, cubins, fatbins, archives, programs, PTX or NVVM IR here, or choose files</span>
          </label>
          <pre id="explore-messages" role="status" hidden></pre>
          <div id="explorer" hidden></div>
        </div>
        <div id="playground" class="playground" hidden>
          <section>
            <h2><label for="module">Module, PTX or NVVM IR</label></h2>
            <textarea id="module" spellcheck="false" rows="24">${module}</textarea>
            <h3>Diagnostics</h3>
            <pre id="diagnostics" role="status" aria-live="polite"></pre>
          </section>
          <section>
            <h2><label for="specification">Launch specification</label></h2>
            <textarea id="specification" spellcheck="false" rows="14">${specification}</textarea>
            <p>
              <button type="button" id="run">Run</button>
              <label
                >timed on
                <select id="gpu">
                  <option value="">no model</option>
                  ${gpus.map((name) => html`<option>${name}</option>`)}
                </select></label
              >
              <label><input type="checkbox" id="sanitize" /> sanitize</label>
            </p>
            <h3>Result</h3>
            <pre id="result" role="status" aria-live="polite"></pre>
          </section>
        </div>
        <script type="module" src="/serve.js"></script>
      </body>
    </html>`;
  return `${page.html}\n`;
}
