import { describe, expect, test } from "vitest";
import { unspecifiedBehaviour, isUnspecifiedId } from "../unspecified-behaviour.ts";
import { grammarObservations, grammarViolations } from "../grammar-codes.ts";
import { ruleCatalogue } from "../rule-catalogue.ts";
import { allRequirements } from "./all-requirements.ts";
import type { Coverage } from "./all-requirements.ts";
import { requirementRows } from "./requirement-id.ts";
import type { RequirementRow } from "./requirement-row.ts";
import { specificationNames } from "./requirement-row.ts";

const duplicates = (values: readonly string[]): readonly string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

const requirementIds = allRequirements.map(({ id }) => id as string);

const citedRules = (coverage: Coverage): readonly string[] => (coverage.kind === "rules" ? coverage.rules : []);

const rows: readonly (readonly [string, RequirementRow])[] = Object.entries(requirementRows);

/** Requirements that rule records cite or that an unspecified behaviour leaves open. */
const judged = new Set<string>(ruleCatalogue.flatMap(({ requirements }) => requirements));
const leftOpen = new Set<string>(
  unspecifiedBehaviour.filter(({ origin }) => origin === "not-shown").flatMap(({ requirements }) => requirements),
);
const unobservableIds = new Set(
  rows.filter(([, row]) => typeof row !== "string" && "notObservable" in row).map(([id]) => id),
);

const documents = [
  {
    specification: "search-stream",
    requirements: allRequirements.filter(({ id }) => id.startsWith("search-stream#")),
    sections: ["1", "2", "2.1", "2.2", "2.3", "3", "4", "5", "6", "7", "8", "9"],
    areas: ["stream"],
  },
  {
    specification: "conversation-api",
    requirements: allRequirements.filter(({ id }) => id.startsWith("conversation-api#")),
    sections: ["1", "2.1", "2.2", "2.3", "2.4", "3.1", "3.2", "4.1", "4.2", "5", "6", "7", "8", "9"],
    areas: ["legacy", "current", "migration"],
  },
] as const;

const everySection = documents.flatMap(({ specification, requirements, sections }) =>
  sections.map((section) => ({ specification, section, requirements })),
);

describe.each(documents)("requirements of $document", ({ specification, requirements, sections, areas }) => {
  test("have well-formed ids that begin with the specification", () => {
    expect([...new Set(requirements.map((requirement) => requirement.specification))]).toEqual([specification]);
    const form = new RegExp(`^${specification}#\\d(\\.\\d)?\\.\\d+-[a-z0-9]+(-[a-z0-9]+)*$`);
    expect(requirements.map(({ id }) => id).filter((id) => !form.test(id))).toEqual([]);
  });

  test("exist for exactly the listed sections, in order", () => {
    expect([...new Set(requirements.map(({ section }) => section))]).toEqual(sections);
  });

  test("say why they are not observable, or which part rules do not judge", () => {
    const reasons = requirements.flatMap(({ coverage }) =>
      coverage.kind === "not-observable" ? [coverage.reason] : [],
    );
    const missing = requirements.flatMap(({ coverage }) =>
      coverage.kind === "rules" && coverage.partly !== undefined ? [coverage.partly] : [],
    );
    const clauses = [...reasons, ...missing];
    expect([reasons.length, missing.length]).not.toContain(0);
    expect(clauses.filter((clause) => clause.trim().length < 10)).toEqual([]);
  });

  test("are mostly observable", () => {
    const unobservable = requirements.filter(({ coverage }) => coverage.kind === "not-observable");
    expect(unobservable.length).toBeLessThan(requirements.length / 6);
  });

  test("are covered only by rules and unspecified behaviours of their specification", () => {
    const cited = requirements.flatMap(({ coverage }) =>
      coverage.kind === "unspecified" ? [coverage.behaviour] : citedRules(coverage),
    );
    expect(new Set(cited.map((id) => id.replace(/\/.*$/, "")))).toEqual(new Set(areas));
  });
});

describe("requirements", () => {
  test("are those of both specifications", () => {
    expect(new Set(allRequirements.map(({ specification }) => specification))).toEqual(new Set(specificationNames));
    expect(allRequirements).toEqual(documents.flatMap(({ requirements }) => requirements));
    expect(requirementIds).toEqual(rows.map(([id]) => id));
  });

  test("have unique ids and unique texts that are not empty", () => {
    const texts = allRequirements.map(({ text }) => text);
    expect(duplicates(requirementIds)).toEqual([]);
    expect(duplicates(texts)).toEqual([]);
    expect(texts.filter((text) => text.trim().length < 10)).toEqual([]);
  });

  test.each(everySection)("of $specification, section $section are numbered from 1 without gaps, in order", (row) => {
    const numbers = row.requirements
      .filter((sentence) => sentence.section === row.section)
      .map(({ id }) => id.slice(`${row.specification}#${row.section}.`.length).replace(/-.*$/, ""));
    expect(numbers).toEqual(numbers.map((_, index) => String(index + 1)));
  });
});

describe("every sentence", () => {
  test.each(requirementIds)(
    "%s is judged by a rule, left open by a behaviour, or not observable, and only one of them",
    (id) => {
      expect([judged, leftOpen, unobservableIds].filter((ids) => ids.has(id))).toHaveLength(1);
    },
  );

  test("that a rule cites is covered by it, in the order of the catalogue", () => {
    const judgedIn = allRequirements.flatMap(({ id, coverage }) =>
      citedRules(coverage).map((rule) => `${rule} <- ${id}`),
    );
    const cites = allRequirements.flatMap(({ id }) =>
      ruleCatalogue.filter(({ requirements }) => requirements.includes(id)).map((rule) => `${rule.id} <- ${id}`),
    );
    expect(judgedIn).toEqual(cites);
    expect(judgedIn).toHaveLength(ruleCatalogue.flatMap(({ requirements }) => requirements).length);
  });

  test("with a part that rules do not judge yet has rules", () => {
    const partly = rows.filter(([, row]) => typeof row !== "string" && "partly" in row).map(([id]) => id);
    expect(partly.filter((id) => !judged.has(id))).toEqual([]);
  });

  test("that is left open names one behaviour", () => {
    const unspecified = unspecifiedBehaviour
      .filter(({ origin }) => origin === "not-shown")
      .flatMap(({ requirements }) => requirements);
    expect(duplicates(unspecified)).toEqual([]);
  });

  test("that a record cites exists, and is cited once by it", () => {
    const records = [...ruleCatalogue, ...unspecifiedBehaviour];
    expect(
      records.flatMap(({ requirements }) => requirements).filter((id) => !Object.hasOwn(requirementRows, id)),
    ).toEqual([]);
    expect(records.filter(({ requirements }) => duplicates(requirements).length > 0)).toEqual([]);
  });
});

describe("the behaviour register", () => {
  test("has unique ids that are not ids of rules", () => {
    const ids = unspecifiedBehaviour.map(({ id }) => id);
    expect(duplicates([...ids, ...ruleCatalogue.map(({ id }) => id)])).toEqual([]);
    expect(ids.filter((id) => !/^(stream|legacy|current|migration)\/[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
  });

  test("has a different text for every unknown", () => {
    expect(duplicates(unspecifiedBehaviour.map(({ unknown }) => unknown))).toEqual([]);
  });

  test("says for every row what is accepted and recorded", () => {
    const clauses = unspecifiedBehaviour.flatMap(({ accepted, recorded, unknown }) => [...accepted, recorded, unknown]);
    expect(clauses.filter((clause) => clause.trim().length === 0 || clause.endsWith("."))).toEqual([]);
    expect(unspecifiedBehaviour.filter(({ accepted }) => duplicates(accepted).length > 0)).toEqual([]);
  });

  test("recognises exactly its own ids", () => {
    expect(unspecifiedBehaviour.filter(({ id }) => !isUnspecifiedId(id))).toEqual([]);
    expect(["", "legacy/", "toString", "stream/done-is-last"].filter(isUnspecifiedId)).toEqual([]);
  });

  test("has every behaviour that a grammar code refers to", () => {
    const ids = new Set(unspecifiedBehaviour.map(({ id }) => id));
    expect(Object.values(grammarObservations).filter(({ behaviour }) => !ids.has(behaviour))).toEqual([]);
  });
});

test("every grammar code belongs to a rule of the catalogue", () => {
  const ids = new Set(ruleCatalogue.map(({ id }) => id));
  expect(Object.values(grammarViolations).filter(({ rule }) => !ids.has(rule))).toEqual([]);
});
