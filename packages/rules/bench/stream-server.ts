import { once } from "node:events";
import http from "node:http";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { matchSource } from "./match-source.ts";
import type { LatencyTask, MemoryTask, ServerReady, ServerTask } from "./measurements.ts";
import { mebibyte, streamProfiles } from "./stream-profiles.ts";
import { eventText, progress, randomCuts, repositoriesIn, searchEvents } from "./stream-sample.ts";

interface Served extends Omit<ServerReady, "port"> {
  readonly send: (response: ServerResponse) => Promise<void>;
}

const head = Buffer.from(eventText("progress", progress(0, 0)));
const tail = (matches: number, turn: number, parts: readonly Buffer[]): string =>
  eventText("progress", progress(matches, turn, repositoriesIn(parts))) + eventText("done", {});

async function write(response: ServerResponse, bytes: Buffer | string): Promise<void> {
  if (!response.write(bytes)) {
    await once(response, "drain");
  }
}

/** Results of some megabytes, over and over, with a progress that goes on: generating them all would be slower. */
function fullSpeed({ profile, minBytes, seed }: MemoryTask): Served {
  const parts: Buffer[] = [];
  let blockBytes = 0;
  let largestEventBytes = 0;
  let matches = 0;
  for (const event of searchEvents(profile, seed)) {
    if (event.text.startsWith("event: progress")) {
      continue;
    }
    const part = Buffer.from(event.text);
    parts.push(part);
    blockBytes += part.length;
    largestEventBytes = Math.max(largestEventBytes, part.length);
    matches = event.matches;
    if (blockBytes > 32 * mebibyte) {
      break;
    }
  }
  const chunks = randomCuts(Buffer.concat(parts), seed);
  return {
    largestEventBytes,
    headBytes: head.length,
    eventBytes: [],
    async send(response) {
      await write(response, head);
      let turn = 0;
      for (let sent = 0; sent < minBytes; sent += blockBytes) {
        for (const chunk of chunks) {
          await write(response, chunk);
        }
        turn += 1;
        await write(response, eventText("progress", progress(turn * matches, turn)));
      }
      response.end(tail(turn * matches, turn + 1, parts));
    },
  };
}

/** Some different events of about the same size, in turn, each written at once. */
function paced({ eventBytes, events, everyMs, seed }: Omit<LatencyTask, "rounds">): Served {
  const source = matchSource(streamProfiles.typical, seed);
  const matchBytes = JSON.stringify(source.matches(200)).length / 200;
  const count = Math.max(1, Math.round(eventBytes / matchBytes));
  const different = Array.from({ length: 16 }, () => Buffer.from(eventText("matches", source.matches(count))));
  const sizes = different.map(({ length }) => length);
  return {
    largestEventBytes: Math.max(...sizes),
    headBytes: head.length,
    eventBytes: sizes,
    async send(response) {
      response.socket?.setNoDelay(true);
      await write(response, head);
      for (let index = 0; index < events; index += 1) {
        await delay(everyMs);
        await write(response, different[index % different.length] ?? "");
      }
      response.end(tail(events * count, events, different.slice(0, events)));
    },
  };
}

const task: ServerTask = JSON.parse(process.argv[2] ?? "");
const { send, ...served } = task.kind === "paced" ? paced(task) : fullSpeed(task);
const server = http.createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  // The client may go away at any time; its own process says what went wrong.
  send(response).catch(() => response.destroy());
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const ready: ServerReady = { ...served, port: typeof address === "object" ? (address?.port ?? 0) : 0 };
  process.send?.(ready);
});
process.once("disconnect", () => process.exit());
