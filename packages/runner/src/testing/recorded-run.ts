import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readBundle } from "@assay/evidence";
import type { Bundle } from "@assay/evidence";
import type { RunResult } from "@assay/results";
import { judgeBundle } from "../judge/judge-bundle.ts";
import type { JudgedForProof } from "../judge/prove-rules.ts";

/** The runs that `npm run record-run` records. */
export const recordedRuns = ["recorded-run", "recorded-open-run", "recorded-alert-run"] as const;

/** A stored run, until it is closed. */
export interface RecordedRun {
  readonly bundle: Bundle;
  readonly close: () => void;
}

/**
 * A run against the reference server, recorded by `npm run record-run`: a whole run with evidence for nearly every rule, or part of
 * one with evidence for rules that apply only to other servers [the whole run].
 */
export async function recordedRun(name: (typeof recordedRuns)[number] = "recorded-run"): Promise<RecordedRun> {
  const file = new URL(`../../fixtures/${name}.json.gz`, import.meta.url);
  const folder = mkdtempSync(join(tmpdir(), "assay-recorded-run-"));
  const files: Readonly<Record<string, string>> = JSON.parse(gunzipSync(readFileSync(file)).toString());
  mkdirSync(join(folder, "bodies"));
  for (const [path, base64] of Object.entries(files)) {
    writeFileSync(join(folder, path), Buffer.from(base64, "base64"));
  }
  return { bundle: await readBundle(folder), close: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Reports whether a rule compares reads of one question, so that one read alone shows nothing. */
export const comparesReads = (rule: string): boolean =>
  /\/(?:reads-are-current|(?:state|status)-transitions-are-listed)$/.test(rule);

/** The result of judging, and its input for proofs. */
export interface Judgement {
  readonly result: RunResult;
  readonly judged: JudgedForProof;
}

/** Judges some exchanges of a run as if it had no others. */
export async function judgedAlone(
  bundle: Bundle,
  exchanges: Bundle["exchanges"],
  { confirmsPasses }: { readonly confirmsPasses: boolean },
): Promise<Judgement> {
  const found: JudgedForProof[] = [];
  const result = await judgeBundle(
    { ...bundle, exchanges },
    { confirmsPasses, onProofs: (_, judged) => void found.push(judged) },
  );
  const [judged] = found;
  if (judged === undefined) {
    throw new Error("nothing was judged");
  }
  return { result, judged };
}
