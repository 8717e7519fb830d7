import type { CredentialKind, ExchangeDraft } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { couldNotTell, fine, note, notApplicable, notAsked, problem } from "./findings.ts";
import { answerClause, seenAs } from "./seen-answers.ts";
import type { SeenAnswer, SeenAnswers } from "./seen-answers.ts";

/** Names of tokens for people. */
const words: Partial<Readonly<Record<CredentialKind, string>>> = {
  "access-token": "access token",
  "oauth-token": "OAuth token",
  "other-token": "token of the other user",
  "read-token": "read token",
  "unscoped-token": "token without scopes",
};

const wordOf = (kind: CredentialKind): string => words[kind] ?? kind;

/** Answers that do not depend on the credential. */
const elsewhere: ReadonlySet<SeenAnswer> = new Set([
  "missing",
  "broken",
  "limited",
  "page",
  "other-content",
  "empty",
  "unfinished",
  "nothing",
]);

/** True if every search is redirected, whatever its credential. That shows nothing about tokens and has its own check. */
const isRedirected = (seen: SeenAnswers): boolean =>
  [seen.search("none"), seen.search(seen.evidence.mainCredential)].every(
    (exchange) => exchange !== undefined && seenAs(exchange) === "redirect",
  );

/** Checks that the main token may search. */
export function checkOwnToken(seen: SeenAnswers): DoctorCheck {
  const id = "own-token";
  const { given, mainCredential } = seen.evidence;
  if (mainCredential === "none") {
    return given.length > 0
      ? notApplicable(id, "only tokens of other users were given")
      : couldNotTell(id, [
          "none was given",
          "set ASSAY_TOKEN (or SRC_ACCESS_TOKEN), or give --token-file or --token-command",
        ]);
  }
  const exchange = seen.search(mainCredential);
  return exchange === undefined || isRedirected(seen) ? notAsked(id) : ofOwnSearch(seen, exchange);
}

function ofOwnSearch({ evidence }: SeenAnswers, exchange: ExchangeDraft): DoctorCheck {
  const id = "own-token";
  const word = wordOf(evidence.mainCredential);
  const kind = seenAs(exchange);
  if (kind === "served") {
    return fine(id, `the ${word} may search`);
  }
  if (kind !== "refused" && kind !== "redirect") {
    return notAsked(id);
  }
  const extra = evidence.extraHeaders.length > 0 ? ", and that SRC_HEADERS does not set it" : "";
  return problem(id, [
    `the ${word} may not search: ${answerClause(exchange)}`,
    `make a new token (scope user:all) in the settings of the user; check that the proxy passes Authorization on${extra}`,
  ]);
}

/** Checks a search without a token. */
export function checkWithoutToken(seen: SeenAnswers): DoctorCheck {
  const id = "without-token";
  const exchange = seen.search("none");
  const { access, given } = seen.evidence;
  const kind = exchange === undefined ? "nothing" : seenAs(exchange);
  if (exchange === undefined || elsewhere.has(kind) || isRedirected(seen)) {
    return notAsked(id);
  }
  if (kind === "served") {
    return access === "private"
      ? problem(id, [
          "anybody may search, and --access says private",
          "turn anonymous access off, or say --access public",
        ])
      : access === "public"
        ? fine(id, "anybody may search, as --access says")
        : note(id, [
            "anybody may search",
            "if this is meant, say --access public; if not, make the instance private at once",
          ]);
  }
  if (access === "public") {
    return problem(id, [
      `refused (${answerClause(exchange)}), and --access says public`,
      "allow anonymous access, or say --access private",
    ]);
  }
  return fine(id, `refused (${answerClause(exchange)})${given.length === 0 ? "" : ", as expected"}`);
}

/** Checks that an invalid token is refused. */
export function checkInvalidToken(seen: SeenAnswers): DoctorCheck {
  const id = "invalid-token";
  const exchange = seen.search("invalid-token");
  const kind = exchange === undefined ? "nothing" : seenAs(exchange);
  if (exchange === undefined || elsewhere.has(kind) || isRedirected(seen)) {
    return notAsked(id);
  }
  if (kind !== "served") {
    return fine(id, `refused (${answerClause(exchange)})`);
  }
  const anonymous = seen.search("none");
  const isPublic = anonymous !== undefined && seenAs(anonymous) === "served";
  return isPublic
    ? note(id, [
        "a token that was never issued may search, as anybody may",
        "clients do not notice when their token has expired; have bad tokens refused here as well",
      ])
    : problem(id, [
        "a token that was never issued may search",
        "something in front signs everybody in: remove the credential that it adds, at once",
      ]);
}

const interfaces = ["search", "legacy", "current"] as const;
type InterfaceWord = (typeof interfaces)[number];

function seenOf(seen: SeenAnswers, kind: CredentialKind, name: InterfaceWord): SeenAnswer {
  const exchange = name === "search" ? seen.search(kind) : seen.list(name, kind);
  return exchange === undefined ? "nothing" : seenAs(exchange);
}

/** "access token: search, legacy, current". */
function abilityOf(seen: SeenAnswers, kind: CredentialKind): string {
  const able = interfaces.filter((name) => seenOf(seen, kind, name) === "served");
  return `${wordOf(kind)}: ${able.length === 0 ? "nothing" : able.join(", ")}`;
}

/** Specified scopes: the interfaces that a token must and must not open. */
const demands: Partial<
  Readonly<Record<CredentialKind, Readonly<Partial<Record<InterfaceWord, "served" | "refused">>>>>
> = {
  "access-token": { search: "served", legacy: "served", current: "served" },
  "oauth-token": { search: "served" },
  "other-token": { search: "served", legacy: "served", current: "served" },
  "read-token": { search: "refused", current: "served", legacy: "served" },
  "unscoped-token": { search: "refused", current: "refused", legacy: "served" },
};

interface Departure {
  readonly text: string;
  readonly isTooMuch: boolean;
}

function departuresOf(seen: SeenAnswers, kind: CredentialKind): readonly Departure[] {
  return interfaces.flatMap((name): readonly Departure[] => {
    const demanded = demands[kind]?.[name];
    const found = seenOf(seen, kind, name);
    const isPublic = name === "search" && seenOf(seen, "none", "search") === "served";
    if (demanded === "refused" && found === "served" && !isPublic) {
      return [{ text: `the ${wordOf(kind)} opens ${name}, whose scope it lacks`, isTooMuch: true }];
    }
    return demanded === "served" && found === "refused"
      ? [{ text: `the ${wordOf(kind)} does not open ${name}`, isTooMuch: false }]
      : [];
  });
}

/** Compares the interfaces that each given token opens with its specified scopes. Source: search-stream, section 5; conversation-api, section 5. */
export function checkScopes(seen: SeenAnswers): DoctorCheck {
  const id = "scopes";
  const { given } = seen.evidence;
  if (given.length === 0) {
    return couldNotTell(id, [
      "no token was given",
      "set ASSAY_TOKEN (or SRC_ACCESS_TOKEN); ASSAY_OAUTH_TOKEN, ASSAY_READ_TOKEN, ASSAY_UNSCOPED_TOKEN show more",
    ]);
  }
  const asked = given.filter((kind) =>
    interfaces.some((name) => ["served", "refused"].includes(seenOf(seen, kind, name))),
  );
  if (asked.length === 0) {
    return notAsked(id);
  }
  const abilities = asked.map((kind) => abilityOf(seen, kind)).join("; ");
  const departures = asked.flatMap((kind) => departuresOf(seen, kind));
  if (departures.length === 0) {
    return fine(id, `each token opens: ${abilities}`);
  }
  const found = `${departures.map(({ text }) => text).join("; ")} (${abilities})`;
  return departures.some(({ isTooMuch }) => isTooMuch)
    ? problem(id, [
        found,
        "scopes are not checked: update the instance, and check whether a proxy in front adds its own credentials",
      ])
    : note(id, [
        found,
        "search wants the scope user:all, current externalapi:read or :write, legacy any access token; else the user may not",
      ]);
}
