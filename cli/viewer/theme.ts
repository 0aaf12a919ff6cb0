// The button that switches between light and dark, and the page's colours for charts.

import type { Colours } from "./colours.js";

/** Distinguishable for most colour-blind readers, on light and dark grounds. */
const series = ["#4f8fd0", "#d9822b", "#3aa37a", "#b86bb0", "#c9a227", "#7a8794"];

export function colours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return { ink: of("ink"), quiet: of("quiet"), line: of("line"), panel: of("panel"), series };
}

/** Adds the page's button; `changed` is called after the colour scheme has changed. */
export function addThemeButton(changed: () => void): void {
  const theme = document.querySelector<HTMLButtonElement>("#theme")!;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const { dataset } = document.documentElement;
    const isDark = (dataset["theme"] ?? (dark.matches ? "dark" : "light")) === "dark";
    dataset["theme"] = isDark ? "light" : "dark";
    changed();
  });
  dark.addEventListener("change", changed);
}
