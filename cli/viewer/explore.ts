// The script of the page that `ptxkit inspect --html` writes.

import { startExplorer } from "./explorer.js";
import { addThemeButton } from "./theme.js";

const explorer = startExplorer(document.getElementById("explorer")!);
addThemeButton(() => explorer.draw());
document.documentElement.dataset["drawn"] = "true";
