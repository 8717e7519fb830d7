import { setTimeout as wait } from "node:timers/promises";
import { searchPath } from "@assay/contract";
import type { Refusal } from "../access.ts";
import { countUp } from "./conversation/seen-conversations.ts";
import { isFinalProgress, replaceFirst } from "./event-transforms.ts";
import { type Fault, type FaultEffect, disrupting, legal, violating } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

/** Holds the response open after its last byte, or until the client has left. */
const lateEnd: FaultEffect = {
  layer: "bytes",
  async *apply(chunks, { applied, signal, values }) {
    yield* chunks;
    applied();
    await wait(Number(values["ms"]), undefined, { signal, ref: false }).catch(() => undefined);
  },
};

const busyRefusal = ({ values }: FaultRun): Refusal => ({
  allowed: false,
  status: Number(values["status"]),
  text: "The service is busy; try again later.",
  retryAfterSeconds: Number(values["seconds"]),
});

/** The first searches are refused before they are looked at, whoever sends them. */
const busy: FaultEffect = {
  layer: "access",
  apply: (decision, _request, run) => {
    if (run.ticket() >= Number(run.values["times"])) {
      return decision;
    }
    run.applied();
    return busyRefusal(run);
  },
};

const elsewhere: FaultEffect = {
  layer: "access",
  apply: (decision, { credential }, run) => {
    if (!decision.allowed || credential !== "access") {
      return decision;
    }
    run.applied();
    const location = `http://localhost:${run.values["port"]}${searchPath}?${run.given.toString()}`;
    return { allowed: false, status: 307, text: "Temporary Redirect.", location };
  },
};

/** Which read of the conversations of a server is told to wait. */
const busyRead = 2;

/** Situations in which clients show what they are worth. Most are right or nearly so: a target may do the same any day. */
export const clientFaults: readonly Fault[] = [
  legal("late-end")(
    "The response stays open for a while after `done`, as behind a proxy that is slow to close.",
    lateEnd,
    { ms: { title: "milliseconds between `done` and the end", default: 300 } },
  ),
  legal("error-event")(
    "An event `error` stands between the final progress and `done`: a part of the search failed.",
    replaceFirst(isFinalProgress, (event) => [
      event,
      { name: "error", data: { message: "a part of the index could not be searched" } },
    ]),
  ),
  disrupting("busy")("Searches are answered with status 429 or 503 and the time after which to try again.", busy, {
    status: { title: "the status", default: "429", choices: ["429", "503"] },
    seconds: { title: "value of the header Retry-After", default: 1 },
    times: { title: "number of searches that are put off, the first ones", default: 1_000_000 },
  }),
  legal("busy-once")(
    "The first search is answered with status 429 and the time after which to try again.",
    {
      layer: "access",
      apply: (decision, _request, run) => {
        if (run.ticket() > 0) {
          return decision;
        }
        run.applied();
        return busyRefusal({ ...run, values: { ...run.values, status: 429 } });
      },
    },
    { seconds: { title: "value of the header Retry-After", default: 1 } },
  ),
  violating("stream/access-token-is-accepted", "redirect-elsewhere")(
    "A search with a valid access token is redirected to a port of the host `localhost`.",
    elsewhere,
    { port: { title: "the port", default: 9 } },
  ),
  legal("conversation-busy")(
    "The second read is answered with status 429 and the time after which to try again.",
    {
      layer: "conversation",
      apply: (answer, call, run) => {
        if (call.operation !== "get" || countUp(run, "reads that may be put off") !== busyRead) {
          return answer;
        }
        run.applied();
        const headers = { "retry-after": String(run.values["seconds"]), "content-type": "text/plain; charset=utf-8" };
        return { status: 429, headers, text: "Try again later.\n" };
      },
    },
    { seconds: { title: "value of the header Retry-After", default: 1 } },
  ),
];
