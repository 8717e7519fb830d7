import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FaultChoice, faults } from "./fault-registry.ts";
import { isPayloadObject } from "../service/payload.ts";
import { startServer } from "../start-server.ts";
import type { SearchEvent } from "../service/stream/search-event.ts";
import { eventsWith } from "../testing/apply-fault.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { outputs } from "../testing/known-outputs.ts";
import { rawSearch } from "../testing/raw-client.ts";
import { objectsIn, strictEvents } from "../testing/strict-events.ts";

let fixture: GitFixture;
let plain: readonly SearchEvent[] = [];

beforeAll(async () => {
  fixture = createGitFixture({ files: { "a.txt": "a needle\nand a needle\n", "b.ts": "a needle\n" } });
  const server = await startServer({ repos: [fixture.directory], seed: 1, outputs });
  plain = strictEvents((await rawSearch(server, "needle")).body);
  await server.close();
});

afterAll(() => {
  fixture.remove();
});

/** Applies a fault to the events of an ordinary search. */
const mutated = (choice: FaultChoice): Promise<readonly SearchEvent[]> => eventsWith(choice, plain);

const choicesOf = (id: string): readonly FaultChoice[] => {
  const how = faults.find((fault) => fault.id === id)?.parameters?.["how"];
  return how !== undefined && "choices" in how ? how.choices.map((choice) => ({ id, params: { how: choice } })) : [];
};

const choicesOfAll = (...ids: readonly string[]): readonly FaultChoice[] => ids.flatMap(choicesOf);

/** The one event that differs, before and after. */
const difference = (events: readonly SearchEvent[]): readonly [before: SearchEvent, after: SearchEvent] => {
  expect(events).toHaveLength(plain.length);
  const pairs = plain.map((event, index) => [event, events[index] ?? { name: "", data: undefined }] as const);
  const different = pairs.filter(([before, after]) => JSON.stringify(before) !== JSON.stringify(after));
  expect(different).toHaveLength(1);
  return (
    different[0] ?? [
      { name: "", data: undefined },
      { name: "", data: undefined },
    ]
  );
};

const textsOf = (values: readonly unknown[]): readonly string[] => values.map((value) => JSON.stringify(value));

/** Names of the members that differ between two objects; empty for other values. */
const differentMembers = (before: unknown, after: unknown): readonly string[] =>
  isPayloadObject(before) && isPayloadObject(after)
    ? [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
        (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
      )
    : ["no object"];

describe("a mutated element", () => {
  const choices = choicesOfAll("content-malformed", "filter-malformed", "match-not-object", "match-type-not-text");

  test.each(choices)("$id $params.how is the only one, and in one member", async (choice) => {
    const [before, after] = difference(await mutated(choice));
    expect(after.name).toBe(before.name);
    const [elements, others] = [before.data, after.data].map((data) => (Array.isArray(data) ? data : []));
    const changed = (elements ?? []).flatMap((element, index) =>
      JSON.stringify(element) === JSON.stringify(others?.[index]) ? [] : [[element, others?.[index]] as const],
    );
    expect(others).toHaveLength(elements?.length ?? -1);
    expect(changed).toHaveLength(1);
    expect(changed.flatMap(([one, other]) => differentMembers(one, other))).toHaveLength(1);
  });
});

describe("a mutated progress", () => {
  test.each(choicesOfAll("progress-malformed"))("$params.how is the first one, in one member", async (choice) => {
    const [before, after] = difference(await mutated(choice));
    expect([before.name, after.name]).toEqual(["progress", "progress"]);
    expect(before).toBe(plain.find(({ name }) => name === "progress"));
    expect(differentMembers(before.data, after.data)).toHaveLength(1);
  });

  test.each(choicesOfAll("skipped-malformed"))("has one skipped entry: $params.how", async (choice) => {
    const [before, after] = difference(await mutated(choice));
    expect(differentMembers(before.data, after.data)).toEqual(["skipped"]);
    expect(Object(after.data).skipped).toHaveLength(1);
    const whole = { message: "", reason: "", severity: "", title: "" };
    const [entry = {}] = objectsIn(Object(after.data).skipped);
    expect(Object.keys({ ...entry, ...whole }).length).toBeLessThanOrEqual(Object.keys(whole).length + 1);
  });
});

describe("mutated data", () => {
  test.each(choicesOfAll("matches-not-array", "filters-not-array"))(
    "$id $params.how is not an array",
    async (choice) => {
      const [before, after] = difference(await mutated(choice));
      expect(after.name).toBe(before.name);
      expect(Array.isArray(before.data)).toBe(true);
      expect(Array.isArray(after.data)).toBe(false);
    },
  );

  test.each(choicesOfAll("alert-not-object"))("$id $params.how is an event more", async (choice) => {
    const events = await mutated(choice);
    const alerts = events.filter(({ name }) => name === "alert");
    expect(alerts).toHaveLength(1);
    expect(isPayloadObject(alerts[0]?.data)).toBe(false);
    expect(events.filter(({ name }) => name !== "alert")).toEqual(plain);
  });

  test.each(["level", "severity"])("alert-with-level has a %s", async (member) => {
    const events = await mutated({ id: "alert-with-level", params: { member } });
    expect(events.filter(({ name }) => name === "alert").map(({ data }) => Object(data)[member])).toEqual(["warning"]);
    expect(events.filter(({ name }) => name !== "alert")).toEqual(plain);
  });

  test("is different for every variant of every fault", async () => {
    // Faults of a changing index show only in several searches.
    const ids = faults
      .filter(({ id, parameters }) => parameters?.["how"] !== undefined && id !== "index-in-other-states")
      .map(({ id }) => id);
    const all = await Promise.all(choicesOfAll(...ids).map(mutated));
    const changed = all.filter((events) => events.length > 0 && JSON.stringify(events) !== JSON.stringify(plain));
    expect(changed.length).toBeGreaterThan(70);
    expect(new Set(textsOf(changed)).size).toBe(changed.length);
  });
});

describe("filters-shrink", () => {
  test("drops only the first filter from the second list", async () => {
    const lists = (events: readonly SearchEvent[]): readonly (readonly unknown[])[] =>
      events.filter(({ name }) => name === "filters").map(({ data }) => objectsIn(data).map(({ value }) => value));
    const [first = [], ...later] = lists(plain);
    const shrunk = lists(await mutated({ id: "filters-shrink" }));
    expect(later.length).toBeGreaterThan(0);
    expect(shrunk).toEqual([
      first,
      ...later.map((values, index) => values.filter((value) => index > 0 || value !== first[0])),
    ]);
    expect(shrunk).not.toEqual([first, ...later]);
  });
});
