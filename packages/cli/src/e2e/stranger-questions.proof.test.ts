import { isProvingAll } from "@assay/tools/proving";
import { describe } from "vitest";
import { describeStranger } from "../testing/described-stranger.ts";

// No tag: only `npm run prove -- --all` runs this file.
describe.runIf(isProvingAll)("a server by another hand", () => {
  describeStranger("questions", (list) => list);
});
