import { counted } from "@assay/contract";
import { type Check, checkEach, createSingleResult, noObservations } from "../check.ts";
import { type CallEntry, isTemporarilyRefused, formatSpan, type TrialFacts } from "../trial-facts.ts";
import type { Trial } from "../trial.ts";

const isConversation = ({ interface: name }: Trial): boolean => name !== "stream";
const isAllowance = ({ name }: Trial): boolean => name === "quota" || name === "entitlement";

/**
 * A shorter interval causes a warning. The specifications do not define an interval. In practice a question takes minutes, and the vendor's
 * client waits 3 s.
 */
const minIntervalMicros = 200_000;
/** A busy machine may shorten an interval. It rarely halves one, and almost never several. */
const burstMicros = minIntervalMicros / 2;
const minBurstIntervals = 2;
/** Minimum share of short intervals to be treated as a pattern. */
const burstShare = 1 / 4;
/** Some clients fetch the answer with one more read. */
const maxExtraReads = 1;

const findMedian = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const measureIntervals = (reads: readonly CallEntry[]): readonly number[] =>
  reads.slice(1).map(({ micros }, index) => micros.arrived - (reads[index]?.micros.arrived ?? micros.arrived));

const describeFastPolling = (intervals: readonly number[]): string | undefined => {
  const polls = counted(intervals.length + 1, "time");
  const median = findMedian(intervals);
  if (median < minIntervalMicros) {
    return `it polled ${polls}, every ${formatSpan(median)} (median)`;
  }
  // Long pauses between bursts hide them in every average.
  const shortIntervals = intervals.filter((interval) => interval < burstMicros);
  return shortIntervals.length >= minBurstIntervals && shortIntervals.length >= intervals.length * burstShare
    ? `it polled ${polls}, ${shortIntervals.length} of them less than ${formatSpan(burstMicros)} after the one before (${formatSpan(Math.min(...shortIntervals))} at least)`
    : undefined;
};

const findReadsAfterEnd = ({ reads, terminal }: TrialFacts): readonly CallEntry[] =>
  terminal === undefined ? [] : reads.filter(({ id }) => id > terminal.id);

const describeLaterQuestions = ({ creations, terminal }: TrialFacts): string | undefined => {
  const laterCreations = creations.filter(({ id }) => terminal !== undefined && id > terminal.id);
  const retryTime = terminal?.call.shown?.retryTime;
  const deadlineClause = retryTime === undefined ? "" : `, not before ${retryTime}`;
  return laterCreations.length === 0
    ? undefined
    : `it asked ${counted(laterCreations.length, "more time")} after an answer reported that no question is left${deadlineClause}`;
};

const describeMissingCancellation = ({ calls, creations }: TrialFacts): string | undefined => {
  const cancelCalls = calls.filter(({ call }) => call.operation === "cancel");
  const statuses = cancelCalls.map(({ status = 0 }) => status);
  if (cancelCalls.length === 0) {
    return `it asked ${counted(creations.length, "question")} and sent no cancellation`;
  }
  return statuses.some((status) => status >= 200 && status < 300)
    ? undefined
    : `its cancellation returned status ${statuses.join(", ")}: it did not cancel the question in progress`;
};

/** Checks of how a client asks questions and waits for answers. */
export const pollingChecks: readonly Check[] = [
  {
    id: "ask/asks-once",
    title: "asks each question once",
    basis: "derived",
    requirements: ["conversation-api#1.5-first-question-creates", "conversation-api#1.7-asynchronous"],
    because: "each creation adds a conversation and counts against the quota.",
    needs: "accepted-requests",
    appliesTo: (trial) => isConversation(trial) && !isAllowance(trial),
    evaluate: ({ creations }) => ({
      observations: creations.length,
      findings: creations.length > 1 ? [`it asked the same question ${counted(creations.length, "time")}`] : [],
    }),
  },
  {
    id: "polling/stops-at-the-end",
    title: "stops polling when the question has ended",
    basis: "stated",
    requirements: ["conversation-api#1.9-polled-until-terminal", "conversation-api#3.2.8-polled-until-terminal"],
    needs: "accepted-requests",
    appliesTo: isConversation,
    evaluate: (facts) => {
      const lateReads = findReadsAfterEnd(facts);
      return facts.terminal === undefined
        ? noObservations
        : createSingleResult(
            lateReads.length > maxExtraReads
              ? `it polled ${counted(lateReads.length, "more time")} after the answer showed \`${facts.terminal.call.shown?.state}\``
              : undefined,
          );
    },
  },
  {
    id: "polling/interval",
    title: "leaves at least 200 ms between two polls",
    basis: "inferred",
    requirements: [],
    because: "no specification states an interval; in practice questions take minutes and clients wait some seconds.",
    needs: "accepted-requests",
    appliesTo: (trial) => isConversation(trial) && trial.ending === "complete",
    evaluate: ({ reads }) => {
      const intervals = measureIntervals(reads);
      return intervals.length < 2 ? noObservations : createSingleResult(describeFastPolling(intervals));
    },
  },
  {
    id: "quota/waits",
    title: "asks no more questions once the quota or entitlement is used up",
    basis: "derived",
    requirements: [
      "conversation-api#8.2-quota",
      "conversation-api#8.3-entitlement",
      "conversation-api#7.19-retry-time",
    ],
    because: "the next one fails too until the retry time.",
    needs: "accepted-requests",
    appliesTo: isAllowance,
    evaluate: (facts) =>
      facts.terminal === undefined ? noObservations : createSingleResult(describeLaterQuestions(facts)),
  },
  {
    id: "cancel/is-sent",
    title: "cancels a question that is no longer needed",
    basis: "derived",
    requirements: ["conversation-api#4.1.11-cancel", "conversation-api#4.2.6-cancel"],
    because: "otherwise the service answers the question to its end.",
    needs: "accepted-requests",
    appliesTo: ({ task }) => task === "cancel",
    evaluate: (facts) =>
      facts.creations.length === 0 ? noObservations : createSingleResult(describeMissingCancellation(facts)),
  },
  {
    id: "request/accepted",
    title: "sends requests that the service accepts",
    basis: "derived",
    requirements: [
      "conversation-api#7.3-status-400",
      "conversation-api#7.4-status-401",
      "conversation-api#7.5-status-404",
    ],
    because: "the server of this trial refuses only what the specifications forbid.",
    needs: "requests",
    appliesTo: ({ name }) => name !== "refused-token",
    evaluate: ({ calls, searches }) =>
      checkEach(
        [...searches, ...calls].filter((entry) => entry.status !== undefined && !isTemporarilyRefused(entry)),
        ({ method, status = 0, url }) =>
          status >= 400 ? `${method} ${url.split("?", 1)[0]} returned status ${status}` : undefined,
      ),
  },
];
