import { grammarViolations } from "@assay/contract";
import { recordDraft } from "@assay/evidence";
import type { ExchangeDraft, RecordedExchange } from "@assay/evidence";
import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { allRules } from "../all-rules.ts";
import { createEvidenceJudge } from "../engine/evidence-judge.ts";
import {
  withResponseOf,
  findChunkMatches,
  editEachAndAll,
  withEditedBody,
  elementsWithPointers,
  schemaMutations,
  firstMiddleAndLast,
  withStatus,
} from "./mutation.ts";
import type { Mutation, Edit } from "./mutation.ts";
import { mutationsOf } from "./all-mutations.ts";
import { createProofEvidence } from "./proof-evidence.ts";
import type { ProofEvidence } from "./proof-evidence.ts";
import { maxTries, proveRule } from "./prove-rule.ts";
import { truncateLines } from "./search-edits.ts";

const search = (id: string, body: string, atMicros = 1_000): RecordedExchange => {
  const draft: ExchangeDraft = {
    id,
    probe: "find-text",
    interface: "stream",
    operation: "search",
    credential: "access-token",
    request: { method: "GET", url: `http://127.0.0.1:1/.api/search/stream?q=test&id=${id}`, headers: [] },
    response: { status: 200, headers: [], chunks: [{ bytes: Buffer.from(body), atMicros }] },
    end: { kind: "complete" },
    times: { sentAtMicros: atMicros - 500, headersAtMicros: atMicros - 100, endedAtMicros: atMicros + 100 },
  };
  return recordDraft(draft);
};

const call = (id: string, sentAtMicros: number): RecordedExchange => {
  const { record } = search(id, "{}");
  const { times, request } = record;
  return recordDraft({
    ...record,
    interface: "legacy",
    operation: "get",
    request: { ...request, url: "http://127.0.0.1:1/.api/deepsearch/v1/1" },
    response: { status: 200, headers: [], chunks: [] },
    times: { ...times, sentAtMicros },
  });
};

const whole =
  'event: matches\ndata: [{"type":"repo"}]\n\nevent: progress\ndata: {"done":true,"repositoriesCount":1,"matchCount":1,"durationMs":1}\n\nevent: done\ndata: {}\n\n';
const bare = 'event: alert\ndata: {"title":"no"}\n\nevent: done\ndata: {}\n\n';

const textOf = (exchange: RecordedExchange): string =>
  Buffer.concat(Array.from(exchange.chunks(), ({ bytes }) => bytes)).toString();

const evidenceOf = (...streams: readonly RecordedExchange[]): ProofEvidence =>
  createProofEvidence({ streams, searchesWithoutStream: [], calls: [], reference: { exchanges: [], responses: [] } });

/** Reports whether a rule about single streams fails after an edit. */
const detects =
  (id: string) =>
  ({ replacements: [edited] }: Edit): boolean => {
    const judge = createEvidenceJudge(
      allRules.filter((rule) => rule.id === id),
      { access: "undeclared" },
    );
    const stream = judge.openStream(edited.record);
    for (const { bytes, atMicros } of edited.chunks()) {
      stream.push(bytes, atMicros);
    }
    stream.finish({ isComplete: true });
    return [...judge.finish().outcomes.values()].some(({ findings }) =>
      findings.some(({ kind }) => kind === "violation"),
    );
  };

describe("a proof", () => {
  const edits = (count: number): Mutation["edits"] =>
    function* made() {
      for (let index = 0; index < count; index += 1) {
        yield { effect: `edit ${index}`, replacements: [search("a", bare)] };
      }
    };
  const mutation = { name: "does it", needs: "a thing" };

  test("is the first edit that the rule detects", () => {
    const proofs = proveRule([{ ...mutation, edits: edits(5) }], evidenceOf(), ({ effect }) => effect === "edit 3");
    expect(proofs.map(({ mutation: name, confirmed }) => [name, confirmed?.edit.effect])).toEqual([
      ["does it", "edit 3"],
    ]);
  });

  test("without a detected edit has the number of tries and the needed evidence", () => {
    expect(proveRule([{ ...mutation, edits: edits(5) }], evidenceOf(), () => false)).toEqual([
      { mutation: "does it", needs: "a thing", isOptional: false, tried: 5 },
    ]);
  });

  test("stops after a maximum number of edits", () => {
    const [proof] = proveRule([{ ...mutation, isOptional: true, edits: edits(1_000) }], evidenceOf(), () => false);
    expect(proof).toMatchObject({ tried: maxTries, isOptional: true });
  });
});

describe("mutations of the format of a stream", () => {
  test.each([...new Set(Object.values(grammarViolations).map(({ rule }) => rule))])(
    "%s fails for each of its mutations, and passes without an edit",
    (id) => {
      const evidence = evidenceOf(search("a", whole), search("b", bare));
      const rule = allRules.find((each) => each.id === id);
      const mutations = rule === undefined ? [] : mutationsOf(rule.id);
      const isDetected = detects(id);
      expect(mutations.length).toBeGreaterThan(0);
      expect(proveRule(mutations, evidence, isDetected).filter(({ confirmed }) => confirmed === undefined)).toEqual([]);
      expect(
        evidence.searches.map(({ exchange }) => isDetected({ effect: "nothing", replacements: [exchange] })),
      ).toEqual([false, false]);
    },
  );

  test("each edit one body and nothing else", () => {
    const original = search("a", whole);
    const edits = mutationsOf("stream/done-is-last").flatMap((mutation) => [...mutation.edits(evidenceOf(original))]);
    expect(edits.map(({ effect }) => effect)).toEqual([
      "sent another event after `done`",
      "sent `done` twice",
      "sent no `done`",
    ]);
    for (const { replacements } of edits) {
      expect(replacements).toHaveLength(1);
      expect(replacements[0].record).toMatchObject({
        id: "a",
        request: original.record.request,
        times: original.record.times,
      });
      expect(textOf(replacements[0])).not.toBe(whole);
    }
  });
});

describe("edits", () => {
  test("of bytes keep their times and update the size in the record", () => {
    const edited = withEditedBody(search("a", "abc"), [{ offset: 1, length: 1, bytes: Buffer.from("xyz") }]);
    expect(textOf(edited)).toBe("axyzc");
    expect(edited.record.response?.body).toMatchObject({ bytes: 5, chunks: [[5, 1_000]] });
  });

  test("of a status keep the body", () => {
    const edited = withStatus(search("a", "abc"), 403);
    expect([edited.record.response?.status, textOf(edited)]).toEqual([403, "abc"]);
  });

  test("that use the response of another exchange keep the request and its time", () => {
    const { record, chunks } = search("b", "other", 9_000);
    const other = { record: { ...record, times: { ...record.times, headersAtMicros: 8_700 } }, chunks };
    const edited = withResponseOf(search("a", "abc", 1_000), other);
    expect(textOf(edited)).toBe("other");
    expect(edited.record.id).toBe("a");
    expect(edited.record.request.url).toContain("id=a");
    expect(edited.record.times).toEqual({ sentAtMicros: 500, headersAtMicros: 700, endedAtMicros: 1_100 });
    expect([...edited.chunks()].map(({ atMicros }) => atMicros)).toEqual([1_000]);
  });

  test.each([
    [0, []],
    [1, [0]],
    [2, [0, 1]],
    [7, [0, 3, 6]],
  ])("are made at the first, the middle and the last of %i places", (count, places) => {
    expect(firstMiddleAndLast(Array.from({ length: count }, (_, index) => index))).toEqual(places);
  });
});

describe("an exchange without a response", () => {
  const { response: _, ...record } = search("a", "abc").record;
  const unanswered: RecordedExchange = { record, chunks: () => [] };

  test("ignores another body and another status", () => {
    expect(withEditedBody(unanswered, [])).toBe(unanswered);
    expect(withStatus(unanswered, 403)).toBe(unanswered);
  });

  test("can replace the response of another exchange", () => {
    const edited = withResponseOf(search("b", "other"), unanswered);
    expect([edited.record.id, edited.record.response, textOf(edited)]).toEqual(["b", undefined, ""]);
  });
});

describe("edited parts", () => {
  const one = search("a", whole);
  const other = search("b", bare);

  test("are each response alone, then all of them", () => {
    expect(Array.from(editEachAndAll("said no", [one, other]), ({ replacements }) => replacements)).toEqual([
      [one],
      [other],
      [one, other],
    ]);
    expect([...editEachAndAll("said no", [])]).toEqual([]);
  });

  test("are elements of lists and chunk matches of matches", () => {
    expect(elementsWithPointers(["x"], "/a")).toEqual([["/a/0", "x"]]);
    expect(elementsWithPointers("x")).toEqual([]);
    expect(findChunkMatches({ chunkMatches: [1] }, "/0")).toEqual([["/0/chunkMatches/0", 1]]);
    expect(findChunkMatches("x", "/0")).toEqual([]);
  });

  test("are only members that a schema lists", () => {
    const sites = () => [];
    expect(
      schemaMutations({ schema: { properties: { a: { type: "string" } } }, sites, objectName: "it", needs: "it" }),
    ).toEqual([expect.objectContaining({ name: "sends `a` of it in another type", isOptional: true })]);
  });

  test("are calls in order of sending", () => {
    const calls = [call("b", 2_000), call("a", 1_000), call("c", 3_000)].map(
      (exchange) => [exchange, { record: exchange.record, body: Buffer.from("{}") }] as const,
    );
    const evidence = createProofEvidence({
      streams: [],
      searchesWithoutStream: [],
      calls,
      reference: { exchanges: [], responses: [] },
    });
    expect(evidence.calls.map(({ exchange }) => exchange.record.id)).toEqual(["a", "b", "c"]);
    expect(evidence.calls.map(({ json }) => [String(json.bytes), json.offset])).toEqual(calls.map(() => ["{}", 0]));
  });

  test("are lines up to a maximum of bytes", () => {
    expect(truncateLines("abcd\nef\n", 3)).toBe("abc\nef\n");
  });

  test("are the events of complete streams, the smallest stream first", () => {
    const { searches } = evidenceOf(one, other);
    expect(searches.map(({ exchange }) => exchange.record.id)).toEqual(["b", "a"]);
    expect(searches[1]?.events().map(({ event }) => event.name)).toEqual(["matches", "progress", "done"]);
  });
});
