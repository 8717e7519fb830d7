import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { EmitterMessage, EmitterRequest } from "./emitter-messages.ts";
import { pinned } from "./pinned-command.ts";

/** An emitter in a process of its own. */
export interface EmitterProcess {
  readonly url: string;
  readonly count: () => Promise<{ readonly finished: number; readonly cpuSeconds: number }>;
  readonly stamps: () => Promise<ReadonlyMap<string, number>>;
}

const answerMs = 30_000;

/** An emitter on the second core, as long as `use` takes. Throws when it does not start or answer. */
export async function withEmitter<Result>(use: (emitter: EmitterProcess) => Promise<Result>): Promise<Result> {
  const script = fileURLToPath(new URL("emitter-child.js", import.meta.url));
  const [command, ...args] = pinned(1, [process.execPath, script]);
  const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const next = async (): Promise<EmitterMessage> => {
    const [message]: EmitterMessage[] = await once(child, "message", { signal: AbortSignal.timeout(answerMs) });
    if (message === undefined) {
      throw new Error("the emitter said nothing");
    }
    return message;
  };
  const ask = async (request: EmitterRequest): Promise<EmitterMessage> => {
    const answer = next();
    child.send(request);
    return answer;
  };
  try {
    const ready = await next();
    return await use({
      url: `http://127.0.0.1:${ready.kind === "ready" ? ready.port : 0}`,
      async count() {
        const answer = await ask("count");
        return answer.kind === "count" ? answer : { finished: 0, cpuSeconds: 0 };
      },
      async stamps() {
        const answer = await ask("stamps");
        return new Map(answer.kind === "stamps" ? answer.stamps : []);
      },
    });
  } finally {
    child.kill();
  }
}
