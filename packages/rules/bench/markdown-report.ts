import { goalsOf } from "./goals.ts";
import type { Goal } from "./goals.ts";
import type { BenchResult, LatencyResult, MemoryResult, SpeedResult } from "./measurements.ts";
import { mebibyte } from "./stream-profiles.ts";

type Row = readonly string[];

const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const megabytes = (bytes: number): string => (bytes / mebibyte).toFixed(0);

/** The report for people; a pure function of the measurements. */
export const markdownReport = (result: BenchResult): string => `# Speed of checking a stream

Written by \`npm run bench\`; the raw medians are in \`stream-check.json\` beside this file. Node ${result.node},
${result.cpus} processors, which other programs may have shared: only ratios mean something. MB are 2^20 bytes.

## Goals

${table(["goal", "demanded", "measured", "outcome"], goalsOf(result).map(goalRow))}

## Speed

Each layer reads the whole stream once in each of ${result.speed[0]?.rounds ?? 0} rounds, in an order that changes from round to round, from
memory, in random cuts of 32 to 96 KB. Ratios are medians of the ratios within the rounds. Every layer is checked to have
seen all events, and the full check to have found nothing: the generated streams keep every rule. The textbook way is the third
layer: \`TextDecoder\`, \`eventsource-parser\`, \`JSON.parse\` and ajv. No garbage collection is forced between layers. Earlier
versions of this page did that, and V8 then discarded the optimized code of the checker before each of its rounds.

${table(["profile", "MB", "events", "layer", "MB/s", "× eventsource-parser", "× JSON.parse", "× textbook"], result.speed.flatMap(speedRows))}

## Memory

One process that does nothing but judge one stream by every rule while it arrives over HTTP on this machine. Idle is its
resident memory before the request is sent, with all modules loaded and all validators compiled.

${table(["profile", "MB", "events", "largest event, MB", "idle, MB", "peak, MB", "seconds"], result.memory.map(memoryRow))}

## From the last bytes to the verdict

Events arrive at a steady rate over HTTP on this machine. Measured from the entry of the callback that brings the last
byte of an event until every rule has judged it; what of a long array came earlier has been parsed by then. Quantiles are
medians of ${result.latency[0]?.rounds ?? 0} rounds. Disturbed are events during whose judging the operating system took the processor away for
another process; the column before it is the 99th percentile of the others.

${table(["event, KB", "every, ms", "events", "median, ms", "99th percentile, ms", "undisturbed, ms", "disturbed", "processor time"], result.latency.map(latencyRow))}
`;

/** One line for the terminal. */
export const goalLine = ({ name, demanded, measured, isReached }: Goal): string =>
  `${isReached ? "reached" : "MISSED "}  ${name}: ${measured} (${demanded})`;

const goalRow = ({ name, demanded, measured, isReached }: Goal): Row => [
  name,
  demanded,
  measured,
  isReached ? "reached" : "MISSED",
];

const speedRows = ({ profile, bytes, events, layers }: SpeedResult): readonly Row[] =>
  layers.map(({ title, megabytesPerSecond, timesStandardParser, timesJsonParse, timesTextbook }) => [
    profile,
    megabytes(bytes),
    String(events),
    title,
    megabytesPerSecond.toFixed(0),
    timesStandardParser.toFixed(2),
    timesJsonParse.toFixed(2),
    timesTextbook.toFixed(2),
  ]);

const memoryRow = ({ profile, bytes, events, largestEventBytes, idleBytes, peakBytes, seconds }: MemoryResult): Row => [
  profile,
  megabytes(bytes),
  String(events),
  (largestEventBytes / mebibyte).toFixed(1),
  megabytes(idleBytes),
  megabytes(peakBytes),
  seconds.toFixed(0),
];

const latencyRow = ({ eventBytes, everyMs, events, medianMs, p99Ms, cpuShare, ...rest }: LatencyResult): Row => [
  (eventBytes / 1024).toFixed(0),
  String(everyMs),
  String(events),
  medianMs.toFixed(2),
  p99Ms.toFixed(2),
  rest.undisturbedP99Ms?.toFixed(2) ?? "none",
  `${(rest.disturbedShare * 100).toFixed(0)} %`,
  `${(cpuShare * 100).toFixed(0)} %`,
];
