import base from "@assay/config/vitest";
import { mergeConfig } from "vitest/config";

// Many small files with the same imports: to load those anew for each took half of a run. No file changes what another imports.
export default mergeConfig(base, { test: { isolate: false } });
