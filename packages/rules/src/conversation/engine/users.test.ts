import { expect, test } from "vitest";
import { outcomeOfCalls, currentCreated, legacyCreated, legacyList, legacyRead } from "../testing/call-log.ts";

const oauth = { credential: "oauth-token" } as const;

test("an OAuth token is one of a user of its own", () => {
  const calls = [legacyCreated(1), legacyRead(1, { status: 404, ...oauth })];
  expect(outcomeOfCalls("legacy/get-returns-the-conversation", calls).observed).toBe(0);
});

test.each([
  { name: "that nothing shows to be good", calls: [legacyCreated(1, { status: 401, ...oauth })], violations: 0 },
  {
    name: "that is good in the other interface",
    calls: [currentCreated(1, oauth), legacyCreated(1, { status: 401, ...oauth })],
    violations: 0,
  },
  {
    name: "beside an access token that is good",
    calls: [legacyCreated(1), legacyCreated(2, { status: 401, ...oauth })],
    violations: 0,
  },
  {
    name: "that is good elsewhere",
    calls: [legacyList([], oauth), legacyCreated(1, { status: 401, ...oauth })],
    violations: 1,
  },
  { name: "for another reason than itself", calls: [legacyCreated(1, { status: 400, ...oauth })], violations: 1 },
])("the refusal of an OAuth token $name is a violation: $violations", ({ calls, violations }) => {
  expect(outcomeOfCalls("legacy/create-is-accepted", calls).violations).toHaveLength(violations);
});
