import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { currentMachine, legacyMachine } from "@assay/contract";
import type { ConversationMachine } from "@assay/contract";
import { createHistoryChecker } from "@assay/state-machine";
import { createLastStateChecker } from "./last-state-checker.ts";
import { measure } from "./measure.ts";
import type { Measured, MeasuredChecker } from "./measure.ts";
import type { TrafficShape } from "./poll-traffic.ts";

/**
 * Measures speed and memory of the history checker next to a peer, and writes `reports/benchmarks/histories.{md,json}`. With `--smoke` it
 * measures little, once, and writes nothing.
 */
const folder = new URL("../../../../reports/benchmarks/", import.meta.url);

const goalPerSecond = 300_000;
const goalBytes = 4096;
/** Open conversations whose memory the goal is about. */
const goalConversations = 10_000;
const rounds = 3;

const isSmoke = process.argv.includes("--smoke");
const observations = isSmoke ? 20_000 : 1_000_000;

const shapes: readonly TrafficShape[] = [legacyMachine, currentMachine].flatMap((machine) =>
  [100, goalConversations].map((conversations) => ({ machine, observations, conversations, sessions: 8 })),
);

const checkers: Readonly<Record<string, (machine: ConversationMachine) => MeasuredChecker>> = {
  "history checker": createHistoryChecker,
  "last state": createLastStateChecker,
};

/** The figures of one checker and one kind of traffic, from the best of all rounds. */
interface Row {
  readonly interface: ConversationMachine["interface"];
  readonly conversations: number;
  readonly checker: string;
  readonly observationsPerSecond: number;
  /** Compared with `JSON.parse` of the same answers in the same process. */
  readonly timesJsonParse: number;
  readonly bytesPerConversation: number;
}

/** Measures in a process of its own, so that no other measurement has filled its heap or warmed its code. */
function measureApart(shapeIndex: number, checker: string): Measured {
  const args = [fileURLToPath(import.meta.url), "--measure", String(shapeIndex), checker];
  const output = execFileSync(process.execPath, isSmoke ? [...args, "--smoke"] : args, { encoding: "utf8" });
  const measured: Measured = JSON.parse(output);
  return measured;
}

function toRow({ machine, conversations }: TrafficShape, checker: string, results: readonly Measured[]): Row {
  const checkMs = Math.min(...results.map((result) => result.checkMs));
  return {
    interface: machine.interface,
    conversations,
    checker,
    observationsPerSecond: Math.round((observations / checkMs) * 1000),
    timesJsonParse: Math.min(...results.map((result) => result.checkMs / result.parseMs)),
    bytesPerConversation: Math.round(Math.min(...results.map(({ heapBytes: [, late] }) => late)) / conversations),
  };
}

/** Measures everything in interleaved rounds. */
function measureAll(): readonly Row[] {
  const cells = shapes.flatMap((shape, index) => Object.keys(checkers).map((checker) => ({ shape, index, checker })));
  const results = cells.map((): Measured[] => []);
  for (let round = 0; round < (isSmoke ? 1 : rounds); round += 1) {
    for (const [cell, { shape, index, checker }] of cells.entries()) {
      console.log(`round ${round + 1}: ${shape.machine.interface}, ${shape.conversations} conversations, ${checker}`);
      results[cell]?.push(measureApart(index, checker));
    }
  }
  return cells.map(({ shape, checker }, cell) => toRow(shape, checker, results[cell] ?? []));
}

const formatCount = (count: number): string => count.toLocaleString("en-US");
const outcome = (isReached: boolean): string => (isReached ? "reached" : "MISSED");

/** The outcomes of the goals for speed and memory. A peer has no goals, and few conversations none for memory. */
function outcomesOf(row: Row): readonly [speed: string, memory: string] {
  if (row.checker !== "history checker") {
    return ["", ""];
  }
  const isOfMemory = row.conversations === goalConversations;
  return [
    outcome(row.observationsPerSecond >= goalPerSecond),
    isOfMemory ? outcome(row.bytesPerConversation <= goalBytes) : "",
  ];
}

function formatRow(row: Row): string {
  const [speed, memory] = outcomesOf(row);
  return `| ${[
    row.interface,
    formatCount(row.conversations),
    row.checker,
    formatCount(row.observationsPerSecond),
    speed,
    row.timesJsonParse.toFixed(2),
    formatCount(row.bytesPerConversation),
    memory,
  ].join(" | ")} |`;
}

const toMarkdown = (rows: readonly Row[]): string => `# Checking histories

Written by \`npm run reports -- histories\`; the same figures are in \`histories.json\`. Node ${process.version}. ${formatCount(observations)} answers of
overlapping polls by 8 pollers. Each conversation has two questions and passes through ten versions in the first half. CPU time of observing and
judging, garbage collection included; making the answers is not included. The best of ${rounds} interleaved rounds, each in a process of its own.

*last state* is a peer: it keeps the last answer of each conversation and looks up whether the table allows the next step. It fails correct
servers whose answers overlap, and compares only states. Memory is what is left after a collection, divided by the number of conversations; what all of
them share weighs on few conversations. Goals: ${formatCount(goalPerSecond)} observations a second, and ${formatCount(goalBytes)} bytes for each of ${formatCount(goalConversations)} open conversations.

| interface | conversations | checker | observations/s | goal | × \`JSON.parse\` | bytes/conversation | goal |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.map(formatRow).join("\n")}
`;

function publish(): void {
  const rows = measureAll();
  for (const row of rows) {
    console.log(formatRow(row));
  }
  if (!isSmoke) {
    const json = { node: process.version, observations, rounds, rows };
    writeFileSync(new URL("histories.json", folder), `${JSON.stringify(json, undefined, 2)}\n`);
    writeFileSync(new URL("histories.md", folder), toMarkdown(rows));
  }
}

/** Measures one checker and prints the figures as JSON. */
function measureHere(shape: TrafficShape | undefined, createChecker: (typeof checkers)[string] | undefined): void {
  if (shape === undefined || createChecker === undefined) {
    throw new Error("--measure takes the index of a kind of traffic and the name of a checker");
  }
  const measured = measure(shape, () => createChecker(shape.machine));
  if (measured.findings > 0) {
    throw new Error(`${measured.findings} findings in traffic without a fault`);
  }
  console.log(JSON.stringify(measured));
}

const [flag, shapeIndex, checkerName = ""] = process.argv.slice(2);
if (flag === "--measure") {
  measureHere(shapes[Number(shapeIndex)], checkers[checkerName]);
} else {
  publish();
}
