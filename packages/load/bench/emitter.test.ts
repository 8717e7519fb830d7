import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { largeEventBytes, largeEvents, smallEvents, smallMatches } from "./canned-stream.ts";
import { createEmitter } from "./emitter.ts";
import type { Emitter } from "./emitter.ts";

const odd = Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from("event: ma"), 0xff, 0x0d, 0x0a]);

let emitter: Emitter;
let base = "";
beforeEach(async () => {
  emitter = createEmitter({ firstMatchMs: 3, fixtures: new Map([["odd", odd]]) });
  emitter.server.listen(0, "127.0.0.1");
  await once(emitter.server, "listening");
  const address = emitter.server.address();
  base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
});
afterEach(() => {
  emitter.server.closeAllConnections();
  emitter.server.close();
});

const textOf = async (path: string): Promise<string> => (await fetch(base + path)).text();

interface Event {
  readonly name: string;
  readonly data: unknown;
}
/** The events of a text that keeps every rule; throws for any other. */
const eventsOf = (text: string): readonly Event[] =>
  text
    .split("\n\n")
    .slice(0, -1)
    .map((block) => {
      const [, name = "", data = ""] = /^event: (\w+)\ndata: (.*)$/u.exec(block) ?? [];
      return { name, data: JSON.parse(data) };
    });

const namesOf = (events: readonly Event[]): string => [...new Set(events.map(({ name }) => name))].join(" ");
const order = "progress matches filters done";

test.each([
  { path: "/paced?gap=0&id=7", events: smallEvents },
  { path: "/small?id=7", events: smallEvents },
  { path: "/large?id=7", events: largeEvents },
  { path: "/new-small?id=7", events: smallEvents },
  { path: "/new-large?id=7", events: largeEvents },
])("$path is a whole stream of $events events that ends with done", async ({ path, events }) => {
  const found = eventsOf(await textOf(path));
  expect(found).toHaveLength(events);
  expect(namesOf(found)).toBe(order);
  expect(found.at(-1)).toEqual({ name: "done", data: {} });
});

test("a paced stream says in its first match what the emitter remembers of it", async () => {
  const first = eventsOf(await textOf("/paced?id=41")).find(({ name }) => name === "matches");
  expect([...emitter.stamps.keys()]).toEqual(["41"]);
  expect(first?.data).toEqual([expect.objectContaining({ emitterDelayMs: emitter.stamps.get("41") })]);
});

test("small events are small, large ones have a megabyte", async () => {
  const small = await textOf("/small");
  expect(small.length / smallMatches).toBeLessThan(400);
  const sizes = (await textOf("/large")).split("\n\n").map(({ length }) => length);
  expect(sizes.filter((size) => size >= largeEventBytes)).toHaveLength(2);
});

test("no match of a new stream came before", async () => {
  const matchesOf = (text: string): readonly unknown[] =>
    eventsOf(text)
      .filter(({ name }) => name === "matches")
      .flatMap(({ data }) => data);
  const matches = [await textOf("/new-large"), await textOf("/new-large")].flatMap(matchesOf);
  expect(matches.length).toBeGreaterThan(10_000);
  expect(new Set(matches.map((match) => JSON.stringify(match))).size).toBe(matches.length);
});

test("a given stream is sent byte for byte, whatever it breaks", async () => {
  const response = await fetch(`${base}/fixture/odd`);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(Buffer.from(await response.arrayBuffer()).equals(odd)).toBe(true);
});

test("a poll is answered by a conversation", async () => {
  expect(JSON.parse(await textOf("/poll"))).toMatchObject({ state: "COMPLETED" });
});

describe("anything else is not found", () => {
  test.each(["/", "/fixture/none", "/fixture", "/constructor"])("%s", async (path) => {
    expect((await fetch(base + path)).status).toBe(404);
  });
});

test("whole answers are counted", async () => {
  await textOf("/small");
  await textOf("/poll");
  expect(emitter.finished()).toBe(2);
});
