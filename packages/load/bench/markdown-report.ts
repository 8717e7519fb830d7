import { goalsOf, kindTitles, outcomeTitles, titleOf } from "./goals.ts";
import type { Goal } from "./goals.ts";
import { eventClients, perCoreSecond } from "./measurements.ts";
import type { AccuracyResult, CapacityResult, LoadBenchResult, PacedPolling } from "./measurements.ts";

type Row = readonly string[];

const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** The report for people; a pure function of the measurements. */
export const markdownReport = (result: LoadBenchResult): string => `# Clients of streams under load

Written by \`npm run bench:load\`; the same in numbers is in \`load.json\` beside this file. ${machineText(result)}
only ratios within this run mean something.

The emitter is a process of plain Node that sends canned bytes and judges nothing. What ours is compared with:

- **the peer built here** (\`packages/load/bench/peer\`): k6 of the same version with a small extension around a
  well-kept Go library for server-sent events. It works as the usual event-stream extension of k6 does: a new connection for each stream, each
  event handed to a callback in JavaScript, times taken there, nothing parsed or checked. It stands in for xk6-sse and is not xk6-sse;
- **xk6-sse** itself: ${sseText(result)};
- **stock \`http.get\`**: sees no event, only the end of the body.

## Goals

${table(["goal", "demanded", "measured", "outcome"], goalsOf(result).map(goalRow))}

## Error of the time to first match

The emitter sends the headers and a progress event at once, the first match after 50 ms, then 99 more every 10 ms (every 2 ms for one
stream at a time, so that there are more streams), filters, progress and \`done\`. It records when it sent the first match, counted from
the request. The error is the client's time minus this one. One stream at a time is a closed loop; more are an open model. The first
streams are left out. Dropped streams could not begin in an open model, because all users (twice as many as needed) were busy.
\`http.get\` reports only the end of the body: that is its error.

${table(["client", "at a time", "streams", "median, ms", "of the rounds", "p90, ms", "p99, ms", "dropped", "processor time a stream, ms", "emitter's own delay, ms"], result.accuracy.map(accuracyRow))}

## Capacity

Twenty users in a closed loop; everything is sent at once. Streams per second and core are counted per second of processor time of k6,
in the middle of the run. A high share of the emitter's core means that k6 had to wait for it. Every stream is checked for completeness,
and our client must find no violation. In some streams each match is new. Of these, and of streams faster than 256 MiB per second, only a
random share is kept: the last column.

${table(["client", "stream", "streams a second and core", "streams a second", "from – to", "k6's share of a core", "emitter's share", "peak memory of k6, MB", "kept"], result.capacity.map(capacityRow))}

## Polling

${pollingText(result)}
`;

function machineText({ machine, seconds }: LoadBenchResult): string {
  const pinned = machine.isPinned ? "k6 on the first core and the emitter on the second" : "without fixed cores";
  return `Node ${machine.node}, ${machine.k6},
${machine.cpus} processors (${machine.processor}), ${pinned}; ${seconds.toFixed(0)} seconds in all. Other programs may have shared the machine:`;
}

const sseText = ({ accuracy }: LoadBenchResult): string =>
  accuracy.some(({ client }) => client === "xk6-sse")
    ? "the k6 that ASSAY_BENCH_XK6_SSE named"
    : "not measured in this run, because ASSAY_BENCH_XK6_SSE named no k6 that has it (the Go module proxy offers no version of it)";

const goalRow = ({ name, demanded, measured, outcome }: Goal): Row => [
  name,
  demanded,
  measured,
  outcomeTitles[outcome],
];

const accuracyRow = ({ client, concurrency, streams, ...rest }: AccuracyResult): Row => [
  titleOf(client),
  String(concurrency),
  String(streams),
  rest.medianMs.toFixed(2),
  span(rest.rounds, 2),
  rest.p90Ms.toFixed(2),
  rest.p99Ms.toFixed(2),
  String(rest.dropped),
  rest.cpuMsPerStream.toFixed(2),
  rest.emitterMedianMs.toFixed(2),
];

const share = (cpuSeconds: number, wallSeconds: number): string => `${((cpuSeconds / wallSeconds) * 100).toFixed(0)} %`;

const capacityRow = (result: CapacityResult): Row => [
  result.kind === "poll" ? "k6" : titleOf(result.client),
  kindTitles[result.kind],
  perCoreSecond(result).toFixed(0),
  (result.streams / result.wallSeconds).toFixed(0),
  span(result.rounds, 0),
  share(result.cpuSeconds, result.wallSeconds),
  share(result.emitterCpuSeconds, result.wallSeconds),
  (result.peakBytes / 2 ** 20).toFixed(0),
  keptText(result),
];

/** The share of the streams that are kept, and that of those that were lost where any was. */
function keptText({ exchanges }: CapacityResult): string {
  if (exchanges === undefined) {
    return "";
  }
  const { sent, kept, lost } = exchanges;
  return lost === 0 ? share(kept, sent) : `${share(kept, sent)}, ${share(lost, sent)} lost`;
}

const span = (values: readonly number[], digits: number): string =>
  values.length < 2 ? "" : `${Math.min(...values).toFixed(digits)} – ${Math.max(...values).toFixed(digits)}`;

function pollingText({ polling }: LoadBenchResult): string {
  if (polling === undefined) {
    return "Not measured.";
  }
  return `At a fixed rate of ${polling.ratePerSecond} polls a second (${achieved(polling)} achieved) k6 takes ${share(polling.cpuSeconds, polling.wallSeconds)} of a core,
${((polling.cpuSeconds * 1000) / polling.polls).toFixed(2)} ms of processor time a poll. The most that one core can do stands in the table above.`;
}

const achieved = ({ polls, wallSeconds }: PacedPolling): string => (polls / wallSeconds).toFixed(0);

const columnGap = "  ";

/** The measurements as a plain table for the terminal, clients that see events first. */
export function terminalTable(result: LoadBenchResult): string {
  const rows = result.accuracy
    .toSorted((a, b) => a.concurrency - b.concurrency || order(a) - order(b))
    .map((one) => [
      `${one.concurrency} at a time`,
      one.client,
      `${one.medianMs.toFixed(2)} ms`,
      `${one.p99Ms.toFixed(2)} ms`,
    ]);
  const capacity = result.capacity.map((one) => [
    kindTitles[one.kind],
    one.client,
    `${perCoreSecond(one).toFixed(0)}/s`,
    `${(one.peakBytes / 2 ** 20).toFixed(0)} MB`,
  ]);
  return [
    aligned([["error", "client", "median", "p99"], ...rows]),
    "",
    aligned([["stream", "client", "per core", "peak"], ...capacity]),
  ].join("\n");
}

const order = ({ client }: AccuracyResult): number => (eventClients.includes(client) ? 0 : 1);

function aligned(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(columnGap)
        .trimEnd(),
    )
    .join("\n");
}
