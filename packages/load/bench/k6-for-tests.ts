import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../../../scenarios/k6/bin/k6", import.meta.url));

/** Our k6, for tests; `undefined` when it was not built. Throws when it is missing although ASSAY_REQUIRE names it. */
export function k6ForTests(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const path = env["ASSAY_K6"] ?? built;
  const isRequired = (env["ASSAY_REQUIRE"] ?? "").split(",").some((name) => name.trim() === "k6");
  if (existsSync(path)) {
    return path;
  }
  if (isRequired) {
    throw new Error(`k6 was not built (${path}), but ASSAY_REQUIRE says that it has to be there`);
  }
  return undefined;
}
