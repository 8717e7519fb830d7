import { conclude, type Ending, type Endings } from "../conclude.ts";
import type { InterruptSignal } from "../exit-codes.ts";
import { doctorChecks } from "./doctor-report.ts";
import type { DoctorCheck, DoctorStatus } from "./doctor-report.ts";

export interface DoctorEnding {
  readonly checks: readonly DoctorCheck[];
  /** The interface that responded as the API does: a stream, otherwise another interface, otherwise nothing. */
  readonly respondingInterface: "stream" | "conversations" | "nothing";
  /** Why it ended early. Absent if every check was made. */
  readonly stopReason?: "deadline" | InterruptSignal;
}

const maxNamedChecks = 4;

function listTitles(checks: readonly DoctorCheck[], status: DoctorStatus): string {
  const titles = checks.filter((check) => check.status === status).map(({ id }) => doctorChecks[id].title);
  const moreCount = titles.length - maxNamedChecks;
  return moreCount > 1 ? `${titles.slice(0, maxNamedChecks).join(", ")} and ${moreCount} more` : titles.join(", ");
}

const checkAdvice = (check: DoctorCheck): string => ("advice" in check ? check.advice : check.found);

/** Most users want to know whether streams are buffered. If that is unknown, it comes first, with advice. */
function describeNoProblem(checks: readonly DoctorCheck[]): string {
  const unknownBuffering = checks.find(({ id, status }) => id === "buffering" && status === "could-not-tell");
  return unknownBuffering === undefined
    ? "no problem found"
    : `unknown whether streams are buffered: ${checkAdvice(unknownBuffering)}; no other problem found`;
}

/** Describes the first problem with its fix, then lists the others. */
function describeProblems(checks: readonly DoctorCheck[]): string | undefined {
  const [firstProblem, ...otherProblems] = checks.filter(({ status }) => status === "problem");
  if (firstProblem === undefined) {
    return undefined;
  }
  const problemAndFix = `${doctorChecks[firstProblem.id].title}: ${checkAdvice(firstProblem)}`;
  return otherProblems.length === 0 ? problemAndFix : `${problemAndFix}; then: ${listTitles(otherProblems, "problem")}`;
}

function describeFindings(checks: readonly DoctorCheck[]): string {
  const notes = listTitles(checks, "note");
  const unknown = listTitles(checks, "could-not-tell");
  return [
    describeProblems(checks) ?? describeNoProblem(checks),
    ...(notes === "" ? [] : [`notes: ${notes}`]),
    ...(unknown === "" ? [] : [`unknown: ${unknown}`]),
  ].join("; ");
}

const isMissingToken = ({ id, status }: DoctorCheck): boolean => id === "own-token" && status === "could-not-tell";

/** Describes the first problem, or else the missing token with its advice. */
function describeUnanswered(checks: readonly DoctorCheck[]): string {
  const problem = checks.find(({ status }) => status === "problem") ?? checks.find(isMissingToken);
  const advice = problem !== undefined && isMissingToken(problem) && "advice" in problem ? `; ${problem.advice}` : "";
  const problemText = problem === undefined ? "" : `: ${doctorChecks[problem.id].title}: ${problem.found}${advice}`;
  return `the API could not be checked${problemText}`;
}

const describeFindingsSoFar = ({ checks, stopReason }: DoctorEnding): string =>
  `${describeFindings(checks)}${stopReason === "deadline" ? "; the time was up before everything was asked (--timeout)" : ""}`;

const doctorEndings: Endings<DoctorEnding> = {
  interrupted: ({ stopReason }) =>
    stopReason === undefined || stopReason === "deadline"
      ? undefined
      : "interrupted; the checks made until then are above",
  // Without a response from the API, the problems belong to another server.
  failed: (ending) =>
    ending.respondingInterface !== "nothing" && ending.checks.some(({ status }) => status === "problem")
      ? describeFindingsSoFar(ending)
      : undefined,
  incomplete: (ending) => {
    const { respondingInterface, checks, stopReason } = ending;
    if (respondingInterface === "nothing") {
      return describeUnanswered(checks);
    }
    if (respondingInterface !== "stream") {
      return `no stream was seen; ${describeFindings(checks)}`;
    }
    return stopReason === "deadline" ? describeFindingsSoFar(ending) : undefined;
  },
  passed: ({ checks }) => describeFindings(checks),
};

/**
 * Decides the outcome of `assay doctor`. The first that applies: interrupted; incomplete if no interface answered as the API does; failed if
 * a check found a problem; incomplete if no stream was seen or the time was up; passed, with or without notes.
 */
export const concludeDoctor = (ending: DoctorEnding): Ending =>
  conclude(doctorEndings, ending, ending.stopReason === "SIGTERM" ? "SIGTERM" : "SIGINT");
