import { readFileSync } from "node:fs";
import { ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { recordedRun, recordedRuns } from "../testing/recorded-run.ts";
import { crossJudge } from "./cross-judge.ts";
import type { CrossRow } from "./cross-judge.ts";
import { judgeBundle } from "./judge-bundle.ts";

/** Why evidence that fails some rules also fails others: the requirements imply it, or one edit violates both. */
interface Implication {
  readonly because: string;
  /** Rules that fail as well, by the rules whose counterexamples fail them. */
  readonly broken: Readonly<Partial<Record<RuleId, readonly RuleId[]>>>;
}

const implications: readonly Implication[] = [
  {
    because: "the OpenAPI document describes the same member",
    broken: {
      "legacy/responses-fit-openapi": [
        "legacy/create-is-accepted",
        "legacy/get-returns-the-conversation",
        "legacy/conversation-fits-schema",
        "legacy/question-fits-schema",
        "legacy/source-fits-schema",
        "legacy/turn-fits-schema",
        "legacy/stats-are-counts",
        "legacy/error-fits-schema",
        "legacy/viewer-on-retrieval",
        "legacy/quota-usage-on-retrieval",
        "legacy/follow-up-answers-the-conversation",
      ],
      "legacy/conversation-fits-schema": ["legacy/responses-fit-openapi"],
      "current/responses-fit-openapi": [
        "current/create-is-accepted",
        "current/get-returns-the-conversation",
        "current/conversation-fits-schema",
        "current/state-has-one-key",
        "current/state-is-listed",
        "current/error-has-its-members",
        "current/error-code-is-listed",
        "current/answer-is-unchanged",
      ],
      "current/conversation-fits-schema": ["current/responses-fit-openapi"],
    },
  },
  {
    because: "a status that the document does not describe is no answer to a read",
    broken: {
      "legacy/get-returns-the-conversation": ["legacy/responses-fit-openapi"],
      "current/get-returns-the-conversation": ["current/responses-fit-openapi"],
    },
  },
  {
    because: "one answer is another one, and those before and after it show what had been answered",
    broken: {
      "legacy/finished-answer-is-stable": [
        "legacy/completed-question-is-filled",
        "legacy/created-in-progress",
        "legacy/error-fits-schema",
        "legacy/error-kind-is-known",
        "legacy/question-fits-schema",
        "legacy/source-fits-schema",
      ],
      "legacy/ids-are-stable": ["legacy/conversation-fits-schema", "legacy/question-fits-schema"],
      "legacy/status-transitions-are-listed": ["legacy/created-in-progress"],
      "current/finished-answer-is-stable": ["current/completed-has-an-answer", "current/created-in-progress"],
      "current/name-is-stable": ["current/name-is-a-resource-name"],
      "current/state-transitions-are-listed": [
        "current/created-in-progress",
        "current/questions-keep-their-order",
        "migration/questions-agree",
      ],
      // One that is cancelled at once is read only once.
      "current/follow-up-is-accepted": [
        "current/cancel-has-effect",
        "current/questions-keep-their-order",
        "current/reads-are-current",
        "migration/questions-agree",
      ],
      "current/question-text-is-kept": ["migration/questions-agree"],
      "current/questions-keep-their-order": ["current/follow-up-is-accepted", "migration/questions-agree"],
      "legacy/questions-keep-their-order": ["legacy/follow-up-is-accepted"],
    },
  },
  {
    because: "what was last changed earlier than an answer before told is an older version",
    broken: {
      "legacy/reads-are-current": ["legacy/updated-at-never-falls"],
      "current/reads-are-current": ["current/updated-at-never-falls"],
      "legacy/updated-at-never-falls": ["legacy/reads-are-current"],
      "current/updated-at-never-falls": ["current/reads-are-current"],
    },
  },
  {
    because:
      "a question that was refused, or that another response shows, is in a later read, also of the other interface",
    broken: {
      "legacy/question-text-is-kept": [
        "legacy/follow-up-is-accepted",
        "legacy/id-is-not-reused",
        "current/follow-up-is-accepted",
        "current/other-user-may-not-write",
      ],
      "current/question-text-is-kept": [
        "legacy/follow-up-is-accepted",
        "legacy/follow-up-id-must-match",
        "legacy/other-user-may-not-write",
        "current/id-is-not-reused",
      ],
      "current/reads-are-current": ["current/id-is-not-reused"],
      "current/id-is-not-reused": ["current/read-scope-may-not-write"],
      "current/cancel-is-accepted": ["current/state-transitions-are-listed"],
      "migration/questions-agree": [
        "legacy/other-user-may-not-write",
        "current/other-user-may-not-write",
        "current/deleted-is-gone",
        "migration/deleted-is-gone",
      ],
      "legacy/follow-up-answers-the-conversation": ["legacy/cancel-has-effect"],
      "legacy/reads-are-current": ["legacy/id-is-not-reused"],
    },
  },
  {
    because: "a read has members that a creation lacks",
    broken: {
      "legacy/viewer-on-retrieval": ["legacy/deleted-is-gone"],
      "legacy/quota-usage-on-retrieval": ["legacy/deleted-is-gone"],
    },
  },
  {
    because: "several parameters of one list must all take effect",
    broken: {
      "legacy/filter-user-id-filters": ["legacy/filter-read-token-filters"],
      "legacy/sort-is-kept": [
        "legacy/filter-read-token-filters",
        "legacy/page-first-bounds",
        "legacy/pages-do-not-overlap",
      ],
    },
  },
  {
    because: "a parameter of a search is refused with it, or finds other lines",
    broken: {
      "stream/documented-parameters-are-accepted": [
        "stream/access-token-is-accepted",
        "stream/optional-parameters-may-be-left-out",
      ],
      "stream/cl-needs-cm": ["stream/chunk-matches-need-cm"],
      "stream/omitted-t-is-standard": ["stream/chunk-lines-are-whole", "stream/cl-gives-context-lines"],
    },
  },
  {
    because: "what a question holds in one state is forbidden in another, or asked for by it",
    broken: {
      "legacy/completed-question-is-filled": ["legacy/created-in-progress", "legacy/question-fits-schema"],
      "legacy/no-answer-while-processing": ["legacy/reads-are-current", "legacy/status-transitions-are-listed"],
      "legacy/followups-null-while-processing": [
        "legacy/question-fits-schema",
        "legacy/reads-are-current",
        "legacy/status-transitions-are-listed",
      ],
      "legacy/stats-are-zero-while-processing": [
        "legacy/reads-are-current",
        "legacy/stats-are-counts",
        "legacy/status-transitions-are-listed",
      ],
      "legacy/new-question-has-turns": ["legacy/question-fits-schema", "legacy/turn-fits-schema"],
      "current/completed-has-an-answer": ["current/created-in-progress", "migration/error-becomes-state"],
    },
  },
  {
    because: "the id is what a question names, and what a follow-up is added to",
    broken: {
      "legacy/question-belongs-to-conversation": [
        "legacy/conversation-fits-schema",
        "legacy/ids-are-stable",
        "legacy/question-fits-schema",
      ],
      "legacy/follow-up-answers-the-conversation": ["legacy/question-fits-schema", "legacy/follow-up-id-must-match"],
    },
  },
  {
    because: "what should have been refused is answered as another call was, with what that one showed",
    broken: {
      // A list of the same call in another order.
      "legacy/default-sort-is-newest-update-first": [
        "legacy/invalid-token-is-refused",
        "legacy/missing-token-is-refused",
      ],
      "legacy/reads-are-current": [
        "legacy/bad-request-is-refused",
        "legacy/filter-user-id-filters",
        "legacy/follow-up-id-must-match",
        "legacy/invalid-token-is-refused",
        "legacy/missing-token-is-refused",
        "legacy/other-user-may-not-write",
        "legacy/other-users-conversation-is-hidden",
      ],
      "legacy/question-text-is-kept": ["legacy/follow-up-id-must-match", "legacy/other-user-may-not-write"],
      "legacy/ids-are-stable": ["legacy/follow-up-id-must-match"],
      "current/reads-are-current": [
        "current/bad-request-is-refused",
        "current/other-user-may-not-write",
        "current/other-users-conversation-is-hidden",
        "current/read-scope-may-not-write",
      ],
      "current/question-text-is-kept": ["current/other-user-may-not-write", "current/read-scope-may-not-write"],
    },
  },
  {
    because: "a list that does not filter shows more than its filter, its order or its owner allows",
    broken: {
      "legacy/sort-is-kept": ["legacy/filter-is-starred-filters", "legacy/filter-user-id-filters"],
      "legacy/filter-id-filters": ["legacy/filter-user-id-filters"],
      "legacy/default-sort-is-newest-update-first": ["legacy/filter-user-id-filters"],
      "legacy/owner-is-viewer": ["legacy/list-shows-own-only"],
    },
  },
  {
    because: "what another user did is shown by what the owner reads, which other rules about these reads see as well",
    broken: {
      "legacy/refusal-has-a-message": ["legacy/other-user-may-not-write"],
      "legacy/ids-are-stable": ["legacy/other-user-may-not-write"],
      "legacy/questions-keep-their-order": ["legacy/other-user-may-not-write"],
      "legacy/follow-up-answers-the-conversation": ["legacy/other-user-may-not-write"],
      "current/state-transitions-are-listed": ["current/other-user-may-not-write"],
      "current/questions-keep-their-order": ["current/other-user-may-not-write"],
      "current/follow-up-is-accepted": ["current/other-user-may-not-write"],
    },
  },
  {
    because: "what could not be deleted has to be there still, and only the status of the refusal is edited",
    broken: {
      "legacy/get-returns-the-conversation": ["legacy/delete-is-accepted"],
      "legacy/follow-up-is-accepted": ["legacy/delete-is-accepted"],
      "legacy/list-has-own-conversations": ["legacy/delete-is-accepted", "current/delete-is-accepted"],
      "legacy/filter-id-filters": ["legacy/delete-is-accepted"],
      "legacy/filter-read-token-filters": ["legacy/delete-is-accepted"],
      "legacy/refusal-has-a-message": ["legacy/delete-is-accepted"],
      "current/get-returns-the-conversation": ["current/delete-is-accepted"],
      "current/follow-up-is-accepted": ["current/delete-is-accepted"],
      "current/list-is-accepted": ["current/delete-is-accepted"],
    },
  },
  {
    because: "every refusal after a deletion is answered as a read, also that of another user and of a follow-up",
    broken: {
      "legacy/ids-are-stable": ["legacy/deleted-is-gone"],
      "legacy/question-text-is-kept": ["legacy/deleted-is-gone"],
      "legacy/follow-up-answers-the-conversation": ["legacy/deleted-is-gone"],
      "legacy/follow-up-id-must-match": ["legacy/deleted-is-gone"],
      "legacy/filter-id-filters": ["legacy/deleted-is-gone"],
      "legacy/filter-read-token-filters": ["legacy/deleted-is-gone"],
      "legacy/missing-token-is-refused": ["legacy/deleted-is-gone"],
      "legacy/invalid-token-is-refused": ["legacy/deleted-is-gone"],
      "legacy/other-user-may-not-write": ["legacy/deleted-is-gone"],
      "legacy/bad-request-is-refused": ["legacy/deleted-is-gone"],
      "current/question-text-is-kept": ["current/deleted-is-gone"],
      "current/scope-is-required": ["current/deleted-is-gone"],
      "current/missing-token-is-refused": ["current/deleted-is-gone"],
      "current/invalid-token-is-refused": ["current/deleted-is-gone"],
      "current/other-user-may-not-write": ["current/deleted-is-gone"],
    },
  },
  {
    because: "a cancellation without effect is shown by the answers of another conversation",
    broken: {
      "legacy/ids-are-stable": ["legacy/cancel-has-effect"],
      "legacy/follow-up-is-accepted": ["legacy/cancel-has-effect"],
      "current/name-is-stable": ["current/cancel-has-effect"],
    },
  },
  {
    because: "the same call is refused, and both requirements say that it is not",
    broken: {
      "legacy/create-is-accepted": ["legacy/access-token-is-accepted"],
      "current/create-is-accepted": ["current/access-token-is-accepted"],
      "current/list-is-accepted": ["current/needs-no-x-requested-with", "current/self-stands-for-the-user"],
      "current/needs-no-x-requested-with": ["current/list-is-accepted"],
      "current/access-token-is-accepted": ["current/needs-no-x-requested-with"],
      "stream/access-token-is-accepted": ["stream/optional-parameters-may-be-left-out"],
      "stream/optional-parameters-may-be-left-out": [
        "stream/access-token-is-accepted",
        "stream/documented-parameters-are-accepted",
      ],
    },
  },
  {
    because: "who searches without a token is answered, but not with every parameter",
    broken: { "stream/documented-parameters-are-accepted": ["stream/missing-token-is-refused"] },
  },
  {
    because: "the number is wrong both as the last one and beside the one before it",
    broken: {
      "stream/match-count-never-falls": ["stream/match-count-fits-matches", "stream/display-keeps-counting"],
      "stream/display-keeps-counting": ["stream/match-count-fits-matches"],
      "stream/match-count-fits-matches": ["stream/match-count-never-falls"],
    },
  },
  {
    because: "what was left out of the matches is counted all the same",
    broken: {
      "stream/counted-matches-came": [
        "stream/count-stops-no-earlier",
        "stream/line-parameters-keep-files",
        "stream/no-display-no-limit",
      ],
    },
  },
  {
    because: "the same answer is compared with several searches that have to find the same",
    broken: {
      "stream/omitted-t-is-standard": ["stream/omitted-v-is-v3", "stream/no-display-no-limit"],
      "stream/omitted-v-is-v3": ["stream/omitted-t-is-standard", "stream/no-display-no-limit"],
      "stream/count-stops-no-earlier": ["stream/no-display-no-limit"],
      "stream/repositories-count-fits-matches": ["stream/no-display-no-limit"],
      "stream/chunk-matches-need-cm": ["stream/cl-needs-cm"],
      "stream/pattern-type-filter-selects": ["stream/pattern-type-filter-wins"],
      "stream/max-line-len-keeps-short-lines": ["stream/cl-gives-context-lines"],
    },
  },
  {
    because: "the alert of a query that cannot be understood is what is gone, unreadable or without its name",
    broken: {
      "stream/problem-has-alert": ["stream/broken-query-has-alert", "stream/text-is-utf-8", "stream/two-fields"],
    },
  },
  {
    because: "searches are compared by the numbers of their lines",
    broken: {
      "stream/count-all-finds-everything": ["stream/line-numbers-fit-chunks"],
      "stream/count-stops-no-earlier": ["stream/line-numbers-fit-chunks"],
      "stream/cl-gives-context-lines": ["stream/line-numbers-fit-chunks"],
      "stream/cl-needs-cm": ["stream/line-numbers-fit-chunks"],
      "stream/omitted-v-is-v3": ["stream/line-numbers-fit-chunks"],
    },
  },
  {
    because: "the query that is suggested is in the member of another type",
    broken: { "stream/limit-suggestion-raises-count": ["stream/skipped-fits-schema"] },
  },
];

/** Which of these fail depends on the times and contents of answers; seen in some runs. */
const implied = (rule: RuleId): readonly RuleId[] =>
  ruleIds.filter((other) => implications.some(({ broken }) => broken[other]?.includes(rule)));

/** Rules that no edit violates: they note new values, or need observations that the edit removes. */
const neverViolated = new Set<RuleId>([
  "stream/results-arrive-incrementally",
  "stream/filter-kind-is-known",
  "stream/skipped-reason-is-known",
  "stream/skipped-severity-is-known",
  "stream/broken-query-has-alert",
  "legacy/error-kind-is-known",
  "legacy/cancel-is-accepted",
  "legacy/cancel-has-effect",
  "legacy/deleted-is-gone",
  "current/cancel-is-accepted",
  "current/cancel-has-effect",
  "current/deleted-is-gone",
  "migration/deleted-is-gone",
]);

const published = new URL("../../../../reports/kill-matrix-counterexamples.md", import.meta.url).pathname;

describe("counterexamples of recorded runs, judged by all rules", { tags: "proof" }, () => {
  const rows: CrossRow[] = [];
  const ends: string[] = [];

  beforeAll(async () => {
    for (const name of recordedRuns) {
      const { bundle, close } = await recordedRun(name);
      const shown = new Set(rows.map(({ rule }) => rule));
      const { outcome } = await judgeBundle(bundle, {
        confirmsPasses: true,
        onProofs: (proofs, judged) =>
          void rows.push(...crossJudge(judged, new Map([...proofs].filter(([rule]) => !shown.has(rule))))),
      });
      ends.push(outcome);
      close();
    }
  });

  test("are there for every rule, and nothing was broken before", () => {
    expect(ends).toEqual(recordedRuns.map(() => "passed"));
    const shown = new Set(rows.map(({ rule }) => rule));
    expect(ruleIds.filter((id) => !shown.has(id))).toEqual([]);
    expect(rows.length).toBeGreaterThan(370);
  });

  test("break the rule that they are about", () => {
    const survivors = rows.filter(
      ({ rule, failedRules: broken }) => !broken.includes(rule) && !neverViolated.has(rule),
    );
    const left = survivors.map(({ rule, mutation }) => `${rule}: a target that ${mutation}`);
    expect(left).toEqual([]);
  });

  test("break no other one, unless the requirements imply it", () => {
    const strays = rows.flatMap(({ rule, mutation, failedRules: broken }) =>
      broken
        .filter((other) => other !== rule && !implied(rule).includes(other))
        .map((other) => `${other} fails for a target that ${mutation} (${rule})`),
    );
    expect(strays).toEqual([]);
  });

  test("show each implication that is listed", () => {
    const idle = implications.filter(
      ({ broken }) =>
        !Object.entries(broken).some(([other, rules]) =>
          rows.some((row) => rules.includes(row.rule) && row.failedRules.some((id) => id === other)),
        ),
    );
    expect(idle.map(({ because }) => because)).toEqual([]);
  });

  test("are published; `npm run kill-matrix` writes the page", async () => {
    await expect(matrixPage(rows)).toMatchFileSnapshot(published);
  });
});

test("the published page says what is implied", () => {
  const lines = readFileSync(published, "utf8")
    .split("\n")
    .flatMap((line) => /^\| `([^`]+)` \| .* \| ([^|]*) \|$/u.exec(line)?.slice(1) ?? []);
  const cells = ruleIds.filter((id) => lines.includes(id)).map((id) => [id, impliedCell(id)] as const);
  expect(cells).toHaveLength(ruleIds.length);
  expect(lines).toEqual(cells.flat());
});

const code = (id: string): string => `\`${id}\``;
const impliedCell = (rule: RuleId): string =>
  implied(rule)
    .map((id) => code(id))
    .join(", ") || "–";

/** The page, without results that depend on timing, so that it is reproducible. */
function matrixPage(rows: readonly CrossRow[]): string {
  const rules = ruleIds.filter((id) => rows.some(({ rule }) => rule === id));
  const ruleRow = (rule: RuleId): string => {
    const mutations = rows.filter((row) => row.rule === rule).map(({ mutation }) => mutation);
    return `| ${code(rule)} | ${mutations.join("; ")} | ${impliedCell(rule)} |`;
  };
  return [
    "# Kill matrix of counterexamples",
    "",
    "The outcomes of all rules for recorded runs of the reference server, altered as if the target ignored a requirement: for a",
    "whole run, and for parts of runs against servers that are set up in another way, for rules that apply to those only.",
    "Each edit is judged by all rules of its API: its own rule fails, and no other except the implied ones. No server is run for it.",
    "`npm run kill-matrix` records the runs and writes this page again; a test checks it.",
    "",
    `${rules.length} rules, ${rows.length} ways to ignore their requirements.`,
    "",
    "| Rule | A target that | May speak as well |",
    "| --- | --- | --- |",
    ...rules.map((rule) => ruleRow(rule)),
    "",
    "## Why others may speak",
    "",
    ...implications.map(
      ({ because, broken }) =>
        `- ${because}: ${Object.keys(broken)
          .map((id) => code(id))
          .join(", ")}`,
    ),
    "",
  ].join("\n");
}
