import { fork } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunningServer, ServerOptions } from "@assay/reference-server";
import { afterAll } from "vitest";
import type { HostAnswer, HostRequest } from "./server-host.ts";

/** A reference server in another process. */
export interface HostedServer extends Pick<RunningServer, "url" | "token" | "tokens" | "access" | "sharing"> {
  /** How many conversations there are now. */
  conversationCount(): Promise<number>;
  close(): Promise<void>;
}

/** Answers take a second: on a busy machine, one of a quarter of a second is there before it can be cancelled. */
export const unhurried = { latencyFactor: 4 };

/** What runs a source in a process of its own: nothing that only tests need is compiled. */
const runner = join(dirname(createRequire(import.meta.url).resolve("jiti/package.json")), "lib/jiti-cli.mjs");
const program = fileURLToPath(new URL("server-host.ts", import.meta.url));

type Answered = (answer: HostAnswer) => void;

interface Host {
  readonly hasEnded: () => boolean;
  readonly ask: (request: HostRequest) => Promise<HostAnswer>;
}

function startHost(): Host {
  // Without the flags of this process: they let it import sources.
  const host = fork(runner, [program], { stdio: "inherit", execArgv: [] });
  // It ends with this process, which does not wait for it.
  host.unref();
  host.channel?.unref();
  const waiting = new Map<number, Answered>();
  host.on("message", (answer: HostAnswer) => {
    waiting.get(answer.number)?.(answer);
    waiting.delete(answer.number);
  });
  let hasEnded = false;
  host.on("exit", () => {
    hasEnded = true;
    for (const [number, answered] of waiting) {
      answered({ number, failure: "the process of the servers has ended" });
    }
  });
  const ask = (request: HostRequest): Promise<HostAnswer> =>
    new Promise((resolve) => {
      if (hasEnded) {
        resolve({ number: request.number, failure: "the process of the servers has ended" });
        return;
      }
      waiting.set(request.number, resolve);
      host.send(request);
    });
  return { hasEnded: () => hasEnded, ask };
}

let host: Host | undefined;
let number = 0;

/** Starts servers in one process for all test files; those of a file are closed after its tests. */
export function serverHost(): (options: ServerOptions) => Promise<HostedServer> {
  const { ask } = (host = host === undefined || host.hasEnded() ? startHost() : host);
  const open = new Set<number>();
  const close = async (own: number): Promise<void> => {
    open.delete(own);
    await ask({ kind: "close", number: own });
  };
  afterAll(async () => {
    await Promise.all([...open].map(close));
  });
  return async (options) => {
    number += 1;
    const own = number;
    const { server, failure = "no server" } = await ask({ kind: "start", number: own, options });
    if (server === undefined) {
      throw new Error(failure);
    }
    open.add(own);
    return {
      ...server,
      async conversationCount() {
        number += 1;
        const { conversations = 0 } = await ask({ kind: "count", number, of: own });
        return conversations;
      },
      close: () => close(own),
    };
  };
}
