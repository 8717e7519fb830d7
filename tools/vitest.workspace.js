import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { root, testedFolders } from "./test-files.js";

/** All packages in one run, for `npm run dev`, each with its own settings. */
export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: { projects: testedFolders.map((folder) => `${root}${folder}`) },
});
