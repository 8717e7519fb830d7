import type { KnownFailure, LoadSample } from "@assay/results";

/** Known-failure entries by violation code. */
export type KnownCodes = Readonly<Record<string, KnownFailure>>;

/** Sets the outcome of a sample to `ok` if all its violations are known failures. The codes are kept. Reads only the keys of `known`. */
export function acceptKnownViolations(sample: LoadSample, known: Readonly<Record<string, unknown>>): LoadSample {
  const { outcome, codes } = sample;
  const isKnown =
    outcome === "violation" && codes !== undefined && Object.keys(codes).every((code) => Object.hasOwn(known, code));
  return isKnown ? { ...sample, outcome: "ok" } : sample;
}
