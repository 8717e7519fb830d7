import { visibleText } from "@assay/evidence";
import type { ExchangeDraft } from "@assay/evidence";
import type { DoctorCheck, DoctorCheckId } from "@assay/results";
import type { ServedApi } from "../judge/served-api.ts";
import { doctorProbes } from "./doctor-evidence.ts";
import { couldNotTell, fine, note, notAsked, problem } from "./findings.ts";
import { answerClause, seenAs } from "./seen-answers.ts";
import type { SeenAnswer, SeenAnswers } from "./seen-answers.ts";

/** An interface, and advice about it. */
interface Subject {
  readonly id: Extract<DoctorCheckId, "stream-interface" | "legacy-interface" | "current-interface">;
  readonly path: string;
  /** Advice if it is missing. */
  readonly absence: string;
  /** True if nothing works without it. */
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

const isRefusing: Read = ({ id }, _exchange, clause) => fine(id, `available, but refuses this credential (${clause})`);
const isFailing: Read = ({ id }, _exchange, clause) => problem(id, [clause, retryAdvice]);
const isSomethingElse: Read = ({ id }, _exchange, clause) =>
  problem(id, [clause, "see the connection checks above: something else answers here"]);

const isMissing: Read = ({ absence, id, isNeeded }, _exchange, clause) => {
  const words = [`not there (${clause})`, absence] as const;
  return isNeeded ? problem(id, words) : note(id, words);
};

/** The check of an interface by the kind of its answer. */
const readings: Readonly<Record<SeenAnswer, Read>> = {
  served: ({ id, path }) => fine(id, `served at ${path}`),
  refused: isRefusing,
  "proxy-refused": isSomethingElse,
  missing: isMissing,
  limited: ({ id }, _exchange, clause) =>
    couldNotTell(id, [`too many requests (${clause})`, "try again later; see the line about limits"]),
  unfinished: ({ id }, exchange) => ofUnfinished(id, exchange),
  nothing: isFailing,
  broken: isFailing,
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
    : problem(id, [`it was cut off before its first content: ${message}`, retryAdvice]);
}

const isCutShort = ({ end }: ExchangeDraft): boolean => end.kind === "failed" && end.code === "aborted";

function checkInterface(subject: Subject, exchanges: readonly (ExchangeDraft | undefined)[]): DoctorCheck {
  const asked = exchanges.flatMap((exchange) => exchange ?? []);
  const best = asked.find((exchange) => seenAs(exchange) === "served") ?? asked[0];
  return best === undefined || isCutShort(best)
    ? notAsked(subject.id)
    : readings[seenAs(best)](subject, best, answerClause(best));
}

/** Checks that searches are answered by streams. */
export function checkStreamInterface(seen: SeenAnswers): DoctorCheck {
  const { mainCredential } = seen.evidence;
  // A failed connection has its own check.
  return seen.first?.times.connectedAtMicros === undefined
    ? notAsked(search.id)
    : checkInterface(search, [seen.search(mainCredential), seen.search("none")]);
}

/** Checks that an interface of the conversation API exists, by requesting a list. */
export function checkConversations(seen: SeenAnswers, name: "legacy" | "current"): DoctorCheck {
  const subject = name === "legacy" ? legacy : current;
  const { mainCredential } = seen.evidence;
  // The legacy interface does not support OAuth tokens.
  const asked = [seen.list(name, mainCredential), seen.list(name, "access-token"), seen.list(name, "none")];
  const found = checkInterface(subject, asked);
  const isServed = asked.some((exchange) => exchange !== undefined && seenAs(exchange) === "served");
  return name === "legacy" && !isServed && isMissingHeader(seen) ? ofMissingHeader(subject, found) : found;
}

/** True if the legacy interface rejects a list while the rest of the API works: a required header may get lost. */
const isMissingHeader = (seen: SeenAnswers): boolean =>
  statusOf(seen.list("legacy", seen.evidence.mainCredential)) === 400 &&
  statusOf(seen.search(seen.evidence.mainCredential)) !== 400;

const statusOf = (exchange: ExchangeDraft | undefined): number | undefined => exchange?.response?.status;

/** Source: conversation-api, section 5. */
const ofMissingHeader = ({ id }: Subject, { found }: DoctorCheck): DoctorCheck =>
  problem(id, [
    `it rejects a valid request (${found})`,
    "check that X-Requested-With is passed on by the proxy: this interface requires it",
  ]);

/** Checks that there is a usable OpenAPI document. Source: conversation-api, section 9. */
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
    "answers are then checked against the document shipped with Assay; download the one of your release and give it to `assay run --openapi FILE`";
  if (asked.every((exchange) => exchange.response?.status !== 200)) {
    return note(id, [`none at /api-reference (${answerClause(first)})`, advice]);
  }
  const [reason] = served.notes;
  return note(id, [`none that could be used${reason === undefined ? "" : `: ${visibleText(reason, 160)}`}`, advice]);
}
