import type { RunChange, RunTimelines } from "@assay/results";

/** Timelines of the run of `resultOf`: two streams, one conversation through both interfaces, both state machines, details of one exchange. */
export const sampleTimelines: RunTimelines = {
  schemaVersion: 1,
  runId: "20260102-030405-abcd",
  streams: [
    {
      exchange: "x1",
      probe: "basic-search",
      url: "http://127.0.0.1:3080/.api/search/stream?q=assay&v=V3",
      status: 200,
      bytes: 12_400,
      connectedMicros: 400,
      headersMicros: 3200,
      firstByteMicros: 3900,
      firstEventMicros: 4100,
      firstMatchMicros: 12_400,
      finalProgressMicros: 39_000,
      doneMicros: 40_000,
      endedMicros: 40_120,
      serverDurationMs: 35,
      lanes: [
        {
          event: "progress",
          events: 2,
          ticks: [
            { fromMicros: 3900, toMicros: 4100, bytes: 90, events: 1, matches: 0 },
            { fromMicros: 38_900, toMicros: 39_000, bytes: 120, events: 1, matches: 0 },
          ],
        },
        {
          event: "matches",
          events: 5,
          ticks: [{ fromMicros: 12_000, toMicros: 20_400, bytes: 12_000, events: 5, matches: 31 }],
        },
        {
          event: "done",
          events: 1,
          ticks: [{ fromMicros: 39_990, toMicros: 40_000, bytes: 20, events: 1, matches: 0 }],
        },
      ],
    },
    {
      exchange: "x2",
      probe: "no-matches",
      url: "http://127.0.0.1:3080/.api/search/stream?q=zzz&v=V3",
      status: 200,
      bytes: 310,
      endedMicros: 9800,
      buffered: "all events came within 1 ms, long after the request",
      lanes: [
        {
          event: "done",
          events: 1,
          ticks: [{ fromMicros: 9700, toMicros: 9750, bytes: 20, events: 1, matches: 0 }],
        },
      ],
    },
  ],
  moreStreams: 3,
  conversations: [
    {
      conversation: "1",
      lanes: [
        {
          interface: "legacy",
          question: "11",
          polls: [
            { exchange: "x3", sentMicros: 1000, answeredMicros: 2000, state: "processing" },
            { exchange: "x4", sentMicros: 9000, answeredMicros: 9900, state: "completed" },
          ],
          morePolls: 0,
        },
        {
          interface: "current",
          question: "users/1/conversations/1",
          polls: [{ exchange: "x5", sentMicros: 3000, answeredMicros: 4000, state: "processing" }],
          morePolls: 2,
        },
      ],
    },
  ],
  moreConversations: 1,
  diagrams: [
    {
      interface: "legacy",
      states: [
        { state: "processing", listed: true, terminal: false, seen: 1 },
        { state: "completed", listed: true, terminal: true, seen: 1 },
      ],
      edges: [
        { from: "processing", to: "completed", standing: "allowed", seen: 1 },
        { from: "completed", to: "processing", standing: "not-allowed", seen: 1 },
      ],
    },
  ],
  exchanges: [
    {
      exchange: "x3",
      method: "GET",
      url: "http://127.0.0.1:3080/.api/search/stream?q=assay&v=V3",
      requestHeaders: ["accept: text/event-stream", "authorization: token REDACTED"],
      requestBody: '{"question":"why"}',
      status: 200,
      responseHeaders: ["content-type: text/event-stream"],
      bodyHead: "event: progress\\ndata: {}\\n\\n: keep-alive\\n\\nevent: done\\ndata: {}\\n\\n",
      bodyBytes: 12_400,
    },
  ],
  moreExchanges: 0,
};

const changed = (id: string) => ({
  rule: `stream/${id}`,
  interface: "stream",
  operation: "search",
  title: `what ${id} demands`,
});

/** A change with an entry in every list. */
export const sampleChange: RunChange = {
  baseline: { id: "20260101-030405-abcd", target: "http://127.0.0.1:3080", startedAt: "2026-01-01T03:04:05.000Z" },
  sentence: "1 rule fails that passed in run 20260101-030405-abcd; 1 passes again; 1 is no longer tested",
  broken: [{ ...changed("two-fields"), before: "passed", after: "failed" }],
  fixed: [{ ...changed("data-is-json"), before: "failed", after: "passed" }],
  stillBroken: [{ ...changed("done-is-last"), before: "failed", after: "failed" }],
  noLongerSeen: [{ ...changed("text-is-utf-8"), before: "passed" }],
  newlySeen: [{ ...changed("filter-kind-is-known"), after: "passed" }],
  caveats: ["the earlier run had another profile"],
};
