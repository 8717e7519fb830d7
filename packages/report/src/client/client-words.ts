import type { ClientEnd, ClientTrial, Verdict, VerdictOutcome } from "@assay/results";
import { counted, durationOf } from "../counted.ts";
import { type Sign, verdictWords } from "../outcome-words.ts";
import { shownText } from "../shown-text.ts";

/** Sign and word of a verdict about a client. */
export const checkWords: Readonly<Record<VerdictOutcome, { readonly sign: Sign; readonly word: string }>> = {
  passed: { sign: verdictWords.passed.sign, word: "holds" },
  failed: { sign: verdictWords.failed.sign, word: "fails" },
  warned: { sign: verdictWords.warned.sign, word: "warns" },
  "not-observed": { sign: verdictWords["not-observed"].sign, word: "not observed" },
  "not-applicable": { sign: verdictWords["not-applicable"].sign, word: "not applicable" },
  "could-not-run": { sign: verdictWords["could-not-run"].sign, word: "could not be judged" },
};

const killedWords = {
  deadline: "killed at the deadline",
  lingering: "killed, still running",
  interrupted: "interrupted",
} as const;

/** How a client ended, such as `exit status 0`. */
export const endWords = (end: ClientEnd): string => {
  switch (end.kind) {
    case "exited":
      return `exit status ${end.status}`;
    case "signalled":
      return `ended by ${shownText(end.signal, "name")}`;
    case "killed":
      return killedWords[end.why];
  }
};

/** The most severe verdict of a trial: what its line begins with. */
export const trialStanding = ({ checks, participation }: ClientTrial): VerdictOutcome => {
  const has = (outcome: VerdictOutcome): boolean => checks.some(({ verdict }) => verdict.outcome === outcome);
  const grave = (["failed", "could-not-run", "warned"] as const).find(has);
  if (grave !== undefined) {
    return grave;
  }
  return participation === "took-part" && has("passed") ? "passed" : "not-observed";
};

/** What a trial came to, in a few words. */
export const trialFacts = (trial: ClientTrial): string => {
  const { checks, durationMs, end, participation, requests } = trial;
  if (participation === "skipped") {
    return "left out by the client (exit status 77)";
  }
  const took = `${endWords(end)}, ${durationOf(durationMs * 1000)}`;
  if (participation === "no-request") {
    return `no request arrived; ${took}`;
  }
  const count = (outcome: VerdictOutcome): number => checks.filter(({ verdict }) => verdict.outcome === outcome).length;
  const parts = [`${counted(count("passed"), "check")} ${count("passed") === 1 ? "holds" : "hold"}`];
  const unseen = count("not-observed");
  return [...parts, ...(unseen === 0 ? [] : [`${unseen} not observed`]), counted(requests, "request"), took].join(", ");
};

/** The sentences a verdict has to say. */
export const verdictSentences = (verdict: Verdict): readonly string[] => {
  switch (verdict.outcome) {
    case "failed":
    case "warned":
      return verdict.findings.map(({ message }) => shownText(message));
    case "could-not-run":
      return [shownText(verdict.missing)];
    case "not-applicable":
      return [shownText(verdict.reason)];
    case "passed":
    case "not-observed":
      return [];
  }
};
