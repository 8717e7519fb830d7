import { describe, expect, test } from "vitest";
import { currentMachine } from "@assay/contract";
import { chainMachine } from "./testing/chain-machine.ts";
import { codesOf, currentCodes, legacyCodes, legacyRead, read, reportOn, stamp } from "./testing/observations.ts";
import type { Observation } from "./testing/observations.ts";

interface Row {
  readonly name: string;
  readonly history: readonly Observation[];
  readonly codes: readonly string[];
}

const created = (sentMs: number, createdAt: string): Observation =>
  read([sentMs, sentMs + 1], undefined, { createdAt });
const updated = (at: readonly [number, number], seconds: number): Observation =>
  read(at, undefined, { updated: seconds });

describe("the time of creation", () => {
  test.each<Row>([
    { name: "stays", history: [created(1, stamp(5)), created(3, stamp(5))], codes: [] },
    { name: "changes", history: [created(1, stamp(5)), created(3, stamp(6))], codes: ["created-at-changed"] },
    {
      name: "is spelled with another offset",
      history: [created(1, "2025-06-01T12:00:00Z"), created(3, "2025-06-01T14:30:00+02:30")],
      codes: [],
    },
    {
      name: "has more digits in another answer",
      history: [created(1, "2025-06-01T12:00:00Z"), created(3, "2025-06-01T12:00:00.999Z")],
      codes: [],
    },
    {
      name: "is rounded up in another answer",
      history: [created(1, "2025-06-01T12:00:00.9995Z"), created(3, "2025-06-01T12:00:01Z")],
      codes: [],
    },
    {
      name: "differs by a second if the precision differs",
      history: [created(1, "2025-06-01T12:00:00.000Z"), created(3, "2025-06-01T12:00:01Z")],
      codes: ["created-at-changed"],
    },
    {
      name: "differs in its last digit",
      history: [created(1, "2025-06-01T12:00:00.001Z"), created(3, "2025-06-01T12:00:00.002Z")],
      codes: ["created-at-changed"],
    },
    { name: "cannot be read", history: [created(1, "yesterday"), created(3, "today")], codes: [] },
    {
      name: "is that of a question",
      history: [
        read([1, 2], undefined, { questions: [{ createdAt: stamp(1) }] }),
        read([3, 4], undefined, { questions: [{ createdAt: stamp(2) }] }),
      ],
      codes: ["created-at-changed"],
    },
  ])("$name", ({ history, codes }) => {
    expect(currentCodes(...history)).toEqual(codes);
  });
});

describe("the update time", () => {
  test.each<Row>([
    { name: "grows", history: [updated([1, 2], 1), updated([3, 4], 2)], codes: [] },
    {
      name: "goes back to a time never shown before",
      history: [updated([1, 2], 2), updated([3, 4], 1)],
      codes: ["updated-at-fell"],
    },
    {
      name: "is older in an answer to an earlier request",
      history: [updated([1, 2], 2), updated([2, 4], 1)],
      codes: [],
    },
    {
      name: "goes back to a time shown before",
      history: [updated([1, 2], 1), updated([3, 4], 2), updated([5, 6], 1)],
      codes: ["stale-read"],
    },
    {
      name: "is truncated to seconds in a later answer",
      history: [updated([1, 2], 2.75), updated([3, 4], 2)],
      codes: [],
    },
    {
      name: "goes back by more than the truncated part",
      history: [updated([1, 2], 3.25), updated([3, 4], 2)],
      codes: ["updated-at-fell"],
    },
    {
      name: "goes back by a millisecond",
      history: [updated([1, 2], 1.002), updated([3, 4], 1.001)],
      codes: ["updated-at-fell"],
    },
    {
      name: "cannot be read",
      history: [
        read([1, 2], undefined, { updated: 2 }),
        { ...read([3, 4], undefined), snapshot: { updatedAt: "soon" } },
      ],
      codes: [],
    },
    {
      name: "goes back in a question",
      history: [
        legacyRead([1, 2], [{ id: "1", updatedAt: stamp(2) }]),
        legacyRead([3, 4], [{ id: "1", updatedAt: stamp(1) }]),
      ],
      codes: ["updated-at-fell"],
    },
  ])("$name", ({ history, codes }) => {
    expect(legacyCodes(...history)).toEqual(codes);
  });
});

const p = (at: readonly [number, number], seconds?: number, session?: string): Observation =>
  read(at, "processing", {
    texts: ["a"],
    ...(seconds === undefined ? {} : { updated: seconds }),
    ...(session === undefined ? {} : { session }),
  });
const c = (at: readonly [number, number], seconds?: number, session?: string): Observation =>
  read(at, "completed", {
    texts: ["a"],
    ...(seconds === undefined ? {} : { updated: seconds }),
    ...(session === undefined ? {} : { session }),
  });

describe("going back is", () => {
  test.each<Row>([
    {
      name: "a stale read where the version is older",
      history: [p([1, 2], 1), c([3, 4], 5), p([6, 7], 1)],
      codes: ["stale-read"],
    },
    {
      name: "a stale read of a version never shown before",
      history: [c([3, 4], 5), p([6, 7], 1)],
      codes: ["stale-read"],
    },
    {
      name: "a stale read in another session",
      history: [c([3, 4], 5, "s"), p([6, 7], 1, "t"), p([8, 9], 1, "t")],
      codes: ["stale-read"],
    },
    { name: "a stale read of the same whole second", history: [c([3, 4], 5), p([6, 7], 5)], codes: ["stale-read"] },
    {
      name: "a stale read of the same finer time that was shown before",
      history: [p([1, 2], 5.5), c([3, 4], 5.5), p([6, 7], 5.5)],
      codes: ["stale-read"],
    },
    {
      name: "a step of the server where the same finer time was never shown with it",
      history: [c([3, 4], 5.5), p([6, 7], 5.5)],
      codes: ["backward-transition"],
    },
    {
      name: "a step of the server where the version is newer",
      history: [c([3, 4], 5), p([6, 7], 6)],
      codes: ["backward-transition"],
    },
    {
      name: "a step of the server although another read is stale",
      history: [c([3, 4], 5), p([5, 6], 6), p([8, 9], 1)],
      codes: ["backward-transition", "stale-read"],
    },
    {
      name: "a step of the server without times",
      history: [c([3, 4]), p([6, 7])],
      codes: ["backward-transition"],
    },
    {
      name: "a step of the server if one time is missing",
      history: [c([3, 4], 5), p([6, 7])],
      codes: ["backward-transition"],
    },
    {
      name: "a step of the server where the session stays on the old value",
      history: [p([1, 2], 1), c([3, 4], 5), p([6, 7], 1), p([8, 9], 1)],
      codes: ["backward-transition"],
    },
    {
      name: "a stale read where the session does not stay on the old value",
      history: [p([1, 2], 1), c([3, 4], 5), p([6, 7], 1), p([8, 9], 1), c([10, 11], 5)],
      codes: ["stale-read"],
    },
    {
      name: "a stale read where another session still sees the new value",
      history: [p([1, 2], 1), c([3, 4], 5), p([6, 7], 1), p([8, 9], 1), c([8, 10], 5, "t")],
      codes: ["stale-read"],
    },
    {
      name: "a stale read where only the spelling of its time is newer",
      history: [c([3, 4], 5), p([6, 7], 5.5)],
      codes: ["stale-read"],
    },
    { name: "nothing where the reads overlap", history: [c([3, 6], 5), p([5, 7], 1)], codes: [] },
  ])("$name", ({ history, codes }) => {
    expect(currentCodes(...history)).toEqual(codes);
  });

  test("a stale list where it is that of an older version", () => {
    const one = { texts: ["a"], updated: 1 };
    const two = { texts: ["a", "b"], updated: 5 };
    expect(
      currentCodes(read([1, 2], "completed", one), read([3, 4], "processing", two), read([5, 6], "completed", one)),
    ).toEqual(["stale-read"]);
    expect(currentCodes(read([3, 4], "processing", two), read([5, 6], "processing", { ...one, updated: 6 }))).toEqual([
      "question-lost",
    ]);
  });

  test("reported of a question too", () => {
    const row = (status: string, seconds: number) => [{ id: "1", status, facts: ["error"], updatedAt: stamp(seconds) }];
    expect(legacyCodes(legacyRead([1, 2], row("completed", 5)), legacyRead([3, 4], row("processing", 1)))).toEqual([
      "stale-read",
    ]);
    expect(legacyCodes(legacyRead([1, 2], row("completed", 5)), legacyRead([3, 4], row("processing", 6)))).toEqual([
      "backward-transition",
    ]);
  });
});

describe("staleness", () => {
  const staleOf = (...history: readonly Observation[]): number => reportOn(currentMachine, history).staleMicros;

  test("is 0 where nothing is stale", () => {
    expect(staleOf(p([1, 2], 1), c([3, 4], 5))).toBe(0);
  });

  test("is from the first end of the newer to the last sending of the older version", () => {
    expect(staleOf(c([3, 4], 5), c([4, 5], 5), p([6, 7], 1), p([10, 20], 1, "t"), c([30, 31], 5))).toBe(6000);
  });

  test("is the largest of all conversations, each reported once", () => {
    const other = (observation: Observation): Observation => ({ ...observation, conversation: "d" });
    const history = [
      c([3, 4], 5),
      p([6, 7], 1),
      c([8, 9], 5),
      other(c([3, 4], 5)),
      other(p([24, 25], 1)),
      other(c([26, 27], 5)),
    ];
    const report = reportOn(currentMachine, history);
    expect(report.staleMicros).toBe(20_000);
    expect(report.findings.map(({ code, staleMicros }) => [code, staleMicros])).toEqual([
      ["stale-read", 2000],
      ["stale-read", 20_000],
    ]);
  });

  test("ignores steps of the server itself", () => {
    expect(staleOf(c([3, 4], 5), p([6, 7], 6))).toBe(0);
  });

  test("comes from every rank of a longer row of states", () => {
    const at = (sentMs: number, state: string, seconds: number) =>
      read([sentMs, sentMs + 1], state, { updated: seconds });
    const history = [at(1, "s0", 1), at(3, "s1", 2), at(5, "s3", 4), at(7, "s2", 3), at(30, "s1", 2), at(40, "s3", 4)];
    const report = reportOn(chainMachine(4), history);
    expect(codesOf(chainMachine(4), history)).toEqual(["stale-read"]);
    expect(report.staleMicros).toBe(24_000);
  });
});
