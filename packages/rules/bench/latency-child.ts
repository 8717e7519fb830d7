import { givenTask, report, withServer } from "./child-task.ts";
import { sampleJudge } from "./judge-sample.ts";
import { loopbackStream } from "./loopback-stream.ts";
import type { LatencyResult, LatencyTask } from "./measurements.ts";
import { median, quantile } from "./quantile.ts";
import type { ServerReady, ServerTask } from "./stream-server.ts";

/** Share of the events that only warm the code up. */
const warmUpShare = 0.1;

const task = givenTask<LatencyTask>();
const server: ServerTask = { kind: "paced", ...task };
const result = await withServer<ServerTask, ServerReady, LatencyResult>(
  server,
  async ({ port, headBytes, eventBytes }) => {
    const judge = sampleJudge();
    const verdictsMs: number[] = [];
    const sizeOf = (index: number): number => eventBytes[index % eventBytes.length] ?? 0;
    let received = 0;
    let completeAt = headBytes + sizeOf(0);
    const cpuBefore = process.cpuUsage();
    const start = performance.now();
    await loopbackStream(port, (chunk) => {
      const arrival = performance.now();
      judge.push(chunk, arrival * 1000);
      const verdict = performance.now();
      received += chunk.length;
      while (received >= completeAt && verdictsMs.length < task.events) {
        verdictsMs.push(verdict - arrival);
        completeAt += sizeOf(verdictsMs.length);
      }
    });
    const wallMs = performance.now() - start;
    const cpu = process.cpuUsage(cpuBefore);
    judge.finish();
    const counted = verdictsMs.slice(Math.ceil(task.events * warmUpShare));
    return {
      ...task,
      measured: counted.length,
      medianMs: median(counted),
      p99Ms: quantile(counted, 0.99),
      cpuShare: (cpu.user + cpu.system) / 1000 / wallMs,
    };
  },
);
report(result);
