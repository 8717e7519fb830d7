import type { KnownFailureFile } from "@assay/evidence";
import type { KnownFailureList } from "./known-failure-entry.ts";
import { parseKnownFailures } from "./parse-known-failures.ts";

/** A list as a run keeps it: its text was stored with the evidence, so that what the file became since does not matter. */
export const knownFailureList = ({ source, text, isShipped = false }: KnownFailureFile): KnownFailureList =>
  parseKnownFailures(text, source, { isShipped });
