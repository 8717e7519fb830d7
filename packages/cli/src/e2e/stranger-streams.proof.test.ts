/** @module-tag proof */

import { drawn } from "@assay/tools/proving";
import { describe } from "vitest";
import { describeStranger } from "../testing/described-stranger.ts";
import { strangerNames } from "../testing/strangers.ts";

// `npm run prove` draws one of the three servers, and `npm run prove -- --all` runs all of them.
describe.runIf(drawn(strangerNames, strangerNames.length).includes("streams"))("a server by another hand", () => {
  describeStranger("streams", (list) => drawn(list, 12));
});
