import type { ApiAnswer } from "../../conversation/api/api-answer.ts";
import type { Variants } from "../fault.ts";
import { type InterfaceName, refusal } from "./answer-edits.ts";

type Refuse = (name: InterfaceName) => ApiAnswer;

const withStatus =
  (status: number): Refuse =>
  (name) =>
    refusal(name, status, "This is not possible at the moment.");

/** A page of a web interface. */
export const htmlPage: ApiAnswer = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  text: "<!doctype html>\n<html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1></body></html>\n",
};

/** Variants to refuse what has to be done, without a word about the token. */
export const plainRefusals: Variants<Refuse> = {
  "status-400": withStatus(400),
  "status-404": withStatus(404),
};

/** The same for creations; `not found` would say that there is no such interface. */
export const creationRefusals: Variants<Refuse> = { "status-400": withStatus(400), "status-422": withStatus(422) };

/** Variants to refuse, and answers that do not come from the service. */
export const allRefusals: Variants<Refuse> = {
  "status-400": withStatus(400),
  redirect: () => ({ status: 302, headers: { location: "/sign-in" }, text: "" }),
  page: () => htmlPage,
};

/** Variants to turn a token away. */
export const tokenRefusals: Variants<Refuse> = { "status-401": withStatus(401), "status-403": withStatus(403) };

/** Bodies that are no conversation. */
export const noConversations: Variants<(answer: ApiAnswer) => ApiAnswer> = {
  empty: ({ status }) => ({ status, headers: { "content-type": "application/json" }, text: "" }),
  list: ({ headers, json, status }) => ({ status, headers, json: [json] }),
  "cut-json": ({ headers, json, status }) => ({ status, headers, text: JSON.stringify(json).slice(0, -1) }),
};
