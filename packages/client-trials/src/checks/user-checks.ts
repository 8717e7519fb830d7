import { type Check, checkEach, createSingleResult, noObservations } from "../check.ts";
import { isTemporarilyRefused, type TrialFacts } from "../trial-facts.ts";
import type { ReadingCheckId, Trial } from "../trial.ts";

const isEnding =
  (...endings: readonly Trial["ending"][]) =>
  ({ ending }: Trial): boolean =>
    endings.includes(ending);

const describeEarlyEnd = ({ searches }: TrialFacts): string | undefined => {
  const answeredSearches = searches.filter(({ status }) => status === 200);
  return answeredSearches.length > 0 && answeredSearches.every(({ micros }) => micros.done === undefined)
    ? "it disconnected before the stream reached `done`"
    : undefined;
};

const describeFailure = (facts: TrialFacts): string | undefined => {
  const { status, terminal, trial } = facts;
  if (status !== 0) {
    return `it ended with status ${status} although the result was complete`;
  }
  if (trial.interface === "stream") {
    return describeEarlyEnd(facts);
  }
  return terminal === undefined ? "it ended with status 0 before the answer was available" : undefined;
};

const hasCompleteResult = ({ searches, terminal, trial }: TrialFacts): boolean =>
  trial.interface === "stream" ? searches.some(({ status }) => status === 200) : terminal !== undefined;

const replacementCharacter = "\u{fffd}";

const unescapeText = (text: string): string =>
  text.replaceAll(/\\u([0-9a-fA-F]{4})/gu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

const joinOutput = ({ output }: TrialFacts["record"]): string =>
  [output.out, output.lastOut, output.err, output.lastErr].join("\n");

/** Reports whether the output contains the result. Otherwise it is unknown how the client read it. */
const isResultShown = ({ record }: TrialFacts): boolean => {
  const text = unescapeText(joinOutput(record));
  return record.foundTexts.some((foundText) => text.includes(foundText));
};

/** Creates the check `id`: whether the client read the result of its trial to the end. */
const createReadingCheck = (
  id: ReadingCheckId,
  {
    basis = "derived",
    ...otherFields
  }: Pick<Check, "title" | "requirements" | "because"> & Partial<Pick<Check, "basis" | "isUnspecified">>,
): Check => ({
  id,
  basis,
  needs: "own-exit",
  appliesTo: (trial) => trial.readingCheck === id,
  evaluate: (facts) => {
    const problem = describeFailure(facts);
    // A client that silently drops results also exits with status 0.
    return problem === undefined && !isResultShown(facts) ? noObservations : createSingleResult(problem);
  },
  ...otherFields,
});

/** Checks of what the client reports to its user, and of whether it reads results completely. */
export const userChecks: readonly Check[] = [
  {
    id: "user/success-is-told",
    title: "ends with status 0 when it has the complete result",
    basis: "derived",
    requirements: ["search-stream#3.5-closed-by-done", "conversation-api#3.1.4-success-completes"],
    because: "scripts see only the exit status.",
    needs: "own-exit",
    appliesTo: (trial) => trial.readingCheck === "user/success-is-told" || trial.ending === "put-off",
    evaluate: (facts) =>
      facts.trial.ending === "put-off" && !hasCompleteResult(facts)
        ? noObservations
        : createSingleResult(describeFailure(facts)),
  },
  createReadingCheck("reading/any-chunks", {
    title: "reads a stream however it is split into pieces",
    requirements: ["search-stream#6.1-two-fields"],
    because: "blank lines end events; where the network splits them has no meaning.",
  }),
  createReadingCheck("reading/large-events", {
    title: "reads events of up to 10 MB",
    requirements: ["search-stream#6.6-matches"],
    because: "the specifications have no limit, and real instances send events of that size.",
  }),
  createReadingCheck("reading/late-matches", {
    title: "waits for matches that take 2 s",
    requirements: ["search-stream#1.1-incremental-results"],
    because: "an exhaustive search may take much longer to find its first match.",
  }),
  createReadingCheck("reading/new-fields", {
    title: "ignores fields and values that it does not know",
    requirements: ["search-stream#6.4-data-is-json"],
    because: "the specifications do not exclude others, and instances have added some.",
  }),
  createReadingCheck("reading/any-form", {
    title: "reads every form of a stream that the specifications permit",
    // A client that follows the specifications literally may expect only the usual form, because they do not define other forms.
    basis: "inferred",
    isUnspecified: true,
    because: "the specifications define neither the order of the two fields nor which other events and values exist.",
    requirements: ["search-stream#3.3-any-interleaving", "search-stream#6.1-two-fields"],
  }),
  {
    id: "reading/text-intact",
    title: "shows text in any language unchanged",
    basis: "derived",
    requirements: ["search-stream#6.4-data-is-json"],
    because: "JSON is UTF-8, and the network may split a character.",
    needs: "accepted-requests",
    appliesTo: ({ name }) => name === "odd-chunks",
    evaluate: (facts) => {
      if (joinOutput(facts.record).includes(replacementCharacter)) {
        return createSingleResult("its output has the replacement character U+FFFD where the result has none");
      }
      return isResultShown(facts) ? createSingleResult(undefined) : noObservations;
    },
  },
  {
    id: "user/cut-off-is-told",
    title: "ends with a status other than 0 when the result is incomplete",
    basis: "derived",
    requirements: ["search-stream#6.10-done", "search-stream#7.3-cut-results-are-skipped-entries"],
    because: "`done` is the last event of every complete stream; otherwise users mistake a part for the whole.",
    needs: "own-exit",
    appliesTo: isEnding("cut-off"),
    evaluate: ({ searches, status }) =>
      checkEach(searches.slice(0, 1), () =>
        status === 0 ? "it ended with status 0, as if the result were complete" : undefined,
      ),
  },
  {
    id: "user/failure-is-told",
    title: "ends with a status other than 0 when there is no result",
    basis: "derived",
    requirements: [
      "search-stream#6.10-done",
      "conversation-api#7.9-failed-question",
      "conversation-api#7.13-error-state",
    ],
    because: "otherwise a failure looks like an empty result.",
    needs: "own-exit",
    appliesTo: isEnding("refused", "put-off"),
    evaluate: (facts) => {
      const { record, status, trial } = facts;
      const hasFailed =
        trial.ending === "refused" || (record.requests.some(isTemporarilyRefused) && !hasCompleteResult(facts));
      return hasFailed
        ? createSingleResult(status === 0 ? "it ended with status 0 without a result" : undefined)
        : noObservations;
    },
  },
  {
    id: "user/alert-is-told",
    title: "shows an alert to its user",
    basis: "inferred",
    requirements: ["search-stream#7.1-problems-are-alerts", "search-stream#6.9-alert"],
    because: "otherwise a query that cannot run looks like one without results.",
    needs: "own-exit",
    appliesTo: isEnding("alert"),
    evaluate: ({ record, status, trial }) =>
      createSingleResult(
        status !== 0 || joinOutput(record).includes(trial.alert ?? "")
          ? undefined
          : `it ended with status 0 and did not print \`${trial.alert}\``,
      ),
  },
];
