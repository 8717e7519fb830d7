import type { ConversationCall } from "./conversation-call.ts";
import { headerOf } from "./asked.ts";

/**
 * Who sent a call: the kind of its credential, and in recordings, where that is unknown, the value of its `Authorization` header,
 * or else of its cookies. Equal values are one client, different ones are not. `unknown` alone: the recording holds neither.
 */
export function clientOf({ record }: ConversationCall): string {
  const { credential, request } = record;
  if (credential !== "unknown") {
    return credential;
  }
  const value = headerOf(request.headers, "authorization") ?? headerOf(request.headers, "cookie") ?? "";
  return value === "" ? "unknown" : `unknown ${value}`;
}

/** Whether the recording shows who sent a call. */
export const isNamedClient = (call: ConversationCall): boolean => clientOf(call) !== "unknown";
