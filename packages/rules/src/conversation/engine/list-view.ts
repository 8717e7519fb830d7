import { readList } from "@assay/reading";
import type { ListView } from "@assay/reading";
import { cachePerObject } from "../../engine/cache-per-object.ts";
import type { ConversationCall } from "./conversation-call.ts";

/** Returns the list in a response, or undefined if the response is not a list. Cached. */
export const listView = cachePerObject(
  ({ interface: interfaceName, operation, response }: ConversationCall): ListView | undefined =>
    operation === "list" && response.kind === "success" ? readList(interfaceName, response.json) : undefined,
);
