import { visibleText } from "@assay/evidence";
import type { ExchangeDraft } from "@assay/evidence";
import type { DoctorCheck, DoctorCheckId } from "@assay/results";
import type { ServedApi } from "../judge/served-api.ts";
import { doctorProbes } from "./doctor-evidence.ts";
import { inconclusive, ok, note, notChecked, problem } from "./check-results.ts";
import { describeAnswer, classifyExchange } from "./arranged-evidence.ts";
import type { AnswerClass, ArrangedEvidence } from "./arranged-evidence.ts";

/** An interface to check, with the advice to show if it is missing. */
interface CheckedInterface {
  readonly id: Extract<DoctorCheckId, "stream-interface" | "legacy-interface" | "current-interface">;
  readonly path: string;
  /** Advice if the interface is missing. */
  readonly adviceIfMissing: string;
  /** Whether every run needs the interface. */
  readonly isRequired: boolean;
}

const searchInterface: CheckedInterface = {
  id: "stream-interface",
  path: "/.api/search/stream",
  adviceIfMissing: "have the proxy forward /.api/search/stream, and check that the proxy keeps the path prefix",
  isRequired: true,
};

const legacyInterface: CheckedInterface = {
  id: "legacy-interface",
  path: "/.api/deepsearch/v1",
  adviceIfMissing: "if it should exist, enable it on the instance and have the proxy forward /.api/deepsearch/",
  isRequired: false,
};

const currentInterface: CheckedInterface = {
  id: "current-interface",
  path: "/api/deepsearch.v1.Service/",
  adviceIfMissing:
    "it is available from release 7.0; if it should exist, have the proxy forward POST requests to /api/deepsearch.v1.Service/",
  isRequired: false,
};

const retryAdvice = "check the logs of the instance and its proxy, then run doctor again";

type ReportAnswer = (subject: CheckedInterface, exchange: ExchangeDraft, clause: string) => DoctorCheck;

const reportRefusal: ReportAnswer = ({ id }, _exchange, clause) =>
  ok(id, `available, but refuses this credential (${clause})`);
const reportFailure: ReportAnswer = ({ id }, _exchange, clause) => problem(id, [clause, retryAdvice]);
const reportOtherContent: ReportAnswer = ({ id }, _exchange, clause) =>
  problem(id, [clause, "something other than the API responded; see the connection checks above"]);

const reportMissing: ReportAnswer = ({ adviceIfMissing, id, isRequired }, _exchange, clause) => {
  const texts = [`not available (${clause})`, adviceIfMissing] as const;
  return isRequired ? problem(id, texts) : note(id, texts);
};

/** Builds the check of an interface, by the class of its response. */
const reportByAnswer: Readonly<Record<AnswerClass, ReportAnswer>> = {
  served: ({ id, path }) => ok(id, `served at ${path}`),
  refused: reportRefusal,
  "proxy-refused": reportOtherContent,
  missing: reportMissing,
  limited: ({ id }, _exchange, clause) =>
    inconclusive(id, [`too many requests (${clause})`, "try again later; see the rate-limit check"]),
  unfinished: ({ id }, exchange) => reportUnfinished(id, exchange),
  "no-response": reportFailure,
  broken: reportFailure,
  "web-page": reportOtherContent,
  redirect: reportOtherContent,
  "other-content": reportOtherContent,
  empty: reportOtherContent,
  "other-status": reportOtherContent,
};

function reportUnfinished(id: CheckedInterface["id"], { end }: ExchangeDraft): DoctorCheck {
  const message = end.kind === "failed" ? end.message : "it ended";
  return end.kind === "failed" && end.code === "total-timeout"
    ? inconclusive(id, [message, "set --patient and a larger --timeout"])
    : problem(id, [`the response ended before any content: ${message}`, retryAdvice]);
}

const wasAborted = ({ end }: ExchangeDraft): boolean => end.kind === "failed" && end.code === "aborted";

function checkInterface(subject: CheckedInterface, exchanges: readonly (ExchangeDraft | undefined)[]): DoctorCheck {
  const sentExchanges = exchanges.flatMap((exchange) => exchange ?? []);
  const bestExchange = sentExchanges.find((exchange) => classifyExchange(exchange) === "served") ?? sentExchanges[0];
  return bestExchange === undefined || wasAborted(bestExchange)
    ? notChecked(subject.id)
    : reportByAnswer[classifyExchange(bestExchange)](subject, bestExchange, describeAnswer(bestExchange));
}

/** Checks that the target responds to searches with streams. */
export function checkStreamInterface(arranged: ArrangedEvidence): DoctorCheck {
  const { mainCredential } = arranged.evidence;
  // A failed connection is reported by its own check.
  return arranged.firstExchange?.times.connectedAtMicros === undefined
    ? notChecked(searchInterface.id)
    : checkInterface(searchInterface, [arranged.findSearch(mainCredential), arranged.findSearch("none")]);
}

/** Checks that an interface of the conversation API exists, by requesting a list. */
export function checkConversations(arranged: ArrangedEvidence, name: "legacy" | "current"): DoctorCheck {
  const subject = name === "legacy" ? legacyInterface : currentInterface;
  const { mainCredential } = arranged.evidence;
  // The legacy interface does not support OAuth tokens.
  const exchanges = [
    arranged.findList(name, mainCredential),
    arranged.findList(name, "access-token"),
    arranged.findList(name, "none"),
  ];
  const check = checkInterface(subject, exchanges);
  const isServed = exchanges.some((exchange) => exchange !== undefined && classifyExchange(exchange) === "served");
  return name === "legacy" && !isServed && mayLackHeader(arranged) ? reportMissingHeader(subject, check) : check;
}

/** Reports whether the legacy interface rejects a list while the rest of the API works. A proxy may drop a required header. */
const mayLackHeader = (arranged: ArrangedEvidence): boolean =>
  readStatus(arranged.findList("legacy", arranged.evidence.mainCredential)) === 400 &&
  readStatus(arranged.findSearch(arranged.evidence.mainCredential)) !== 400;

const readStatus = (exchange: ExchangeDraft | undefined): number | undefined => exchange?.response?.status;

/** Source: conversation-api, section 5. */
const reportMissingHeader = ({ id }: CheckedInterface, { found }: DoctorCheck): DoctorCheck =>
  problem(id, [
    `it rejects a valid request (${found})`,
    "check that the proxy forwards X-Requested-With: this interface requires it",
  ]);

/** Checks that the target serves a usable OpenAPI document. Source: conversation-api, section 9. */
export function checkApiReference({ evidence }: ArrangedEvidence, servedApi: ServedApi): DoctorCheck {
  const id = "api-reference";
  const exchanges = evidence.exchanges.filter(({ probe }) => probe === doctorProbes.reference);
  const [first] = exchanges;
  if (first === undefined || wasAborted(first)) {
    return notChecked(id);
  }
  if (servedApi.api !== undefined) {
    return ok(
      id,
      `serves a usable document (${visibleText(new URL(servedApi.address ?? first.request.url).pathname, 80)})`,
    );
  }
  const advice =
    "responses are then checked against the document shipped with Assay; download the one for your release and pass it with `assay run --openapi FILE`";
  if (exchanges.every((exchange) => exchange.response?.status !== 200)) {
    return note(id, [`no document at /api-reference (${describeAnswer(first)})`, advice]);
  }
  const [reason] = servedApi.notes;
  return note(id, [`no usable document${reason === undefined ? "" : `: ${visibleText(reason, 160)}`}`, advice]);
}
