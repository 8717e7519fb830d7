import { describe, expect, test } from "vitest";
import type { ConversationRuleId } from "@assay/contract";
import type { CredentialKind } from "@assay/evidence";
import {
  outcomeOfCalls,
  currentCreated,
  currentList,
  currentRead,
  expectedOutcome,
  legacyCreated,
  legacyList,
  legacyRead,
} from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

const wrong = "prerequisite: a token that the target accepts";

describe("in the legacy interface, an access token", () => {
  test.each<CallCase>([
    { name: "is accepted", calls: [legacyCreated(1), legacyRead(1), legacyList([1])], observed: 3 },
    {
      name: "is not accepted when it is good elsewhere",
      calls: [legacyList([]), legacyCreated(1, { status: 401 })],
      observed: 2,
      violations: ["create with an access token was refused with 401"],
    },
    {
      name: "is not accepted when it is good in the other interface",
      calls: [currentList([]), legacyList([], { status: 403 })],
      observed: 1,
      violations: ["list with an access token was refused with 403"],
    },
    {
      name: "may be wrong although another one is accepted",
      calls: [legacyList([], { credential: "other-token" }), legacyList([], { status: 401 })],
      blockedBy: wrong,
    },
    {
      name: "is not accepted when another one is, and 403 shows that it is known",
      calls: [legacyList([], { credential: "other-token" }), legacyList([], { status: 403 })],
      observed: 1,
      violations: ["list with an access token was refused with 403"],
    },
    {
      name: "is not accepted when the other interface takes it, and this one in another scheme",
      calls: [
        currentList([]),
        legacyList([], { status: 401 }),
        legacyList([], { credential: "access-token-as-bearer" }),
      ],
      observed: 1,
      violations: [
        "list with an access token was refused with 401, and the same token was accepted with the scheme `Bearer`",
      ],
    },
    {
      name: "may be an OAuth token when it is accepted in that scheme alone",
      calls: [legacyList([], { status: 401 }), legacyList([], { credential: "access-token-as-bearer" })],
      blockedBy: expect.stringMatching(/ASSAY_OAUTH_TOKEN/u),
    },
    {
      name: "need not be accepted in another scheme",
      calls: [legacyList([]), legacyList([], { status: 401, credential: "access-token-as-bearer" })],
      observed: 1,
    },
    { name: "may be wrong", calls: [legacyList([], { status: 401 })], blockedBy: wrong },
    {
      name: "may not be given",
      calls: [legacyList([], { credential: "none" })],
      blockedBy: expect.stringMatching(/ASSAY_TOKEN/u),
    },
    {
      name: "is not judged by other refusals",
      calls: [legacyList([]), legacyCreated(1, { status: 400 })],
      observed: 1,
    },
    {
      name: "is not judged by what belongs to others",
      calls: [legacyList([]), legacyRead(5, { status: 403 })],
      observed: 1,
    },
    {
      name: "is not judged by filters for what belongs to others",
      calls: [legacyList([]), legacyList([], { query: { filter_user_id: "5" }, status: 403 })],
      observed: 1,
    },
    {
      name: "is not judged without the client header",
      calls: [legacyList([]), legacyList([], { headers: [], status: 403 })],
      observed: 1,
    },
    { name: "is not known in a recording", calls: [legacyList([], { credential: "unknown" })] },
    {
      name: "is not judged on distress",
      calls: [legacyList([], { status: 503 })],
      blockedBy: "transport: a response to list other than 503",
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/access-token-is-accepted", row.calls)).toEqual(expectedOutcome(row));
  });
});

/** With a token after this word. */
const after = (scheme: string): Pick<CallSketch, "headers"> => ({
  headers: [
    ["Content-Type", "application/json"],
    ["Authorization", `${scheme} secret`],
  ],
});

describe("in the current interface, an access token", () => {
  test.each<CallCase>([
    { name: "is accepted", calls: [currentCreated(1), currentRead(1), currentList([1])], observed: 3 },
    {
      name: "is not accepted when it may read something else",
      calls: [currentCreated(1), currentList([1]), currentRead(1, { status: 403 })],
      observed: 3,
      violations: ["get with an access token was refused with 403"],
    },
    {
      name: "may lack the scope for writing",
      calls: [currentList([]), currentCreated(1, { status: 403 })],
      observed: 1,
    },
    { name: "may lack any scope", calls: [legacyList([]), currentList([], { status: 403 })], blockedBy: wrong },
    {
      name: "may be refused in one form and accepted in another, which is noted",
      calls: [
        currentCreated(1, { ...after("token"), status: 401 }),
        currentCreated(1, after("Bearer")),
        currentList([1], after("Bearer")),
      ],
      observed: 2,
      unspecified: ["current/authorization-form"],
    },
    {
      name: "is not accepted when it was in the same form",
      calls: [
        currentCreated(1, after("Bearer")),
        currentRead(1, after("Bearer")),
        currentRead(1, { ...after("Bearer"), status: 401 }),
      ],
      observed: 3,
      unspecified: ["current/authorization-form"],
      violations: ["get with an access token was refused with 401"],
    },
    {
      name: "is not judged by undocumented filters",
      calls: [currentList([]), currentList([], { status: 403, body: { filters: [] } })],
      observed: 1,
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/access-token-is-accepted", row.calls)).toEqual(expectedOutcome(row));
  });
});

const refusals: readonly {
  readonly id: ConversationRuleId;
  readonly credential: CredentialKind;
  readonly came: string;
  /** Violation by a refusal that is not the documented one; nothing where none is documented. */
  readonly otherwise: readonly string[];
}[] = [
  {
    id: "legacy/missing-token-is-refused",
    credential: "none",
    came: "without a token",
    otherwise: ["list without a token was refused with 403 instead of 401"],
  },
  {
    id: "legacy/invalid-token-is-refused",
    credential: "invalid-token",
    came: "with a token that was never issued",
    otherwise: ["list with a token that was never issued was refused with 403 instead of 401"],
  },
  { id: "current/missing-token-is-refused", credential: "none", came: "without a token", otherwise: [] },
  {
    id: "current/invalid-token-is-refused",
    credential: "invalid-token",
    came: "with a token that was never issued",
    otherwise: [],
  },
  {
    id: "current/scope-is-required",
    credential: "unscoped-token",
    came: "with a token that lacks the scope",
    otherwise: [],
  },
];

describe.each(refusals)("$id", ({ id, credential, came, otherwise }) => {
  const list = id.startsWith("legacy") ? legacyList : currentList;
  const read = id.startsWith("legacy") ? legacyRead : currentRead;
  const good = list([]);
  const cases: readonly CallCase[] = [
    { name: "holds for the refusal with 401", calls: [good, list([], { credential, status: 401 })], observed: 1 },
    {
      name: "looks at another refusal",
      calls: [good, list([], { credential, status: 403 })],
      observed: 1,
      violations: otherwise,
    },
    {
      name: "is broken by success",
      calls: [good, list([], { credential })],
      observed: 1,
      violations: [`list ${came} returned 200`],
    },
    {
      name: "is broken by success alone",
      calls: [list([], { credential })],
      observed: 1,
      violations: [`list ${came} returned 200`],
    },
    {
      name: "is not observed where no good token succeeds",
      calls: [list([], { status: 401 }), list([], { credential, status: 401 })],
    },
    {
      name: "is not observed for a read of something else",
      calls: [good, read(1), read(2, { credential, status: 401 })],
    },
    { name: "holds for a read of the same", calls: [read(1), read(1, { credential, status: 401 })], observed: 1 },
    { name: "holds where it is not there", calls: [read(1), read(1, { credential, status: 404 })], observed: 1 },
    {
      name: "looks at another refusal of a read",
      calls: [read(1), read(1, { credential, status: 403 })],
      observed: 1,
      violations: otherwise.map((message) => message.replace("list", "get")),
    },
    {
      name: "cannot run on distress",
      calls: [good, list([], { credential, status: 500 })],
      blockedBy: "transport: a response to list other than 500",
    },
    {
      name: "does not take a redirection for the status that is named",
      calls: [good, list([], { credential, status: 302 })],
      observed: 1,
      violations: otherwise.map((message) => message.replace("was refused with 403", "returned 302")),
    },
    {
      name: "does not take a page for the status that is named",
      calls: [good, list([], { credential, contentType: "text/html", answer: "<html>" })],
      observed: 1,
      violations: otherwise.map((message) => message.replace("was refused with 403", "returned 200")),
    },
    {
      name: "looks at a server error that comes each time, while others are answered",
      calls: [good, list([], { credential, status: 502 }), list([], { credential, status: 500 }), good],
      observed: 2,
      violations: otherwise.flatMap((message) =>
        [502, 500].map((status) => message.replace("was refused with 403", `returned ${status}`)),
      ),
    },
    {
      name: "cannot run on server errors after which nothing is answered",
      calls: [good, list([], { credential, status: 500 }), list([], { credential, status: 500 })],
      blockedBy: "transport: a response to list other than 500",
    },
    {
      name: "cannot run on a target that is busy each time",
      calls: [good, ...Array.from({ length: 2 }, () => list([], { credential, status: 429 })), good],
      blockedBy: "transport: a response to list other than 429",
    },
    {
      name: "holds where another answer came",
      calls: [good, list([], { credential, status: 500 }), list([], { credential, status: 401 })],
      observed: 1,
    },
  ];

  test.each(cases)("$name", (row) => {
    expect(outcomeOfCalls(id, row.calls)).toEqual(expectedOutcome(row));
  });
});

test("a run without a token with few scopes names it as missing, a recording does not", () => {
  const id = "current/scope-is-required";
  expect(outcomeOfCalls(id, [currentList([])]).blockedBy).toMatch(/^prerequisite: .*ASSAY_UNSCOPED_TOKEN/u);
  expect(outcomeOfCalls(id, [currentList([], { credential: "unknown" })]).blockedBy).toBeUndefined();
  expect(outcomeOfCalls(id, [legacyList([])]).blockedBy).toBeUndefined();
});

describe("the scope for reading", () => {
  const credential = "read-token";

  test.each<CallCase>([
    {
      name: "does not allow writing",
      calls: [currentCreated(1), currentCreated(2, { credential, status: 403 })],
      observed: 1,
    },
    {
      name: "is noticed when it allows writing",
      calls: [currentCreated(1), currentCreated(2, { credential })],
      observed: 1,
      violations: ["create with a token that has only the scope for reading returned 200"],
    },
    {
      name: "may be wrong where it is refused as unauthorized and accepted nowhere",
      calls: [currentCreated(1), currentCreated(2, { credential, status: 401 })],
      blockedBy: wrong,
    },
    {
      name: "is refused as unauthorized although it may read",
      calls: [currentCreated(1), currentList([], { credential }), currentCreated(2, { credential, status: 401 })],
      observed: 1,
    },
    {
      name: "may be used for reading",
      calls: [currentList([], { credential })],
      blockedBy: expect.stringMatching(/ASSAY_READ_TOKEN/u),
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/read-scope-may-not-write", row.calls)).toEqual(expectedOutcome(row));
  });

  test.each<CallCase>([
    { name: "allows reading", calls: [currentList([], { credential })], observed: 1 },
    {
      name: "has to allow reading",
      calls: [currentList([]), currentList([], { credential, status: 403 })],
      observed: 1,
      violations: ["a list with the read-token was refused with 403"],
    },
    {
      name: "may be wrong where it is accepted nowhere",
      calls: [currentList([]), currentList([], { credential, status: 401 })],
      blockedBy: wrong,
    },
    {
      name: "may be wrong where tokens that were never issued are forbidden as well",
      calls: [
        currentList([]),
        currentList([], { credential, status: 403 }),
        currentList([], { credential: "invalid-token", status: 403 }),
      ],
      blockedBy: wrong,
    },
    {
      name: "has to allow reading where the other interface accepts it",
      calls: [currentList([]), currentList([], { credential, status: 401 }), legacyList([], { credential })],
      observed: 1,
      violations: ["a list with the read-token was refused with 401"],
    },
    {
      name: "is not judged where no token may read",
      calls: [currentList([], { status: 403 }), currentList([], { credential, status: 403 })],
    },
    { name: "is not judged by other refusals", calls: [currentList([]), currentList([], { credential, status: 400 })] },
    { name: "has to be given", calls: [currentList([])], blockedBy: expect.stringMatching(/ASSAY_READ_TOKEN/u) },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/read-scope-may-read", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("a token with the scope for writing alone", () => {
  test.each<CallCase>([
    { name: "may create", calls: [currentCreated(1), currentCreated(2, { credential: "write-token" })], observed: 1 },
    {
      name: "has to be let in",
      calls: [currentCreated(1), currentCreated(2, { credential: "write-token", status: 403 })],
      observed: 1,
      violations: ["a creation with the write-token was refused with 403"],
    },
    {
      name: "is not judged where no token may create",
      calls: [currentList([]), currentCreated(2, { credential: "write-token", status: 403 })],
    },
    {
      name: "is not judged by lists, which may take another scope",
      calls: [currentList([]), currentList([], { credential: "write-token", status: 403 })],
      blockedBy: expect.stringMatching(/ASSAY_WRITE_TOKEN/u),
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/write-scope-may-write", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("a legacy token of few scopes", () => {
  test.each<CallCase>([
    {
      name: "is accepted",
      calls: [legacyList([], { credential: "unscoped-token" }), legacyList([], { credential: "read-token" })],
      observed: 2,
    },
    {
      name: "has to be accepted",
      calls: [legacyList([]), legacyList([], { credential: "unscoped-token", status: 403 })],
      observed: 1,
      violations: ["a list with the unscoped-token was refused with 403"],
    },
    {
      name: "may be wrong where it is accepted nowhere",
      calls: [legacyList([]), legacyList([], { credential: "unscoped-token", status: 401 })],
      blockedBy: wrong,
    },
    {
      name: "has to be accepted where the other interface accepts it",
      calls: [
        legacyList([]),
        legacyList([], { credential: "read-token", status: 401 }),
        currentList([], { credential: "read-token" }),
      ],
      observed: 1,
      violations: ["a list with the read-token was refused with 401"],
    },
    {
      name: "is not judged by filters",
      calls: [legacyList([]), legacyList([], { credential: "unscoped-token", status: 403, query: { filter_id: "1" } })],
      blockedBy: expect.stringMatching(/ASSAY_UNSCOPED_TOKEN/u),
    },
    {
      name: "is not judged where no token is accepted",
      calls: [legacyList([], { status: 401 }), legacyList([], { credential: "unscoped-token", status: 401 })],
    },
    {
      name: "is judged each for itself",
      calls: [
        legacyList([], { credential: "unscoped-token" }),
        legacyList([], { credential: "read-token", status: 503 }),
      ],
      observed: 1,
      blockedBy: "transport: a response to list other than 503",
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/any-access-token-is-accepted", row.calls)).toEqual(expectedOutcome(row));
  });
});
