/**
 * What is compared with schemathesis, how it is told what a document cannot say, and the page that comes of it.
 *
 * @typedef {{ fault: string, about: string }} PeerFault
 * What a tool said about a server: its exit code, how long it took, how many requests it sent, and what spoke.
 * @typedef {{ exitCode: number, seconds: number, requests: number, spoke: readonly string[] }} Said
 * `fault` is missing for the server that keeps the contract.
 * @typedef {{ fault?: string, about: string, assay: Said, schemathesis: Said }} PeerRow
 * @typedef {{ versions: readonly string[], commands: { assay: string, schemathesis: string }, rows: readonly PeerRow[] }} Comparison
 */

/** What a fault has to be about, each at least once. */
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

/** What is switched off, for which operations and why. Nothing else is. */
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
      "Refused with 400 for what no schema says: a cursor that no list gave, a `conversation_id` that is not that of the path, a question while another is answered, cancelling what has ended.",
  },
];

/** The configuration file of schemathesis. */
export const configurationText = exceptions
  .map(({ operations, reason, setting }) =>
    [`# ${reason}`, "[[operations]]", `include-operation-id = ${JSON.stringify(operations)}`, setting, ""].join("\n"),
  )
  .join("\n");

/** @param {string} text */
const cell = (text) => text.replaceAll("|", "\\|");

const shownMost = 3;

/** @param {Said} said */
function saidText({ exitCode, requests, seconds, spoke }) {
  const more = spoke.length > shownMost ? `, and ${spoke.length - shownMost} more` : "";
  const what = spoke.length === 0 ? "nothing" : `${spoke.slice(0, shownMost).join(", ")}${more}`;
  return `${cell(what)} | ${exitCode} | ${requests} | ${seconds}`;
}

/** @param {PeerRow} row */
const rowText = ({ about, assay, fault, schemathesis }) =>
  `| ${fault === undefined ? "none" : `\`${fault}\``} | ${about} | ${saidText(assay)} | ${saidText(schemathesis)} |`;

/** @param {Said} said */
const noticed = ({ exitCode }) => exitCode !== 0;

/** Faults by who noticed them, in words. @param {readonly PeerRow[]} rows */
function noticedText(rows) {
  const faults = rows.filter(({ fault }) => fault !== undefined);
  const groups = [
    { title: "Both", of: (/** @type {PeerRow} */ row) => noticed(row.assay) && noticed(row.schemathesis) },
    { title: "Assay alone", of: (/** @type {PeerRow} */ row) => noticed(row.assay) && !noticed(row.schemathesis) },
    {
      title: "schemathesis alone",
      of: (/** @type {PeerRow} */ row) => !noticed(row.assay) && noticed(row.schemathesis),
    },
    { title: "Neither", of: (/** @type {PeerRow} */ row) => !noticed(row.assay) && !noticed(row.schemathesis) },
  ];
  return groups.map(({ of, title }) => {
    const names = faults.filter((row) => of(row)).map(({ fault }) => `\`${fault}\``);
    return `- ${title}: ${names.length} of ${faults.length}${names.length === 0 ? "" : ` (${names.join(", ")})`}`;
  });
}

const introduction = `# Assay beside schemathesis

Written by \`npm run peers\`. [schemathesis](https://schemathesis.io) makes requests at random from an OpenAPI document and holds the
answers against it. It knows nothing of this service but what \`assay serve\` says in the document that it serves; Assay knows the two
documents of the API. Both are started against the same server, which keeps the contract or breaks it in one way
(\`assay list --faults\`), with the same access token. Assay is also given the tokens of other users and scopes, for the rules that
need them. The faults are 16 of those that Assay is tested with, so that Assay notices them says little: the page tells what a
tool for any API sees of them, and what it sees besides.`;

const reading = `## How to read it

- "Exit": 0 is green. Assay's 1 is a violation, 3 a run that could not see enough to be green. For schemathesis 1 is a failure.
- "Requests": of Assay the exchanges that it recorded, of schemathesis the test cases that it made.
- schemathesis has one token, so that its check of what other users may see has nothing to work with.
- schemathesis has a time for each run and the machine was shared, so another run sends more or fewer requests; what it finds at
  random it may miss the next time, and the other way round. Each row is one run of each; seconds are no measurement.
- A fault that only Assay notices is mostly one that an OpenAPI document has no words for: how a stream is framed and in which
  order its events come, when they arrive, how one answer goes with the one before. That is no defect of schemathesis.`;

const found = `## What schemathesis found that Assay had not

In the reference server and its document, which all tests of this project held to be right. All of it is mended.

- **A wrong type was let through.** A list of the current interface took \`pageSize\` and \`page_size\` in one request, looked at the
  first and ignored the second whatever it was, and the same with page tokens. Both spellings of one member are refused now.
- **A request that is no object was answered.** A list of the current interface took \`[null]\` for a request without members.
- **The document said that a stream is a string**, so whoever made a client from it, or validated with it, had nothing of the events. It
  describes each event and the JSON in its data now.
- **The document said too little of requests.** For 10 of 13 operations schemathesis made a request that fits the document and that
  the server refuses, such as an empty question or a name of another form. Patterns and limits are in it now.
- **The document showed no query.** With texts at random as queries, a wrong type in \`progress\` was not noticed in twelve seconds. A
  query that finds something is in it now; the row above is of a run with it.
- **The document forbade what the server takes**: \`null\` for a \`parent\` that may be left out.

Assay did not find them because it asks what its rules need, some hundred requests with meaning, and judges answers rather than
requests; schemathesis sends what nobody thought of. Against an API of your own run both: a crash on an odd request is for
schemathesis to find, and no rule of Assay looks for it.`;

/**
 * The page for people.
 * @param {Comparison} comparison
 */
export const reportText = ({ commands, rows, versions }) =>
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
    "## Who notices what",
    "",
    "| fault | about | Assay: what speaks | exit | requests | s | schemathesis: what speaks | exit | requests | s |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map(rowText),
    "",
    ...noticedText(rows),
    "",
    reading,
    "",
    found,
    "",
    "## What is switched off in schemathesis, and why",
    "",
    "All its checks are on, but for this:",
    "",
    "```toml",
    configurationText.trimEnd(),
    "```",
  ].join("\n")}\n`;
