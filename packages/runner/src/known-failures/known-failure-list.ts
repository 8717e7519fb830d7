import type { KnownFailureFile } from "@assay/evidence";
import type { KnownFailureList } from "./known-failure-entry.ts";
import { parseKnownFailures } from "./parse-known-failures.ts";

/** The list stored with the evidence of a run, so that later changes of the file do not matter. */
export const knownFailureList = ({ source, text, isShipped = false }: KnownFailureFile): KnownFailureList =>
  parseKnownFailures(text, source, { isShipped });
