import { currentOpenApi, legacyOpenApi } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { currentValidators, legacyValidators } from "./conversation-validators.ts";

describe("validators of the conversation documents", () => {
  test("exist for every schema of the legacy document, and are compiled once", () => {
    expect(Object.keys(legacyValidators())).toEqual(Object.keys(legacyOpenApi.components.schemas));
    expect(legacyValidators()).toBe(legacyValidators());
  });

  test("exist for every schema of the current document, and are compiled once", () => {
    expect(Object.keys(currentValidators())).toEqual(Object.keys(currentOpenApi.components.schemas));
    expect(currentValidators()).toBe(currentValidators());
  });

  test("judge by the schema of their name", () => {
    expect(legacyValidators().LegacyCreateRequest.check({ question: "a" })).toBe(true);
    expect(legacyValidators().LegacyCreateRequest.errors({})).toMatchObject([{ keyword: "required" }]);
    expect(currentValidators().CurrentNameRequest.errors({ name: 1 })).toMatchObject([{ pointer: "/name" }]);
  });
});
