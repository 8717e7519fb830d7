import type { KnownFailure, LoadSample } from "@assay/results";

/** Codes of known violations, with their entries. */
export type KnownCodes = Readonly<Record<string, KnownFailure>>;

/** Treats a sample as `ok` if all its violations are known. Its codes are kept. */
export function withoutKnown(sample: LoadSample, known: Readonly<Record<string, unknown>>): LoadSample {
  const { outcome, codes } = sample;
  const isKnown =
    outcome === "violation" && codes !== undefined && Object.keys(codes).every((code) => Object.hasOwn(known, code));
  return isKnown ? { ...sample, outcome: "ok" } : sample;
}
