import { report, withServer } from "./child-task.ts";
import { sampleJudge } from "./judge-sample.ts";
import { loopbackStream } from "./loopback-stream.ts";
import type { LatencyResult, LatencyTask, ServerTask } from "./measurements.ts";
import { median, quantile } from "./quantile.ts";

const task: LatencyTask = JSON.parse(process.argv[2] ?? "");
const warmUp = Math.ceil(task.events / 10);
const events = warmUp + task.events;

interface Verdict {
  readonly ms: number;
  /** Whether the operating system took the processor away meanwhile. */
  readonly isDisturbed: boolean;
}

/** A quantile within each round, and the median of the rounds: one bad moment of the machine is not the checker's. */
function overRounds(verdicts: readonly Verdict[], share: number): number {
  const perRound = verdicts.length / task.rounds;
  const rounds = Array.from({ length: task.rounds }, (_, round) =>
    verdicts.slice(Math.round(round * perRound), Math.round((round + 1) * perRound)),
  );
  return median(
    rounds
      .filter(({ length }) => length > 0)
      .map((round) =>
        quantile(
          round.map(({ ms }) => ms),
          share,
        ),
      ),
  );
}

const switches = (): number => process.resourceUsage().involuntaryContextSwitches;

const server: ServerTask = { kind: "paced", ...task, events };
const result = await withServer<LatencyResult>(server, async ({ port, headBytes, eventBytes }) => {
  const judge = sampleJudge();
  const verdicts: Verdict[] = [];
  const sizeOf = (index: number): number => eventBytes[index % eventBytes.length] ?? 0;
  let received = 0;
  let completeAt = headBytes + sizeOf(0);
  const cpuBefore = process.cpuUsage();
  const begin = performance.now();
  await loopbackStream(port, (chunk) => {
    const switchesBefore = switches();
    const start = performance.now();
    judge.push(chunk, start * 1000);
    const ms = performance.now() - start;
    const isDisturbed = switches() > switchesBefore;
    received += chunk.length;
    while (received >= completeAt && verdicts.length < events) {
      verdicts.push({ ms, isDisturbed });
      completeAt += sizeOf(verdicts.length);
    }
  });
  const wallMs = performance.now() - begin;
  const cpu = process.cpuUsage(cpuBefore);
  judge.finish();
  if (verdicts.length !== events) {
    throw new Error(`${verdicts.length} of ${events} events were seen to end`);
  }
  const counted = verdicts.slice(warmUp);
  const undisturbed = counted.filter(({ isDisturbed }) => !isDisturbed);
  return {
    ...task,
    medianMs: overRounds(counted, 0.5),
    p99Ms: overRounds(counted, 0.99),
    ...(undisturbed.length === 0 ? {} : { undisturbedP99Ms: overRounds(undisturbed, 0.99) }),
    disturbedShare: 1 - undisturbed.length / counted.length,
    cpuShare: (cpu.user + cpu.system) / 1000 / wallMs,
  };
});
report(result);
