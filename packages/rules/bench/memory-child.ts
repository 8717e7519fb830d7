import { report, withServer } from "./child-task.ts";
import { sampleJudge } from "./judge-sample.ts";
import { loopbackStream } from "./loopback-stream.ts";
import type { MemoryResult, MemoryTask, ServerTask } from "./measurements.ts";

const task: MemoryTask = JSON.parse(process.argv[2] ?? "");
const server: ServerTask = { kind: "full-speed", ...task };
const result = await withServer<MemoryResult>(server, async ({ port, largestEventBytes }) => {
  const judge = sampleJudge();
  const idleBytes = process.memoryUsage.rss();
  const start = performance.now();
  await loopbackStream(port, (chunk) => judge.push(chunk, 0));
  const seconds = (performance.now() - start) / 1000;
  const { bytes, events } = judge.finish();
  if (bytes < task.minBytes) {
    throw new Error(`only ${bytes} of ${task.minBytes} bytes arrived`);
  }
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  return { ...task, bytes, events, largestEventBytes, idleBytes, peakBytes, seconds };
});
report(result);
