import { readList } from "@assay/reading";
import type { ListView } from "@assay/reading";
import type { ConversationCall } from "./conversation-call.ts";

const viewCache = new WeakMap<ConversationCall, ListView | "none">();

/** Returns the list in a response, or undefined if the response is not a list. Cached. */
export function listView(call: ConversationCall): ListView | undefined {
  const view = viewCache.get(call) ?? readListIn(call) ?? "none";
  viewCache.set(call, view);
  return view === "none" ? undefined : view;
}

const readListIn = ({ interface: interfaceName, operation, response }: ConversationCall): ListView | undefined =>
  operation === "list" && response.kind === "success" ? readList(interfaceName, response.json) : undefined;
