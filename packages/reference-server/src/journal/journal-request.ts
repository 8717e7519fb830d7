import type { IncomingMessage } from "node:http";
import type { IssuedTokens } from "../service/tokens.ts";

/** The credential of a request, without its value. */
export interface JournalCredential {
  /** First word of the header, such as `token`. Empty if the header contains only the token. */
  readonly scheme: string;
  /** Kind of the issued token, or `unknown` for any other value. */
  readonly token: keyof IssuedTokens | "unknown";
}

/** Head of a request, without credentials. */
export interface JournalRequest {
  /** Number of the connection since the server started, starting at 1. */
  readonly connection: number;
  /** Names of all headers in lower case, in order of arrival. */
  readonly headerNames: readonly string[];
  /** Values of `user-agent` and of the headers in the specification, cut to 200 characters. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent without an `Authorization` header. */
  readonly credential?: JournalCredential;
}

const keptHeaders = [
  "accept",
  "accept-encoding",
  "connect-protocol-version",
  "content-type",
  "last-event-id",
  "user-agent",
  "x-requested-with",
] as const;
const maxValueCharacters = 200;

type TokenName = keyof IssuedTokens;

const tokenNames: readonly TokenName[] = [
  "access",
  "oauth",
  "other",
  "noScope",
  "noScopeOauth",
  "read",
  "write",
  "quota",
  "entitlement",
];

const replaceTokens = (text: string, tokens: IssuedTokens): string =>
  tokenNames.reduce((redactedText, name) => redactedText.replaceAll(tokens[name], `<${name}>`), text);

const describeCredential = (header: string, tokens: IssuedTokens): JournalCredential => {
  const [, word = ""] = /^\s*([\w-]{1,20})\s/u.exec(header) ?? [];
  return { scheme: word, token: tokenNames.find((name) => header.includes(tokens[name])) ?? "unknown" };
};

const listHeaderNames = ({ rawHeaders }: IncomingMessage): readonly string[] =>
  rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());

const selectHeaderValues = ({ headers }: IncomingMessage, tokens: IssuedTokens): Readonly<Record<string, string>> => {
  const headerEntries = keptHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined
      ? []
      : [[name, replaceTokens(String(value), tokens).slice(0, maxValueCharacters)] as const];
  });
  return Object.fromEntries(headerEntries);
};

/** The requested URL, with issued tokens replaced by their kind. */
export const formatJournalUrl = ({ url = "" }: IncomingMessage, tokens: IssuedTokens): string =>
  // Every token starts like this. Most URLs do not contain a token.
  /sg[op]_/u.test(url) ? replaceTokens(url, tokens) : url;

/** Describes the head of a request, with credentials replaced by their kind. */
export const createJournalRequest = (
  request: IncomingMessage,
  connection: number,
  tokens: IssuedTokens,
): JournalRequest => {
  const { authorization } = request.headers;
  return {
    connection,
    headerNames: listHeaderNames(request),
    headers: selectHeaderValues(request, tokens),
    ...(authorization === undefined ? {} : { credential: describeCredential(authorization, tokens) }),
  };
};
