import type { CredentialKind, ExchangeDraft } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { inconclusive, ok, note, notApplicable, notChecked, problem } from "./check-results.ts";
import { describeAnswer, classifyExchange } from "./arranged-evidence.ts";
import type { AnswerClass, ArrangedEvidence } from "./arranged-evidence.ts";

/** Display names of tokens. */
const tokenLabels: Partial<Readonly<Record<CredentialKind, string>>> = {
  "access-token": "access token",
  "oauth-token": "OAuth token",
  "other-token": "token of the other user",
  "read-token": "read token",
  "unscoped-token": "token without scopes",
};

const tokenLabel = (kind: CredentialKind): string => tokenLabels[kind] ?? kind;

/** Responses that do not depend on the credential. */
const unrelatedAnswers: ReadonlySet<AnswerClass> = new Set([
  "missing",
  "broken",
  "limited",
  "page",
  "other-content",
  "empty",
  "unfinished",
  "nothing",
]);

/** Reports whether searches are redirected regardless of their credential. Redirects show nothing about tokens and have their own check. */
const areSearchesRedirected = (responses: ArrangedEvidence): boolean =>
  [responses.findSearch("none"), responses.findSearch(responses.evidence.mainCredential)].every(
    (exchange) => exchange !== undefined && classifyExchange(exchange) === "redirect",
  );

/** Checks that the main token may search. */
export function checkOwnToken(responses: ArrangedEvidence): DoctorCheck {
  const id = "own-token";
  const { givenCredentials, mainCredential } = responses.evidence;
  if (mainCredential === "none") {
    return givenCredentials.length > 0
      ? notApplicable(id, "only tokens of other users are configured")
      : inconclusive(id, [
          "none was given",
          "set ASSAY_TOKEN (or SRC_ACCESS_TOKEN), or pass --token-file or --token-command",
        ]);
  }
  const exchange = responses.findSearch(mainCredential);
  return exchange === undefined || areSearchesRedirected(responses)
    ? notChecked(id)
    : reportMainSearch(responses, exchange);
}

function reportMainSearch({ evidence }: ArrangedEvidence, exchange: ExchangeDraft): DoctorCheck {
  const id = "own-token";
  const label = tokenLabel(evidence.mainCredential);
  const kind = classifyExchange(exchange);
  if (kind === "served") {
    return ok(id, `the ${label} may search`);
  }
  if (kind !== "refused" && kind !== "redirect") {
    return notChecked(id);
  }
  const headerAdvice = evidence.extraHeaders.length > 0 ? ", and that SRC_HEADERS does not set it" : "";
  return problem(id, [
    `the ${label} may not search: ${describeAnswer(exchange)}`,
    `create a new token (scope user:all) in the user settings; check that the proxy forwards Authorization${headerAdvice}`,
  ]);
}

/** Checks a search without a token. */
export function checkWithoutToken(responses: ArrangedEvidence): DoctorCheck {
  const id = "without-token";
  const exchange = responses.findSearch("none");
  const { access, givenCredentials } = responses.evidence;
  const kind = exchange === undefined ? "nothing" : classifyExchange(exchange);
  if (exchange === undefined || unrelatedAnswers.has(kind) || areSearchesRedirected(responses)) {
    return notChecked(id);
  }
  if (kind === "served") {
    return access === "private"
      ? problem(id, ["anyone may search, but --access is private", "turn anonymous access off, or set --access public"])
      : access === "public"
        ? ok(id, "anyone may search, as expected with --access public")
        : note(id, [
            "anyone may search",
            "if this is intended, set --access public; otherwise make the instance private immediately",
          ]);
  }
  if (access === "public") {
    return problem(id, [
      `refused (${describeAnswer(exchange)}), but --access is public`,
      "allow anonymous access, or set --access private",
    ]);
  }
  return ok(id, `refused (${describeAnswer(exchange)})${givenCredentials.length === 0 ? "" : ", as expected"}`);
}

/** Checks that an invalid token is refused. */
export function checkInvalidToken(responses: ArrangedEvidence): DoctorCheck {
  const id = "invalid-token";
  const exchange = responses.findSearch("invalid-token");
  const kind = exchange === undefined ? "nothing" : classifyExchange(exchange);
  if (exchange === undefined || unrelatedAnswers.has(kind) || areSearchesRedirected(responses)) {
    return notChecked(id);
  }
  if (kind !== "served") {
    return ok(id, `refused (${describeAnswer(exchange)})`);
  }
  const anonymous = responses.findSearch("none");
  const isPublic = anonymous !== undefined && classifyExchange(anonymous) === "served";
  return isPublic
    ? note(id, [
        "a token that was never issued may search, because anyone may",
        "clients do not notice that their token has expired; refuse bad tokens here as well",
      ])
    : problem(id, [
        "a token that was never issued may search",
        "a proxy in front signs everyone in: remove the credential that it adds immediately",
      ]);
}

const interfaces = ["search", "legacy", "current"] as const;
type InterfaceName = (typeof interfaces)[number];

function findAnswer(responses: ArrangedEvidence, kind: CredentialKind, name: InterfaceName): AnswerClass {
  const exchange = name === "search" ? responses.findSearch(kind) : responses.findList(name, kind);
  return exchange === undefined ? "nothing" : classifyExchange(exchange);
}

/** Lists the interfaces that a token can access, such as "access token: search, legacy, current". */
function describeAccess(responses: ArrangedEvidence, kind: CredentialKind): string {
  const accessibleInterfaces = interfaces.filter((name) => findAnswer(responses, kind, name) === "served");
  return `${tokenLabel(kind)}: ${accessibleInterfaces.length === 0 ? "nothing" : accessibleInterfaces.join(", ")}`;
}

/** The interfaces that each kind of token must, and must not, be able to access. */
const specifiedAccess: Partial<
  Readonly<Record<CredentialKind, Readonly<Partial<Record<InterfaceName, "served" | "refused">>>>>
> = {
  "access-token": { search: "served", legacy: "served", current: "served" },
  "oauth-token": { search: "served" },
  "other-token": { search: "served", legacy: "served", current: "served" },
  "read-token": { search: "refused", current: "served", legacy: "served" },
  "unscoped-token": { search: "refused", current: "refused", legacy: "served" },
};

interface ScopeMismatch {
  readonly text: string;
  readonly isTooMuch: boolean;
}

function findMismatches(responses: ArrangedEvidence, kind: CredentialKind): readonly ScopeMismatch[] {
  return interfaces.flatMap((name): readonly ScopeMismatch[] => {
    const specifiedAnswer = specifiedAccess[kind]?.[name];
    const answerClass = findAnswer(responses, kind, name);
    const isPublic = name === "search" && findAnswer(responses, "none", "search") === "served";
    if (specifiedAnswer === "refused" && answerClass === "served" && !isPublic) {
      return [{ text: `the ${tokenLabel(kind)} opens ${name}, whose scope it lacks`, isTooMuch: true }];
    }
    return specifiedAnswer === "served" && answerClass === "refused"
      ? [{ text: `the ${tokenLabel(kind)} does not open ${name}`, isTooMuch: false }]
      : [];
  });
}

/** Compares the interfaces that each configured token can access with its specified scopes. Source: search-stream, section 5; conversation-api, section 5. */
export function checkScopes(responses: ArrangedEvidence): DoctorCheck {
  const id = "scopes";
  const { givenCredentials } = responses.evidence;
  if (givenCredentials.length === 0) {
    return inconclusive(id, [
      "no token was given",
      "set ASSAY_TOKEN (or SRC_ACCESS_TOKEN); ASSAY_OAUTH_TOKEN, ASSAY_READ_TOKEN, ASSAY_UNSCOPED_TOKEN add more checks",
    ]);
  }
  const credentials = givenCredentials.filter((kind) =>
    interfaces.some((name) => ["served", "refused"].includes(findAnswer(responses, kind, name))),
  );
  if (credentials.length === 0) {
    return notChecked(id);
  }
  const accessClause = credentials.map((kind) => describeAccess(responses, kind)).join("; ");
  const mismatches = credentials.flatMap((kind) => findMismatches(responses, kind));
  if (mismatches.length === 0) {
    return ok(id, `access by token: ${accessClause}`);
  }
  const message = `${mismatches.map(({ text }) => text).join("; ")} (${accessClause})`;
  return mismatches.some(({ isTooMuch: isExcessive }) => isExcessive)
    ? problem(id, [
        message,
        "scopes are not enforced: update the instance, and check whether a proxy in front adds its own credentials",
      ])
    : note(id, [
        message,
        "search requires the scope user:all, current externalapi:read or :write, legacy any access token; if the scopes are right, the user lacks permission",
      ]);
}
