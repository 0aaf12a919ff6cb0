// The frame of pages whose charts cli/viewer/main.ts draws: one HTML file that asks the network for nothing.

import { html, jsonHtml, type Html } from "./html.js";
import { pageStyle } from "./style.js";

export interface PageFrame {
  readonly title: string;
  readonly heading: string;
  /** Beside the heading. */
  readonly summary: Html;
  readonly main: Html;
  /** For the script, which finds it by this identifier. */
  readonly dataId: "data" | "sweep";
  readonly data: unknown;
  /** The script, as text. */
  readonly viewer: string;
}

export const pageDocument = ({ title, heading, summary, main, dataId, data, viewer }: PageFrame): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <style>
          ${{ html: pageStyle }}
        </style>
      </head>
      <body>
        <header>
          <h1>${heading}</h1>
          <p>${summary}</p>
          <button type="button" id="theme" hidden>Light or dark</button>
        </header>
        <main>${main}</main>
        <script type="application/json" id="${dataId}">
          ${jsonHtml(data)}
        </script>
        <script>
          ${{ html: viewer.replaceAll("</script", "<\\/script") }};
        </script>
      </body>
    </html> `.html;
