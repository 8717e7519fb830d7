import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package: the same one from its sources and from what is compiled. */
export const scenarioFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/** Where `npm run k6:build` puts a k6 with the extension of this project; nothing need be there. */
export const k6Binary = (): string => join(scenarioFolder, "k6", "bin", "k6");
