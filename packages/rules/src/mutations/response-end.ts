import type { ExchangeEnd } from "@assay/evidence";
import { member } from "@assay/reading";
import { replaceValue } from "@assay/evidence";
import { elementsWithPointers, eventSites, siteMutation } from "./mutation.ts";
import type { Mutation } from "./mutation.ts";

interface ResponseEndChange {
  readonly name: string;
  readonly effect: string;
  readonly end: ExchangeEnd;
  /** Delay of the end of the response, in microseconds. */
  readonly delayMicros: number;
}

/** Creates a mutation that ends a response differently after `done`. */
const responseEndMutation = ({ name, effect, end, delayMicros }: ResponseEndChange): Mutation => ({
  name,
  needs: "a search that sends `done`",
  *edits({ searches }) {
    for (const { exchange, events } of searches) {
      if (events().some(({ event }) => event.name === "done")) {
        const { record } = exchange;
        const times = { ...record.times, endedAtMicros: record.times.endedAtMicros + delayMicros };
        yield { effect, replacements: [{ ...exchange, record: { ...record, end, times } }] };
      }
    }
  },
});

/** Closes the connection before the end of the response. */
export const closedEarlyMutation = responseEndMutation({
  name: "closes the connection after `done` without the end of the response",
  effect: "closed the connection after `done`",
  end: { kind: "failed", code: "truncated", message: "the connection closed after `done`" },
  delayMicros: 0,
});

/** Leaves the response open, so that the client has to close it. */
export const leftOpenMutation = responseEndMutation({
  name: "leaves the response open after `done`",
  effect: "left the response open after `done`",
  end: { kind: "complete", closedBy: "client" },
  delayMicros: 2_000_000,
});

const fetchSites = eventSites("matches", (value) =>
  elementsWithPointers(value).filter(([, match]) => typeof member(match, "repoLastFetched") === "string"),
);

/** Sends a repository that was last fetched after the response. */
export const laterFetchMutation: Mutation = {
  ...siteMutation(
    {
      name: "sends a `repoLastFetched` after the response",
      needs: "a content match with `repoLastFetched`, in a response with `Date`",
      effect: "sent a `repoLastFetched` of the year 2199",
      splice: ({ json, pointer }) => replaceValue(json, `${pointer}/repoLastFetched`, "2199-05-17T08:30:00Z"),
    },
    fetchSites,
  ),
  isOptional: true,
};
