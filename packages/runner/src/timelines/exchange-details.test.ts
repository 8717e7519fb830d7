import { describe, expect, test } from "vitest";
import { recorded, unreadable } from "../testing/recorded.ts";
import { selectExchangeDetails } from "./exchange-details.ts";

const ids = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index + 1).padStart(4, "0"));

describe("the details of an exchange", () => {
  test("are its header and the start of its body", () => {
    const exchange = recorded({ id: "0002", headers: [["x-a", "b\u001Bc"]], body: "event: done\ndata: {}\n\n" });
    expect(selectExchangeDetails([recorded({}), exchange], new Set(["0002"]))).toEqual({
      exchanges: [
        {
          exchange: "0002",
          method: "GET",
          url: "http://code.example/.api/search/stream?q=test",
          requestHeaders: ["accept: text/event-stream"],
          status: 200,
          responseHeaders: ["x-a: b\\x1bc"],
          bodyHead: "event: done\\ndata: {}\\n\\n",
          bodyBytes: 22,
        },
      ],
      moreExchanges: 0,
    });
  });

  test("mark a secret as replaced and do not show its placeholder", () => {
    const headers = [
      ["Authorization", "token WnEQabcd"],
      ["set-cookie", "session=WnEQ"],
      ["x-api-key", "WnEQ"],
      ["x-a", "WnEQ"],
    ] as const;
    const [detail] = selectExchangeDetails([recorded({ headers })], new Set(["0001"])).exchanges;
    expect(detail?.responseHeaders).toEqual([
      "Authorization: token (replaced, 8 characters)",
      "set-cookie: (replaced, 12 characters)",
      "x-api-key: (replaced, 4 characters)",
      "x-a: WnEQ",
    ]);
  });

  test.each([
    { name: "a large body", exchange: recorded({ body: "字".repeat(9000) }), length: 2000, status: 200 },
    { name: "a body of 2,000 characters", exchange: recorded({ body: "x".repeat(2000) }), length: 2000, status: 200 },
    { name: "a deleted body", exchange: unreadable({ body: "x" }, "pruned"), length: 0, status: 200 },
    { name: "no answer", exchange: recorded({ status: 0 }), length: 0, status: undefined },
  ])("of $name are short", ({ exchange, length, status }) => {
    const [detail] = selectExchangeDetails([exchange], new Set(["0001"])).exchanges;
    expect([detail?.bodyHead.length, detail?.status]).toEqual([length, status]);
  });

  test("have some of many headers and the number of the others", () => {
    const headers = ids(500).map((id) => [id, "v".repeat(5000)] as const);
    const [detail] = selectExchangeDetails([recorded({ headers })], new Set(["0001"])).exchanges;
    expect(detail?.responseHeaders).toHaveLength(61);
    expect(detail?.responseHeaders.at(-1)).toBe("… and 440 more");
    expect(Math.max(...(detail?.responseHeaders ?? []).map((line) => line.length))).toBe(300);
  });

  test("are those of the first 200 exchanges that verdicts name, in the order of their ids; unknown ids do not count", () => {
    const exchanges = ids(250).map((id) => recorded({ id }));
    const named = new Set(["missing", "0250", ...ids(249)]);
    const details = selectExchangeDetails(exchanges, named);
    expect(details.exchanges.map(({ exchange }) => exchange)).toEqual([...ids(199), "0250"]);
    expect(details.moreExchanges).toBe(50);
  });
});
