/** @module-tag proof */

import { isProvingAll } from "@assay/tools/proving";
import { describe } from "vitest";
import { describeStranger } from "../testing/described-stranger.ts";

// Only `npm run prove -- --all` runs these tests.
describe.runIf(isProvingAll)("a server by another hand", () => {
  describeStranger("questions", (list) => list);
});
