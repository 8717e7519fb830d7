import type { KnownFailureFile } from "@assay/evidence";
import type { KnownFailureList } from "./known-failure-entry.ts";
import { parseKnownFailures } from "./parse-known-failures.ts";

/** Parses a list stored with the evidence of a run, so that later changes to the file have no effect. */
export const knownFailureList = ({ source, text, isShipped = false }: KnownFailureFile): KnownFailureList =>
  parseKnownFailures(text, source, { isShipped });
