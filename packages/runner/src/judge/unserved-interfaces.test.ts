import { currentOpenApi } from "@assay/contract";
import { recordDraft } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import { describeApi } from "@assay/openapi";
import { describe, expect, test } from "vitest";
import { draftOf } from "../testing/recorded.ts";
import { findUnservedInterfaces } from "./unserved-interfaces.ts";

/** A creation of the current interface that was answered with status 404 and this body. */
const missing = (body: string): RecordedExchange =>
  recordDraft({
    ...draftOf({ status: 404, headers: [["content-type", "application/json"]], body }),
    interface: "current",
    operation: "create",
  });

const served = async () => {
  const api = await describeApi(currentOpenApi, "served");
  return api.ok ? api.value : expect.fail("no description");
};

describe("an interface that answers with 404 alone", () => {
  test("does not exist if no document describes it", () => {
    const unserved = findUnservedInterfaces([missing('{"code":"not_found"}')]);
    expect(unserved.map(({ interface: name, reason }) => [name, reason.code])).toEqual([["current", "not-the-api"]]);
  });

  test("exists if the target describes it and a JSON error names what is missing", async () => {
    expect(findUnservedInterfaces([missing('{"code":"not_found"}')], await served())).toEqual([]);
  });

  test("does not exist if something else answers, whatever the target describes", async () => {
    expect(findUnservedInterfaces([missing("404 page not found")], await served())).toHaveLength(1);
  });
});
