import { createEmitter } from "./emitter.ts";
import type { EmitterMessage, EmitterRequest } from "./emitter-messages.ts";

/** An emitter as a process of its own, so that it shares no loop with what measures. */
const { server, stamps, finished } = createEmitter();

const say = (message: EmitterMessage): void => {
  process.send?.(message);
};

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

process.on("message", (request: EmitterRequest) => {
  say(
    request === "stamps"
      ? { kind: "stamps", stamps: [...stamps] }
      : { kind: "count", finished: finished(), cpuSeconds: cpuSeconds() },
  );
});
process.once("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  say({ kind: "ready", port: typeof address === "object" ? (address?.port ?? 0) : 0 });
});
