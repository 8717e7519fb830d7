import type { SearchService } from "../../http/search-service.ts";
import type { ConversationService } from "../conversation-service.ts";

/** State shared by all calls of the conversation API to one server. */
export interface ApiService {
  /** Shared with searches. */
  readonly searchService: SearchService;
  readonly conversations: ConversationService;
  /** Whether users can read other users' conversations with a read token. */
  readonly sharing: boolean;
}
