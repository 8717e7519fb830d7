import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const own = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/** What the reference server searches unless told otherwise: the checkout this tool lies in, else the working folder. */
export const projectFolder = (cwd: string): string => (existsSync(join(own, ".git")) ? own : cwd);
