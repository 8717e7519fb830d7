import { setTimeout as pause } from "node:timers/promises";
import { waitFor } from "./cluster.js";
import { countBy } from "./cluster-runs.js";
import {
  confirmHosts,
  evictPod,
  findObjectsOfRun,
  findRunName,
  listRunnerPods,
  readFetchedRunners,
  readResult,
  searchArguments,
  startCommand,
} from "./command-runs.js";
import { checkDistress, checkQuestions, safeguardRunCount } from "./check-safeguards.js";
import { coverLoadOnce } from "./segments.js";

const maxStopMs = 5000;
const small = ["--runner-cpu", "0.1"];

/** Runs that `checkCommand` starts. Each has a claim of its own. */
export const commandRunCount = 4 + safeguardRunCount;

/** The operator deletes what belongs to a `TestRun` a moment after it. */
async function checkNothingIsLeft(cluster, { assert }, { name, output }) {
  const runName = findRunName(output);
  const deadline = Date.now() + 20_000;
  let left = findObjectsOfRun(cluster, runName);
  while (left.length > 0 && Date.now() < deadline) {
    await pause(500);
    left = findObjectsOfRun(cluster, runName);
  }
  assert(runName !== undefined && left.length === 0, `${name}: nothing of the run is left in the cluster`, left);
}

const countBlocks = (samples) => JSON.stringify(countBy(samples, ({ side, block }) => `${side} ${block}`));

/** Describes what a comparison compares, without its figures. */
const describeDesign = ({ design, metrics, incomparable }) =>
  JSON.stringify([design, metrics.map(({ metric, units }) => `${metric}: ${units}`), incomparable]);

/** The command gives the result of one machine. */
async function checkWholeCommand(cluster, context) {
  const { assert, targets, single, token } = context;
  const [base, head] = targets.urls;
  const flags = ["--rate", "8", "--duration", "20s", "--seed", "5", "--runners", "2", "--no-canary"];
  const args = [
    "search-first-match",
    "--url",
    base,
    "--against",
    head,
    ...flags,
    ...small,
    ...confirmHosts([base, head]),
  ];
  const command = startCommand(cluster, { ...context, name: "whole", args });
  const watch = { found: [], kubectlCount: 0 };
  const timer = setInterval(() => {
    const { found, kubectlCount } = searchArguments(token);
    watch.found.push(...found);
    watch.kubectlCount += kubectlCount;
  }, 50);
  const { exitCode, output } = await command.ended;
  clearInterval(timer);

  const result = readResult(command.folder);
  assert(result?.complete === true, "assay load --kubernetes: the result is complete", output);
  assert(
    exitCode === result.exitCode && output.includes("report:"),
    `it prints the report (exit code ${exitCode})`,
    output,
  );
  const runners = readFetchedRunners(command.folder);
  const segments = runners.map(({ segment }) => segment);
  assert(runners.length === 2 && coverLoadOnce(segments), `two runners had the whole load: ${segments.join(", ")}`);
  const samples = runners.flatMap((runner) => runner.samples);
  const searches = await targets.readSearches();
  const journals = JSON.stringify({ base: searches[0].length, head: searches[1].length });
  const bySide = JSON.stringify(countBy(samples, ({ side }) => side));
  assert(bySide === journals, `the journals of the servers have as many searches as the samples: ${journals}`, bySide);
  assert(
    countBlocks(samples) === countBlocks(single.samples),
    "each block has as many searches as on one machine",
    countBlocks(samples),
  );
  assert(
    JSON.stringify(result.outcomes) === JSON.stringify(single.result.outcomes),
    `the outcomes are those of one machine: ${JSON.stringify(result.outcomes)}`,
    single.result.outcomes,
  );
  assert(
    describeDesign(result.comparison) === describeDesign(single.result.comparison),
    `it compares as many pairs of blocks as one machine: ${describeDesign(result.comparison)}`,
    describeDesign(single.result.comparison),
  );
  const [group] = result.judgement.groups;
  assert(
    group.judged === searches.flat().length && group.judged > 0,
    `every stream was judged by the rules: ${group.judged}`,
    result.judgement.groups,
  );
  assert(
    searches.flat().every(({ token: kind }) => kind === "access"),
    "every search had the token",
  );
  assert(
    watch.kubectlCount > 0 && watch.found.length === 0,
    `the token was in no argument of a process, among them ${watch.kubectlCount} calls of kubectl`,
    watch.found,
  );
  await checkNothingIsLeft(cluster, context, { name: "after a whole run", output });
  return command;
}

const steady = (url, seconds) => [
  "search-first-match",
  "--url",
  url,
  "--rate",
  "4",
  "--duration",
  `${seconds}s`,
  "--warmup",
  "2s",
  ...confirmHosts([url]),
];

async function waitForSearches(targets, count) {
  await waitFor(`${count} searches`, async () => ((await targets.readSearches())[0].length > count ? true : undefined));
}

/** Ctrl-C stops the load, and the report is about what was recorded. */
async function checkInterruptedCommand(cluster, context) {
  const { assert, targets } = context;
  const args = [...steady(targets.urls[0], 120), "--runners", "2", "--no-canary", ...small];
  const command = startCommand(cluster, { ...context, name: "interrupted", args });
  await waitForSearches(targets, 12);
  const interruptedAt = Date.now();
  command.child.kill("SIGINT");
  const { exitCode, output } = await command.ended;
  await pause(maxStopMs);
  const [searches] = await targets.readSearches();
  const seconds = (Math.max(...searches.map(({ at }) => at)) - interruptedAt) / 1000;
  assert(
    exitCode === 130 && seconds < maxStopMs / 1000,
    `after SIGINT the command ends with ${exitCode}, and the last search came ${seconds.toFixed(1)} s later`,
    output,
  );
  const counts = readResult(command.folder).outcomes.stream;
  assert(counts.ok > 0, `the searches until then are in the report: ${JSON.stringify(counts)}`, output);
  await checkNothingIsLeft(cluster, context, { name: "after SIGINT", output });
  return command;
}

/** A runner is evicted: the result names it, and is incomplete. */
async function checkEvictedCommand(cluster, context) {
  const { assert, targets } = context;
  const args = [...steady(targets.urls[0], 15), "--runners", "2", "--no-canary", ...small];
  const command = startCommand(cluster, { ...context, name: "evicted", args });
  await waitForSearches(targets, 12);
  const [pod] = listRunnerPods(cluster, findRunName(command.readOutput()));
  evictPod(cluster, pod.metadata.name);
  const { exitCode, output } = await command.ended;
  assert(
    exitCode === 3 && /1 of 2 runners did not end as planned/u.test(output),
    "after a runner was evicted, the command ends with 3 and says so",
    output,
  );
  await checkNothingIsLeft(cluster, context, { name: "after an eviction", output });
  return command;
}

/** No node has room for the runner: nothing is sent, and the command does not hang. */
async function checkUnscheduledCommand(cluster, context) {
  const { assert, targets } = context;
  const limits = ["--runners", "1", "--runner-cpu", "64", "--start-timeout", "20s", "--no-canary"];
  const command = startCommand(cluster, {
    ...context,
    name: "unscheduled",
    args: [...steady(targets.urls[0], 15), ...limits],
  });
  const { exitCode, output } = await command.ended;
  const [searches] = await targets.readSearches();
  assert(
    exitCode === 3 && /no node can run it: .*Insufficient cpu/su.test(output.replaceAll(/\s+/gu, " ")),
    "a runner that no node can run ends the command with 3 and the reason",
    output,
  );
  assert(searches.length === 0, "it sent nothing");
  await checkNothingIsLeft(cluster, context, { name: "after no node had room", output });
  return command;
}

/** Checks `assay load --kubernetes`, as a user calls it. Returns the folders of the runs on this machine. */
export async function checkCommand(cluster, { startServers, startFront, ports, ...context }) {
  const targets = await startServers(ports.whole);
  const [interrupted, evicted, unscheduled, behindFront, asked] = ports.single;
  const check = async (run, port) => run(cluster, { ...context, targets: await startServers([port]) });
  const { urls } = await startServers([behindFront]);
  const front = await startFront({ port: ports.front, target: urls[0] });
  // At most four at a time, so that what takes seconds is not the machine's doing.
  const commands = await Promise.all([
    checkDistress(cluster, context, front).then((command) => [command]),
    checkWholeCommand(cluster, { ...context, targets }).then(async (command) => [
      command,
      await check(checkInterruptedCommand, interrupted),
    ]),
    check(checkUnscheduledCommand, unscheduled).then(async (command) => [
      command,
      ...(await Promise.all([check(checkEvictedCommand, evicted), check(checkQuestions, asked)])),
    ]),
  ]);
  return commands.flat().map(({ folder }) => folder);
}
