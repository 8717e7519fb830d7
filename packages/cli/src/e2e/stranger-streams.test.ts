import { drawn, everyNth, isProving } from "@assay/config/proving";
import { describeStranger } from "../testing/described-stranger.ts";

describeStranger("streams", (list, n) => (isProving ? drawn(list, 12) : everyNth(list, n)));
