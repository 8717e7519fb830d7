import { ruleIds } from "@assay/contract";
import { resultOf } from "../testing/result-of.ts";
import { describe, expect, test } from "vitest";
import { fixture, goodStream, recorded, unreadable, webPage } from "../testing/recorded.ts";

const good = recorded({ id: "0001", body: goodStream });
const page = recorded({ id: "0002", probe: "paths", body: webPage });

const broken = (...parameters: Parameters<typeof resultOf>): readonly string[] =>
  resultOf(...parameters)
    .verdicts.filter(({ verdict }) => verdict.outcome === "failed")
    .map(({ rule }) => rule);

describe("a run", () => {
  test("with streams as answers passes", () => {
    const { outcome, exitCode, counts } = resultOf([good]);
    expect({ outcome, exitCode, failed: counts.failed }).toEqual({ outcome: "passed", exitCode: 0, failed: 0 });
    expect(counts.passed).toBeGreaterThan(15);
  });

  test("in which a busy target got a retry is judged by the second answer", () => {
    const turnedAway = recorded({ id: "0001", status: 429, headers: [["retry-after", "1"]] });
    const { outcome, incomplete, exchanges } = resultOf([
      turnedAway,
      recorded({ id: "0002", retryOf: "0001", body: goodStream }),
    ]);
    expect([outcome, incomplete, exchanges.length]).toEqual(["passed", [], 2]);
    expect(resultOf([turnedAway, recorded({ id: "0002", body: goodStream })]).outcome).toBe("incomplete");
  });

  test.each([
    { name: "a web page", exchanges: [page], code: "not-the-api" },
    { name: "two web pages", exchanges: [page, recorded({ id: "0003", body: webPage })], code: "not-the-api" },
    { name: "a refusal", exchanges: [recorded({ status: 401 })], code: "authentication-refused" },
    { name: "a forbidden", exchanges: [recorded({ status: 403 })], code: "authentication-refused" },
    { name: "a redirection", exchanges: [recorded({ status: 302 })], code: "not-the-api" },
    { name: "status 404", exchanges: [recorded({ status: 404 })], code: "not-the-api" },
    { name: "status 500", exchanges: [recorded({ status: 500 })], code: "transport" },
    {
      name: "nothing",
      exchanges: [recorded({ status: 0, failure: { code: "refused", message: "refused" } })],
      code: "unreachable",
    },
    { name: "no search at all", exchanges: [], code: "nothing-observed" },
  ] as const)("that met $name decides nothing, says $code, and violates nothing", ({ exchanges, code }) => {
    const { outcome, exitCode, incomplete, counts } = resultOf(exchanges);
    expect([outcome, exitCode, incomplete[0]?.code]).toEqual(["incomplete", 3, code]);
    expect([counts.passed, counts.failed, counts.warned]).toEqual([0, 0, 0]);
  });

  test("in which a web page stands among streams violates the contract", () => {
    expect(broken([good, page])).toContain("stream/two-fields");
  });

  test.each(["none", "invalid-token"] as const)(
    "in which a web page is the refusal of a search with the credential %s violates nothing",
    (credential) => {
      const { outcome, exchanges } = resultOf([good, recorded({ id: "0002", credential, body: webPage })], {
        access: "private",
      });
      expect([outcome, exchanges[1]?.events]).toEqual(["passed", 0]);
    },
  );

  test.each(["private", "public", "undeclared"] as const)(
    "in which a web page stands among streams without a token violates the contract of a target that is %s",
    (access) => {
      const searches = [good, recorded({ id: "0002", body: webPage })].map(({ record, chunks }) => ({
        record: { ...record, credential: "none" as const },
        chunks,
      }));
      expect(broken(searches, { access })).toContain("stream/two-fields");
    },
  );

  test("in which a public target answers a search without a token with a web page violates the contract", () => {
    const anonymous = recorded({ id: "0002", credential: "none", body: webPage });
    expect(broken([good, anonymous], { access: "public" })).toContain("stream/two-fields");
  });

  test.each([
    { name: "a transport failure", code: "reset", reason: "transport" },
    { name: "a deadline", code: "total-timeout", reason: "transport" },
    { name: "a limit", code: "body-limit", reason: "limit" },
  ] as const)("in which $name cut a stream short is never green", ({ code, reason }) => {
    const cut = recorded({
      id: "0002",
      body: goodStream.subarray(0, 300),
      failure: { code, message: "it broke off" },
    });
    const { outcome, exitCode, incomplete, counts, exchanges } = resultOf([good, cut]);
    expect([outcome, exitCode, counts.failed]).toEqual(["incomplete", 3, 0]);
    expect(incomplete.map((each) => each.code)).toContain(reason);
    expect(exchanges[1]?.failure).toBe("it broke off (after 300 bytes of the body)");
  });

  test.each(["truncated", "reset"] as const)(
    "in which every connection was closed after `done` (%s) is judged as usual and warns",
    (code) => {
      const closed = recorded({ body: goodStream, failure: { code, message: "it broke off" } });
      const [run, usual] = [resultOf([closed]), resultOf([good])];
      const passed = ({ verdicts }: typeof run) =>
        verdicts.flatMap(({ rule, verdict }) => (verdict.outcome === "passed" ? rule : []));
      const rule = "stream/response-ends-after-done";
      expect([run.outcome, run.incomplete, run.counts.failed, run.counts.warned]).toEqual(["passed", [], 0, 1]);
      expect(passed(run)).toEqual(passed(usual).filter((id) => id !== rule));
      expect(run.verdicts.find((verdict) => verdict.rule === rule)?.verdict.outcome).toBe("warned");
      expect(run.exchanges[0]?.failure).toBeUndefined();
    },
  );

  test("in which a deadline ended a stream after `done` is not whole", () => {
    const late = recorded({ body: goodStream, failure: { code: "total-timeout", message: "too long" } });
    expect(resultOf([late]).outcome).toBe("incomplete");
  });

  test("in which a stream was closed after `done` and broke a rule fails", () => {
    const after = fixture("violates.done-is-last.text-after-done.sse");
    const cut = recorded({ id: "0002", body: after, failure: { code: "truncated", message: "it broke off" } });
    expect(broken([good, cut])).toEqual(["stream/done-is-last"]);
  });

  test("in which a cut stream broke a rule before its end fails", () => {
    const crlf = fixture("violates.lines-end-with-lf.crlf.sse");
    const cut = recorded({
      id: "0002",
      body: crlf.subarray(0, 60),
      failure: { code: "reset", message: "it broke off" },
    });
    expect(broken([good, cut])).toEqual(["stream/lines-end-with-lf"]);
  });

  test.each([0, 1, 17, 100])(
    "that was cut after %i bytes is never green, nor does a rule about the end speak",
    (bytes) => {
      const cut = recorded({ body: goodStream.subarray(0, bytes), failure: { code: "reset", message: "reset" } });
      const { outcome, counts } = resultOf([cut]);
      expect([outcome, counts.failed]).toEqual(["incomplete", 0]);
    },
  );

  test("with a deleted body is judged by the others, and names what was not readable", () => {
    const gone = unreadable(
      { id: "0002", probe: "parameter-v", url: `${good.record.request.url}&v=V3` },
      "the body is not stored",
    );
    const { outcome, counts, incomplete, verdicts } = resultOf([good, gone]);
    expect([outcome, counts.failed, incomplete[0]]).toEqual([
      "incomplete",
      0,
      { code: "evidence-incomplete", message: "0002 (parameter-v): the body is not stored" },
    ]);
    expect(verdicts.find(({ rule }) => rule === "stream/done-is-last")?.verdict).toEqual({
      outcome: "blocked",
      blockedBy: "transport",
      missing: "the body is not stored",
    });
  });

  test("with all bodies deleted has no result", () => {
    expect(resultOf([unreadable({}, "pruned")])).toMatchObject({ outcome: "incomplete", exitCode: 3 });
  });

  test("that was interrupted is marked as such, whatever it has", () => {
    expect(resultOf([good], { interrupted: "SIGTERM" })).toMatchObject({ outcome: "interrupted", exitCode: 143 });
  });

  test("whose profile requires an untested rule does not pass", () => {
    const { outcome, incomplete } = resultOf([good], { mustTest: ["stream/alert-is-an-object"] });
    expect([outcome, incomplete.map(({ code }) => code)]).toEqual(["incomplete", ["must-test"]]);
  });

  test("has a verdict for every selected rule and no other, in the order of the catalogue", () => {
    expect(resultOf([good]).verdicts.map(({ rule }) => rule)).toEqual(ruleIds);
    const rules = ["stream/done-is-last", "stream/two-fields"] as const;
    expect(resultOf([good], { rules }).verdicts.map(({ rule }) => rule)).toEqual([
      "stream/two-fields",
      "stream/done-is-last",
    ]);
  });

  test("only warns of what is inferred, and fails for it when strict", () => {
    const falling = recorded({ body: fixture("warns.match-count-never-falls.falls.sse") });
    const rules = ["stream/match-count-never-falls"] as const;
    expect(resultOf([falling], { rules })).toMatchObject({ outcome: "passed", counts: { warned: 1 } });
    expect(resultOf([falling], { rules, strict: true })).toMatchObject({ outcome: "failed", exitCode: 1 });
  });
});

describe("bytes declared to be a stream", () => {
  test("are judged as one, whatever they look like", () => {
    expect(broken([page], { treatsAllAsStreams: true })).toContain("stream/two-fields");
  });
});
