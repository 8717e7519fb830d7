import { searchParameters } from "@assay/contract";
import type { JournalEntry } from "@assay/reference-server";
import { type Check, each, once, unseen } from "../check.ts";
import { counted, isPutOff, parametersOf, spanOf, type TrialFacts } from "../trial-facts.ts";

/** How soon after `done` a client has to close; the server keeps the response open for longer. */
const closeWithinMicros = 3_000_000;

const lateClose = ({ micros }: JournalEntry): string | undefined => {
  const { done, closed, lastByte } = micros;
  const end = closed ?? lastByte;
  return done !== undefined && end !== undefined && end - done > closeWithinMicros
    ? `it kept its connection open for ${spanOf(end - done)} after \`done\`, until the server closed it`
    : undefined;
};

/** What decides the result of a search: parameters that no document knows do not, nor does the order of those it knows. */
const askedFor = (entry: JournalEntry): string => {
  const parameters = parametersOf(entry);
  return JSON.stringify(searchParameters.map((name) => parameters.get(name)));
};

/** Searches for what was searched for before. */
const repeats = (searches: readonly JournalEntry[]): readonly JournalEntry[] => {
  const asked = searches.map((entry) => askedFor(entry));
  return searches.filter((_, index) => asked.indexOf(asked[index] ?? "") < index);
};

/** How much later than its client a server may see that a connection has closed. */
const closeSeenMicros = 250_000;

/** When a search came, told by the end of the first one. */
const momentOf = (first: JournalEntry, second: JournalEntry, after: string): string => {
  const { closed, done, lastByte } = first.micros;
  const end = done ?? lastByte ?? closed;
  const gap = second.micros.arrived - (end ?? Infinity);
  // Of a connection that broke, the two sides learn in no order.
  if (end !== undefined && end === closed && Math.abs(gap) < closeSeenMicros) {
    return "about when the connection of the first one closed";
  }
  return gap < 0 ? "while the first search ran" : `${spanOf(gap)} after ${after}`;
};

const repeated = ({ searches }: TrialFacts, after: string): readonly string[] => {
  const [first] = searches;
  const [second, ...more] = repeats(searches);
  if (first === undefined || second === undefined) {
    return [];
  }
  const others = more.length === 0 ? "" : `, and ${counted(more.length, "more time")}`;
  return [`it sent the same search again, ${momentOf(first, second, after)}${others}`];
};

/** What `Retry-After` promises, with some room for clocks that are not quite even. */
const spareMicros = 50_000;

const earlyRetry = (facts: TrialFacts, entry: JournalEntry): string | undefined => {
  const { calls, searches, trial } = facts;
  const seconds = trial.retryAfterSeconds ?? 0;
  // It is put off at once; the end of the answer is what a busy server may note when the client has been waiting for a while.
  const answeredMicros = entry.micros.arrived;
  const next = (entry.call === undefined ? searches : calls).find(({ micros }) => micros.arrived > answeredMicros);
  const gap = next === undefined ? Infinity : next.micros.arrived - answeredMicros;
  return gap + spareMicros < seconds * 1_000_000
    ? `told by status ${entry.status} to wait ${seconds} s, it came back after ${spanOf(gap)}`
    : undefined;
};

/** Checks of how a client deals with the end of a search, or with its refusal. */
export const searchChecks: readonly Check[] = [
  {
    id: "search/closes-after-done",
    title: "takes `done` for the end of the stream: closes within 3 s, whether or not the response ends",
    basis: "derived",
    requirements: ["search-stream#3.5-closed-by-done", "search-stream#6.10-done"],
    because: "nothing follows `done`; a proxy may keep the connection open much longer.",
    needs: "accepted-requests",
    applies: ({ name }) => name === "open-after-done",
    look: ({ searches }) =>
      each(
        searches.filter(({ micros }) => micros.done !== undefined),
        lateClose,
      ),
  },
  {
    id: "search/no-repeat",
    title: "sends one request for one search, also when the stream has ended",
    basis: "derived",
    requirements: ["search-stream#3.5-closed-by-done"],
    because: "`done` is the end of the search; an EventSource that is not closed connects again and searches anew.",
    needs: "accepted-requests",
    applies: ({ ending, task }) => task === "search" && ["complete", "alert"].includes(ending),
    look: (facts) => ({
      observations: facts.searches.length,
      findings: repeated(facts, "`done`"),
    }),
  },
  {
    id: "search/no-repeat-after-cut",
    title: "leaves it to its user whether to search again after a stream that was cut off",
    basis: "inferred",
    requirements: [],
    because: "matches add up: a repeated search delivers them twice, and puts the whole load on a service in trouble.",
    needs: "accepted-requests",
    applies: ({ ending, task }) => task === "search" && ending === "cut-off",
    look: (facts) => ({
      observations: facts.searches.length,
      findings: repeated(facts, "the stream had ended"),
    }),
  },
  {
    id: "retry/waits-as-told",
    title: "waits as long as `Retry-After` says before it tries again",
    basis: "inferred",
    requirements: [],
    because: "RFC 9110, section 10.2.3, says what the header means; not to try again is fine too.",
    needs: "requests",
    applies: ({ ending }) => ending === "put-off",
    look: (facts) => each(facts.record.requests.filter(isPutOff), (entry) => earlyRetry(facts, entry)),
  },
  {
    id: "retry/refusal-is-final",
    title: "does not send again what was refused with status 401",
    basis: "inferred",
    requirements: ["conversation-api#7.4-status-401"],
    because: "the same token is refused again, and some services lock accounts out.",
    needs: "requests",
    applies: ({ name }) => name === "refused-token",
    look: ({ searches }) => {
      const refused = searches.filter(({ status }) => status === 401);
      return {
        observations: refused.length,
        findings: refused.length > 1 ? [`it sent the same token ${counted(refused.length, "time")}`] : [],
      };
    },
  },
  {
    id: "redirect/token-stays",
    title: "never carries its token to another host",
    basis: "derived",
    requirements: ["search-stream#5.1-access-token"],
    because:
      "a token is for the service it is sent to; RFC 9110, section 15.4, has it removed when a redirect leads elsewhere.",
    needs: "requests",
    applies: ({ redirects }) => redirects === true,
    look: ({ record, searches }) => {
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
    because: "a client that has what it asked for, or has learnt that it will not get it, has nothing to wait for.",
    needs: "requests",
    applies: () => true,
    look: ({ record: { end, endedMicros, lingerMs, startedMicros } }) => {
      if (end.kind !== "killed") {
        return once(undefined);
      }
      switch (end.why) {
        case "lingering":
          return once(`it still ran ${spanOf(lingerMs * 1000)} after its task was over, and was killed`);
        case "deadline":
          return once(`it was not done after ${spanOf(endedMicros - startedMicros)}, and was killed`);
        case "interrupted":
          return unseen;
      }
    },
  },
];
