import { defined } from "@assay/contract";
import { userIds } from "../../access.ts";
import { isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import type { ApiCall } from "../../conversation/api/api-call.ts";
import { conversationOfName } from "../../conversation/current/resource-name.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "../fault.ts";
import { editAnswers, isMeant, replaceAnswers } from "./answer-edits.ts";
import type { EditContext } from "./answer-edits.ts";
import { changeEntries, emptyLists } from "./list-entries.ts";
import { allRefusals } from "./refusal-variants.ts";
import { originOf, rememberingOrigins } from "./seen-conversations.ts";

const lists = { interface: "current", operations: ["list"] } as const;

/** Whether a list asks for no page in particular. */
const isWholeList = ({ json }: ApiCall): boolean =>
  !isPayloadObject(json) || Object.keys(json).every((name) => name === "parent");

/** The conversation of the same user that an entry of a list is about. */
const callOf = (call: ApiCall, entry: unknown): ApiCall => {
  const conversation = conversationOfName(isPayloadObject(entry) ? entry["name"] : undefined);
  return { ...call, ...defined({ conversation }) };
};

/** Without the first conversation that was created through this interface; what the other one created may be missing. */
const withoutOne = (entries: readonly unknown[], { call, run }: EditContext): readonly unknown[] => {
  const index = entries.findIndex((entry) => originOf(callOf(call, entry), run) === "current");
  return entries.filter((_entry, at) => at !== index);
};

const missingVariants: Variants<(json: PayloadObject, context: EditContext) => PayloadObject> = {
  one: (json, context) => changeEntries(json, (entries) => withoutOne(entries, context)),
  all: emptyLists.none,
  null: emptyLists.null,
  "no-member": emptyLists["no-member"],
};

const userVariants: Variants<string> = {
  "by-number": "users/9007/conversations/700007",
  "by-name": "users/eve/conversations/700008",
};

/** Faults in the lists of the current interface. */
export const currentListFaults: readonly Fault[] = [
  violating("current/list-is-accepted", "current-list-refused")(
    "Lists of the user's own conversations are refused.",
    replaceAnswers(lists, (_answer, { call, run }) =>
      call.credential === "access" && isWholeList(call) ? variantOf(allRefusals, run)?.("current") : undefined,
    ),
    howParameter(allRefusals),
  ),
  violating("current/list-is-accepted", "current-list-incomplete")(
    "Lists without paging lack one of the user's conversations, or all of them in one of several forms.",
    rememberingOrigins(
      editAnswers(lists, (json, context) =>
        isWholeList(context.call) ? (variantOf(missingVariants, context.run)?.(json, context) ?? json) : json,
      ),
    ),
    howParameter(missingVariants),
  ),
  violating("current/self-stands-for-the-user", "current-list-of-others")(
    "Lists of `users/~self` without paging have one more conversation, whose name has another user in it.",
    editAnswers(lists, (json, { call, run }) =>
      isWholeList(call)
        ? changeEntries(json, (entries) => [...entries, { ...Object(entries[0]), name: variantOf(userVariants, run) }])
        : json,
    ),
    howParameter(userVariants),
  ),
  violating("current/state-is-listed", "current-listed-state-unlisted")(
    "Conversations in lists are in a state that is none.",
    editAnswers(lists, (json) =>
      changeEntries(json, (entries) => entries.map((entry) => ({ ...Object(entry), state: { failed: {} } }))),
    ),
  ),
  violating("current/state-has-one-key", "current-listed-state-of-two")(
    "Conversations in lists are in two states.",
    editAnswers(lists, (json) =>
      changeEntries(json, (entries) =>
        entries.map((entry) => ({ ...Object(entry), state: { completed: {}, processing: {} } })),
      ),
    ),
  ),
  violating("current/self-stands-for-the-user", "current-self-is-the-main-user")(
    "Lists of `users/~self` have the conversations of the main user, whoever asks.",
    {
      layer: "conversation",
      list: (query, call, run) => {
        if (!isMeant(call, lists) || call.credential !== "other") {
          return query;
        }
        run.applied();
        return { ...query, viewerId: userIds.main };
      },
    },
  ),
];
