import { conclude, type Ending, type Endings } from "../conclude.ts";
import type { InterruptSignal } from "../exit-codes.ts";
import { doctorChecks } from "./doctor-report.ts";
import type { DoctorCheck, DoctorStatus } from "./doctor-report.ts";

export interface DoctorEnding {
  readonly checks: readonly DoctorCheck[];
  /** The interface that responded as the API does: a stream, otherwise another interface, otherwise nothing. */
  readonly answered: "stream" | "conversations" | "nothing";
  /** Why it ended early. Absent if every check was made. */
  readonly stopped?: "deadline" | InterruptSignal;
}

const namedChecks = 4;

function listTitles(checks: readonly DoctorCheck[], status: DoctorStatus): string {
  const titles = checks.filter((check) => check.status === status).map(({ id }) => doctorChecks[id].title);
  const more = titles.length - namedChecks;
  return more > 1 ? `${titles.slice(0, namedChecks).join(", ")} and ${more} more` : titles.join(", ");
}

const adviceOf = (check: DoctorCheck): string => ("advice" in check ? check.advice : check.found);

/** Most people want to know whether streams are buffered: if that is unknown, it comes first, with advice. */
function nothingFound(checks: readonly DoctorCheck[]): string {
  const unknown = checks.find(({ id, status }) => id === "buffering" && status === "could-not-tell");
  return unknown === undefined
    ? "no problem found"
    : `unknown whether streams are buffered: ${adviceOf(unknown)}; no other problem found`;
}

/** The first problem with its fix, then the names of the others. */
function describeProblems(checks: readonly DoctorCheck[]): string | undefined {
  const [first, ...others] = checks.filter(({ status }) => status === "problem");
  if (first === undefined) {
    return undefined;
  }
  const fix = `${doctorChecks[first.id].title}: ${adviceOf(first)}`;
  return others.length === 0 ? fix : `${fix}; then: ${listTitles(others, "problem")}`;
}

function foundSentence(checks: readonly DoctorCheck[]): string {
  const notes = listTitles(checks, "note");
  const unknown = listTitles(checks, "could-not-tell");
  return [
    describeProblems(checks) ?? nothingFound(checks),
    ...(notes === "" ? [] : [`notes: ${notes}`]),
    ...(unknown === "" ? [] : [`unknown: ${unknown}`]),
  ].join("; ");
}

const isMissingToken = ({ id, status }: DoctorCheck): boolean => id === "own-token" && status === "could-not-tell";

/** The first problem, else the missing token, and its advice. */
function unansweredText(checks: readonly DoctorCheck[]): string {
  const first = checks.find(({ status }) => status === "problem") ?? checks.find(isMissingToken);
  const next = first !== undefined && isMissingToken(first) && "advice" in first ? `; ${first.advice}` : "";
  const firstProblem = first === undefined ? "" : `: ${doctorChecks[first.id].title}: ${first.found}${next}`;
  return `the API could not be checked${firstProblem}`;
}

const foundUntilThen = ({ checks, stopped }: DoctorEnding): string =>
  `${foundSentence(checks)}${stopped === "deadline" ? "; the time was up before everything was asked (--timeout)" : ""}`;

const doctorEndings: Endings<DoctorEnding> = {
  interrupted: ({ stopped }) =>
    stopped === undefined || stopped === "deadline" ? undefined : "interrupted; the checks made until then are above",
  // Without an answer of the API, its problems are those of another server.
  failed: (ending) =>
    ending.answered !== "nothing" && ending.checks.some(({ status }) => status === "problem")
      ? foundUntilThen(ending)
      : undefined,
  incomplete: (ending) => {
    const { answered, checks, stopped } = ending;
    if (answered === "nothing") {
      return unansweredText(checks);
    }
    if (answered !== "stream") {
      return `no stream was seen; ${foundSentence(checks)}`;
    }
    return stopped === "deadline" ? foundUntilThen(ending) : undefined;
  },
  passed: ({ checks }) => foundSentence(checks),
};

/**
 * Decides the outcome of `assay doctor`. The first that applies: interrupted; incomplete if no interface answered as the API does; failed if
 * a check found a problem; incomplete if no stream was seen or the time was up; passed, with or without notes.
 */
export const concludeDoctor = (ending: DoctorEnding): Ending =>
  conclude(doctorEndings, ending, ending.stopped === "SIGTERM" ? "SIGTERM" : "SIGINT");
