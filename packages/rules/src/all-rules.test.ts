import { readdirSync, readFileSync } from "node:fs";
import { isRuleId, ruleCatalogue, ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { allRules } from "./all-rules.ts";
import { conversationRules } from "./conversation/conversation-rules.ts";
import { broken, judgeExchanges } from "./testing/judge-streams.ts";

const folder = new URL("../../stream-grammar/fixtures/streams/", import.meta.url);

interface FixtureStream {
  readonly name: string;
  readonly standing: string;
  /** The rule that the file breaks, when it breaks one. */
  readonly rule: string;
  readonly body: Buffer;
}

/** The committed streams: `<standing>.<rule>.<what>.sse`, or `conforms.<what>.sse`. */
const fixtures: readonly FixtureStream[] = readdirSync(folder)
  .sort()
  .map((file) => {
    const [standing = "", rule = ""] = file.split(".");
    return { name: file, standing, rule: `stream/${rule}`, body: readFileSync(new URL(file, folder)) };
  });
const conforming = fixtures.filter(({ standing }) => standing === "conforms");
const breaking = fixtures.filter(({ standing }) => standing !== "conforms");

/** A cut or foreign stream breaks the end of a stream as well; everything else breaks one rule alone. */
const company: Readonly<Record<string, readonly RuleId[]>> = {
  "violates.last-event-is-complete.cut-inside-a-character.sse": ["stream/done-is-last"],
  "violates.last-event-is-complete.cut-inside-data.sse": ["stream/done-is-last"],
  "violates.lines-end-with-lf.cr-only.sse": ["stream/done-is-last", "stream/last-event-is-complete"],
  "violates.two-fields.html-page.sse": ["stream/done-is-last"],
  "violates.two-fields.plain-text.sse": ["stream/done-is-last"],
};

describe("the catalogue", () => {
  test("has an implementation for every rule, in its order", () => {
    expect([...allRules, ...conversationRules].map(({ id }) => id)).toEqual(ruleIds);
  });

  test("has at least 60 committed streams", () => {
    expect(fixtures.length).toBeGreaterThanOrEqual(60);
  });

  test.each(breaking)("has the rule that $name is named after", ({ rule }) => {
    expect(isRuleId(rule)).toBe(true);
  });

  const aboutOneStream = allRules.filter(({ needs }) => needs === "stream" || needs === "framing");
  /** Searches that between them ask for all that a rule about one stream wants to be asked for. */
  const queries = [{ q: "test", display: "1000", cm: "true" }, { q: "test" }];
  test.each(aboutOneStream.map(({ id }) => ({ id })))("$id has a stream that it passes", ({ id }) => {
    const passing = conforming.filter(({ body }) =>
      queries.some((query) => {
        const { observations = 0, findings = [] } = judgeExchanges([{ body, query }]).get(id) ?? {};
        return observations > 0 && findings.every(({ kind }) => kind === "observation");
      }),
    );
    expect(passing).not.toEqual([]);
  });

  const observed = new Set(ruleCatalogue.filter(({ basis }) => basis === "observed").map(({ id }) => id));
  /** Rules that a stream breaks only together with what was asked for. */
  const ownTests = new Set<string>([
    "stream/display-bounds-matches",
    "stream/cm-enables-chunk-matches",
    "stream/chunk-matches-need-cm",
  ]);
  const named = aboutOneStream.filter(({ id }) => !observed.has(id) && !ownTests.has(id)).map(({ id }) => ({ id }));
  test.each(named)("$id has a stream that it fails", ({ id }) => {
    expect(breaking.filter(({ rule }) => rule === id)).not.toEqual([]);
  });
});

describe("every rule together", () => {
  test.each(conforming)("finds nothing in $name", ({ body }) => {
    expect(broken(judgeExchanges([{ body }]))).toEqual([]);
  });

  test.each(breaking)("finds in $name the broken rule and no other", ({ name, rule, body }) => {
    expect(broken(judgeExchanges([{ body }]))).toEqual([rule, ...(company[name] ?? [])].sort());
  });

  test("the three observed rules speak of new values and never fail", () => {
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

describe("a stream that the connection cut short", () => {
  const body = conforming.find(({ name }) => name === "conforms.content-and-path-matches.sse")?.body ?? Buffer.alloc(0);

  test.each([10, 100, 500, body.length - 30])(
    "breaks nothing after %i bytes, and no rule about its end was asked",
    (bytes) => {
      const outcomes = judgeExchanges([{ body: body.subarray(0, bytes), cutBy: "the connection was reset" }]);
      expect(broken(outcomes)).toEqual([]);
      expect(outcomes.get("stream/done-is-last")).toMatchObject({
        observations: 0,
        obstacle: { kind: "transport", missing: "the connection was reset" },
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
    expect(broken(judgeExchanges([{ body: start + lost + done }]))).toEqual(["stream/two-fields"]);
  });

  test("an event of another name does not make a search of an answer that only tells of a problem", () => {
    const body = `event: ping\ndata: {}\n\nevent: alert\ndata: {}\n\n${done}`;
    expect(broken(judgeExchanges([{ body }]))).toEqual([]);
  });

  test("an event called any is shown to no rule twice", () => {
    expect(broken(judgeExchanges([{ body: `event: any\ndata: {}\n\n${done}` }]))).toEqual([]);
  });
});

describe("findings", () => {
  test("are kept up to 20 for each rule, and the rest is counted", () => {
    const lines = ": ping\n\n".repeat(100);
    const outcome = judgeExchanges([{ body: `${lines}event: done\ndata: {}\n\n` }]).get("stream/two-fields");
    expect(outcome?.findings).toHaveLength(20);
    expect(outcome?.droppedViolations).toBe(80);
  });
});
