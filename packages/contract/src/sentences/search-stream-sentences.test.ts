import { describe, expect, test } from "vitest";
import { gapRegister } from "../gaps.ts";
import { grammarObservations, grammarViolations } from "../grammar-codes.ts";
import { ruleCatalogue } from "../rule-catalogue.ts";
import { searchStreamSentences } from "./search-stream-sentences.ts";

const duplicates = (values: readonly string[]): readonly string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

const sentenceIds = searchStreamSentences.map(({ id }) => id as string);
const sections = ["1", "2", "2.1", "2.2", "2.3", "3", "4", "5", "6", "7", "8", "9"];

const citedRules = (coverage: (typeof searchStreamSentences)[number]["coverage"]): readonly string[] =>
  coverage.kind === "rules" ? coverage.rules : [];

const pairsOfSentences = searchStreamSentences.flatMap(({ id, coverage }) =>
  citedRules(coverage).map((rule) => `${rule} <- ${id}`),
);
const pairsOfRules = ruleCatalogue.flatMap(({ id, sentences }) => sentences.map((sentence) => `${id} <- ${sentence}`));

const citedGaps = searchStreamSentences.flatMap(({ id, coverage }) =>
  coverage.kind === "gap" ? [`${coverage.gap} <- ${id}`] : [],
);

describe("sentences", () => {
  test("have ids that are unique and well formed", () => {
    expect(duplicates(sentenceIds)).toEqual([]);
    expect(sentenceIds.filter((id) => !/^search-stream#\d(\.\d)?\.\d+-[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  test("are there for every section, and for no other", () => {
    expect([...new Set(searchStreamSentences.map(({ section }) => section))]).toEqual(sections);
  });

  test.each(sections)("of section %s are numbered from 1 without a hole, in order", (section) => {
    const numbers = searchStreamSentences
      .filter((sentence) => sentence.section === section)
      .map(({ id }) => id.slice(`search-stream#${section}.`.length).replace(/-.*$/, ""));
    expect(numbers).toEqual(numbers.map((_, index) => String(index + 1)));
  });

  test("have texts that are not empty and not the same twice", () => {
    const texts = searchStreamSentences.map(({ text }) => text);
    expect(texts.filter((text) => text.trim().length < 10)).toEqual([]);
    expect(duplicates(texts)).toEqual([]);
  });

  test("say why, where nothing can be observed, and what is missing, where rules show a part", () => {
    const reasons = searchStreamSentences.flatMap(({ coverage }) =>
      coverage.kind === "not-observable" ? [coverage.reason] : [],
    );
    const missing = searchStreamSentences.flatMap(({ coverage }) =>
      coverage.kind === "rules" && coverage.partly !== undefined ? [coverage.partly] : [],
    );
    const clauses = [...reasons, ...missing];
    expect([reasons.length, missing.length]).not.toContain(0);
    expect(clauses.filter((clause) => clause.trim().length < 10)).toEqual([]);
  });

  test("leave only a minority that cannot be observed", () => {
    const dark = searchStreamSentences.filter(({ coverage }) => coverage.kind === "not-observable");
    expect(dark.length).toBeLessThan(searchStreamSentences.length / 6);
  });
});

describe("rules and sentences", () => {
  test("cite each other, in both directions", () => {
    expect([...pairsOfRules].sort()).toEqual([...pairsOfSentences].sort());
    expect(duplicates(pairsOfRules)).toEqual([]);
  });

  test("leave no rule without a sentence that exists", () => {
    const unknown = ruleCatalogue.flatMap(({ sentences }) => sentences).filter((id) => !sentenceIds.includes(id));
    expect(unknown).toEqual([]);
  });
});

describe("the gap register", () => {
  test("is cited by the sentences that say so, in both directions", () => {
    const notShown = gapRegister.filter(({ origin }) => origin === "not-shown");
    const pairs = notShown.flatMap(({ id, sentences }) => sentences.map((sentence) => `${id} <- ${sentence}`));
    expect([...pairs].sort()).toEqual([...citedGaps].sort());
  });

  test("names sentences that exist for what the document is silent about", () => {
    const unknown = gapRegister.flatMap(({ sentences }) => sentences).filter((id) => !sentenceIds.includes(id));
    expect(unknown).toEqual([]);
  });

  test("has ids that are unique and never those of a rule", () => {
    const ids = gapRegister.map(({ id }) => id);
    expect(duplicates([...ids, ...ruleCatalogue.map(({ id }) => id)])).toEqual([]);
    expect(ids.filter((id) => !/^stream\/[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
  });

  test("has different words for every unknown", () => {
    expect(duplicates(gapRegister.map(({ unknown }) => unknown))).toEqual([]);
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
