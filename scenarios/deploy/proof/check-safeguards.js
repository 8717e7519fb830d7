import { confirmHosts, findRunName, killPod, listRunnerPods, readResult, startCommand } from "./command-runs.js";
import { waitFor } from "./cluster.js";

/** Runs that these checks start. Each has a claim of its own. */
export const safeguardRunCount = 2;

const runners = ["--runners", "3", "--runner-cpu", "0.1", "--no-canary"];
/** The time in which a runner hears of the answer to another one, and in which what was under way arrives. */
const maxHearingMs = 1500;
const maxEndMs = 25_000;

/** A target that asks one runner for a pause gets one from all, and a target that cannot handle the load ends it. */
export async function checkDistress(cluster, context, front) {
  const { assert } = context;
  const rate = 9;
  const plan = ["--rate", String(rate), "--duration", "90s", "--warmup", "1s"];
  const args = ["search-first-match", "--url", front.url, ...plan, ...runners, ...confirmHosts([front.url])];
  const command = startCommand(cluster, { ...context, name: "distress", args });
  const { exitCode, output } = await command.ended;
  const searches = await front.readSearches();
  const refused = searches.filter(({ status }) => status === 429);
  const [{ at: refusedAt }] = refused;
  const countBetween = (from, to) => searches.filter(({ at }) => at > refusedAt + from && at < refusedAt + to).length;
  const pauseMs = front.pauseSeconds * 1000;
  const inPause = countBetween(maxHearingMs, pauseMs - 250);
  const planned = Math.round((rate * (pauseMs - maxHearingMs)) / 1000);
  assert(
    refused.length === 1 && inPause === 0,
    `after one 429, no runner sent a search for the requested ${front.pauseSeconds} s (${planned} were planned)`,
    `${inPause} searches, ${refused.length} refusals`,
  );
  const before = countBetween(-4000, 0);
  const after = countBetween(pauseMs, front.overloadedAfterMs);
  assert(before > 20 && after > 20, `before and after it they did: ${before} and ${after} searches`);
  const last = Math.max(...searches.map(({ at }) => at)) - refusedAt - front.overloadedAfterMs;
  const { outcomes, exitCode: resultCode, trust } = readResult(command.folder);
  const saysWhy = output.replaceAll(/\s+/gu, " ").includes("the target could not handle the load");
  // The report gives another reason instead if this machine was too busy to trust the figures.
  const isTrusted = trust.checks.every(({ ok }) => ok !== false);
  assert(
    (saysWhy || !isTrusted) && outcomes.stream.distress > refused.length && last < maxEndMs,
    `a target that answers only 503 ended the load of all runners after ${(last / 1000).toFixed(1)} s (exit code ${exitCode})`,
    output,
  );
  assert(exitCode === resultCode && exitCode !== 0, "and its exit code is that of the result", output);
  return command;
}

/** No more questions than the budget, and no conversation is left, although a runner was killed. */
export async function checkQuestions(cluster, context) {
  const { assert, targets } = context;
  const [url] = targets.urls;
  const plan = ["--rate", "3", "--duration", "14s", "--warmup", "1s", "--questions", "60", "--poll-interval", "500ms"];
  const args = ["conversation-poll", "--url", url, ...plan, ...runners, ...confirmHosts([url])];
  const command = startCommand(cluster, { ...context, name: "questions", args });
  await waitFor("questions", async () => ((await targets.countConversations())[0].created > 12 ? true : undefined));
  const [pod] = listRunnerPods(cluster, findRunName(command.readOutput()));
  killPod(cluster, pod.metadata.name);
  const { exitCode, output } = await command.ended;
  const [{ created, deleted }] = await targets.countConversations();
  assert(exitCode === 3, "a load with questions of which a runner was killed ends with 3", output);
  assert(created <= 60 && created > 12, `the runners asked ${created} of at most 60 questions`);
  assert(created === deleted, `no conversation is left: ${created} were created, ${deleted} deleted`, output);
  const { cleanUp } = readResult(command.folder);
  assert(
    cleanUp.created > 0 && cleanUp.left.length === 0,
    `the report counts them: ${JSON.stringify(cleanUp)}`,
    output,
  );
  return command;
}
