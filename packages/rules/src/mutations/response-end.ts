import type { ExchangeEnd } from "@assay/evidence";
import { member } from "@assay/reading";
import { replaceValue } from "@assay/evidence";
import { elements, eventSites, siteMutation } from "./mutation.ts";
import type { Mutation } from "./mutation.ts";

interface EndedInstead {
  readonly name: string;
  readonly effect: string;
  readonly end: ExchangeEnd;
  /** Delay of the end of the response, in microseconds. */
  readonly laterMicros: number;
}

/** A mutation that ends a response differently after `done`. */
const endsInstead = ({ name, effect, end, laterMicros }: EndedInstead): Mutation => ({
  name,
  needs: "a search that sends `done`",
  *edits({ searches }) {
    for (const { exchange, events } of searches) {
      if (events().some(({ event }) => event.name === "done")) {
        const { record } = exchange;
        const times = { ...record.times, endedAtMicros: record.times.endedAtMicros + laterMicros };
        yield { effect, instead: [{ ...exchange, record: { ...record, end, times } }] };
      }
    }
  },
});

/** The connection closes before the end of the response. */
export const closedEarly = endsInstead({
  name: "closes the connection after `done` without the end of the response",
  effect: "closed the connection after `done`",
  end: { kind: "failed", code: "truncated", message: "the connection closed after `done`" },
  laterMicros: 0,
});

/** The response stays open, so the client has to close it. */
export const leftOpen = endsInstead({
  name: "leaves the response open after `done`",
  effect: "left the response open after `done`",
  end: { kind: "complete", closedBy: "client" },
  laterMicros: 2_000_000,
});

const fetchSites = eventSites("matches", (value) =>
  elements(value).filter(([, match]) => typeof member(match, "repoLastFetched") === "string"),
);

/** A repository whose last fetch is after the response. */
export const fetchedLater: Mutation = {
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
