import { everyNth } from "@assay/config/proving";
import { describeStranger } from "../testing/described-stranger.ts";

// One of eight, since all of them are half an hour; `exceptions.json` is of a run with all.
describeStranger("streams", (list, n) =>
  everyNth(
    list.filter((_, index) => index % 8 === 0),
    n,
  ),
);
