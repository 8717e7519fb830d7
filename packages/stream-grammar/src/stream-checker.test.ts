import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { grammarLimits, grammarObservations, grammarViolations } from "@assay/contract";
import { createStreamChecker } from "./stream-checker.ts";
import type { GrammarFinding } from "./stream-checker.ts";
import { checkStream, cut, places } from "./testing/check-stream.ts";
import { fixtureStreams } from "./testing/fixture-streams.ts";

const done = "event: done\ndata: {}\n\n";
const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

describe("a reader of matches", () => {
  const reading = (value: object | undefined) => {
    const calls: string[] = [];
    const events: unknown[] = [];
    const checker = createStreamChecker({
      onEvent: ({ name, value: read }) => events.push([name, read]),
      onFinding: ({ code }) => calls.push(code),
      matchReader: {
        grow: ({ buffer, start, end }) => calls.push(`grow ${buffer.toString("utf8", start, end)}`),
        finish({ buffer, start, end }) {
          calls.push(`finish ${buffer.toString("utf8", start, end)}`);
          return value;
        },
      },
    });
    return { calls, events, checker };
  };
  const begin = 'event: progress\ndata: {"done":true}\n\nevent: matches\ndata: [1';

  test("gets the data of matches only, while it arrives, and decides their value", () => {
    const read = {};
    const { calls, events, checker } = reading(read);
    checker.push(Buffer.from(begin), 0);
    checker.push(Buffer.from(`,2]\n\n${done}`), 1);
    checker.end();
    expect(calls).toEqual(["grow [1", "finish [1,2]"]);
    expect(events).toEqual([
      ["progress", { done: true }],
      ["matches", read],
      ["done", {}],
    ]);
  });

  test("leaves what it cannot read to the parser", () => {
    const { calls, events, checker } = reading(undefined);
    checker.push(Buffer.from(`${begin}]\n\n${done}`), 0);
    checker.end();
    expect(calls).toEqual(["finish [1]"]);
    expect(events).toContainEqual(["matches", [1]]);
  });

  test("gets no data after `done`", () => {
    const { calls, checker } = reading({});
    checker.push(Buffer.from(`${done}event: matches\ndata: [1`), 0);
    checker.push(Buffer.from("]\n\n"), 1);
    expect(calls).toEqual(["bytes-after-done"]);
  });
});

test("a stream is done after the blank line of `done`", () => {
  const checker = createStreamChecker({ onFinding() {} });
  const states = ["event: done\ndata: {}\n", "\n", "event: alert"].map((text) => {
    checker.push(Buffer.from(text), 0);
    return checker.isDone;
  });
  expect(states).toEqual([false, true, true]);
});

describe("the findings of the checker", () => {
  test.each<{ name: string; stream: string | Buffer; says: readonly string[] }>([
    { name: "none for a well-formed stream", stream: `event: progress\ndata: {"done":true}\n\n${done}`, says: [] },
    { name: "an unlisted field", stream: `event: done\ndata: {}\nfoo: 1\n\n`, says: ["third-field@21+6#0"] },
    {
      name: "a field name with another case",
      stream: `event: x\nData: 1\ndata: 1\n\n${done}`,
      says: ["unlisted-event-name@7+1#0", "third-field@9+7#0"],
    },
    { name: "a field without a colon", stream: `event\n\n${done}`, says: ["not-a-field@0+5#0"] },
    { name: "a comment between events", stream: `: ping\n\n${done}`, says: ["comment@0+6#0"] },
    { name: "a comment inside an event", stream: `event: done\n:\ndata: {}\n\n`, says: ["comment@12+1#0"] },
    { name: "an id", stream: `id: 7\nevent: done\ndata: {}\n\n`, says: ["id-field@0+5#0"] },
    { name: "a retry", stream: `retry: 7\n\n${done}`, says: ["retry-field@0+8#0"] },
    {
      name: "an event after a comment, which is not an event",
      stream: `: ping\n\nevent: alert\n\n${done}`,
      says: ["comment@0+6#0", "missing-data@8+0#0"],
    },
    {
      name: "an unknown line inside an event, which still begins at its first line",
      stream: `event: alert\nfoo\n\n${done}`,
      says: ["not-a-field@13+3#0", "missing-data@0+0#0"],
    },
    {
      name: "a long line without a colon",
      stream: `${"x".repeat(101)}\n\n${done}`,
      says: ["not-a-field@0+101#0"],
    },
    {
      name: "a long line with a colon after its excerpt",
      stream: `${"x".repeat(100)}:\n\n${done}`,
      says: ["third-field@0+101#0"],
    },
    { name: "a missing event field", stream: `data: {}\n\n${done}`, says: ["missing-event@0+0#0"] },
    { name: "a missing data field", stream: `event: alert\n\n${done}`, says: ["missing-data@0+0#0"] },
    {
      name: "a missing data field of done, which still ends the stream",
      stream: `event: done\n\n`,
      says: ["missing-data@0+0#0"],
    },
    { name: "an event field without a name", stream: `event: \ndata: {}\n\n${done}`, says: ["empty-event-name@0+7#0"] },
    {
      name: "an event field without a name or a space",
      stream: `event:\ndata: {}\n\n${done}`,
      says: ["no-space-after-colon@5+1#0", "empty-event-name@0+6#0"],
    },
    {
      name: "a second event field",
      stream: `event: alert\nevent: done\ndata: {}\n\n${done}`,
      says: ["repeated-event@13+11#0"],
    },
    {
      name: "a second data field, but not the JSON it splits",
      stream: `event: alert\ndata: {\ndata: }\n\n${done}`,
      says: ["repeated-data@21+7#0"],
    },
    {
      name: "a second data field before the event field",
      stream: `data: 1\ndata: 2\nevent: done\n\n`,
      says: ["repeated-data@8+7#0", "field-order@0+0#0", "done-not-empty@6+1#0"],
    },
    {
      name: "data that is not JSON after an event with a second data field",
      stream: `event: alert\ndata: {}\ndata: {}\n\nevent: alert\ndata: {\n\n${done}`,
      says: ["repeated-data@22+8#0", "data-not-json@52+0#1"],
    },
    {
      name: "a second data field after an event that has data first",
      stream: `data: {}\nevent: done\nevent: done\n\n`,
      says: ["field-order@0+0#0", "repeated-event@21+11#0"],
    },
    {
      name: "each CR of CRLF and nothing else",
      stream: done.replaceAll("\n", "\r\n"),
      says: ["carriage-return@11+1#0", "carriage-return@21+1#0", "carriage-return@23+1#0"],
    },
    { name: "a CR inside data", stream: `event: alert\ndata: {\r}\n\n${done}`, says: ["carriage-return@20+1#0"] },
    { name: "an extra blank line", stream: `event: alert\ndata: {}\n\n\n${done}`, says: ["extra-blank-line@23+1#1"] },
    { name: "a leading blank line", stream: `\n${done}`, says: ["extra-blank-line@0+1#0"] },
    { name: "a missing blank line", stream: `event: alert\ndata: {}\n${done}`, says: ["missing-blank-line@22+0#0"] },
    {
      name: "a missing blank line if data comes first",
      stream: `data: {}\nevent: alert\ndata: {}\nevent: done\n\n`,
      says: ["field-order@0+0#0", "missing-blank-line@22+0#0"],
    },
    { name: "a byte order mark", stream: `\uFEFF${done}`, says: ["byte-order-mark@0+3#0"] },
    {
      name: "the field after a byte order mark at its own position",
      stream: `\uFEFFevent: x\ndata: 1\n\n${done}`,
      says: ["byte-order-mark@0+3#0", "unlisted-event-name@10+1#0"],
    },
    {
      name: "a later byte order mark as an unknown field",
      stream: `event: alert\ndata: {}\n\n\uFEFF${done}`,
      says: ["third-field@23+14#1", "missing-event@23+0#1", "no-done@48+0#2"],
    },
    {
      name: "a stray byte",
      stream: latin1(`event: alert\ndata: {"a":"\xff"}\n\n${done}`),
      says: ["invalid-utf8@25+1#0"],
    },
    {
      name: "an overlong form",
      stream: latin1(`event: alert\ndata: {"a":"\xc0\xaf"}\n\n${done}`),
      says: ["invalid-utf8@25+1#0"],
    },
    {
      name: "a character cut short",
      stream: latin1(`event: alert\ndata: {"a":"xy\xe2\x82"}\n\n${done}`),
      says: ["invalid-utf8@27+1#0"],
    },
    {
      name: "data that is not JSON, at its first wrong byte",
      stream: `event: alert\ndata: {"a":NaN}\n\n${done}`,
      says: ["data-not-json@24+1#0"],
    },
    {
      name: "data that ends too early, after its last byte",
      stream: `event: alert\ndata: {"a":\n\n${done}`,
      says: ["data-not-json@24+0#0"],
    },
    {
      name: "empty data",
      stream: `event: alert\ndata:\n\n${done}`,
      says: ["no-space-after-colon@17+1#0", "data-not-json@18+0#0"],
    },
    { name: "a done with content", stream: `event: done\ndata: {"a":1}\n\n`, says: ["done-not-empty@18+7#0"] },
    { name: "a done that is an array", stream: `event: done\ndata: []\n\n`, says: ["done-not-empty@18+2#0"] },
    { name: "a done that is a number", stream: `event: done\ndata: 1\n\n`, says: ["done-not-empty@18+1#0"] },
    { name: "a done that is true", stream: `event: done\ndata: true\n\n`, says: ["done-not-empty@18+4#0"] },
    { name: "a done that is null", stream: `event: done\ndata: null\n\n`, says: ["done-not-empty@18+4#0"] },
    { name: "a done that is an empty text", stream: `event: done\ndata: ""\n\n`, says: ["done-not-empty@18+2#0"] },
    { name: "a second done", stream: done + done, says: ["second-done@22+22#1"] },
    {
      name: "an event after done, once",
      stream: `${done}event: alert\ndata: {}\n\nevent: alert\ndata: {}\n\n`,
      says: ["bytes-after-done@22+1#1"],
    },
    {
      name: "an event after done, and none of the choices made in it",
      stream: `${done}event:x\ndata: {}\n\n`,
      says: ["bytes-after-done@22+1#1"],
    },
    { name: "a newline after done", stream: `${done}\n`, says: ["bytes-after-done@22+1#1"] },
    { name: "bytes after done without a line end", stream: `${done}bye`, says: ["bytes-after-done@22+1#1"] },
    { name: "a missing done", stream: `event: alert\ndata: {}\n\n`, says: ["no-done@23+0#1"] },
    { name: "a missing done in no bytes at all", stream: "", says: ["no-done@0+0#0"] },
    {
      name: "a done without its last line feed",
      stream: `event: done\ndata: {}\n`,
      says: ["no-last-separator@21+0#0"],
    },
    {
      name: "a done without both line feeds",
      stream: `event: done\ndata: {}`,
      says: ["no-last-separator@20+0#0"],
    },
    {
      name: "data that comes first, without the line feed after the name",
      stream: `data: {}\nevent: done`,
      says: ["field-order@0+0#0", "no-last-separator@20+0#0"],
    },
    {
      name: "a name that may be truncated",
      stream: `data: {}\nevent: don`,
      says: ["unlisted-event-name@16+3#0", "field-order@0+0#0", "unterminated-event@19+0#0", "no-done@19+0#1"],
    },
    {
      name: "invalid UTF-8 in a complete last line",
      stream: latin1(`event: alert\ndata: "\xff"`),
      says: ["invalid-utf8@20+1#0", "no-last-separator@22+0#0", "no-done@22+0#1"],
    },
    {
      name: "a field truncated after a complete event",
      stream: `event: alert\ndata: {}\nev`,
      says: ["unterminated-event@24+0#0", "no-done@24+0#1"],
    },
    {
      name: "an end after the event name",
      stream: `event: alert\n`,
      says: ["unterminated-event@13+0#0", "no-done@13+0#1"],
    },
    {
      name: "an end inside data, without invalid JSON",
      stream: `event: alert\ndata: {"a"`,
      says: ["unterminated-event@23+0#0", "no-done@23+0#1"],
    },
    {
      name: "an end inside a character, without invalid UTF-8",
      stream: latin1(`event: alert\ndata: "\xe2\x82`),
      says: ["unterminated-event@22+0#0", "no-done@22+0#1"],
    },
    {
      name: "a stray byte before an end inside data",
      stream: latin1(`event: alert\ndata: "\xffabc`),
      says: ["invalid-utf8@20+1#0", "unterminated-event@24+0#0", "no-done@24+0#1"],
    },
    {
      name: "an end inside a field name, without an unknown line",
      stream: `event: alert\nda`,
      says: ["unterminated-event@15+0#0", "no-done@15+0#1"],
    },
    {
      name: "a CRLF split by the end of the stream, as an unfinished event",
      stream: "event: done\r\ndata: {}\r\n\r",
      says: ["carriage-return@11+1#0", "carriage-return@21+1#0", "carriage-return@23+1#0", "unterminated-event@24+0#0"],
    },
    {
      name: "a stream of only a byte order mark",
      stream: "\uFEFF",
      says: ["byte-order-mark@0+3#0", "unterminated-event@3+0#0", "no-done@3+0#0"],
    },
    {
      name: "the order of the fields as an observation, once",
      stream: `data: {}\nevent: alert\n\ndata: {}\nevent: done\n\n`,
      says: ["field-order@0+0#0"],
    },
    {
      name: "a missing space as an observation, once",
      stream: `event:alert\ndata:{}\n\n${done}`,
      says: ["no-space-after-colon@5+1#0"],
    },
    {
      name: "each unlisted name as an observation, once",
      stream: `event: a\ndata: 1\n\nevent: b\ndata: 1\n\nevent: a\ndata: 1\n\n${done}`,
      says: ["unlisted-event-name@7+1#0", "unlisted-event-name@25+1#1"],
    },
    {
      name: "a name that starts with a listed one",
      stream: `event: done!\ndata: {}\n\n`,
      says: ["unlisted-event-name@7+5#0", "no-done@23+0#1"],
    },
    {
      name: "a name with a second space as another name",
      stream: `event:  done\ndata: {}\n\n`,
      says: ["unlisted-event-name@7+5#0", "no-done@23+0#1"],
    },
  ])("$name", ({ stream, says }) => {
    expect(places(checkStream([Buffer.from(stream)]))).toEqual(says);
  });

  test("some committed stream has every violation and observation code", () => {
    const found = new Set(
      fixtureStreams().flatMap(({ bytes }) => checkStream([bytes]).findings.map(({ code }) => code)),
    );
    expect([...found].sort()).toEqual([...Object.keys(grammarViolations), ...Object.keys(grammarObservations)].sort());
  });

  test("a violation has every field, and so have bytes after done", () => {
    const { findings } = checkStream([Buffer.from(`\n${done}\n`)]);
    const standardClient = "same-events";
    expect(findings).toEqual([
      {
        kind: "violation",
        code: "extra-blank-line",
        title: grammarViolations["extra-blank-line"].title,
        standardClient,
        offset: 0,
        length: 1,
        event: 0,
      },
      {
        kind: "violation",
        code: "bytes-after-done",
        title: grammarViolations["bytes-after-done"].title,
        standardClient,
        offset: 23,
        length: 1,
        event: 1,
      },
    ]);
  });

  test("it names the unknown field, at most 100 bytes of it", () => {
    const [finding] = checkStream([Buffer.from(`${"x".repeat(5000)}: 1\n\n${done}`)]).findings;
    expect(finding).toMatchObject({ code: "third-field", detail: "x".repeat(100) });
  });
});

describe("the events of the checker", () => {
  test("have name, position and value, with the time of the chunk that completed the data line", () => {
    const chunks = ["event: progress\nda", 'ta: {"done":', "true}\n", `\n${done}`].map((text) => Buffer.from(text));
    expect(checkStream(chunks).events).toEqual([
      {
        name: "progress",
        index: 0,
        offset: 0,
        dataOffset: 22,
        dataBytes: 13,
        atMicros: 2,
        parsed: true,
        value: { done: true },
      },
      { name: "done", index: 1, offset: 37, dataOffset: 55, dataBytes: 2, atMicros: 3, parsed: true, value: {} },
    ]);
  });

  test("events whose data is not JSON, marked as such", () => {
    const { events } = checkStream([Buffer.from(`event: alert\ndata: {\n\n${done}`)]);
    expect(events[0]).toMatchObject({ name: "alert", parsed: false, value: undefined });
  });

  test("no event after the first done", () => {
    const { events } = checkStream([Buffer.from(`${done}event: alert\ndata: {}\n\n`)]);
    expect(events.map(({ name }) => name)).toEqual(["done"]);
  });
});

describe("laws", () => {
  const fragments = fc.constantFrom(
    "event: matches\n",
    "event: done\n",
    "event:x\n",
    "data: {}\n",
    'data: [{"a":"größe 🔎"}]\n',
    "data: {\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\uFEFF",
    ": note\n",
    "id: 1\n",
    "foo\n",
    "foo: bar\n",
    "event: done\ndata: {}\n\n",
    "data",
    "e",
  );
  const streamBytes = fc
    .array(
      fc.oneof(
        fragments.map((text) => Buffer.from(text)),
        fc.uint8Array({ maxLength: 4 }).map((b) => Buffer.from(b)),
      ),
      { maxLength: 24 },
    )
    .map((parts) => Buffer.concat(parts));
  const withoutStamps = ({ events, findings }: ReturnType<typeof checkStream>): unknown => [
    events.map((event) => ({ ...event, atMicros: 0 })),
    findings,
  ];

  test("the findings do not depend on chunk boundaries", () => {
    fc.assert(
      fc.property(streamBytes, fc.array(fc.nat(), { maxLength: 20 }), (bytes, cuts) => {
        expect(withoutStamps(checkStream(cut(bytes, cuts)))).toEqual(withoutStamps(checkStream([bytes])));
      }),
      { numRuns: repetitions(500, 2000) },
    );
  });

  test.each(fixtureStreams())("the findings of $name are the same byte by byte", ({ bytes }) => {
    const bytewise = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const seen = ({ events, findings }: ReturnType<typeof checkStream>): unknown => [
      events.map(({ name, dataOffset, dataBytes }) => [name, dataOffset, dataBytes]),
      findings,
    ];
    expect(seen(checkStream(bytewise))).toEqual(seen(checkStream([bytes])));
  });

  test("limits do not depend on chunk boundaries", () => {
    fc.assert(
      fc.property(
        streamBytes,
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.integer({ min: 0, max: 24 }),
        (bytes, cuts, maxLineBytes) => {
          expect(withoutStamps(checkStream(cut(bytes, cuts), { maxLineBytes }))).toEqual(
            withoutStamps(checkStream([bytes], { maxLineBytes })),
          );
        },
      ),
    );
  });

  test("a well-formed stream of any JSON values has no violation", () => {
    const event = fc.tuple(fc.constantFrom("matches", "progress", "filters", "alert", "x"), fc.json());
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const bytes = Buffer.from(
          `${events.map(([name, data]) => `event: ${name}\ndata: ${data}\n\n`).join("")}${done}`,
        );
        expect(checkStream([bytes]).findings.filter(({ kind }) => kind !== "note")).toEqual([]);
      }),
    );
  });

  test("offsets lie inside the stream and never decrease within one kind of finding", () => {
    fc.assert(
      fc.property(streamBytes, (bytes) => {
        const offsets = checkStream([bytes])
          .findings.filter(({ code }) => code === "carriage-return")
          .map(({ offset }) => offset);
        expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
        expect(offsets.every((offset) => bytes[offset] === 13)).toBe(true);
      }),
    );
  });
});

describe("limits", () => {
  test("a line over the limit ends the check and is not a violation", () => {
    const { findings, events } = checkStream(
      [Buffer.from(`${done.replace("done", "alert")}event: alert\ndata: "${"x".repeat(64)}"\n\n`)],
      { maxLineBytes: 32 },
    );
    expect(findings).toEqual([
      {
        kind: "limit",
        code: "line-too-long",
        title: grammarLimits["line-too-long"].title,
        limitBytes: 32,
        offset: 36,
        length: 0,
        event: 1,
      },
    ]);
    expect(events).toHaveLength(1);
  });

  test("a line exactly as long as the limit is read", () => {
    expect(places(checkStream([Buffer.from(done)], { maxLineBytes: 11 }))).toEqual([]);
  });

  test("an endless line is refused before more than the limit is kept", () => {
    const chunk = Buffer.alloc(1024, 0x78);
    expect(
      places(
        checkStream(
          Array.from({ length: 64 }, () => chunk),
          { maxLineBytes: 4096 },
        ),
      ),
    ).toEqual(["line-too-long@0+0#0"]);
  });

  test("names beyond the fiftieth are counted as seen without being kept", () => {
    const names = Array.from({ length: 80 }, (_, index) => `event: name-${index}\ndata: 1\n\n`).join("");
    expect(checkStream([Buffer.from(names + done)]).findings).toHaveLength(50);
  });
});

test("events need no handler", () => {
  const findings: GrammarFinding[] = [];
  const checker = createStreamChecker({ onFinding: (finding) => findings.push(finding) });
  checker.push(Buffer.from(done), 0);
  checker.end();
  expect(findings).toEqual([]);
});
