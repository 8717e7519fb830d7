import { effectAt, type Fault } from "../../faults/fault.ts";
import type { ConversationEffect, ConversationRun } from "../../faults/conversation-effect.ts";
import type { CallHooks } from "../conversation-service.ts";
import type { ApiCall } from "./api-call.ts";

/** The hooks of a call for the fault of the server. */
export const callHooks = (fault: Fault | undefined, call: ApiCall, run: ConversationRun): CallHooks => {
  const effect: ConversationEffect | undefined = effectAt(fault, "conversation");
  return {
    visible: (isVisible, conversation) => effect?.store?.visible?.(isVisible, conversation, { call, run }) ?? isVisible,
    does: (act) => effect?.store?.does?.(act, call, run) ?? true,
    list: (query) => effect?.list?.(query, call, run) ?? query,
    known: (question) => effect?.store?.known?.(question, call, run),
    page: (page) => effect?.page?.(page, call, run) ?? page,
    processed: (outcome, question) => effect?.store?.processed?.(outcome, question, run) ?? outcome,
  };
};
