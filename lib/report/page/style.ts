// The style of pages: a light and a dark scheme, selected by the system's preference or the page's button.

export const pageStyle = `
:root { color-scheme: light dark; --ground: #fbfbfa; --panel: #ffffff; --ink: #1c1f23; --quiet: #5b636d; --line: #dcdfe3; --accent: #2f6f4f; --hot: 202 84 44; --read: #3b76b8; --write: #b0662c; }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { --ground: #14171a; --panel: #1c2024; --ink: #e6e8ea; --quiet: #9aa3ad; --line: #333a41; --accent: #76b900; --hot: 226 112 66; --read: #6ea8e6; --write: #e0a063; } }
:root[data-theme="dark"] { --ground: #14171a; --panel: #1c2024; --ink: #e6e8ea; --quiet: #9aa3ad; --line: #333a41; --accent: #76b900; --hot: 226 112 66; --read: #6ea8e6; --write: #e0a063; color-scheme: dark; }
:root[data-theme="light"] { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
header, main { max-width: 1240px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 28px; display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: baseline; }
header p { margin: 0; color: var(--quiet); flex: 1; }
h1 { font-size: 22px; margin: 0; } h2 { font-size: 19px; margin: 0 0 12px; } h3 { font-size: 15px; margin: 26px 0 8px; }
h2 small, caption small { color: var(--quiet); font-weight: 400; font-size: 14px; }
section { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: 20px 22px; margin: 20px 0; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 10px; margin: 0; }
.facts div { border-left: 3px solid var(--accent); padding: 2px 10px; }
dt { color: var(--quiet); font-size: 13px; } dd { margin: 0; font-size: 18px; white-space: nowrap; font-variant-numeric: tabular-nums; }
.advice { margin: 0; padding: 0; list-style: none; } .advice li { border-left: 3px solid rgb(var(--hot)); padding: 4px 12px; margin: 8px 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(480px, 100%), 1fr)); gap: 18px; margin-top: 20px; }
figure { margin: 0; min-width: 0; } figcaption { font-weight: 600; margin-bottom: 4px; }
.chart { height: 300px; } .chart:empty { height: auto; }
details { margin-top: 4px; } summary { cursor: pointer; color: var(--quiet); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); gap: 0 32px; } .table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--quiet); padding: 6px 0; }
th, td { text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; } th { font-weight: 600; }
tbody th { font-weight: 400; } .number { text-align: right; } tbody .number { white-space: nowrap; }
code { font: 13px/1.45 ui-monospace, "SF Mono", Menlo, Consolas, monospace; white-space: pre-wrap; }
.code tr { --heat: 0; } .code .heat { background: rgb(var(--hot) / calc(var(--heat) * 0.55)); padding-left: 8px; } .code td, .code th { border-bottom: 0; padding-block: 1px; }
.gap td { color: var(--quiet); } .ptx { margin: 4px 0; padding-left: 20px; } .share { display: inline-block; min-width: 52px; color: var(--quiet); }
small { color: var(--quiet); }
.memory { width: 100%; height: auto; } .memory rect { fill: var(--ground); stroke: var(--line); } .memory text { text-anchor: middle; fill: var(--ink); font-size: 14px; } .memory .title { font-weight: 600; }
.memory .read { stroke: var(--read); } .memory .write { stroke: var(--write); } .memory .head { fill: var(--quiet); }
a { color: var(--accent); } button, select { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 4px 12px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media print { nav, button { display: none; } section { break-inside: avoid-page; } }
`;

/** Additional styles of the explorer page. */
export const exploreStyle = `
#explorer { display: grid; grid-template-columns: minmax(220px, 300px) minmax(0, 1fr); gap: 0 24px; max-width: 1500px; margin: 0 auto; padding: 0 24px; }
#explorer nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 20px 0; }
header:has(~ #explorer), header:has(~ #explore-page) { max-width: 1500px; } section.part:focus { outline: none; }
#explorer main { padding: 0; margin: 0; max-width: none; }
input { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 4px 10px; width: 100%; }
.tree, .tree ul { list-style: none; margin: 8px 0; padding: 0; } .tree ul { padding-left: 12px; border-left: 1px solid var(--line); }
.tree a { display: block; padding: 2px 8px; border-radius: 6px; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
.tree a[aria-current="true"] { background: var(--accent); color: var(--panel); } .tree a:hover { text-decoration: underline; }
.card { border: 1px solid var(--line); border-radius: 8px; padding: 8px 14px; margin: 8px 0; } .card summary { color: inherit; }
.records { margin: 8px 0; } .records > summary { color: inherit; font-weight: 600; }
.at { border: 0; background: none; padding: 0; color: var(--accent); text-align: inherit; cursor: pointer; }
tr[aria-selected="true"] td { background: color-mix(in srgb, var(--accent) 18%, transparent); }
pre { overflow: auto; max-height: 70vh; margin: 8px 0; }
#bytes { position: fixed; inset: auto 0 0 0; background: var(--panel); border-top: 2px solid var(--accent); padding: 10px 24px; max-height: 45vh; overflow: auto; }
#bytes div { display: flex; justify-content: space-between; align-items: baseline; } #bytes[hidden] { display: none; }
mark { background: rgb(var(--hot) / 0.45); color: inherit; }
.memory-map { width: 100%; height: 34px; } .memory-map .room { fill: var(--ground); stroke: var(--line); } .bar0 { fill: var(--read); } .bar1 { fill: var(--write); }
@media (max-width: 800px) { #explorer { grid-template-columns: 1fr; } #explorer nav { position: static; max-height: none; } }
`;

/** Additional styles of the page of `ptxkit serve`. */
export const serveStyle = `
header nav a { margin-right: 14px; } header nav a[aria-current="true"] { font-weight: 600; text-decoration: none; color: var(--ink); }
#explore-page { max-width: 1500px; margin: 0 auto; padding: 20px 24px; }
.drop { display: grid; place-items: center; gap: 10px; min-height: 140px; border: 2px dashed var(--line); border-radius: 12px; background: var(--panel); cursor: pointer; }
.drop.over { border-color: var(--accent); } .drop input { width: auto; }
.playground { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(520px, 100%), 1fr)); gap: 0 20px; max-width: 1500px; margin: 0 auto; padding: 0 24px; }
.playground[hidden] { display: none; }
textarea { width: 100%; font: 13px/1.45 ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 8px; padding: 10px; resize: vertical; }
input[type="checkbox"], input[type="file"] { width: auto; }
`;
