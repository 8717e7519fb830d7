import { defined } from "@assay/contract";
import { pinnedApi } from "@assay/openapi";
import type { ApiDescription, SchemaError } from "@assay/openapi";
import { readText } from "@assay/reading";
import { headerOf } from "../../engine/header-of.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { schemaErrorCode } from "../../engine/schema-error-code.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationInterface } from "../engine/conversation-operation.ts";
import { defineConversationRule, defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { reportBlocked } from "../engine/define-conversation-check.ts";

/** Returns the JSON body of a response to judge, or undefined. */
function parseJsonBody({ response }: ConversationCall): unknown {
  if (response.kind === "success") {
    return response.json;
  }
  const parsedText = response.kind === "refused" ? readText(response.text) : undefined;
  return parsedText?.kind === "text" ? parsedText.json : undefined;
}

/** A value of each JSON type. A schema that accepts all of them requires nothing. */
const sampleValues: readonly unknown[] = [null, true, 0, "", [], {}];

/** The judgement of one response against a document. */
interface Judgement {
  readonly call: ConversationCall;
  readonly errors: readonly SchemaError[];
  readonly observations: number;
  /** The reason the response was not judged. */
  readonly reason?: string;
}

function judge(call: ConversationCall, api: ApiDescription): Judgement {
  const noJudgement: Judgement = { call, errors: [], observations: 0 };
  const json = parseJsonBody(call);
  const { interface: interfaceName, operation, record } = call;
  const describedOperation = api.operation(interfaceName, operation);
  if (json === undefined || record.response === undefined || describedOperation === undefined) {
    return noJudgement;
  }
  const { status, headers } = record.response;
  const contentType = headerOf(headers, "content-type");
  const findErrors = (value: unknown) => describedOperation.responseErrors(status, contentType, value);
  const errors = findErrors(json);
  const isSuccess = call.response.kind === "success";
  if (errors === undefined) {
    const reason = isSuccess ? describedOperation.reasonForNoVerdict(status, contentType, json) : undefined;
    return { ...noJudgement, ...defined({ reason }) };
  }
  // The documents list only the codes of refusals, and some schemas accept anything. Such responses are not
  // observations.
  const isObservation =
    errors.length > 0 || (isSuccess && sampleValues.some((sample) => findErrors(sample)?.length !== 0));
  return { call, errors, observations: isObservation ? 1 : 0 };
}

function reportErrors({ errors, call }: Judgement, api: ApiDescription, report: Reporter): void {
  const source =
    api.source === "served" ? "the OpenAPI document the target serves" : "the OpenAPI document of this project";
  for (const error of errors) {
    const { pointer } = error;
    const subject = pointer === "" ? "the body" : `\`${pointer.slice(0, 80)}\``;
    const { code, argument } = schemaErrorCode(error);
    const kind = code === undefined ? {} : { code, argument: `${call.operation}:${argument}` };
    report.violation({ message: `${subject} ${error.message}, according to ${source}`, ...kind, pointer });
  }
}

/**
 * Returns the document used for an interface: the served one if it describes any of its operations, otherwise the
 * document of this project. Section 9 requires that the schema of the current interface is served, and does not mention
 * one for the legacy interface.
 */
const selectDocument = (api: ApiDescription, interfaceName: ConversationInterface): ApiDescription =>
  api.operations.some((operation) => operation.interface === interfaceName) ? api : pinnedApi();

/**
 * Checks each JSON response against the schema for its operation and status. Undocumented responses are not judged. If
 * the document contains a schema for a response but cannot judge it, the rule is not tested. Source: conversation-api,
 * section 9.
 */
export const responsesFitOpenapi = defineForBothInterfaces((interfaceName) =>
  defineConversationRule({
    id: `${interfaceName}/responses-fit-openapi`,
    check({ calls, api }, reportFor) {
      const callsOfInterface = calls.filter((call) => call.interface === interfaceName);
      if (callsOfInterface.length === 0) {
        // The document of this project is compiled at its first use, which takes longer than judging a small stream.
        return;
      }
      const document = selectDocument(api ?? pinnedApi(), interfaceName);
      const judgements = callsOfInterface.map((call) => judge(call, document));
      const unjudgedResponse = judgements.find(({ reason }) => reason !== undefined);
      for (const judgement of judgements) {
        const report = reportFor(judgement.call.record.id);
        report.observation(unjudgedResponse === undefined || judgement.errors.length > 0 ? judgement.observations : 0);
        reportErrors(judgement, document, report);
      }
      if (unjudgedResponse?.reason !== undefined) {
        reportFor(unjudgedResponse.call.record.id).notTested(unjudgedResponse.reason);
      }
      reportBlocked(callsOfInterface, reportFor);
    },
  }),
);
