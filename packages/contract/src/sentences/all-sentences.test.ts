import { describe, expect, test } from "vitest";
import { gapRegister, isGapId } from "../gaps.ts";
import { grammarObservations, grammarViolations } from "../grammar-codes.ts";
import { ruleCatalogue } from "../rule-catalogue.ts";
import { allSentences } from "./all-sentences.ts";
import type { Coverage } from "./all-sentences.ts";
import { sentenceRows } from "./sentence-id.ts";
import type { SentenceRow } from "./sentence-row.ts";
import { documentNames } from "./sentence-row.ts";

const duplicates = (values: readonly string[]): readonly string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

const sentenceIds = allSentences.map(({ id }) => id as string);

const citedRules = (coverage: Coverage): readonly string[] => (coverage.kind === "rules" ? coverage.rules : []);

const rows: readonly (readonly [string, SentenceRow])[] = Object.entries(sentenceRows);

/** Sentences that records of rules cite, and those that the gap register says to be left open. */
const judged = new Set<string>(ruleCatalogue.flatMap(({ sentences }) => sentences));
const leftOpen = new Set<string>(
  gapRegister.filter(({ origin }) => origin === "not-shown").flatMap(({ sentences }) => sentences),
);
const dark = new Set(rows.filter(([, row]) => typeof row !== "string" && "notObservable" in row).map(([id]) => id));

const documents = [
  {
    document: "search-stream",
    sentences: allSentences.filter(({ id }) => id.startsWith("search-stream#")),
    sections: ["1", "2", "2.1", "2.2", "2.3", "3", "4", "5", "6", "7", "8", "9"],
    areas: ["stream"],
  },
  {
    document: "conversation-api",
    sentences: allSentences.filter(({ id }) => id.startsWith("conversation-api#")),
    sections: ["1", "2.1", "2.2", "2.3", "2.4", "3.1", "3.2", "4.1", "4.2", "5", "6", "7", "8", "9"],
    areas: ["legacy", "current", "migration"],
  },
] as const;

const everySection = documents.flatMap(({ document, sentences, sections }) =>
  sections.map((section) => ({ document, section, sentences })),
);

describe.each(documents)("sentences of $document", ({ document, sentences, sections, areas }) => {
  test("have ids that begin with the document and are well formed", () => {
    expect([...new Set(sentences.map((sentence) => sentence.document))]).toEqual([document]);
    const form = new RegExp(`^${document}#\\d(\\.\\d)?\\.\\d+-[a-z0-9]+(-[a-z0-9]+)*$`);
    expect(sentences.map(({ id }) => id).filter((id) => !form.test(id))).toEqual([]);
  });

  test("are there for every section, in order, and for no other", () => {
    expect([...new Set(sentences.map(({ section }) => section))]).toEqual(sections);
  });

  test("say why, where nothing can be observed, and what is missing, where rules show a part", () => {
    const reasons = sentences.flatMap(({ coverage }) => (coverage.kind === "not-observable" ? [coverage.reason] : []));
    const missing = sentences.flatMap(({ coverage }) =>
      coverage.kind === "rules" && coverage.partly !== undefined ? [coverage.partly] : [],
    );
    const clauses = [...reasons, ...missing];
    expect([reasons.length, missing.length]).not.toContain(0);
    expect(clauses.filter((clause) => clause.trim().length < 10)).toEqual([]);
  });

  test("leave only a minority that cannot be observed", () => {
    const dark = sentences.filter(({ coverage }) => coverage.kind === "not-observable");
    expect(dark.length).toBeLessThan(sentences.length / 6);
  });

  test("are covered by rules and gaps of this document alone", () => {
    const cited = sentences.flatMap(({ coverage }) =>
      coverage.kind === "gap" ? [coverage.gap] : citedRules(coverage),
    );
    expect(new Set(cited.map((id) => id.replace(/\/.*$/, "")))).toEqual(new Set(areas));
  });
});

describe("sentences", () => {
  test("are those of both documents", () => {
    expect(new Set(allSentences.map(({ document }) => document))).toEqual(new Set(documentNames));
    expect(allSentences).toEqual(documents.flatMap(({ sentences }) => sentences));
    expect(sentenceIds).toEqual(rows.map(([id]) => id));
  });

  test("have ids and texts that are unique, and texts that are not empty", () => {
    const texts = allSentences.map(({ text }) => text);
    expect(duplicates(sentenceIds)).toEqual([]);
    expect(duplicates(texts)).toEqual([]);
    expect(texts.filter((text) => text.trim().length < 10)).toEqual([]);
  });

  test.each(everySection)("of $document, section $section are numbered from 1 without a hole, in order", (row) => {
    const numbers = row.sentences
      .filter((sentence) => sentence.section === row.section)
      .map(({ id }) => id.slice(`${row.document}#${row.section}.`.length).replace(/-.*$/, ""));
    expect(numbers).toEqual(numbers.map((_, index) => String(index + 1)));
  });
});

describe("every sentence", () => {
  test.each(sentenceIds)(
    "%s is judged by a rule, left open by a gap, or not observable, and only one of them",
    (id) => {
      expect([judged, leftOpen, dark].filter((ids) => ids.has(id))).toHaveLength(1);
    },
  );

  test("that a rule cites is judged by it, in the order of the catalogue", () => {
    const judgedIn = allSentences.flatMap(({ id, coverage }) => citedRules(coverage).map((rule) => `${rule} <- ${id}`));
    const cites = allSentences.flatMap(({ id }) =>
      ruleCatalogue.filter(({ sentences }) => sentences.includes(id)).map((rule) => `${rule.id} <- ${id}`),
    );
    expect(judgedIn).toEqual(cites);
    expect(judgedIn).toHaveLength(ruleCatalogue.flatMap(({ sentences }) => sentences).length);
  });

  test("that says what rules do not show yet has rules", () => {
    const partly = rows.filter(([, row]) => typeof row !== "string" && "partly" in row).map(([id]) => id);
    expect(partly.filter((id) => !judged.has(id))).toEqual([]);
  });

  test("that is left open is left open by one gap", () => {
    const gaps = gapRegister.filter(({ origin }) => origin === "not-shown").flatMap(({ sentences }) => sentences);
    expect(duplicates(gaps)).toEqual([]);
  });

  test("that a record cites exists, and is cited once in it", () => {
    const records = [...ruleCatalogue, ...gapRegister];
    expect(records.flatMap(({ sentences }) => sentences).filter((id) => !Object.hasOwn(sentenceRows, id))).toEqual([]);
    expect(records.filter(({ sentences }) => duplicates(sentences).length > 0)).toEqual([]);
  });
});

describe("the gap register", () => {
  test("has ids that are unique and never those of a rule", () => {
    const ids = gapRegister.map(({ id }) => id);
    expect(duplicates([...ids, ...ruleCatalogue.map(({ id }) => id)])).toEqual([]);
    expect(ids.filter((id) => !/^(stream|legacy|current|migration)\/[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
  });

  test("has different words for every unknown", () => {
    expect(duplicates(gapRegister.map(({ unknown }) => unknown))).toEqual([]);
  });

  test("says what is accepted and what is kept, for every row", () => {
    const clauses = gapRegister.flatMap(({ accepted, recorded, unknown }) => [...accepted, recorded, unknown]);
    expect(clauses.filter((clause) => clause.trim().length === 0 || clause.endsWith("."))).toEqual([]);
    expect(gapRegister.filter(({ accepted }) => duplicates(accepted).length > 0)).toEqual([]);
  });

  test("knows its own ids and no others", () => {
    expect(gapRegister.filter(({ id }) => !isGapId(id))).toEqual([]);
    expect(["", "legacy/", "toString", "stream/done-is-last"].filter(isGapId)).toEqual([]);
  });

  test("holds every gap that a code of the grammar refers to", () => {
    const ids = new Set(gapRegister.map(({ id }) => id));
    expect(Object.values(grammarObservations).filter(({ gap }) => !ids.has(gap))).toEqual([]);
  });
});

test("every code of the grammar belongs to a rule of the catalogue", () => {
  const ids = new Set(ruleCatalogue.map(({ id }) => id));
  expect(Object.values(grammarViolations).filter(({ rule }) => !ids.has(rule))).toEqual([]);
});
