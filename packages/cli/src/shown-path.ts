import { visibleText } from "@assay/evidence";
import { relative } from "node:path";

/** A path for messages, relative to the working directory. */
export const shownPath = (path: string, cwd: string): string => visibleText(relative(cwd, path) || ".", 300);
