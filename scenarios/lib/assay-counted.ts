import * as assay from "k6/x/assay";
import type { Counted } from "./summary.ts";

/** What the extension counted. */
export const assayCounted = (): Counted => ({
  k6Version: assay.version(),
  histograms: assay.histograms(),
  outcomes: assay.outcomes(),
  violations: assay.violations(),
  observations: assay.observations(),
  generator: assay.generator(),
});
