import { existsSync } from "node:fs";
import { getBuiltK6Path } from "@assay/scenarios";
import { hasTool } from "./require-tool.ts";

/** Whether there is a k6 with the extension of this project. Fails when there is none and ASSAY_REQUIRE names k6. */
export const hasK6 = (): boolean =>
  process.env["ASSAY_K6"] !== undefined || existsSync(getBuiltK6Path()) || hasTool("k6");
