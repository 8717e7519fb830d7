import { counted, searchParameters } from "@assay/contract";
import type { JournalEntry } from "@assay/reference-server";
import { type Check, checkEach, createSingleResult, noObservations } from "../check.ts";
import { isTemporarilyRefused, parseParameters, formatSpan, type TrialFacts } from "../trial-facts.ts";

/** Time limit for closing after `done`. The server keeps the response open longer. */
const maxCloseMicros = 3_000_000;

const describeLateClose = ({ micros }: JournalEntry): string | undefined => {
  const { done, closed, lastByte } = micros;
  const end = closed ?? lastByte;
  return done !== undefined && end !== undefined && end - done > maxCloseMicros
    ? `it kept its connection open for ${formatSpan(end - done)} after \`done\`, until the server closed it`
    : undefined;
};

/** Returns the parameters that determine the result of a search. Ignores their order and undocumented parameters. */
const searchKey = (entry: JournalEntry): string => {
  const parameters = parseParameters(entry);
  return JSON.stringify(searchParameters.map((name) => parameters.get(name)));
};

/** Returns searches that repeat an earlier one. */
const findRepeats = (searches: readonly JournalEntry[]): readonly JournalEntry[] => {
  const keys = searches.map((entry) => searchKey(entry));
  return searches.filter((_, index) => keys.indexOf(keys[index] ?? "") < index);
};

/** Maximum delay until the server notices a closed connection. */
const maxDetectionMicros = 250_000;

/** Describes the time of a search relative to the end of the first one. */
const describeTime = (first: JournalEntry, second: JournalEntry, after: string): string => {
  const { closed, done, lastByte } = first.micros;
  const end = done ?? lastByte ?? closed;
  const gap = second.micros.arrived - (end ?? Infinity);
  // After a connection breaks, client and server may notice it in either order.
  if (end !== undefined && end === closed && Math.abs(gap) < maxDetectionMicros) {
    return "about when the connection of the first one closed";
  }
  return gap < 0 ? "while the first search ran" : `${formatSpan(gap)} after ${after}`;
};

const describeRepeats = ({ searches }: TrialFacts, after: string): readonly string[] => {
  const [first] = searches;
  const [second, ...otherRepeats] = findRepeats(searches);
  if (first === undefined || second === undefined) {
    return [];
  }
  const repeatsClause = otherRepeats.length === 0 ? "" : `, and ${counted(otherRepeats.length, "more time")}`;
  return [`it sent the same search again, ${describeTime(first, second, after)}${repeatsClause}`];
};

/** Allowance for clocks that differ slightly. */
const toleranceMicros = 50_000;

const describeEarlyRetry = (facts: TrialFacts, entry: JournalEntry): string | undefined => {
  const { calls, searches, trial } = facts;
  const seconds = trial.retryAfterSeconds ?? 0;
  // Measured from the arrival: the refusal is immediate, but a busy server may record its end late.
  const answeredMicros = entry.micros.arrived;
  const next = (entry.call === undefined ? searches : calls).find(({ micros }) => micros.arrived > answeredMicros);
  const gap = next === undefined ? Infinity : next.micros.arrived - answeredMicros;
  return gap + toleranceMicros < seconds * 1_000_000
    ? `it retried ${formatSpan(gap)} after status ${entry.status}, which required a wait of ${seconds} s`
    : undefined;
};

/** Checks of how a client handles the end or the refusal of a search. */
export const searchChecks: readonly Check[] = [
  {
    id: "search/closes-after-done",
    title: "treats `done` as the end of the stream: closes within 3 s, even if the response does not end",
    basis: "derived",
    requirements: ["search-stream#3.5-closed-by-done", "search-stream#6.10-done"],
    because: "nothing follows `done`; a proxy may keep the connection open much longer.",
    needs: "accepted-requests",
    appliesTo: ({ name }) => name === "open-after-done",
    evaluate: ({ searches }) =>
      checkEach(
        searches.filter(({ micros }) => micros.done !== undefined),
        describeLateClose,
      ),
  },
  {
    id: "search/no-repeat",
    title: "sends one request for each search, even after the stream has ended",
    basis: "derived",
    requirements: ["search-stream#3.5-closed-by-done"],
    because: "`done` is the end of the search; an EventSource that is not closed reconnects and searches again.",
    needs: "accepted-requests",
    appliesTo: ({ ending, task }) => task === "search" && ["complete", "alert"].includes(ending),
    evaluate: (facts) => ({
      observations: facts.searches.length,
      findings: describeRepeats(facts, "`done`"),
    }),
  },
  {
    id: "search/no-repeat-after-cut",
    title: "does not search again by itself after a stream was cut off",
    basis: "inferred",
    requirements: [],
    because: "a repeated search delivers the matches twice, and doubles the load on a service in trouble.",
    needs: "accepted-requests",
    appliesTo: ({ ending, task }) => task === "search" && ending === "cut-off",
    evaluate: (facts) => ({
      observations: facts.searches.length,
      findings: describeRepeats(facts, "the stream had ended"),
    }),
  },
  {
    id: "retry/waits-as-told",
    title: "waits for the time in `Retry-After` before it retries",
    basis: "inferred",
    requirements: [],
    because: "RFC 9110, section 10.2.3, defines the header; not retrying is fine too.",
    needs: "requests",
    appliesTo: ({ ending }) => ending === "put-off",
    evaluate: (facts) =>
      checkEach(facts.record.requests.filter(isTemporarilyRefused), (entry) => describeEarlyRetry(facts, entry)),
  },
  {
    id: "retry/refusal-is-final",
    title: "does not retry a request that was refused with status 401",
    basis: "inferred",
    requirements: ["conversation-api#7.4-status-401"],
    because: "the same token is refused again, and some services lock accounts out.",
    needs: "requests",
    appliesTo: ({ name }) => name === "refused-token",
    evaluate: ({ searches }) => {
      const refusals = searches.filter(({ status }) => status === 401);
      return {
        observations: refusals.length,
        findings: refusals.length > 1 ? [`it sent the same token ${counted(refusals.length, "time")}`] : [],
      };
    },
  },
  {
    id: "redirect/token-stays",
    title: "never sends its token to another host",
    basis: "derived",
    requirements: ["search-stream#5.1-access-token"],
    because:
      "a token is for the service it is sent to; RFC 9110, section 15.4, removes it when a redirect leads to another host.",
    needs: "requests",
    appliesTo: ({ redirects }) => redirects === true,
    evaluate: ({ record, searches }) => {
      const leaks = record.elsewhere.filter(({ tokenIn }) => tokenIn.length > 0);
      return {
        observations: searches.filter(({ status }) => status === 307).length + leaks.length,
        findings: leaks.map(
          ({ method, tokenIn }) => `a ${method} to the other host had the token in ${tokenIn.join(" and ")}`,
        ),
      };
    },
  },
  {
    id: "process/ends",
    title: "ends by itself when its task is over",
    basis: "derived",
    requirements: [],
    because: "a client that has its result, or an error, has nothing to wait for.",
    needs: "requests",
    appliesTo: () => true,
    evaluate: ({ record: { end, endedMicros, lingerMs, startedMicros } }) => {
      if (end.kind !== "killed") {
        return createSingleResult(undefined);
      }
      switch (end.why) {
        case "lingering":
          return createSingleResult(
            `it still ran ${formatSpan(lingerMs * 1000)} after its task was over, and was killed`,
          );
        case "deadline":
          return createSingleResult(`it was not done after ${formatSpan(endedMicros - startedMicros)}, and was killed`);
        case "interrupted":
          return noObservations;
      }
    },
  },
];
