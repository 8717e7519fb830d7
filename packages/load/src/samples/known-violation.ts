import type { KnownFailure, LoadSample } from "@assay/results";

/** Codes of violations that are known, with the entries that say so. */
export type KnownCodes = Readonly<Record<string, KnownFailure>>;

/** The sample as it counts: one whose violations are all known went well. Its codes are kept. */
export function withoutKnown(sample: LoadSample, known: Readonly<Record<string, unknown>>): LoadSample {
  const { outcome, codes } = sample;
  const isKnown =
    outcome === "violation" && codes !== undefined && Object.keys(codes).every((code) => Object.hasOwn(known, code));
  return isKnown ? { ...sample, outcome: "ok" } : sample;
}
