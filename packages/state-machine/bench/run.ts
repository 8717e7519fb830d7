import { currentMachine, legacyMachine } from "@assay/contract";
import { measure } from "./measure.ts";
import type { Measured } from "./measure.ts";
import type { TrafficShape } from "./poll-traffic.ts";

const observations = Number(process.argv[2] ?? 1_000_000);

const shapes: readonly TrafficShape[] = [legacyMachine, currentMachine].flatMap((machine) => [
  { name: "100 conversations, 8 pollers", machine, observations, conversations: 100, sessions: 8 },
  { name: "10,000 conversations, 8 pollers", machine, observations, conversations: 10_000, sessions: 8 },
]);

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

function line({ shape, checkMs, parseMs, heapBytes: [early, late], findings }: Measured): string {
  return [
    `${shape.machine.interface}, ${shape.name}:`,
    `${shape.observations} observations in ${(checkMs / 1000).toFixed(2)} s (goal 10 s, aim 2 s),`,
    `${(checkMs / parseMs).toFixed(2)} of JSON.parse (${(parseMs / 1000).toFixed(2)} s);`,
    `heap after a half ${mebibytes(early)}, at the end ${mebibytes(late)}, ${Math.round(late / shape.conversations)} B a conversation;`,
    `${findings} findings`,
  ].join(" ");
}

/** Measures speed and memory of the history checker. The first argument is the number of observations [1,000,000]. */
for (const shape of shapes) {
  console.log(line(measure(shape)));
}
