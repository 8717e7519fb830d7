import type { SearchService } from "../http/search-service.ts";
import type { ServerOptions } from "../../server-options.ts";
import { systemClock } from "./clock.ts";
import { createConversationService } from "./conversation-service.ts";
import type { ConversationService } from "./conversation-service.ts";
import { createQuestionJobs } from "./jobs/question-jobs.ts";
import type { QuestionJobs } from "./jobs/question-jobs.ts";
import { createConversationStore } from "./store/conversation-store.ts";
import type { ConversationStore } from "./store/conversation-store.ts";
import { openDatabase } from "./store/open-database.ts";

/** Store, jobs and service of the conversations of one server. */
export interface ConversationRuntime {
  readonly service: ConversationService;
  readonly store: ConversationStore;
  readonly jobs: QuestionJobs;
  /** Resumes questions that were in progress when the previous server on this database ended. */
  resume(): void;
  /** Stops all jobs and closes the database. */
  close(): Promise<void>;
}

/** Opens the database. No question is processed before `resume`. Throws `cannot-open-database`. */
export const openConversations = (
  searchService: SearchService,
  { clock = systemClock, database = ":memory:" }: Pick<ServerOptions, "clock" | "database">,
): ConversationRuntime => {
  const store = createConversationStore(openDatabase(database));
  const { latency, latencyFactor, pool, repositories, seed } = searchService;
  const jobs = createQuestionJobs({ store, repositories, pool, clock, latency, latencyFactor, seed });
  const { finalOutcome } = searchService.ports.exchange({
    url: "",
    queryParameters: new URLSearchParams(),
    isConnectionReused: false,
    signal: searchService.closingSignal,
    recordChange: () => undefined,
  }).conversation;
  return {
    service: createConversationService({ store, jobs, clock, seed }),
    store,
    jobs,
    resume: () => store.listUnfinishedQuestions().forEach((question) => jobs.start(question, finalOutcome)),
    close: async () => {
      await jobs.close();
      store.close();
    },
  };
};
