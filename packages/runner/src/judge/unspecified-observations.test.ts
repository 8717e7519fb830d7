import { unspecifiedBehaviour, grammarObservations } from "@assay/contract";
import type { JudgedExchange } from "@assay/rules";
import { describe, expect, test } from "vitest";
import { recorded } from "../testing/recorded.ts";
import type { ExchangeSketch } from "../testing/recorded.ts";
import { findUnspecifiedId, collectUnspecifiedRows } from "./unspecified-observations.ts";

const facts = {
  bytes: 9,
  events: 1,
  matches: 0,
  isFinished: true,
  hasOnlyProblems: false,
  hasErrorAlert: false,
  isComplete: true,
  eventCounts: {},
};

const judged = (sketch: ExchangeSketch, stream?: Partial<JudgedExchange["stream"]>): JudgedExchange => ({
  record: recorded(sketch).record,
  ...(stream === undefined ? {} : { stream: { ...facts, ...stream } }),
});

const seenIn = (...exchanges: readonly JudgedExchange[]) =>
  collectUnspecifiedRows(exchanges, []).map(({ behaviour, seen }) => [
    behaviour,
    ...seen.map(({ message }) => message),
  ]);

describe("the row of an observation", () => {
  test.each(Object.entries(grammarObservations))("with the code %s is in the register", (code, { behaviour }) => {
    expect(findUnspecifiedId({ code })).toBe(behaviour);
    expect(unspecifiedBehaviour.map(({ id }) => id)).toContain(behaviour);
  });

  test.each(["toString", "__proto__", "no-such-code"])("with the code %s does not exist", (code) => {
    expect(findUnspecifiedId({ code })).toBeUndefined();
  });

  test("without a code does not exist", () => {
    expect(findUnspecifiedId({})).toBeUndefined();
  });
});

describe("the choices of a target", () => {
  test.each([
    { credential: "access-token", status: 403, message: "an access token is refused with status 403" },
    { credential: "oauth-token", status: 401, message: "an OAuth token is refused with status 401" },
    { credential: "invalid-token", status: 401, message: "a token that was never issued is refused with status 401" },
    { credential: "none", status: 401, message: "a search without a token is refused with status 401" },
    { credential: "unknown", status: 403, message: "a credential of unknown kind is refused with status 403" },
  ] as const)("say how $credential is refused", ({ credential, status, message }) => {
    expect(seenIn(judged({ credential, status }))).toEqual([["stream/refusal-of-credentials", message]]);
  });

  test.each([
    {
      name: "with its parameters",
      headers: [["Content-Type", "text/event-stream; x=1"]],
      seen: "Content-Type: text/event-stream; x=1",
    },
    { name: "that is hostile", headers: [["content-type", "a\u001B[2Jb"]], seen: String.raw`Content-Type: a\x1b[2Jb` },
    { name: "that is missing", headers: [], seen: "no Content-Type" },
  ] as const)("name a type $name", ({ headers, seen }) => {
    expect(seenIn(judged({ headers }, {}))).toEqual([["stream/response-content-type", seen]]);
  });

  test("name no type of an answer without events", () => {
    expect(seenIn(judged({}, { events: 0 }), judged({}))).toEqual([]);
  });

  test("say that problems came without a search", () => {
    expect(seenIn(judged({ headers: [] }, { hasOnlyProblems: true })).at(-1)?.[0]).toBe("stream/stream-without-search");
  });

  test("are reported once, with the first exchange that shows them, in the order of rows", () => {
    const exchanges = ["0001", "0002", "0003"].map((id) => judged({ id, credential: "none", status: 401 }));
    const observation = { kind: "note", code: "field-order", message: "data first", exchange: "0007" } as const;
    expect(collectUnspecifiedRows(exchanges, [observation, observation])).toEqual([
      { behaviour: "stream/field-order", seen: [observation] },
      {
        behaviour: "stream/refusal-of-credentials",
        seen: [{ kind: "note", exchange: "0001", message: "a search without a token is refused with status 401" }],
      },
    ]);
  });

  test("are at most 20 of a row", () => {
    const many = Array.from({ length: 50 }, (_, index) => judged({ headers: [["content-type", `type/${index}`]] }, {}));
    expect(collectUnspecifiedRows(many, [])[0]?.seen).toHaveLength(20);
  });
});
