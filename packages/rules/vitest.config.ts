import base from "@assay/tools/vitest";
import { mergeConfig } from "vitest/config";

export default mergeConfig(base, {
  test: { globalSetup: ["src/testing/spoken-rules.ts"], setupFiles: ["src/testing/leave-spoken-rules.ts"] },
});
