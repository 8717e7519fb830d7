import { defined, allRequirements } from "@assay/contract";
import {
  type ClientCheck,
  type ClientParticipation,
  type ClientTrial,
  type Verdict,
  createVerdict,
} from "@assay/results";
import { type Check, createViolation } from "./check.ts";
import { checks } from "./check-list.ts";
import { extractFacts, isSearch, type TrialFacts } from "./trial-facts.ts";
import type { TrialRecord } from "./trial-record.ts";
import type { Trial } from "./trial.ts";

/** Exit status of a client that skips a trial, as in automake. */
export const skippedStatus = 77;

/** Reports whether a client only searched although the task is a question. Such a client did not attempt the task. */
const hasOnlySearched = ({ task }: Trial, { requests }: TrialRecord): boolean =>
  task !== "search" && requests.every((request) => isSearch(request));

const findParticipation = (trial: Trial, record: TrialRecord): ClientParticipation => {
  const { elsewhere, end, requests } = record;
  if (requests.length + elsewhere.length > 0) {
    return hasOnlySearched(trial, record) ? "no-request" : "took-part";
  }
  return end.kind === "exited" && end.status === skippedStatus ? "skipped" : "no-request";
};

const isAccepted = ({ creations, searches, trial }: TrialFacts): boolean =>
  trial.name === "refused-token" ||
  trial.ending === "put-off" ||
  [...searches, ...creations].some(({ status = 200 }) => status < 400);

/** Returns why a check is blocked, if it is. */
const findBlockingReason = (check: Check, facts: TrialFacts): string | undefined => {
  if (check.needs === "requests") {
    return undefined;
  }
  if (!isAccepted(facts)) {
    return "the server accepted none of its requests";
  }
  return check.needs === "own-exit" && facts.record.end.kind === "killed" ? "it did not end by itself" : undefined;
};

const judgeCheck = (check: Check, facts: TrialFacts, strict: boolean): Verdict => {
  const blockingReason = findBlockingReason(check, facts);
  const { findings, observations } =
    blockingReason === undefined ? check.evaluate(facts) : { findings: [], observations: 0 };
  return createVerdict({
    basis: check.basis,
    findings: findings.map(createViolation),
    observations,
    strict: strict && check.isUnspecified !== true,
    ...(blockingReason === undefined ? {} : { blockedBy: { kind: "prerequisite", missing: blockingReason } }),
  });
};

/** Without requests, only the end of a client can be checked. */
const isTested = (check: Check, participation: ClientParticipation): boolean =>
  participation === "took-part" || (participation === "no-request" && check.id === "process/ends");

/** Returns the requirements of a check in the specification of the trial, or all if there are none. */
const selectRequirements = (check: Check, trial: Trial): ClientCheck["requirements"] => {
  const specification = trial.interface === "stream" ? "search-stream" : "conversation-api";
  const checkRequirements = allRequirements.filter(({ id }) => check.requirements.includes(id));
  const fromSpecification = checkRequirements.filter((requirement) => requirement.specification === specification);
  return (fromSpecification.length === 0 ? checkRequirements : fromSpecification).map(
    ({ specification: source, id, section, text }) => ({
      id,
      specification: source,
      section,
      text,
    }),
  );
};

const createClientCheck = (check: Check, trial: Trial, verdict: Verdict): ClientCheck => ({
  check: check.id,
  title: check.title,
  basis: check.basis,
  requirements: selectRequirements(check, trial),
  ...defined({ because: check.because }),
  verdict,
});

/** Reports a refused request only once: in the check that explains it, if there is one. */
const removeDuplicateRefusals = (clientChecks: readonly ClientCheck[]): readonly ClientCheck[] => {
  const explainingCheck = clientChecks.find(
    ({ basis, check, verdict }) =>
      check.startsWith("request/") &&
      check !== "request/accepted" &&
      basis !== "inferred" &&
      verdict.outcome === "failed",
  );
  return clientChecks.map((result) =>
    explainingCheck !== undefined && result.check === "request/accepted" && result.verdict.outcome === "failed"
      ? {
          ...result,
          verdict: { outcome: "blocked", blockedBy: "prerequisite", missing: `${explainingCheck.check} fails` },
        }
      : result,
  );
};

/** Runtimes print the reason for a failure first, then a stack. */
const maxOutputCharacters = 2000;

/**
 * Judges a client by the record of a trial. Pure: the same record always yields the same verdicts. With `strict`, warnings fail, except
 * those about unspecified behaviour.
 */
export const judgeTrial = (trial: Trial, record: TrialRecord, strict = false): ClientTrial => {
  const facts = extractFacts(trial, record);
  const participation = findParticipation(trial, record);
  const clientChecks = checks
    .filter(({ appliesTo }) => appliesTo(trial))
    .map((check) =>
      createClientCheck(
        check,
        trial,
        isTested(check, participation) ? judgeCheck(check, facts, strict) : { outcome: "not-tested" },
      ),
    );
  return {
    trial: trial.name,
    interface: trial.interface,
    task: trial.task,
    title: trial.title,
    participation,
    requests: record.requests.length,
    durationMs: Math.round((record.endedMicros - record.startedMicros) / 1000),
    end: record.end,
    lastWords: record.output.lastErr.trim().slice(-maxOutputCharacters),
    checks: removeDuplicateRefusals(clientChecks),
  };
};
