import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checks } from "./check-list.ts";
import { complaintsOf, packageFile, speakingChecks, tryClient } from "./testing/tried-client.ts";
import { trials } from "./trial-list.ts";
import { makeTrialRepository, type TrialRepository } from "./trial-repository.ts";

const command = [process.execPath, packageFile("fixtures/faithful-client.js")];

let repository: TrialRepository;

beforeAll(async () => {
  repository = await makeTrialRepository();
});

afterAll(() => repository.remove());

describe("a client that does all that is asked of one", () => {
  test("passes every trial, and every check sees it do so", async () => {
    const tried = await tryClient({ command, repository });
    expect(tried.map(({ participation }) => participation)).toEqual(trials.map(() => "took-part"));
    expect(complaintsOf(tried)).toEqual([]);
    const passed = tried.flatMap(({ checks: judged }) =>
      judged.filter(({ verdict }) => verdict.outcome === "passed").map(({ check }) => check),
    );
    expect(checks.map(({ id }) => id).filter((id) => !passed.includes(id))).toEqual([]);
  });

  test.each([3, 6])("passes when the server uses every freedom of the documents, with seed %i", async (seed) => {
    const only = ["ordinary-search", "alert", "missing-done", "polling-completed", "polling-failure", "quota"];
    const tried = await tryClient({ command, repository, only, seed, variations: true });
    expect(complaintsOf(tried)).toEqual([]);
  });
});

/** For each check the trials in which a client that is bad at one thing is tried. */
const defects: Readonly<Record<string, readonly string[]>> = {
  "request/endpoint": ["ordinary-search", "polling-failure/legacy"],
  "request/access-token": ["ordinary-search", "polling-failure/legacy"],
  "request/current-token": ["polling-failure/current"],
  "request/accept-event-stream": ["ordinary-search"],
  "request/json-body": ["polling-failure/legacy"],
  "request/client-header": ["polling-failure/legacy"],
  "request/text-intact": ["ordinary-search", "polling-completed/legacy"],
  "search/closes-after-done": ["open-after-done"],
  "search/no-repeat": ["ordinary-search", "alert"],
  "search/no-repeat-after-cut": ["ordinary-search", "missing-done", "error-event"],
  "retry/waits-as-told": ["too-many-requests", "unavailable", "polling-too-fast/legacy"],
  "retry/refusal-is-final": ["refused-token"],
  "redirect/token-stays": ["redirect"],
  "process/ends": ["ordinary-search"],
  "ask/asks-once": ["polling-completed/legacy"],
  "polling/stops-at-the-end": ["polling-completed/current", "polling-failure/legacy"],
  "polling/interval": ["polling-completed/legacy", "polling-failure/legacy"],
  "quota/waits": ["quota/legacy", "entitlement/current"],
  "cancel/is-sent": ["cancel"],
  "user/success-is-told": ["ordinary-search", "polling-completed/legacy"],
  "reading/any-chunks": ["odd-chunks"],
  "reading/text-intact": ["odd-chunks"],
  "reading/large-events": ["large-event"],
  "reading/late-matches": ["ordinary-search", "slow-first-match"],
  "reading/new-fields": ["new-fields"],
  "reading/any-form": ["unusual-form"],
  "user/cut-off-is-told": ["missing-done", "dropped-connection", "error-event", "refused-token"],
  "user/failure-is-told": ["missing-done", "refused-token", "redirect", "polling-failure/legacy"],
  "user/alert-is-told": ["alert"],
};

describe("a client that is bad at one thing", () => {
  test("exists for every check whose badness is not told by another", () => {
    const others = ["request/accepted"];
    expect(
      checks.map(({ id }) => id).filter((id) => !Object.hasOwn(defects, id) && !others.includes(id)),
    ).toEqual([]);
  });

  test.concurrent.each(Object.entries(defects))("is found by %s and by no other check", async (id, only) => {
    const env = { CLIENT_DEFECT: id };
    const tried = await tryClient({ command, repository, only, env });
    expect(speakingChecks(tried)).toEqual([id]);
  });
});
