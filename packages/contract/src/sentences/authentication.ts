import { judgedBy, leftOpen, sentence } from "./sentence.ts";
import type { Sentence } from "./sentence.ts";

/** Section 5: credentials. */
export const authentication: readonly Sentence[] = [
  sentence(
    "search-stream#5.1-access-token",
    "An access token is sent in `Authorization` after the word `token`.",
    judgedBy("stream/access-token-is-accepted", "stream/invalid-token-is-refused"),
  ),
  sentence(
    "search-stream#5.2-oauth-token",
    "An OAuth token is sent in `Authorization` after the word `Bearer`.",
    judgedBy("stream/oauth-token-is-accepted", "stream/invalid-token-is-refused"),
  ),
  sentence(
    "search-stream#5.3-scope",
    "A token of either sort has to have the scope user:all.",
    judgedBy("stream/scope-is-required"),
  ),
  sentence(
    "search-stream#5.4-public-instance",
    "The public hosted instance answers without credentials.",
    judgedBy(
      "stream/anonymous-search-is-accepted",
      "stream/missing-token-is-refused",
      "stream/invalid-token-is-refused",
    ),
  ),
  sentence(
    "search-stream#5.5-token-refresh",
    "How tokens expire and are renewed is not given.",
    leftOpen("stream/token-refresh"),
  ),
];
