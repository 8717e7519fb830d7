import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Bundle, bundleFiles, EvidenceError, type Manifest, readBundle, visibleText } from "@assay/evidence";
import type { RunResult } from "@assay/results";

/**
 * The evidence beside a stored result. `none`: results alone were kept, as `assay judge --out` does. `doubtful`: it is not what
 * the result was made of, or not all of it.
 */
export type StoredEvidence =
  | { readonly kind: "none" }
  | { readonly kind: "whole"; readonly bundle: Bundle }
  | DoubtfulEvidence;

/** Evidence that its result cannot be held to. */
export interface DoubtfulEvidence {
  readonly kind: "doubtful";
  /** Absent where the result does not tell of it, and no figures may be drawn of it. */
  readonly bundle?: Bundle;
  /** What is wrong with it, a sentence without its end. */
  readonly why: string;
}

const doubtful = (why: string): DoubtfulEvidence => ({ kind: "doubtful", why: visibleText(why, 600) });

const shownProblems = 3;

function listed(problems: readonly string[]): string {
  const more = problems.length - shownProblems;
  return [...problems.slice(0, shownProblems), ...(more > 0 ? [`${more} more`] : [])].join("; ");
}

/** Everything that a result takes from the manifest of its run as it stands there. */
function isOfRun({ run }: RunResult, { runId, startedAt, target, profile, seed }: Manifest): boolean {
  const pairs = [
    [run.id, runId],
    [run.startedAt, startedAt],
    [run.target, target.url],
    [run.embedded, target.embedded],
    [run.profile, profile],
    [run.seed, seed],
  ];
  return pairs.every(([told, recorded]) => told === recorded);
}

/** Whether a result tells of the very exchanges that are recorded. */
function hasTheExchanges({ exchanges }: RunResult, bundle: Bundle): boolean {
  const told = exchanges.map(({ id }) => id).toSorted();
  const recorded = bundle.exchanges.map(({ record }) => record.id).toSorted();
  return told.length === recorded.length && told.every((id, index) => id === recorded[index]);
}

function troublesOf(result: RunResult, bundle: Bundle): readonly string[] {
  const [told, recorded] = [result.exchanges.length, bundle.exchanges.length];
  const counts = told === recorded ? "" : `: ${told} were judged, and ${recorded} are recorded`;
  const others = hasTheExchanges(result, bundle) ? [] : [`the exchanges are not those that were judged${counts}`];
  return [...others, ...bundle.problems];
}

function weigh(result: RunResult, bundle: Bundle): StoredEvidence {
  if (!isOfRun(result, bundle.manifest)) {
    const { runId, startedAt } = bundle.manifest;
    return doubtful(`the evidence beside the verdicts is that of another run, ${runId} of ${startedAt}`);
  }
  const troubles = troublesOf(result, bundle);
  if (troubles.length === 0) {
    return { kind: "whole", bundle };
  }
  const found = doubtful(`the evidence beside the verdicts is incomplete: ${listed(troubles)}`);
  // Whoever judged a part of the evidence, and said so, drew it too.
  const isTold = result.incomplete.some(({ code }) => code === "evidence-incomplete");
  return isTold && hasTheExchanges(result, bundle) ? { ...found, bundle } : found;
}

/** Looks for the evidence of a result in its folder. Never fails because of what is there. */
export async function storedEvidence(result: RunResult, folder: string): Promise<StoredEvidence> {
  if (!Object.values(bundleFiles).some((name) => existsSync(join(folder, name)))) {
    return { kind: "none" };
  }
  try {
    return weigh(result, await readBundle(folder));
  } catch (error) {
    if (!(error instanceof EvidenceError)) {
      throw error;
    }
    return doubtful(`the evidence beside the verdicts cannot be read (${error.code})`);
  }
}
