/**
 * The comparison with schemathesis: its faults, the configuration of schemathesis, and the report.
 *
 * @typedef {{ fault: string, about: string }} PeerFault
 * The result of a tool for a server: exit code, duration in seconds, number of requests, and failed rules or checks.
 * @typedef {{ exitCode: number, seconds: number, requests: number, spoke: readonly string[] }} ToolResult
 * `fault` is undefined for the server without a fault.
 * @typedef {{ fault?: string, about: string, assay: ToolResult, schemathesis: ToolResult }} PeerRow
 * @typedef {{ versions: readonly string[], commands: { assay: string, schemathesis: string }, rows: readonly PeerRow[] }} Comparison
 */

/** Topics of the faults; each occurs at least once. */
export const peerKinds = [
  "framing of streams",
  "schema of streams",
  "order of streams",
  "buffered streams",
  "cut connections",
  "HTTP status",
  "refusals",
  "access",
  "legacy schema",
  "legacy states",
  "current schema",
  "current states",
  "lists",
  "paging",
  "OpenAPI document",
];

/** @type {readonly PeerFault[]} */
export const peerFaults = [
  { fault: "third-field", about: "framing of streams" },
  { fault: "progress-duration-is-text", about: "schema of streams" },
  { fault: "no-done", about: "order of streams" },
  { fault: "one-burst", about: "buffered streams" },
  { fault: "reset-mid-event", about: "cut connections" },
  { fault: "conversation-status-500", about: "HTTP status" },
  { fault: "legacy-bad-request-answered", about: "refusals" },
  { fault: "legacy-anonymous-accepted", about: "access" },
  { fault: "legacy-stats-malformed", about: "legacy schema" },
  { fault: "legacy-deletion-without-effect", about: "legacy states" },
  { fault: "legacy-status-set-back", about: "legacy states" },
  { fault: "current-state-unlisted", about: "current schema" },
  { fault: "current-state-set-back", about: "current states" },
  { fault: "legacy-sort-reversed", about: "lists" },
  { fault: "current-paging-broken", about: "paging" },
  { fault: "current-description-without-operations", about: "OpenAPI document" },
];

/** Disabled checks of schemathesis, with operations and reasons. All others are enabled. */
const exceptions = [
  {
    operations: ["search"],
    setting: "checks.negative_data_rejection.enabled = false",
    reason: "A search that cannot be run is answered with a stream that says so; a status is not promised.",
  },
  {
    operations: [
      "listConversations",
      "ListConversationSummaries",
      "addQuestion",
      "AddConversationQuestion",
      "cancelQuestion",
      "CancelConversation",
    ],
    setting:
      'checks.positive_data_acceptance.expected-statuses = ["2xx", "3xx", "400", "401", "403", "404", "409", "429", "5xx"]',
    reason:
      "Refused with 400 for reasons that no schema can express: an unissued cursor, a `conversation_id` other than that of the path, a question while another one is in progress, cancelling a question that has ended.",
  },
];

/** The configuration file of schemathesis. */
export const schemathesisConfiguration = exceptions
  .map(({ operations, reason, setting }) =>
    [`# ${reason}`, "[[operations]]", `include-operation-id = ${JSON.stringify(operations)}`, setting, ""].join("\n"),
  )
  .join("\n");

/** @param {string} text */
const escapeCell = (text) => text.replaceAll("|", "\\|");

const maxNames = 3;

/** @param {ToolResult} result */
function formatResult({ exitCode, requests, seconds, spoke }) {
  const suffix = spoke.length > maxNames ? `, and ${spoke.length - maxNames} more` : "";
  const names = spoke.length === 0 ? "nothing" : `${spoke.slice(0, maxNames).join(", ")}${suffix}`;
  return `${escapeCell(names)} | ${exitCode} | ${requests} | ${seconds}`;
}

/** @param {PeerRow} row */
const formatRow = ({ about, assay, fault, schemathesis }) =>
  `| ${fault === undefined ? "none" : `\`${fault}\``} | ${about} | ${formatResult(assay)} | ${formatResult(schemathesis)} |`;

/** @param {ToolResult} result */
const hasNoticed = ({ exitCode }) => exitCode !== 0;

/**
 * Groups faults by the tool that detected them.
 * @param {readonly PeerRow[]} rows
 */
function formatGroups(rows) {
  const faults = rows.filter(({ fault }) => fault !== undefined);
  const groups = [
    { title: "Both", includes: (/** @type {PeerRow} */ row) => hasNoticed(row.assay) && hasNoticed(row.schemathesis) },
    {
      title: "Assay alone",
      includes: (/** @type {PeerRow} */ row) => hasNoticed(row.assay) && !hasNoticed(row.schemathesis),
    },
    {
      title: "schemathesis alone",
      includes: (/** @type {PeerRow} */ row) => !hasNoticed(row.assay) && hasNoticed(row.schemathesis),
    },
    {
      title: "Neither",
      includes: (/** @type {PeerRow} */ row) => !hasNoticed(row.assay) && !hasNoticed(row.schemathesis),
    },
  ];
  return groups.map(({ includes, title }) => {
    const names = faults.filter((row) => includes(row)).map(({ fault }) => `\`${fault}\``);
    return `- ${title}: ${names.length} of ${faults.length}${names.length === 0 ? "" : ` (${names.join(", ")})`}`;
  });
}

const introduction = `# Assay and schemathesis

Written by \`npm run peers\`. [schemathesis](https://schemathesis.io) makes random requests from an OpenAPI document and checks the
answers against it. It knows only the document that \`assay serve\` serves; Assay knows both specifications of the API. Both run against
the same server with the same access token. The server either keeps the contract or has one fault (\`assay list --faults\`). Assay also
gets the tokens of other users and scopes, for the rules that need them. The faults are 16 of those that Assay is tested with, so it is
no surprise that Assay notices them. The page shows which of them a tool for any API notices, and what else it finds.`;

const readingGuide = `## How to read it

- "Exit": 0 means passed. Assay exits with 1 for a violation, and with 3 for a run that could not test enough. schemathesis exits with 1
  for a failure.
- "Requests": the exchanges that Assay recorded, and the test cases that schemathesis made.
- schemathesis has one token, so its check of other users' access has nothing to compare.
- schemathesis runs for a fixed time on a shared machine, so the number of its requests varies. Its requests are random, so another run
  may find other faults. Each row is one run of each tool; the seconds are not a benchmark.
- Most faults that only Assay notices cannot be described in an OpenAPI document: the framing of a stream, the order and the times of
  its events, and how one answer relates to the one before. That is not a defect of schemathesis.`;

const findings = `## What schemathesis found that Assay had not

All of it was in the reference server and its document, which every test of this project considered correct. All of it is fixed.

- **A wrong type was accepted.** A list of the current interface accepted \`pageSize\` and \`page_size\` in one request, checked the first
  and ignored the second, and the same with page tokens. Both spellings of one member are refused now.
- **A request that is not an object was answered.** A list of the current interface treated \`[null]\` as a request without members.
- **The document described a stream as a string**, so a generated client or a validator learned nothing about its events. It now
  describes each event and the JSON in its data.
- **The document described requests too loosely.** For 10 of 13 operations schemathesis made a request that fits the document but
  that the server refuses, such as an empty question or a malformed name. It now has patterns and limits.
- **The document had no example query.** With random texts as queries, a wrong type in \`progress\` was not noticed in twelve seconds.
  It now has a query that finds something; the row above is of a run with it.
- **The document forbade what the server accepts**: \`null\` for an optional \`parent\`.

Assay did not find them because it sends what its rules need, some hundred meaningful requests, and judges answers, not requests.
schemathesis sends requests that no one thought of. Run both against your API: schemathesis finds a crash on an odd request, for which
Assay has no rule.`;

/**
 * Formats the page as Markdown.
 * @param {Comparison} comparison
 */
export const formatPeersReport = ({ commands, rows, versions }) =>
  `${[
    introduction,
    "",
    `Versions: ${versions.join(", ")}.`,
    "",
    "```sh",
    commands.assay,
    commands.schemathesis,
    "```",
    "",
    "## Which tool notices which fault",
    "",
    "| fault | about | Assay: failed rules | exit | requests | s | schemathesis: failed checks | exit | requests | s |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map(formatRow),
    "",
    ...formatGroups(rows),
    "",
    readingGuide,
    "",
    findings,
    "",
    "## Disabled checks of schemathesis",
    "",
    "All other checks are enabled:",
    "",
    "```toml",
    schemathesisConfiguration.trimEnd(),
    "```",
  ].join("\n")}\n`;
