import { givenTask, report, withServer } from "./child-task.ts";
import { sampleJudge } from "./judge-sample.ts";
import { loopbackStream } from "./loopback-stream.ts";
import type { MemoryResult, MemoryTask } from "./measurements.ts";
import type { ServerReady, ServerTask } from "./stream-server.ts";

const task = givenTask<MemoryTask>();
const server: ServerTask = { kind: "full-speed", ...task };
const result = await withServer<ServerTask, ServerReady, MemoryResult>(server, async ({ port, largestEventBytes }) => {
  const judge = sampleJudge();
  const idleBytes = process.memoryUsage.rss();
  const start = performance.now();
  await loopbackStream(port, (chunk) => judge.push(chunk, 0));
  const seconds = (performance.now() - start) / 1000;
  const { bytes, events } = judge.finish();
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  return { ...task, bytes, events, largestEventBytes, idleBytes, peakBytes, seconds };
});
report(result);
