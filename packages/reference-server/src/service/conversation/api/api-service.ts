import type { SearchService } from "../../http/search-service.ts";
import type { ConversationService } from "../conversation-service.ts";

/** What all calls of the conversation API to one server share. */
export interface ApiService {
  /** Shared with searches. */
  readonly shared: SearchService;
  readonly conversations: ConversationService;
  /** Whether a read token opens conversations of others. */
  readonly sharing: boolean;
}
