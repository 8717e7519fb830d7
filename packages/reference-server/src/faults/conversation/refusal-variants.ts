import type { ApiAnswer } from "../../conversation/api/api-answer.ts";
import type { ApiCall } from "../../conversation/api/api-call.ts";
import type { Variants } from "../fault.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { answering, type CallTest, refusal } from "./call-effects.ts";

/** Another answer to a call. */
export type OtherAnswer = (call: Pick<ApiCall, "interface" | "conversation">) => ApiAnswer;

/** A refusal in the form of the interface. */
export const refusing =
  (status: number): OtherAnswer =>
  ({ interface: name }) =>
    refusal(name, status, "This is not possible at the moment.");

/** Answers otherwise where the answer would have this status. */
export const insteadOf = (status: number, isMeant: CallTest, other: OtherAnswer): ConversationEffect =>
  answering(isMeant, (answer, { call }) => (answer.status === status ? other(call) : answer));

/** An answer without a body. */
export const emptyAnswer = (status: number, headers: ApiAnswer["headers"] = {}): ApiAnswer => ({
  status,
  headers,
  text: "",
});

/** What calls itself JSON and has nothing in it. */
export const emptyJson = (status: number): ApiAnswer => emptyAnswer(status, { "content-type": "application/json" });

/** A page of a web interface. */
export const htmlPage: ApiAnswer = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  text: "<!doctype html>\n<html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1></body></html>\n",
};

/** Variants to refuse what has to be done, without a word about the token. */
export const plainRefusals: Variants<OtherAnswer> = { "status-400": refusing(400), "status-404": refusing(404) };

/** The same for creations; `not found` would say that there is no such interface. */
export const creationRefusals: Variants<OtherAnswer> = { "status-400": refusing(400), "status-422": refusing(422) };

/** Variants to refuse, and answers that do not come from the service. */
export const allRefusals: Variants<OtherAnswer> = {
  "status-400": refusing(400),
  redirect: () => emptyAnswer(302, { location: "/sign-in" }),
  page: () => htmlPage,
};

/** Variants to turn a token away. */
export const tokenRefusals: Variants<OtherAnswer> = { "status-401": refusing(401), "status-403": refusing(403) };

/** Bodies that are no conversation. */
export const noConversations: Variants<(answer: ApiAnswer) => ApiAnswer> = {
  empty: ({ status }) => emptyJson(status),
  list: ({ headers, json, status }) => ({ status, headers, json: [json] }),
  "cut-json": ({ headers, json, status }) => ({ status, headers, text: JSON.stringify(json).slice(0, -1) }),
};
