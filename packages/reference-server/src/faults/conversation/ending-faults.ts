import { isPayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "../fault.ts";
import type { ApiOperation } from "../../conversation/api/api-call.ts";
import { editAnswers, isMeant, isSuccess, replaceAnswers, withJson } from "./answer-edits.ts";
import type { InterfaceName } from "./answer-edits.ts";
import { plainRefusals, tokenRefusals } from "./refusal-variants.ts";
import { changeEntries } from "./list-entries.ts";
import { countUp } from "./seen-conversations.ts";
import { unfinished } from "./unfinished.ts";

/**
 * Cancellations do nothing and are refused, also those that come too late: the first read after the first one shows the question in
 * progress all the same, so that it does not depend on the time of the processing what can be seen.
 */
const refusedCancellations = (name: InterfaceName): ConversationEffect => ({
  layer: "conversation",
  apply: (answer, call, run) => {
    const key = `refused cancellation ${call.conversation}`;
    if (isMeant(call, { interface: name, operations: ["cancel"] }) && call.credential === "access") {
      run.memory.set(key, run.memory.get(key) ?? "to be shown");
      run.applied();
      return variantOf(plainRefusals, run)?.(name) ?? answer;
    }
    if (!isMeant(call, { interface: name, operations: ["get"] }) || run.memory.get(key) !== "to be shown") {
      return answer;
    }
    run.memory.set(key, "shown");
    return isSuccess(answer) && isPayloadObject(answer.json) ? withJson(answer, unfinished(answer.json)) : answer;
  },
  store: { does: (act, call) => act !== "cancel" || call.interface !== name },
});

/** The first deletion of each conversation does nothing and is refused; another try succeeds, so that nothing is left. */
const refusedDeletions = (name: InterfaceName): ConversationEffect => ({
  layer: "conversation",
  store: {
    does: (act, call, run) => {
      if (act !== "delete" || call.interface !== name) {
        return true;
      }
      const isFirst = countUp(run, `deletions ${call.conversation}`) === 1;
      run.memory.set("refused deletion", isFirst);
      return !isFirst;
    },
  },
  apply: (answer, call, run) => {
    if (!isMeant(call, { interface: name, operations: ["delete"] }) || !isSuccess(answer)) {
      return answer;
    }
    if (run.memory.get("refused deletion") !== true) {
      return answer;
    }
    run.applied();
    return variantOf(plainRefusals, run)?.(name) ?? answer;
  },
});

/** An act that is accepted through one interface, and not done. */
const withoutEffect = (name: InterfaceName, without: "cancel" | "delete"): ConversationEffect => ({
  layer: "conversation",
  store: {
    does: (act, call, run) => {
      const isMeantHere = act === without && call.interface === name;
      if (isMeantHere) {
        run.applied();
      }
      return !isMeantHere;
    },
  },
});

/** Where a deleted conversation stays. */
const stayVariants: Variants<"everywhere" | "cancelled" | "lists"> = {
  everywhere: "everywhere",
  "if-cancelled": "cancelled",
  "in-lists": "lists",
};

/** Deletions that do nothing, of any conversation or of those with a cancelled question; or lists that go on showing the first that was deleted. */
const stayingAfterDeletion = (name: InterfaceName): ConversationEffect => ({
  layer: "conversation",
  store: {
    does: (act, call, run) => {
      const key = `cancelled ${call.conversation}`;
      if (act === "cancel") {
        run.memory.set(key, true);
      }
      const stays = variantOf(stayVariants, run);
      return stays === "everywhere" || (stays === "cancelled" && run.memory.get(key) === true)
        ? (withoutEffect(name, "delete").store?.does?.(act, call, run) ?? true)
        : true;
    },
  },
  apply: (answer, call, run) => {
    if (variantOf(stayVariants, run) !== "lists" || call.interface !== name || !isSuccess(answer)) {
      return answer;
    }
    if (call.operation === "delete") {
      const kept = run.memory.get(`listed ${call.conversation}`);
      run.memory.set("kept in lists", run.memory.get("kept in lists") ?? kept);
    }
    if (call.operation !== "list" || !isPayloadObject(answer.json)) {
      return answer;
    }
    const kept = run.memory.get("kept in lists");
    const json = changeEntries(answer.json, (entries) => {
      entries.forEach((entry) => run.memory.set(`listed ${idOf(entry)}`, entry));
      return kept === undefined || entries.some((entry) => idOf(entry) === idOf(kept)) ? entries : [...entries, kept];
    });
    if (kept !== undefined) {
      run.applied();
    }
    return withJson(answer, json);
  },
});

/** A conversation that was deleted still takes questions, of which nothing comes. */
const takingQuestions = (name: InterfaceName): ConversationEffect => ({
  layer: "conversation",
  apply: (answer, call, run) => {
    const key = `deleted ${name} ${call.conversation}`;
    if (isMeant(call, { interface: name, operations: ["delete"] }) && isSuccess(answer)) {
      run.memory.set(key, true);
    }
    if (!isMeant(call, { interface: name, operations: ["follow-up"] }) || run.memory.get(key) !== true) {
      return answer;
    }
    run.applied();
    return { status: 200, headers: { "content-type": "application/json" }, json: {} };
  },
});

const openers: Variants<string> = { "read-token": "filter_read_token", id: "filter_id" };

/** Lists by a read token, or an id, show what it once opened. */
const openingDeleted: ConversationEffect = editAnswers(
  { interface: "legacy", operations: ["list"] },
  (json, { call, run }) => {
    const parameter = variantOf(openers, run) ?? "";
    const key = `by ${call.parameters.get(parameter)}`;
    return call.parameters.has(parameter) && call.credential === "access"
      ? changeEntries(json, (entries) => {
          const known = run.memory.get(key);
          run.memory.set(key, known ?? entries[0]);
          return entries.length === 0 && known !== undefined ? [known] : entries;
        })
      : json;
  },
);

/** The number of a listed conversation: its id, or the end of its name. */
const idOf = (entry: unknown): string =>
  isPayloadObject(entry) ? String(entry["id"] ?? entry["name"]).replace(/^.*\//u, "") : "";

const statusVariants: Variants<{ readonly operation: ApiOperation; readonly status: number }> = {
  "creation-201": { operation: "create", status: 201 },
  "retrieval-203": { operation: "get", status: 203 },
  "list-206": { operation: "list", status: 206 },
  "follow-up-201": { operation: "follow-up", status: 201 },
  "cancellation-204": { operation: "cancel", status: 204 },
  "deletion-204": { operation: "delete", status: 204 },
};

const deletionFaultsOf = (name: InterfaceName): readonly Fault[] => [
  violating(`${name}/deleted-is-gone`, `${name}-deletion-without-effect`)(
    "Deletions are accepted, and the conversation stays where it is, or in lists.",
    stayingAfterDeletion(name),
    howParameter(stayVariants),
  ),
  violating(`${name}/deleted-is-gone`, `${name}-deleted-takes-questions`)(
    "Follow-up questions to a deleted conversation are accepted.",
    takingQuestions(name),
  ),
];

const faultsOf = (name: InterfaceName): readonly Fault[] => [
  violating(`${name}/cancel-is-accepted`, `${name}-cancellation-refused`)(
    "What is in progress cannot be cancelled, and goes on.",
    refusedCancellations(name),
    howParameter(plainRefusals),
  ),
  violating(`${name}/delete-is-accepted`, `${name}-deletion-refused`)(
    "The first deletion of each conversation is refused, and it stays.",
    refusedDeletions(name),
    howParameter(plainRefusals),
  ),
  violating(`${name}/cancel-has-effect`, `${name}-cancellation-without-effect`)(
    "Cancellations are accepted, and the question is answered all the same.",
    withoutEffect(name, "cancel"),
  ),
  // Whatever else would be refused has a rule that says so; a cancellation may come too late.
  violating(`${name}/access-token-is-accepted`, `${name}-access-token-refused`)(
    "Cancellations are done, and then answered as if the token were not good.",
    {
      layer: "conversation",
      apply: (answer, call, run) => {
        if (!isMeant(call, { interface: name, operations: ["cancel"] }) || call.credential !== "access") {
          return answer;
        }
        run.applied();
        return variantOf(tokenRefusals, run)?.(name) ?? answer;
      },
    },
    howParameter(tokenRefusals),
  ),
];

/** Faults in cancelling and deleting, and in the status of success. */
export const endingConversationFaults: readonly Fault[] = [
  ...faultsOf("legacy"),
  ...deletionFaultsOf("legacy"),
  ...faultsOf("current"),
  ...deletionFaultsOf("current"),
  violating("legacy/deleted-is-gone", "legacy-deleted-opened-by-token")(
    "Lists by the read token of a deleted conversation, or by its id, still show it.",
    openingDeleted,
    howParameter(openers),
  ),
  violating("legacy/success-status-is-listed", "legacy-success-status-unlisted")(
    "One operation is answered with a status of success that is neither 200 nor 202.",
    replaceAnswers({ interface: "legacy" }, (answer, { call, run }) => {
      const way = variantOf(statusVariants, run);
      if (way?.operation !== call.operation) {
        return undefined;
      }
      const { status } = way;
      return status === 204 ? { status, headers: {}, text: "" } : { ...answer, status };
    }),
    howParameter(statusVariants),
  ),
];
