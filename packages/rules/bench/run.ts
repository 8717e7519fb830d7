import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { childTask } from "./child-task.ts";
import { goalsOf } from "./goals.ts";
import { goalLine, markdownReport } from "./markdown-report.ts";
import type { BenchResult, LatencyTask, MemoryTask, SpeedTask } from "./measurements.ts";
import { findSlowdowns } from "./quick-check.ts";
import type { Slowdown } from "./quick-check.ts";
import { mebibyte, profileNames, streamProfiles } from "./stream-profiles.ts";
import type { ProfileName } from "./stream-profiles.ts";

interface Options {
  /** Streams of four times the size for the speed tables. */
  readonly full: boolean;
  /** Compares the speed of short streams with the published one, and fails if it fell. Writes nothing. Takes less than a minute. */
  readonly quick: boolean;
  /** One short round of everything, and nothing is written: to see that the benchmark still runs. */
  readonly smoke: boolean;
}

const seed = 1;
const rounds = 7;
const folder = new URL("../../../../reports/benchmarks/", import.meta.url);

const smokeBytes = mebibyte / 4;

const speedTasks = ({ full, smoke }: Options): readonly SpeedTask[] =>
  profileNames.map((profile) => {
    const { defaultBytes, fullBytes } = streamProfiles[profile];
    return smoke
      ? { profile, minBytes: smokeBytes, rounds: 1, seed }
      : { profile, minBytes: full ? fullBytes : defaultBytes, rounds, seed };
  });

const memoryTasks = ({ smoke }: Options): readonly MemoryTask[] =>
  smoke
    ? [{ profile: "typical", minBytes: smokeBytes, seed }]
    : [
        { profile: "typical", minBytes: 256 * mebibyte, seed },
        { profile: "big", minBytes: 512 * mebibyte, seed },
        { profile: "typical", minBytes: 10 * 1024 * mebibyte, seed },
      ];

const latencyTasks = ({ smoke }: Options): readonly LatencyTask[] =>
  smoke
    ? [{ eventBytes: 90 * 1024, events: 40, rounds: 1, everyMs: 2, seed }]
    : [
        { eventBytes: 90 * 1024, events: 4200, rounds, everyMs: 2, seed },
        { eventBytes: 5 * mebibyte, events: 70, rounds, everyMs: 150, seed },
      ];

/** Every profile is measured again, up to this many times, if it looks too slow: other programs may have disturbed it. */
const maxQuickTries = 5;
const quickBytes = 16 * mebibyte;
const quickRounds = 5;

const quickTask = (profile: ProfileName): SpeedTask => ({
  profile,
  minBytes: quickBytes,
  rounds: quickRounds,
  seed,
});

const say = (line: string): void => console.log(line);

async function inTurn<Task, Result>(
  tasks: readonly Task[],
  run: (task: Task) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const task of tasks) {
    say(`measuring ${JSON.stringify(task)}`);
    results.push(await run(task));
  }
  return results;
}

async function bench(options: Options): Promise<BenchResult> {
  return {
    node: process.version,
    cpus: availableParallelism(),
    speed: await inTurn(speedTasks(options), (task) => childTask("speed-child.js", task)),
    quickSpeed: await inTurn(options.smoke ? [] : profileNames.map(quickTask), (task) =>
      childTask("speed-child.js", task),
    ),
    latency: await inTurn(latencyTasks(options), (task) => childTask("latency-child.js", task)),
    memory: await inTurn(memoryTasks(options), (task) => childTask("memory-child.js", task)),
  };
}

function write(result: BenchResult): void {
  mkdirSync(folder, { recursive: true });
  const goals = goalsOf(result);
  const json = { writtenAt: new Date().toISOString(), goals, ...result };
  writeFileSync(new URL("stream-check.json", folder), `${JSON.stringify(json, undefined, 2)}\n`);
  writeFileSync(new URL("stream-check.md", folder), markdownReport(result));
  for (const goal of goals) {
    say(goalLine(goal));
  }
}

/** Returns what is slower than published. Empty if the published figures are of another Node, because engines differ. */
async function findQuickSlowdowns(): Promise<readonly string[]> {
  const published: BenchResult = JSON.parse(readFileSync(new URL("stream-check.json", folder), "utf8"));
  if (majorVersion(published.node) !== majorVersion(process.version)) {
    say(`not compared: the published figures are of Node ${published.node}, this is ${process.version}`);
    return [];
  }
  const slowdowns: string[] = [];
  for (const result of published.quickSpeed) {
    let remaining: readonly Slowdown[] | undefined;
    for (let count = 0; count < maxQuickTries && remaining?.length !== 0; count += 1) {
      const measured = await childTask("speed-child.js", quickTask(result.profile));
      const earlier = remaining;
      // A ratio that was reached once is not too slow.
      remaining = findSlowdowns([measured], [result]).filter(
        ({ name }) => earlier === undefined || earlier.some((slowdown) => slowdown.name === name),
      );
    }
    remaining ??= [];
    say(`${result.profile}: ${remaining.length === 0 ? "as fast as published" : "slower than published"}`);
    slowdowns.push(...remaining.map(({ sentence }) => sentence));
  }
  return slowdowns;
}

const majorVersion = (version: string): string => version.replace(/\..*/su, "");

const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    smoke: { type: "boolean", default: false },
  },
});
// A missed goal is a fact of a machine and does not fail the run. A wrong result does, and a ratio below the published one.
try {
  if (values.quick) {
    const slowdowns = await findQuickSlowdowns();
    if (slowdowns.length > 0) {
      throw new Error(`slower than published in reports/benchmarks/stream-check.md:\n${slowdowns.join("\n")}`);
    }
  } else {
    const result = await bench(values);
    if (!values.smoke) {
      write(result);
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
