// What `--version` reports: the versions of ptxkit, of PTX, of the files that ptxkit writes, and of Node.

import { versionText } from "../../lib/isa/requirement.js";
import { newestVersion } from "../../lib/isa/targets.table.js";
import { DECLARATIONS_VERSION } from "../../lib/object/file/container.js";
import { version } from "../version.js";

/** The text of `--version`: a line with ptxkit's version alone, for scripts, then one with the others. */
export const versionLines = (): string =>
  `${version()}
PTX ISA up to ${versionText(newestVersion)}, object format ${DECLARATIONS_VERSION}, Node.js ${process.versions.node}`;
