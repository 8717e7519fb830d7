import type { ApiAccess } from "../conversation/api/api-access.ts";
import type { ApiAnswer } from "../conversation/api/api-answer.ts";
import type { ApiCall } from "../conversation/api/api-call.ts";
import type { ConversationRecord, QuestionOutcome, QuestionRecord } from "../conversation/conversation-record.ts";
import type { ListedPage, ListQuery } from "../conversation/store/list-query.ts";
import type { ConversationAct, Wire } from "../ports.ts";
import type { FaultRun } from "./fault-run.ts";

/**
 * Places where a fault takes hold of conversations, in the order in which a call meets them. Each gets what would happen and
 * returns what happens. None is called for searches.
 */
export interface ConversationEffect {
  readonly layer: "conversation";
  readonly wire?: Wire;
  /** Keeps the call back before anything is done with it; `undefined` lets it go on at once. */
  readonly hold?: (call: ApiCall, run: FaultRun) => Promise<void> | undefined;
  /** Whether the call may go on. */
  readonly admit?: (access: ApiAccess, call: ApiCall, run: FaultRun) => ApiAccess;
  /** The body as it is read; `call.json` stays what was sent. */
  readonly request?: (json: unknown, call: ApiCall, run: FaultRun) => unknown;
  /** What is listed. */
  readonly list?: (query: ListQuery, call: ApiCall, run: FaultRun) => ListQuery;
  /** The page that was found. */
  readonly page?: (page: ListedPage, call: ApiCall, run: FaultRun) => ListedPage;
  readonly store?: {
    /** Whether a conversation that exists may be seen, followed up, cancelled, deleted: by default by its owner alone. */
    readonly visible?: (
      isVisible: boolean,
      conversation: ConversationRecord,
      context: { readonly call: ApiCall; readonly run: FaultRun },
    ) => boolean;
    /** False answers as if it had been done, and does nothing. */
    readonly does?: (act: ConversationAct, call: ApiCall, run: FaultRun) => boolean;
    /** How a question has ended before anybody could see it in progress; `undefined` has it processed as usual. */
    readonly known?: (question: QuestionRecord, call: ApiCall, run: FaultRun) => QuestionOutcome | undefined;
    /**
     * How the processing of a question ends; `never` leaves it in progress. `run` is that of the call that asked it; after a
     * restart its `applied` does nothing.
     */
    readonly processed?: (
      outcome: QuestionOutcome,
      question: QuestionRecord,
      run: FaultRun,
    ) => QuestionOutcome | "never";
  };
  /** The answer, after variations, just before it is written. */
  readonly apply?: (answer: ApiAnswer, call: ApiCall, run: FaultRun) => ApiAnswer;
  /** The OpenAPI document that is served; undefined for none. */
  readonly describe?: (
    document: Readonly<Record<string, unknown>>,
    run: FaultRun,
  ) => Readonly<Record<string, unknown>> | undefined;
  /** The page of the reference, which leads to that document. */
  readonly referencePage?: (page: string, run: FaultRun) => string;
}
