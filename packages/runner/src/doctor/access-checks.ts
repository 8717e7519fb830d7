import type { CredentialKind, ExchangeDraft } from "@assay/evidence";
import type { DoctorCheck } from "@assay/results";
import { inconclusive, ok, note, notApplicable, notChecked, problem } from "./check-results.ts";
import { describeAnswer, classifyExchange } from "./arranged-evidence.ts";
import type { AnswerClass, ArrangedEvidence } from "./arranged-evidence.ts";

/** Display names of tokens. */
const tokenLabels: Partial<Readonly<Record<CredentialKind, string>>> = {
  "access-token": "access token",
  "oauth-token": "OAuth token",
  "other-token": "other user's token",
  "read-token": "read token",
  "unscoped-token": "token without scopes",
};

const tokenLabel = (kind: CredentialKind): string => tokenLabels[kind] ?? kind;

/** Response classes that do not depend on the credential. */
const credentialIndependentClasses: ReadonlySet<AnswerClass> = new Set([
  "missing",
  "broken",
  "limited",
  "web-page",
  "other-content",
  "empty",
  "unfinished",
  "no-response",
]);

/**
 * Reports whether searches are redirected both with and without the main token. Redirects reveal nothing about tokens;
 * see `checkRedirects`.
 */
const areSearchesRedirected = (arranged: ArrangedEvidence): boolean =>
  [arranged.findSearch("none"), arranged.findSearch(arranged.evidence.mainCredential)].every(
    (exchange) => exchange !== undefined && classifyExchange(exchange) === "redirect",
  );

/** Checks that the main token allows searching. */
export function checkOwnToken(arranged: ArrangedEvidence): DoctorCheck {
  const id = "own-token";
  const { configuredCredentials, mainCredential } = arranged.evidence;
  if (mainCredential === "none") {
    return configuredCredentials.length > 0
      ? notApplicable(id, "only tokens of other users are configured")
      : inconclusive(id, [
          "no token is set",
          "set ASSAY_TOKEN (or SRC_ACCESS_TOKEN), or pass --token-file or --token-command",
        ]);
  }
  const exchange = arranged.findSearch(mainCredential);
  return exchange === undefined || areSearchesRedirected(arranged)
    ? notChecked(id)
    : reportMainSearch(arranged, exchange);
}

function reportMainSearch({ evidence }: ArrangedEvidence, exchange: ExchangeDraft): DoctorCheck {
  const id = "own-token";
  const label = tokenLabel(evidence.mainCredential);
  const kind = classifyExchange(exchange);
  if (kind === "served") {
    return ok(id, `the ${label} can search`);
  }
  if (kind !== "refused" && kind !== "redirect") {
    return notChecked(id);
  }
  const headerAdvice = evidence.extraHeaders.length > 0 ? ", and that SRC_HEADERS does not set it" : "";
  return problem(id, [
    `the ${label} cannot search: ${describeAnswer(exchange)}`,
    `create a new token (scope user:all) in the user settings; check that the proxy forwards Authorization${headerAdvice}`,
  ]);
}

/** Checks a search without a token. */
export function checkWithoutToken(arranged: ArrangedEvidence): DoctorCheck {
  const id = "without-token";
  const exchange = arranged.findSearch("none");
  const { access, configuredCredentials } = arranged.evidence;
  const kind = exchange === undefined ? "no-response" : classifyExchange(exchange);
  if (exchange === undefined || credentialIndependentClasses.has(kind) || areSearchesRedirected(arranged)) {
    return notChecked(id);
  }
  if (kind === "served") {
    return access === "private"
      ? problem(id, ["anyone can search, but --access is private", "turn anonymous access off, or set --access public"])
      : access === "public"
        ? ok(id, "anyone can search, as expected with --access public")
        : note(id, [
            "anyone can search",
            "if this is intended, set --access public; otherwise make the instance private immediately",
          ]);
  }
  if (access === "public") {
    return problem(id, [
      `refused (${describeAnswer(exchange)}), but --access is public`,
      "allow anonymous access, or set --access private",
    ]);
  }
  return ok(id, `refused (${describeAnswer(exchange)})${configuredCredentials.length === 0 ? "" : ", as expected"}`);
}

/** Checks that an invalid token is refused. */
export function checkInvalidToken(arranged: ArrangedEvidence): DoctorCheck {
  const id = "invalid-token";
  const exchange = arranged.findSearch("invalid-token");
  const kind = exchange === undefined ? "no-response" : classifyExchange(exchange);
  if (exchange === undefined || credentialIndependentClasses.has(kind) || areSearchesRedirected(arranged)) {
    return notChecked(id);
  }
  if (kind !== "served") {
    return ok(id, `refused (${describeAnswer(exchange)})`);
  }
  const anonymous = arranged.findSearch("none");
  const isPublic = anonymous !== undefined && classifyExchange(anonymous) === "served";
  return isPublic
    ? note(id, [
        "a token that was never issued can search, because anonymous access is on",
        "clients cannot tell that their token has expired; reject invalid tokens even if anonymous access is on",
      ])
    : problem(id, [
        "a token that was never issued can search",
        "a proxy signs everyone in: immediately stop it from adding its credential",
      ]);
}

const interfaces = ["search", "legacy", "current"] as const;
type InterfaceName = (typeof interfaces)[number];

function findAnswerClass(arranged: ArrangedEvidence, kind: CredentialKind, name: InterfaceName): AnswerClass {
  const exchange = name === "search" ? arranged.findSearch(kind) : arranged.findList(name, kind);
  return exchange === undefined ? "no-response" : classifyExchange(exchange);
}

/** Lists the interfaces that a token can access, such as "access token: search, legacy, current". */
function describeAccess(arranged: ArrangedEvidence, kind: CredentialKind): string {
  const accessibleInterfaces = interfaces.filter((name) => findAnswerClass(arranged, kind, name) === "served");
  return `${tokenLabel(kind)}: ${accessibleInterfaces.length === 0 ? "nothing" : accessibleInterfaces.join(", ")}`;
}

/**
 * The interfaces that each kind of token must, and must not, be able to access. For an interface without an entry,
 * access is unspecified.
 */
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
  readonly isExcessive: boolean;
}

function findMismatches(arranged: ArrangedEvidence, kind: CredentialKind): readonly ScopeMismatch[] {
  return interfaces.flatMap((name): readonly ScopeMismatch[] => {
    const specifiedAnswer = specifiedAccess[kind]?.[name];
    const answerClass = findAnswerClass(arranged, kind, name);
    const isPublic = name === "search" && findAnswerClass(arranged, "none", "search") === "served";
    if (specifiedAnswer === "refused" && answerClass === "served" && !isPublic) {
      return [{ text: `the ${tokenLabel(kind)} can access ${name} without the required scope`, isExcessive: true }];
    }
    return specifiedAnswer === "served" && answerClass === "refused"
      ? [{ text: `the ${tokenLabel(kind)} cannot access ${name}`, isExcessive: false }]
      : [];
  });
}

/** Compares the interfaces that each configured token can access with its specified scopes. Source: search-stream, section 5; conversation-api, section 5. */
export function checkScopes(arranged: ArrangedEvidence): DoctorCheck {
  const id = "scopes";
  const { configuredCredentials } = arranged.evidence;
  if (configuredCredentials.length === 0) {
    return inconclusive(id, [
      "no token is set",
      "set ASSAY_TOKEN (or SRC_ACCESS_TOKEN); ASSAY_OAUTH_TOKEN, ASSAY_READ_TOKEN, ASSAY_UNSCOPED_TOKEN add more checks",
    ]);
  }
  const credentials = configuredCredentials.filter((kind) =>
    interfaces.some((name) => ["served", "refused"].includes(findAnswerClass(arranged, kind, name))),
  );
  if (credentials.length === 0) {
    return notChecked(id);
  }
  const accessClause = credentials.map((kind) => describeAccess(arranged, kind)).join("; ");
  const mismatches = credentials.flatMap((kind) => findMismatches(arranged, kind));
  if (mismatches.length === 0) {
    return ok(id, `access by token: ${accessClause}`);
  }
  const message = `${mismatches.map(({ text }) => text).join("; ")} (${accessClause})`;
  return mismatches.some(({ isExcessive }) => isExcessive)
    ? problem(id, [
        message,
        "scopes are not enforced: update the instance, and check whether a proxy adds its own credentials",
      ])
    : note(id, [
        message,
        "required scopes: user:all for search, externalapi:read or externalapi:write for current, none for legacy; if the token has them, the user lacks permission",
      ]);
}
