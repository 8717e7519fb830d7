/** @module-tag proof */

import { drawn } from "@assay/tools/proving";
import { describe } from "vitest";
import { describeStranger } from "../testing/described-stranger.ts";
import { strangerNames } from "../testing/strangers.ts";

// `npm run prove` draws one of the three servers, and `npm run prove -- --all` runs all of them.
describe.runIf(drawn(strangerNames, strangerNames.length).includes("questions"))("a server by another hand", () => {
  describeStranger("questions", (list) => drawn(list, 12));
});
