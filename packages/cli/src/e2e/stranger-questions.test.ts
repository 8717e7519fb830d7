import { everyNth } from "@assay/config/proving";
import { describeStranger } from "../testing/described-stranger.ts";

describeStranger("questions", everyNth);
