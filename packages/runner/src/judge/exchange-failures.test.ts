import { describe, expect, test } from "vitest";
import { recorded, unreadable } from "../testing/recorded.ts";
import { describeFailure, collectFailureReasons } from "./exchange-failures.ts";

const cut = (id: string, bytes: number) =>
  recorded({
    id,
    probe: `probe ${id}`,
    body: "x".repeat(bytes),
    failure: { code: "truncated", message: `code.example:80: cut off after ${bytes} bytes of the body` },
  });

describe("the failure of an exchange", () => {
  test.each([
    { name: "none when it ended in good order", exchange: recorded({}), failure: undefined },
    { name: "none for a status of any kind", exchange: recorded({ status: 500 }), failure: undefined },
    {
      name: "its message alone when no response came",
      exchange: recorded({ status: 0, failure: { code: "dns", message: "the name could not be resolved" } }),
      failure: "the name could not be resolved",
    },
    {
      name: "its message with how far the body came",
      exchange: recorded({ body: "12345", failure: { code: "reset", message: "the connection was reset" } }),
      failure: "the connection was reset (after 5 bytes of the body)",
    },
    {
      name: "its message, which says how far the body came once",
      exchange: cut("0001", 7),
      failure: "code.example:80: cut off after 7 bytes of the body",
    },
    {
      name: "why the body cannot be read, before anything else",
      exchange: unreadable({ failure: { code: "reset", message: "reset" } }, "the body \u001B is not stored"),
      failure: String.raw`the body \x1b is not stored`,
    },
  ])("is $name", ({ exchange, failure }) => {
    expect(describeFailure(exchange)).toBe(failure);
  });
});

describe("reasons of failures", () => {
  test("are none when all went well, also for refusals and redirects", () => {
    expect(collectFailureReasons([200, 302, 401, 404].map((status) => recorded({ status })))).toEqual([]);
  });

  test("that differ in nothing but the bytes that arrived are one", () => {
    expect(collectFailureReasons([cut("0001", 7), cut("0002", 123), cut("0003", 0)])).toEqual([
      {
        code: "transport",
        message: "0001 (probe 0001): code.example:80: cut off after 7 bytes of the body; 2 more like it",
      },
    ]);
  });

  test("that differ in the status are several", () => {
    const messages = collectFailureReasons([500, 503, 500, 429].map((status) => recorded({ status }))).map(
      ({ message }) => message,
    );
    expect(messages).toEqual([
      "0001 (search): the target answered with status 500; 1 more like it",
      "0001 (search): the target answered with status 503",
      "0001 (search): the target answered with status 429",
    ]);
  });

  test.each([
    ["reset", "transport"],
    ["truncated", "transport"],
    ["total-timeout", "transport"],
    ["aborted", "transport"],
    ["decompression", "transport"],
    ["body-limit", "limit"],
    ["decompression-limit", "limit"],
    ["headers-overflow", "limit"],
  ] as const)("with the code %s have the code %s", (code, reason) => {
    expect(collectFailureReasons([recorded({ failure: { code, message: "it broke" } })])[0]?.code).toBe(reason);
  });

  test("for a body that is gone have a code of their own", () => {
    expect(collectFailureReasons([unreadable({}, "the body is not stored")])).toEqual([
      { code: "evidence-incomplete", message: "0001 (search): the body is not stored" },
    ]);
  });
});
