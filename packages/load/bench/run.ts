import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { clientsOf } from "./clients.ts";
import type { Client } from "./clients.ts";
import { goalLine, goalsOf, kindTitles } from "./goals.ts";
import { markdownReport, terminalTable } from "./markdown-report.ts";
import { accuracyResult, accuracyRound } from "./measure-accuracy.ts";
import type { AccuracyRound } from "./measure-accuracy.ts";
import { capacityOf, capacitySum, pacedPolling } from "./measure-capacity.ts";
import { concurrencies, eventClients, streamKinds } from "./measurements.ts";
import type {
  AccuracyResult,
  CapacityResult,
  Concurrency,
  LoadBenchResult,
  Machine,
  StreamKind,
} from "./measurements.ts";
import { canPin } from "./pinned-command.ts";

const folder = new URL("../../../../reports/benchmarks/", import.meta.url);
/** Rounds of both of ours, whose difference is small, and of whom they are compared with. */
const ourRounds = 3;
const rivalRounds = 2;
const pollsPerSecond = 500;

const say = (line: string): void => console.log(line);
function roundsOf({ name, script }: Client): number {
  if (script === "assay.js") {
    return ourRounds;
  }
  // Without events there is nothing to compare: once is enough.
  return eventClients.includes(name) ? rivalRounds : 1;
}

/** Each client in each of its rounds; every other round in the opposite order, so that a slow spell is not always the same one's. */
async function inRounds<Result>(
  clients: readonly Client[],
  run: (client: Client) => Promise<Result>,
): Promise<ReadonlyMap<Client, readonly [Result, ...Result[]]>> {
  const results = new Map<Client, [Result, ...Result[]]>();
  for (let round = 0; round < ourRounds; round += 1) {
    const taking = clients.filter((client) => round < roundsOf(client));
    for (const client of round % 2 === 0 ? taking : taking.toReversed()) {
      const result = await run(client);
      const known = results.get(client);
      results.set(client, known === undefined ? [result] : [...known, result]);
    }
  }
  return results;
}

async function accuracyAt(clients: readonly Client[], concurrency: Concurrency): Promise<readonly AccuracyResult[]> {
  const results = await inRounds<AccuracyRound>(clients, async (client) => {
    say(`first match, ${concurrency} at a time: ${client.name}`);
    return accuracyRound(client, concurrency);
  });
  return [...results].map(([{ name }, found]) => accuracyResult(name, concurrency, found));
}

async function capacityWith(clients: readonly Client[], kind: StreamKind): Promise<readonly CapacityResult[]> {
  // Only those of ours that keep streams and those that do not differ by whether they come again.
  const taking = kind.startsWith("new-") ? clients.filter(({ script }) => script === "assay.js") : clients;
  const results = await inRounds(taking, async (client) => {
    say(`${kindTitles[kind]}: ${client.name}`);
    return capacityOf(client, kind);
  });
  return [...results.values()].map(capacitySum);
}

async function oneByOne<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(await run(item));
  }
  return results;
}

function machineOf(k6: string): Machine {
  const [version = ""] = execFileSync(k6, ["version"], { encoding: "utf8" }).split("\n");
  return {
    node: process.version,
    k6: version,
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cpus: availableParallelism(),
    isPinned: canPin(),
  };
}

async function bench(): Promise<LoadBenchResult> {
  const clients = clientsOf(process.env);
  const [ours] = clients;
  if (ours === undefined) {
    throw new Error("there is no client to measure");
  }
  const started = performance.now();
  const accuracy = (await oneByOne(concurrencies, async (concurrency) => accuracyAt(clients, concurrency))).flat();
  const capacity = (await oneByOne(streamKinds, async (kind) => capacityWith(clients, kind))).flat();
  say("polling");
  const poller: Client = { ...ours, script: "poll.js" };
  const poll = await capacityOf(poller, "poll");
  return {
    machine: machineOf(ours.k6),
    accuracy,
    capacity: [...capacity, poll],
    polling: await pacedPolling(poller, pollsPerSecond),
    seconds: (performance.now() - started) / 1000,
  };
}

function write(result: LoadBenchResult, isDry: boolean): void {
  const goals = goalsOf(result);
  if (!isDry) {
    mkdirSync(folder, { recursive: true });
    const json = { writtenAt: new Date().toISOString(), goals, ...result };
    writeFileSync(new URL("load.json", folder), `${JSON.stringify(json, undefined, 2)}\n`);
    writeFileSync(new URL("load.md", folder), markdownReport(result));
  }
  say(`\n${terminalTable(result)}\n`);
  for (const goal of goals) {
    say(goalLine(goal));
  }
}

const { values } = parseArgs({ options: { dry: { type: "boolean", default: false } } });
// A missed goal is a fact of a machine and does not fail the run; a wrong stream does.
try {
  write(await bench(), values.dry);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
