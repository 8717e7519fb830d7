import { everyNth, repetitions } from "@assay/tools/proving";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checks } from "./check-list.ts";
import { problemsOf, packageFile, failedChecks, tryClient } from "./testing/tried-client.ts";
import { trials } from "./trial-list.ts";
import { createTrialRepository, type TrialRepository } from "./trial-repository.ts";

const command = [process.execPath, packageFile("fixtures/faithful-client.js")];

let repository: TrialRepository;

beforeAll(async () => {
  repository = await createTrialRepository();
});

afterAll(() => repository.remove());

describe("a client without defects", () => {
  test("passes every check in every trial", async () => {
    const tried = await tryClient({ command, repository });
    expect(tried.map(({ participation }) => participation)).toEqual(trials.map(() => "took-part"));
    expect(problemsOf(tried)).toEqual([]);
    const passed = new Set(
      tried.flatMap(({ checks: judged }) =>
        judged.filter(({ verdict }) => verdict.outcome === "passed").map(({ check }) => check),
      ),
    );
    expect(checks.map(({ id }) => id).filter((id) => !passed.has(id))).toEqual([]);
  });

  test("passes when the server varies its answers", { tags: "proof" }, async () => {
    const only = ["ordinary-search", "alert", "missing-done", "polling-completed", "quota"];
    const tried = await tryClient({ command, repository, only, seed: 6, variations: true });
    expect(problemsOf(tried)).toEqual([]);
  });
});

/** Trials for the defect of each check; by default the first one that applies. */
const defects: Readonly<Record<string, readonly string[]>> = {
  "request/endpoint": ["ordinary-search"],
  "request/access-token": ["ordinary-search", "polling-failure/legacy"],
  "request/current-token": ["polling-failure/current"],
  "request/accept-event-stream": ["ordinary-search"],
  "request/json-body": ["polling-failure/legacy"],
  "request/client-header": ["polling-failure/legacy"],
  "request/text-intact": ["ordinary-search", "polling-failure/legacy"],
  "search/closes-after-done": ["open-after-done"],
  "search/no-repeat": ["alert"],
  "search/no-repeat-after-cut": ["missing-done"],
  "retry/waits-as-told": ["too-many-requests", "polling-too-fast/legacy"],
  "retry/refusal-is-final": ["refused-token"],
  "redirect/token-stays": ["redirect"],
  "process/ends": ["ordinary-search"],
  "ask/asks-once": ["polling-completed/legacy"],
  "polling/stops-at-the-end": ["polling-failure/legacy"],
  "polling/interval": ["polling-completed/legacy"],
  "quota/waits": ["quota/legacy", "entitlement/current"],
  "cancel/is-sent": ["cancel/legacy"],
  "request/accepted": ["polling-failure/legacy"],
  "user/success-is-told": ["ordinary-search"],
  "reading/any-chunks": ["odd-chunks"],
  "reading/text-intact": ["odd-chunks"],
  "reading/large-events": ["large-event"],
  "reading/late-matches": ["slow-first-match"],
  "reading/new-fields": ["new-fields"],
  "reading/any-form": ["unusual-form"],
  "user/cut-off-is-told": ["missing-done", "dropped-connection", "refused-token"],
  "user/failure-is-told": ["refused-token", "missing-done", "polling-failure/legacy"],
  "user/alert-is-told": ["alert"],
};

/** More defects for the same checks. */
const otherWays: readonly { readonly defect: string; readonly only: readonly string[] }[] = [
  { defect: "search/no-repeat-after-cut:other-address", only: ["missing-done"] },
  { defect: "redirect/token-stays:base64", only: ["redirect"] },
  { defect: "polling/interval:bursts", only: ["polling-completed/legacy"] },
];

/** Silently dropped results, and clients that print nothing. */
const unseen = [
  { defect: "reading/large-events:left-out", only: "large-event", checks: ["reading/large-events"] },
  {
    defect: "reading/any-chunks:lost-characters",
    only: "odd-chunks",
    checks: ["reading/any-chunks", "reading/text-intact"],
  },
  { defect: "quiet", only: "large-event", checks: ["reading/large-events"] },
];

describe("a client with one defect", () => {
  test("exists for every check", () => {
    expect(checks.map(({ id }) => id).toSorted()).toEqual(Object.keys(defects).toSorted());
  });

  test.concurrent.each(everyNth(Object.entries(defects), 30))(
    "is found by %s and by no other check",
    { tags: "more" },
    async (id, only) => {
      const env = { CLIENT_DEFECT: id };
      const some = only.slice(0, repetitions(1, only.length));
      const tried = await tryClient({ command, repository, only: some, env });
      expect(failedChecks(tried)).toEqual([id]);
    },
  );

  test.concurrent.each(everyNth(otherWays, 3))(
    "is found by one check in its way: $defect",
    { tags: "more" },
    async ({ defect, only }) => {
      const tried = await tryClient({ command, repository, only, env: { CLIENT_DEFECT: defect } });
      expect(failedChecks(tried)).toEqual([defect.split(":")[0]]);
    },
  );

  test.concurrent.each(everyNth(unseen, 2))(
    "does not pass if nothing is shown: $defect in $only",
    { tags: "more" },
    async (one) => {
      const tried = await tryClient({ command, repository, only: [one.only], env: { CLIENT_DEFECT: one.defect } });
      const checksOf = tried.flatMap(({ checks: judged }) => judged);
      expect(problemsOf(tried)).toEqual([]);
      expect(checksOf.filter(({ verdict }) => verdict.outcome === "not-tested").map(({ check }) => check)).toEqual(
        one.checks,
      );
    },
  );
});
