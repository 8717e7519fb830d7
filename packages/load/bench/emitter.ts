import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import {
  largeStream,
  smallMatchEvents,
  smallMatches,
  smallStream,
  stampedMatchEvent,
  streamHead,
  streamTail,
  withNewMatches,
} from "./canned-stream.ts";

/** What an emitter sends, and how. */
export interface EmitterOptions {
  /** From the request to the first match of a paced stream [50]. */
  readonly firstMatchMs?: number;
  /** Streams by name that are served as they are, in pieces, under `/fixture/<name>`: each may break any rule. */
  readonly fixtures?: ReadonlyMap<string, Buffer>;
}

export interface Emitter {
  readonly server: Server;
  /** By the id of a paced stream: milliseconds from its request to the sending of its first match, as it really was. */
  readonly stamps: ReadonlyMap<string, number>;
  /** Answers that were sent to their end. */
  readonly finished: () => number;
}

const pieces = 7;

/**
 * A server that sends canned bytes: `/paced?gap=<ms>&id=<id>` at once headers and progress, the first match after a while,
 * the others with missingData; `/small` and `/large` everything as fast as it is read, `/new-small` and `/new-large` with matches that never came before; `/poll` a conversation; `/fixture/<name>` a stream that
 * was given. Anything else is answered with 404. It judges nothing and knows no client.
 */
export function createEmitter(options: EmitterOptions = {}): Emitter {
  const stamps = new Map<string, number>();
  let finished = 0;
  const routes = routesOf(options, stamps);
  const server = createServer((request, response) => {
    const arrived = performance.now();
    response.once("finish", () => {
      finished += 1;
    });
    const url = new URL(request.url ?? "/", "http://emitter");
    const [, route = "", name = ""] = url.pathname.split("/");
    const answer = routes.get(route);
    if (answer === undefined) {
      response.writeHead(404).end();
      return;
    }
    // A client may go away at any time: it says itself what went wrong.
    answer({ response, arrived, name, query: url.searchParams }).catch(() => response.destroy());
  });
  return { server, stamps, finished: () => finished };
}

interface Asked {
  readonly response: ServerResponse;
  /** On the clock of `performance`. */
  readonly arrived: number;
  /** What stands behind the route, such as the name of a fixture. */
  readonly name: string;
  readonly query: URLSearchParams;
}
type Answer = (asked: Asked) => Promise<void>;

function routesOf(options: EmitterOptions, stamps: Map<string, number>): ReadonlyMap<string, Answer> {
  const small = smallStream();
  const large = largeStream();
  const [newSmall, newLarge] = [withNewMatches(small), withNewMatches(large)];
  return new Map<string, Answer>([
    ["paced", paced(options, stamps)],
    ["small", async ({ response }) => whole(response, small)],
    ["large", async ({ response }) => whole(response, large)],
    ["new-small", async ({ response }) => whole(response, newSmall())],
    ["new-large", async ({ response }) => whole(response, newLarge())],
    [
      "poll",
      async ({ response }) => {
        response.writeHead(200, { "content-type": "application/json" }).end(conversation);
      },
    ],
    ["fixture", fixture(options)],
  ]);
}

const fixture =
  ({ fixtures }: EmitterOptions): Answer =>
  async ({ response, name }) => {
    const bytes = fixtures?.get(name);
    if (bytes === undefined) {
      response.writeHead(404).end();
      return;
    }
    await inPieces(startStream(response), bytes);
  };

const startStream = (response: ServerResponse): ServerResponse => {
  response.socket?.setNoDelay(true);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  return response;
};

function whole(response: ServerResponse, bytes: Buffer): void {
  startStream(response).write(streamHead);
  response.end(bytes);
}

/** Cut wherever it happens to be, also inside characters and fields. */
async function inPieces(response: ServerResponse, bytes: Buffer): Promise<void> {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let start = 0; start < bytes.length; start += size) {
    response.write(bytes.subarray(start, start + size));
    await nextTurn();
  }
  response.end();
}

const paced =
  ({ firstMatchMs = 50 }: EmitterOptions, stamps: Map<string, number>): Answer =>
  async ({ response, arrived, query }) => {
    const gapMs = Number(query.get("gap"));
    startStream(response).write(streamHead);
    await until(arrived + firstMatchMs);
    const stamp = performance.now() - arrived;
    stamps.set(query.get("id") ?? "", stamp);
    response.write(stampedMatchEvent(stamp));
    for (const [index, event] of smallMatchEvents.slice(1).entries()) {
      await until(arrived + firstMatchMs + (index + 1) * gapMs);
      response.write(event);
    }
    response.end(streamTail(smallMatches));
  };

/** Absolute instants, so that lateness does not add up. */
const until = async (instant: number): Promise<void> => {
  await delay(Math.max(0, instant - performance.now()));
};

const conversation = JSON.stringify({
  name: "users/-/conversations/42",
  state: "COMPLETED",
  questions: [{ question: "Where is createServer used?", answer: "It is called where the server starts. ".repeat(40) }],
});
