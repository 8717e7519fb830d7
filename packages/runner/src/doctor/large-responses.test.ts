import { describe, expect, test } from "vitest";
import { diagnose } from "./diagnose.ts";
import { event, seenEvidence } from "./testing/seen-evidence.ts";
import type { SeenExchange } from "./testing/seen-evidence.ts";

const url = "https://search.example.com/.api/search/stream?q=test";
const made: readonly number[] = [0, 500, 1000, 1500, 2000];

/** A stream that was made over two seconds; `atMs` says when each of its parts came. */
const stream = (atMs: (durationMs: number) => number, others: SeenExchange = {}): SeenExchange => ({
  probe: "sample",
  url,
  chunks: made.map((durationMs) => [
    event("progress", { done: durationMs === 2000, durationMs }) + (durationMs === 2000 ? event("done", {}) : ""),
    atMs(durationMs),
  ]),
  headersAtMs: 10,
  endedAtMs: 2100,
  ...others,
});

const flowing = stream((durationMs) => durationMs + 10);
const small = { ...flowing, url: `${url}&display=1` };
/** The first piece is passed on, and the rest collected. */
const collected = stream((durationMs) => (durationMs === 0 ? 10 : 2010));
/** Late as well, and never silent: what came first takes its time on a slow way. */
const slow: SeenExchange = {
  ...collected,
  chunks: [
    [event("progress", { done: false, durationMs: 0 }), 10],
    ...Array.from({ length: 19 }, (_, index) => [event("matches", []), 100 + index * 100] as const),
    [event("progress", { done: false, durationMs: 100 }), 2000],
    [event("progress", { done: true, durationMs: 2000 }) + event("done", {}), 2010],
  ],
};

async function line(samples: readonly SeenExchange[]): Promise<string> {
  const { checks } = await diagnose(seenEvidence([{}, ...samples]), {
    tool: { name: "assay", version: "1.2.3" },
    embedded: false,
  });
  const check = checks.find(({ id }) => id === "buffering");
  return `${check?.status}: ${check?.found}`;
}

describe("if small streams flow, large ones", () => {
  test.each<{ name: string; samples: readonly SeenExchange[]; is: RegExp }>([
    { name: "that flow are fine", samples: [small, small, flowing], is: /^fine: 3 of 3/ },
    {
      name: "that are collected each time are held back",
      samples: [small, small, collected, collected],
      is: /^problem: large responses are held back: .* 2 of 2 large ones, created over up to 2000 ms, .* up to 1500 ms late/,
    },
    {
      name: "that come at their end each time are held back",
      samples: [small, stream(() => 2010), stream(() => 2010)],
      is: /^problem: large responses are held back/,
    },
    {
      name: "that are collected once may be held back",
      samples: [small, small, collected],
      is: /^note: large responses may be held back: .* 1 of 1 large ones/,
    },
    {
      name: "of which one is collected may be held back",
      samples: [small, collected, flowing],
      is: /^note: large responses may be held back: .* 1 of 2 large ones/,
    },
    { name: "that come slowly are not held back", samples: [small, small, slow, slow], is: /^fine: 2 of 4/ },
    {
      name: "whose target has all of it late, by its own clock, are not held back",
      samples: [
        small,
        stream(() => 2010, {
          chunks: [[event("progress", { done: true, durationMs: 2000 }) + event("done", {}), 2010]],
        }),
      ],
      is: /^fine/,
    },
    {
      name: "say nothing where a small one is held back as well",
      samples: [small, { ...stream(() => 2010), url: small.url }, collected],
      is: /^note: some are held back/,
    },
  ])("$name", async ({ is, samples }) => {
    expect(await line(samples)).toMatch(is);
  });
});

test("a stream that flows and has not ended is reported without an end", async () => {
  const endless = stream((durationMs) => durationMs + 10, {
    chunks: made.map((durationMs) => [event("progress", { done: false, durationMs }), durationMs + 10]),
    end: { kind: "failed", code: "total-timeout", message: "too long" },
  });
  expect(await line([endless])).toBe(
    "fine: 1 of 1 streams arrived while the search ran, over 2000 ms, and had not ended when we stopped reading",
  );
});
