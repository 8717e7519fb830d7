import { currentPath, legacyPath, searchPath } from "@assay/contract";
import type { JournalEntry } from "@assay/reference-server";
import { createHash } from "node:crypto";
import { type Check, checkEach } from "../check.ts";
import { parseParameters, type TrialFacts } from "../trial-facts.ts";
import type { Trial } from "../trial.ts";

const isStream = ({ interface: name }: Trial): boolean => name === "stream";
const isLegacy = ({ interface: name }: Trial): boolean => name === "legacy";
const isCurrent = ({ interface: name }: Trial): boolean => name === "current";

const selectRequests = ({ calls, searches, trial }: TrialFacts): readonly JournalEntry[] =>
  isStream(trial) ? searches : calls;

const formatRequest = ({ method, url }: JournalEntry): string => `${method} ${url.split("?", 1)[0] ?? ""}`;

const findHeader = ({ request }: JournalEntry, name: string): string | undefined => request.headers[name];

const describeHeader = (value: string | undefined, name: string): string =>
  value === undefined ? `no ${name}` : `the ${name} ${JSON.stringify(value)}`;

const hasExpectedToken = ({ request }: JournalEntry, { token }: Trial): boolean =>
  request.credential?.token === (token === "invalid" ? "unknown" : token);

const describeCredential = (entry: JournalEntry, trial: Trial): string | undefined => {
  const { credential } = entry.request;
  if (credential === undefined) {
    const addressClause = /<\w+>/u.test(entry.url) ? "; a token is in its address, where it ends up in logs" : "";
    return `${formatRequest(entry)} had no Authorization header${addressClause}`;
  }
  return hasExpectedToken(entry, trial)
    ? undefined
    : `${formatRequest(entry)} had a credential other than the token in SRC_ACCESS_TOKEN`;
};

const describeScheme = (entry: JournalEntry, trial: Trial): string | undefined => {
  const { scheme = "" } = entry.request.credential ?? {};
  const problem = describeCredential(entry, trial);
  return (
    problem ??
    (scheme.toLowerCase() === "token"
      ? undefined
      : `${formatRequest(entry)} sent the token after ${scheme === "" ? "no word" : `the word ${JSON.stringify(scheme)}`} instead of \`token\``)
  );
};

const describeAcceptHeader = (entry: JournalEntry): string | undefined => {
  const accept = findHeader(entry, "accept");
  return accept?.toLowerCase().includes("text/event-stream") === true
    ? undefined
    : `a search had ${describeHeader(accept, "header Accept")} instead of \`text/event-stream\``;
};

const describeContentType = (entry: JournalEntry): string | undefined => {
  const type = findHeader(entry, "content-type");
  return /^application\/json\s*(?:;|$)/iu.test(type ?? "")
    ? undefined
    : `${formatRequest(entry)} had ${describeHeader(type, "header Content-Type")} instead of \`application/json\``;
};

const describeClientHeader = (entry: JournalEntry): string | undefined => {
  const name = findHeader(entry, "x-requested-with");
  return /^\S+\s+\S+$/u.test(name?.trim() ?? "")
    ? undefined
    : `${formatRequest(entry)} had ${describeHeader(name, "header X-Requested-With")} instead of a name and a version, such as \`my-client 1.0\``;
};

const documentedPaths = [legacyPath, currentPath, "/api-reference"];

const isDocumented = (entry: JournalEntry): boolean => {
  const path = entry.url.split("?", 1)[0] ?? "";
  return path === searchPath
    ? entry.method === "GET"
    : documentedPaths.some((base) => path === base || path.startsWith(`${base}/`));
};

const describeChangedQuery = (entry: JournalEntry, text: string): string | undefined => {
  const query = parseParameters(entry).get("q");
  return query?.includes(text) === true
    ? undefined
    : `the query arrived as ${JSON.stringify(query)} instead of ${JSON.stringify(text)}`;
};

const describeChangedQuestion = (entry: TrialFacts["creations"][number], text: string): string | undefined => {
  const { asked } = entry.call;
  const sha256 = createHash("sha256").update(text).digest("hex");
  return asked === undefined || asked.sha256 === sha256
    ? undefined
    : `the question arrived changed: ${asked.characters} characters instead of ${Array.from(text).length}`;
};

/** Checks of the form of requests. */
export const requestChecks: readonly Check[] = [
  {
    id: "request/endpoint",
    title: "requests only documented addresses",
    basis: "inferred",
    requirements: [],
    because: "undocumented addresses may change without notice.",
    needs: "requests",
    appliesTo: () => true,
    evaluate: ({ record }) =>
      checkEach(record.requests, (entry) =>
        isDocumented(entry) ? undefined : `${formatRequest(entry)} is not an address of the specifications`,
      ),
  },
  {
    id: "request/access-token",
    title: "sends its access token after the word `token` in `Authorization`",
    basis: "stated",
    requirements: ["search-stream#5.1-access-token", "conversation-api#5.1-legacy-authorization"],
    needs: "requests",
    appliesTo: (trial) => isStream(trial) || isLegacy(trial),
    evaluate: (facts) => checkEach(selectRequests(facts), (entry) => describeScheme(entry, facts.trial)),
  },
  {
    id: "request/current-token",
    title: "sends its access token in `Authorization`",
    basis: "derived",
    requirements: ["conversation-api#5.7-scope", "conversation-api#5.9-authorization-form"],
    because: "the specifications do not show the scheme; real instances accept `token`.",
    needs: "requests",
    appliesTo: isCurrent,
    evaluate: (facts) => checkEach(selectRequests(facts), (entry) => describeCredential(entry, facts.trial)),
  },
  {
    id: "request/accept-event-stream",
    title: "asks for `text/event-stream`",
    basis: "stated",
    requirements: ["search-stream#4.2-accept-header"],
    needs: "requests",
    appliesTo: isStream,
    evaluate: ({ searches }) => checkEach(searches, describeAcceptHeader),
  },
  {
    id: "request/json-body",
    title: "declares its question as JSON",
    basis: "stated",
    requirements: ["conversation-api#4.1.2-requests-are-json"],
    needs: "requests",
    appliesTo: isLegacy,
    evaluate: ({ creations }) => checkEach(creations, describeContentType),
  },
  {
    id: "request/client-header",
    title: "sends its name and version in `X-Requested-With`",
    basis: "stated",
    requirements: ["conversation-api#5.4-x-requested-with", "conversation-api#5.5-x-requested-with-shape"],
    needs: "requests",
    appliesTo: isLegacy,
    evaluate: ({ calls }) => checkEach(calls, describeClientHeader),
  },
  {
    id: "request/text-intact",
    title: "sends the query or question unchanged, every character",
    basis: "derived",
    requirements: ["conversation-api#2.2.3-question"],
    because: "a character that is not escaped correctly in the address or in JSON changes the request.",
    needs: "requests",
    appliesTo: () => true,
    evaluate: ({ creations, record, searches, trial }) =>
      isStream(trial)
        ? checkEach(searches, (entry) => describeChangedQuery(entry, record.text))
        : checkEach(creations, (entry) => describeChangedQuestion(entry, record.text)),
  },
];
