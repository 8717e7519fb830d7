import { isRuleId, isStreamRuleId, ruleCatalogue, ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { allRules, conversationChapters, conversationRules, streamChapters } from "./all-rules.ts";
import { committedStreams } from "./testing/committed-streams.ts";
import { failedRuleIds, judgeExchanges } from "./testing/judge-streams.ts";

const conforming = committedStreams.filter(({ standing }) => standing === "conforms");
const breaking = committedStreams.filter(({ standing }) => standing !== "conforms");

/** A cut or foreign stream breaks the end of a stream as well; everything else breaks one rule alone. */
const company: Readonly<Record<string, readonly RuleId[]>> = {
  "violates.last-event-is-complete.cut-inside-a-character.sse": ["stream/done-is-last"],
  "violates.last-event-is-complete.cut-inside-data.sse": ["stream/done-is-last"],
  "violates.lines-end-with-lf.cr-only.sse": ["stream/done-is-last", "stream/last-event-is-complete"],
  "violates.two-fields.html-page.sse": ["stream/done-is-last"],
  "violates.two-fields.plain-text.sse": ["stream/done-is-last"],
};

describe("the catalogue", () => {
  test("has one check for every rule, in its order", () => {
    expect([...allRules, ...conversationRules].map(({ id }) => id)).toEqual(ruleIds);
  });

  interface Checked {
    readonly id: RuleId;
  }

  const placed = [...Object.entries(streamChapters), ...Object.entries(conversationChapters)];
  test.each(placed)("has the checks of the chapter %s in the file of that name, and no other", (chapter, checks) => {
    const checked = Object.values<Checked | readonly Checked[]>(checks)
      .flat()
      .map(({ id }) => id);
    const isThere = checked.some((id) => isStreamRuleId(id));
    const recorded = ruleCatalogue.filter((rule) => rule.chapter === chapter && isStreamRuleId(rule.id) === isThere);
    expect([...checked].sort()).toEqual(recorded.map(({ id }) => id).sort());
  });

  test("has at least 60 committed streams", () => {
    expect(committedStreams.length).toBeGreaterThanOrEqual(60);
  });

  test.each(breaking)("has the rule that $name is named after", ({ rule }) => {
    expect(isRuleId(rule)).toBe(true);
  });
});

describe("every rule together", () => {
  test.each(conforming)("finds nothing in $name", ({ body }) => {
    expect(failedRuleIds(judgeExchanges([{ body }]))).toEqual([]);
  });

  test.each(breaking)("finds in $name the broken rule and no other", ({ name, rule, body }) => {
    expect(failedRuleIds(judgeExchanges([{ body }]))).toEqual([rule, ...(company[name] ?? [])].sort());
  });

  test("the three observed rules note new values and never fail", () => {
    const body = conforming.find(({ name }) => name.includes("new-observed-values"))?.body ?? "";
    const outcomes = judgeExchanges([{ body }]);
    const speaking = [...outcomes].filter(([id, { findings }]) => id.endsWith("-is-known") && findings.length > 0);
    expect(speaking.map(([id, { findings }]) => [id, findings.map(({ message }) => message)])).toEqual([
      ["stream/filter-kind-is-known", ["new kind of filter: `author`"]],
      ["stream/skipped-reason-is-known", ["new reason of a skipped entry: `shard-timeout`"]],
      ["stream/skipped-severity-is-known", ["new severity of a skipped entry: `warn`"]],
    ]);
  });
});

describe("a stream that was cut short", () => {
  const body = conforming.find(({ name }) => name === "conforms.content-and-path-matches.sse")?.body ?? Buffer.alloc(0);

  test.each([10, 100, 500, body.length - 30])(
    "breaks nothing after %i bytes, and no rule about its end was asked",
    (bytes) => {
      const outcomes = judgeExchanges([{ body: body.subarray(0, bytes), cutBy: "the connection was reset" }]);
      expect(failedRuleIds(outcomes)).toEqual([]);
      expect(outcomes.get("stream/done-is-last")).toMatchObject({
        observations: 0,
        blockedBy: { kind: "transport", missing: "the connection was reset" },
      });
    },
  );
});

describe("a damaged stream", () => {
  const start = 'event: matches\ndata: [{"type":"path"}]\n\n';
  const final = '{"done":true,"repositoriesCount":1,"matchCount":1,"durationMs":1,"skipped":[]}';
  const done = "event: done\ndata: {}\n\n";
  test.each([
    { name: "whose final progress lost its event field", lost: `data: ${final}\n\n` },
    { name: "whose final progress lost its data field", lost: "event: progress\n\n" },
    { name: "whose final progress spells its event field in capitals", lost: `Event: progress\ndata: ${final}\n\n` },
    { name: "whose final progress has a byte order mark", lost: `\uFEFFevent: progress\ndata: ${final}\n\n` },
    {
      name: "whose final progress has its data in two lines",
      lost: `event: progress\ndata: ${final.slice(0, 20)}\ndata: ${final.slice(20)}\n\n`,
    },
  ])("$name breaks the form and is not blamed for the final progress as well", ({ lost }) => {
    expect(failedRuleIds(judgeExchanges([{ body: start + lost + done }]))).toEqual(["stream/two-fields"]);
  });

  test("an event with another name does not turn a response with only a problem into a search", () => {
    const body = `event: ping\ndata: {}\n\nevent: alert\ndata: {"level":"error"}\n\n${done}`;
    expect(failedRuleIds(judgeExchanges([{ body }]))).toEqual([]);
  });

  test("an event named `any` reaches every rule once", () => {
    expect(failedRuleIds(judgeExchanges([{ body: `event: any\ndata: {}\n\n${done}` }]))).toEqual([]);
  });
});

describe("findings", () => {
  test("are limited to 20 for each rule, and the rest is counted", () => {
    const lines = ": ping\n\n".repeat(100);
    const outcome = judgeExchanges([{ body: `${lines}event: done\ndata: {}\n\n` }]).get("stream/two-fields");
    expect(outcome?.findings).toHaveLength(20);
    expect(outcome?.droppedViolations).toBe(80);
  });
});
