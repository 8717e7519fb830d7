import base from "@assay/tools/vitest";
import { mergeConfig } from "vitest/config";

export default mergeConfig(base, {
  test: { globalSetup: ["src/testing/rule-log.ts"], setupFiles: ["src/testing/append-to-rule-log.ts"] },
});
