// The frame of pages whose charts cli/viewer/main.ts draws: one HTML file that makes no network requests.

import { html, jsonHtml, type Html } from "./html.js";
import { pageStyle } from "./style.js";

export interface PageFrame {
  readonly title: string;
  readonly heading: string;
  /** Shown next to the heading. */
  readonly summary: Html;
  readonly main: Html;
  /** The identifier by which the script finds its data. */
  readonly dataId: "data" | "sweep";
  readonly data: unknown;
  /** The script's text. */
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
