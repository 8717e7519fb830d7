import { visibleText } from "@assay/evidence";
import type { ExchangeDraft } from "@assay/evidence";
import type { DoctorCheck, DoctorCheckId } from "@assay/results";
import type { ServedApi } from "../judge/served-api.ts";
import { doctorProbes } from "./doctor-evidence.ts";
import { couldNotTell, fine, note, notAsked, problem } from "./findings.ts";
import { answerClause, seenAs } from "./seen-answers.ts";
import type { SeenAnswer, SeenAnswers } from "./seen-answers.ts";

/** What people ask of an interface, and where it is. */
interface Subject {
  readonly id: Extract<DoctorCheckId, "stream-interface" | "legacy-interface" | "current-interface">;
  readonly path: string;
  /** What to do when it is not there. */
  readonly absence: string;
  /** Whether nothing works without it. */
  readonly isNeeded: boolean;
}

const search: Subject = {
  id: "stream-interface",
  path: "/.api/search/stream",
  absence: "have the proxy pass /.api/search/stream on, and check that the path before it is kept",
  isNeeded: true,
};

const legacy: Subject = {
  id: "legacy-interface",
  path: "/.api/deepsearch/v1",
  absence: "where it should be, enable it on the instance and have the proxy pass /.api/deepsearch/ on",
  isNeeded: false,
};

const current: Subject = {
  id: "current-interface",
  path: "/api/deepsearch.v1.Service/",
  absence:
    "it comes with release 7.0; where it should be, have the proxy pass /api/deepsearch.v1.Service/ on, with POST",
  isNeeded: false,
};

const retryAdvice = "look into the log of the instance and of the proxy in front of it, then ask again";

type Read = (subject: Subject, exchange: ExchangeDraft, clause: string) => DoctorCheck;

const isRefusing: Read = ({ id }, _exchange, clause) => fine(id, `there, and refuses who asks (${clause})`);
const isIll: Read = ({ id }, _exchange, clause) => problem(id, [clause, retryAdvice]);
const isSomethingElse: Read = ({ id }, _exchange, clause) =>
  problem(id, [clause, "see the lines about the way above: something else answers here"]);

const isMissing: Read = ({ absence, id, isNeeded }, _exchange, clause) => {
  const said = [`not there (${clause})`, absence] as const;
  return isNeeded ? problem(id, said) : note(id, said);
};

/** What each kind of answer says of an interface. */
const readings: Readonly<Record<SeenAnswer, Read>> = {
  served: ({ id, path }) => fine(id, `served at ${path}`),
  refused: isRefusing,
  "proxy-refused": isSomethingElse,
  missing: isMissing,
  limited: ({ id }, _exchange, clause) =>
    couldNotTell(id, [`too many requests (${clause})`, "try again later; see the line about limits"]),
  unfinished: ({ id }, exchange) => ofUnfinished(id, exchange),
  nothing: isIll,
  broken: isIll,
  page: isSomethingElse,
  redirect: isSomethingElse,
  "other-content": isSomethingElse,
  empty: isSomethingElse,
  "other-status": isSomethingElse,
};

function ofUnfinished(id: Subject["id"], { end }: ExchangeDraft): DoctorCheck {
  const message = end.kind === "failed" ? end.message : "it ended";
  return end.kind === "failed" && end.code === "total-timeout"
    ? couldNotTell(id, [message, "give --patient and a larger --timeout"])
    : problem(id, [`it broke off before it told anything: ${message}`, retryAdvice]);
}

const isCutShort = ({ end }: ExchangeDraft): boolean => end.kind === "failed" && end.code === "aborted";

function checkInterface(subject: Subject, exchanges: readonly (ExchangeDraft | undefined)[]): DoctorCheck {
  const asked = exchanges.flatMap((exchange) => exchange ?? []);
  const best = asked.find((exchange) => seenAs(exchange) === "served") ?? asked[0];
  return best === undefined || isCutShort(best)
    ? notAsked(subject.id)
    : readings[seenAs(best)](subject, best, answerClause(best));
}

/** Whether searches are answered by streams. */
export function checkStreamInterface(seen: SeenAnswers): DoctorCheck {
  const { mainCredential } = seen.evidence;
  // Nobody could be connected to: that has its own line.
  return seen.first?.times.connectedAtMicros === undefined
    ? notAsked(search.id)
    : checkInterface(search, [seen.search(mainCredential), seen.search("none")]);
}

/** Whether an interface of the conversation API is there; nothing is asked of it but a list. */
export function checkConversations(seen: SeenAnswers, name: "legacy" | "current"): DoctorCheck {
  const subject = name === "legacy" ? legacy : current;
  const { mainCredential } = seen.evidence;
  // Of OAuth tokens the legacy interface knows nothing.
  const asked = [seen.list(name, mainCredential), seen.list(name, "access-token"), seen.list(name, "none")];
  const found = checkInterface(subject, asked);
  const isServed = asked.some((exchange) => exchange !== undefined && seenAs(exchange) === "served");
  return name === "legacy" && !isServed && isMissingHeader(seen) ? ofMissingHeader(subject, found) : found;
}

/** Whether the legacy interface finds fault with a list, and the API is there otherwise: it wants a header that may get lost. */
const isMissingHeader = (seen: SeenAnswers): boolean =>
  statusOf(seen.list("legacy", seen.evidence.mainCredential)) === 400 &&
  statusOf(seen.search(seen.evidence.mainCredential)) !== 400;

const statusOf = (exchange: ExchangeDraft | undefined): number | undefined => exchange?.response?.status;

/** Source: conversation-api, section 5. */
const ofMissingHeader = ({ id }: Subject, { found }: DoctorCheck): DoctorCheck =>
  problem(id, [
    `it does not understand what it is asked (${found})`,
    "check that X-Requested-With is passed on by the proxy: this interface demands it",
  ]);

/** Whether the OpenAPI document is there and can be used. Source: conversation-api, section 9. */
export function checkApiReference({ evidence }: SeenAnswers, served: ServedApi): DoctorCheck {
  const id = "api-reference";
  const asked = evidence.exchanges.filter(({ probe }) => probe === doctorProbes.reference);
  const [first] = asked;
  if (first === undefined || isCutShort(first)) {
    return notAsked(id);
  }
  if (served.api !== undefined) {
    return fine(id, `served, and usable (${visibleText(new URL(served.address ?? first.request.url).pathname, 80)})`);
  }
  const advice =
    "answers are then held to the document that comes with assay; download the one of your release and give it to `assay run --openapi FILE`";
  if (asked.every((exchange) => exchange.response?.status !== 200)) {
    return note(id, [`none at /api-reference (${answerClause(first)})`, advice]);
  }
  const [why] = served.notes;
  return note(id, [`none that could be used${why === undefined ? "" : `: ${visibleText(why, 160)}`}`, advice]);
}
