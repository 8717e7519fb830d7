import { Buffer } from "node:buffer";
import { parseExactly, readList } from "@assay/reading";
import type { ExchangeDraft } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import { answerTo } from "./testing/answer-to.ts";
import { withholdOtherTexts } from "./withheld-text.ts";

const draftOf = (text: string, size = 7): ExchangeDraft => {
  const body = Buffer.from(text, "utf8");
  const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, index) => ({
    bytes: body.subarray(index * size, (index + 1) * size),
    atMicros: index,
  }));
  return {
    ...answerTo({ body }).draft,
    interface: "legacy",
    operation: "list",
    response: { status: 200, headers: [], chunks },
  };
};

const bodyOf = ({ response }: ExchangeDraft): string =>
  Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes)).toString("utf8");

const kept = (text: string, ours: readonly unknown[] = []): string =>
  bodyOf(
    withholdOtherTexts({ draft: draftOf(text), json: parseExactly(text) }, "legacy", (element) =>
      ours.includes(Object(element).id),
    ),
  );

describe("text by other people", () => {
  const foreign = {
    id: 7,
    questions: [
      {
        id: 1,
        question: 'why is "main" \\ red – ünïcode?',
        answer: "secret",
        status: "completed",
        sources: [{ type: "Repository", link: "/acme/billing/-/blob/x.go?L1", label: "billing" }],
        turns: [{ reasoning: "{[,:]}", timestamp: 3, role: "user" }],
        suggested_followups: ["one", "two words"],
        other: "two words",
      },
    ],
    user_id: 9,
    created_at: "2026-01-02T03:04:05Z",
    share_url: "https://host/x?y=z w",
    user: { name: "Jane Doe", display_name: "jane" },
  };
  const own = { id: 8, questions: [{ question: "ours [assay run=x]", answer: "stays" }] };
  const pages: readonly { readonly name: string; readonly page: unknown }[] = [
    { name: "a list", page: [foreign, own, foreign] },
    { name: "a list in an object", page: { next: "title", conversations: [foreign, own, foreign], total: 3 } },
    {
      name: "a list under another name, next to one of texts",
      page: { words: ["kept here"], a: 1, found: [foreign, own, foreign] },
    },
  ];

  test.each(pages)("is replaced by the same number of bytes in $name, and nothing else is changed", ({ page }) => {
    const text = JSON.stringify(page, undefined, 1);
    const result = kept(text, [8]);
    expect(Buffer.byteLength(result)).toBe(Buffer.byteLength(text));
    for (const word of ["main", "secret", "billing", "acme", 'reasoning": "{', "one", "two words", "Jane", "jane"]) {
      expect([word, result.includes(word)]).toEqual([word, false]);
    }
    const [one, two, three] = readList("legacy", JSON.parse(result))?.entries.map(({ json: entry }) => entry) ?? [];
    expect(two).toEqual(own);
    expect(three).toEqual(one);
    expect(one).toMatchObject({
      id: 7,
      user_id: 9,
      created_at: "2026-01-02T03:04:05Z",
      share_url: "https://host/x?y=z w",
      questions: [
        {
          id: 1,
          status: "completed",
          answer: "not ke",
          sources: [{ type: "Repository", link: "/not-kept-not-kept-not-kept-" }],
          turns: [{ timestamp: 3, role: "user" }],
        },
      ],
    });
    expect(Object.keys(Object(one))).toEqual(Object.keys(foreign));
  });

  test.each(["2026-01-02T03:04:05,123456789+00:00", "2026-01-02 03:04:05Z", "20260102T030405,5Z"])(
    "a time stays, however it is written: %s",
    (time) => {
      const text = JSON.stringify([{ ...foreign, created_at: time, title: time }]);
      expect(kept(text)).toContain(`"created_at":"${time}"`);
      expect(kept(text)).not.toContain(`"title":"${time}"`);
    },
  );

  test("does not change the lengths of chunks", () => {
    const text = JSON.stringify([foreign]);
    const draft = draftOf(text, 5);
    const changed = withholdOtherTexts({ draft, json: parseExactly(text) }, "legacy", () => false);
    expect(changed.response?.chunks.map(({ bytes, atMicros }) => [bytes.length, atMicros])).toEqual(
      draft.response?.chunks.map(({ bytes, atMicros }) => [bytes.length, atMicros]),
    );
    expect(bodyOf(changed)).not.toBe(text);
  });

  test.each(['{"error":"no list here"}', "[]", '{"conversations":[]}', "null", '"text"'])(
    "%s is not a list, and stays",
    (text) => {
      expect(kept(text)).toBe(text);
    },
  );

  test("does not include resource names, escaped or not", () => {
    const text = '{"conversationSummaries":[{"name":"users\\/jos\u00e9 x\\/conversations\\/1","title":"t\\u0041"}]}';
    expect(kept(text)).toBe(
      '{"conversationSummaries":[{"name":"users\\/jos\u00e9 x\\/conversations\\/1","title":"not kep"}]}',
    );
  });
});
