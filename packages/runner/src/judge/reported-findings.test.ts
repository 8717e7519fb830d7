import { anyCharacter } from "@assay/tools/any-character";
import type { Finding } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recorded, unreadable } from "../testing/recorded.ts";
import { toReportedFindings } from "./reported-findings.ts";

const violation = (finding: Partial<Finding>): Finding => ({
  kind: "violation",
  message: "something is wrong",
  exchange: "0001",
  ...finding,
});

const report = (exchange: RecordedExchange, ...findings: readonly Finding[]) =>
  toReportedFindings(findings, new Map([[exchange.record.id, exchange]]));

const body = 'event: matches\ndata: [{"type":"content","line":7}]\n\n';
const dataAt = { offset: body.indexOf("["), length: '[{"type":"content","line":7}]'.length };

describe("an excerpt", () => {
  test.each([
    { name: "the offending bytes", place: { offset: 7, length: 7 }, marked: "matches" },
    { name: "nothing where something is missing", place: { offset: 14, length: 0 }, marked: "" },
    { name: "the value that a pointer names", place: { ...dataAt, pointer: "/0/line" }, marked: "7" },
    {
      name: "the object in which a member is missing",
      place: { ...dataAt, pointer: "/0/repository" },
      marked: '{"type":"content","line":7}',
    },
  ])("marks $name", ({ place, marked }) => {
    const [finding] = report(recorded({ body }), violation(place));
    expect(finding?.excerpt?.marked).toBe(marked);
    expect(`${finding?.excerpt?.before}${marked}${finding?.excerpt?.after}`).toContain(marked);
  });

  test("has its place and length corrected to what is marked", () => {
    const [finding] = report(recorded({ body }), violation({ ...dataAt, pointer: "/0/line" }));
    expect(finding).toMatchObject({ offset: body.indexOf("7"), length: 1, pointer: "/0/line" });
  });

  test("is found by the pointer as it is, not as it is shown", () => {
    const key = `\u001B[31m${"k".repeat(400)}`;
    const data = JSON.stringify({ [key]: 5, other: 6 });
    const [finding] = report(
      recorded({ body: `data: ${data}` }),
      violation({ offset: 6, length: Buffer.byteLength(data), pointer: `/${key}` }),
    );
    expect(finding?.excerpt?.marked).toBe("5");
    expect(finding?.pointer).toMatch(/^\/\\x1b\[31mk+…$/u);
  });

  test("is the bytes of the body around the place, to the byte", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(310), fc.nat(160), (bytes, offset, length) => {
        const [finding] = report(recorded({ body: [bytes] }), violation({ offset, length }));
        const from = Math.max(0, offset - 48);
        expect(finding?.excerpt).toEqual({
          offset: from,
          before: visibleText(bytes.subarray(from, offset)),
          marked: visibleText(bytes.subarray(offset, offset + length)),
          after: visibleText(bytes.subarray(offset + length, offset + length + 48)),
        });
      }),
    );
  });

  test("of many offending bytes is cut and says so", () => {
    const [finding] = report(recorded({ body: "x".repeat(5000) }), violation({ offset: 10, length: 4000 }));
    expect(finding?.excerpt).toEqual({ offset: 0, before: "x".repeat(10), marked: `${"x".repeat(160)}…`, after: "" });
    expect(finding).toMatchObject({ offset: 10, length: 4000 });
  });

  test.each([
    { name: "of a finding without a place", exchange: recorded({ body }), finding: {} },
    { name: "of a body that is gone", exchange: unreadable({}, "pruned"), finding: { offset: 1, length: 2 } },
    { name: "of an exchange nobody knows", exchange: recorded({ id: "0002" }), finding: { offset: 1, length: 2 } },
  ])("does not exist $name", ({ exchange, finding }) => {
    expect(report(exchange, violation(finding))[0]).not.toHaveProperty("excerpt");
  });
});

describe("reported findings", () => {
  test("stay in their order, whatever exchanges they are about", () => {
    const lookup = new Map(["a", "b"].map((id) => [id, recorded({ id, body: `of ${id}` })]));
    const findings = ["b", "a", "none", "b"].map((exchange, index) =>
      violation({ exchange, message: `finding ${index}`, offset: 3, length: 1 }),
    );
    expect(toReportedFindings(findings, lookup).map(({ message, excerpt }) => [message, excerpt?.marked])).toEqual([
      ["finding 0", "b"],
      ["finding 1", "a"],
      ["finding 2", undefined],
      ["finding 3", "b"],
    ]);
  });

  test("hold nothing that a terminal would act on", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.uint8Array(), (text, bytes) => {
        const [finding] = report(
          recorded({ body: [bytes] }),
          violation({ message: text, pointer: `/${text}`, offset: 0, length: bytes.length }),
        );
        const shown = [finding?.message, finding?.pointer, ...Object.values(finding?.excerpt ?? {})].join("");
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  test("have a line that repeats the request, unless the address is not known", () => {
    expect(report(recorded({ body }), violation({}))[0]?.curl).toContain(
      "'http://code.example/.api/search/stream?q=test'",
    );
    expect(report(recorded({ body, url: "/.api/search/stream" }), violation({}))[0]).not.toHaveProperty("curl");
  });
});
