import { withFilter } from "../query/edit-filters.ts";
import { isPayloadArray } from "../payload.ts";
import { changeProgress, type EventEffect } from "./event-transforms.ts";
import type { Fault, FaultRun } from "./fault.ts";
import { countOf, isGiven, searchWith } from "./parameter-transforms.ts";
import { withoutLimitEntries } from "./skipped-transforms.ts";

const displayIgnored = searchWith(({ display, ...parameters }) => (display === undefined ? undefined : parameters));

const mostElements = (run: FaultRun): number => {
  const display = isGiven(run, "display") ? Number(run.given.get("display")) : -1;
  return display < 0 ? Number.POSITIVE_INFINITY : display + Number(run.values["more"]);
};

/** Delivers so many elements more than asked for, and no more. */
const someMore: EventEffect = {
  layer: "events",
  async *apply(events, run) {
    let left = mostElements(run);
    for await (const event of events) {
      const elements = event.name === "matches" && isPayloadArray(event.data) ? event.data.slice(0, left) : undefined;
      left -= elements?.length ?? 0;
      if (elements?.length !== 0) {
        yield elements === undefined ? event : { name: event.name, data: elements };
      }
    }
  },
};

const stopsAt = ({ display, q }: { readonly display?: number; readonly q: string }): number | undefined =>
  display !== undefined && display > 0 && display < (countOf(q) ?? Number.POSITIVE_INFINITY) ? display : undefined;

/** Faults in what `display` does. */
export const displayFaults: readonly Fault[] = [
  {
    id: "display-exceeded",
    title: "more matches than display",
    description: "The parameter `display` has no effect.",
    kind: "violation",
    attacks: "stream/display-bounds-matches",
    ...displayIgnored,
  },
  {
    id: "display-overshot",
    title: "a match more than display",
    description: "One match more than `display` asks for is delivered, or as many more as the parameter says.",
    kind: "violation",
    attacks: "stream/display-bounds-matches",
    parameters: { more: { title: "number of matches beyond `display`", default: 1 } },
    ...displayIgnored,
    also: [someMore],
  },
  {
    id: "display-stops-counting",
    title: "a search that stops at display",
    description: "The search stops when `display` is reached, and counts no further.",
    kind: "violation",
    attacks: "stream/display-keeps-counting",
    ...searchWith((parameters) => {
      const most = stopsAt(parameters);
      return most === undefined ? undefined : { ...parameters, q: withFilter(parameters.q, "count", most) };
    }),
    also: [
      changeProgress((progress, { given }) => {
        const display = Number(given.get("display") ?? "");
        return stopsAt({ display, q: given.get("q") ?? "" }) === undefined ? undefined : withoutLimitEntries(progress);
      }),
    ],
  },
  {
    id: "default-display",
    title: "a display that nobody asked for",
    description: "Without `display` only three matches are delivered, or as many as the parameter says.",
    kind: "violation",
    attacks: "stream/no-display-no-limit",
    parameters: { matches: { title: "number of matches delivered", default: 3 } },
    ...searchWith((parameters, run) =>
      isGiven(run, "display") ? undefined : { ...parameters, display: Number(run.values["matches"]) },
    ),
  },
];
