/** @module-tag proof */

import { drawSample } from "@assay/tools/proving";
import { describeStranger } from "../testing/described-stranger.ts";

// `npm run prove` shows all rules this server, and one fault and one variation of it; `npm run prove -- --all` every deviation of all servers.
describeStranger("general", (list) => drawSample(list, list.length));
