import { isHarnessError } from "@assay/contract";
import { join } from "node:path";
import { type FoundK6, findK6 } from "../k6/find-k6.ts";

const builtPath = join(import.meta.dirname, "../../../../scenarios/k6/bin/k6");

const isRequired = (env: NodeJS.ProcessEnv): boolean =>
  (env["ASSAY_REQUIRE"] ?? "").split(",").some((name) => name.trim() === "k6");

/**
 * The k6 for tests: ASSAY_K6, the built one, or the first on the PATH. Undefined without one, for `describe.skipIf`, so that skipped
 * tests are reported. Fails without one if ASSAY_REQUIRE names k6.
 */
export const findTestK6 = async (env: NodeJS.ProcessEnv = process.env): Promise<FoundK6 | undefined> => {
  try {
    return await findK6({ env, builtPath });
  } catch (cause) {
    if (isHarnessError(cause, "no-k6") && !isRequired(env)) {
      return undefined;
    }
    throw cause;
  }
};
