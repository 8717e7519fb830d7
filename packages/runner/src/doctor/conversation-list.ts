import { Buffer } from "node:buffer";
import type { CredentialKind, ExchangeDraft } from "@assay/evidence";
import { member, readBody, readList } from "@assay/reading";
import { doctorProbes } from "./doctor-evidence.ts";

/** The body of an answer as JSON; undefined for anything else. */
export function jsonOf({ end, response }: Pick<ExchangeDraft, "end" | "response">): unknown {
  if (end.kind === "failed") {
    return undefined;
  }
  const read = readBody(Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes)));
  return read.kind === "text" ? read.json : undefined;
}

/** The conversations in a list; none if the answer is not a list. */
export const listedEntries = (exchange: ExchangeDraft): readonly unknown[] =>
  readList(exchange.interface === "current" ? "current" : "legacy", jsonOf(exchange))?.entries.map(
    ({ json }) => json,
  ) ?? [];

/** The read token of one of the user's conversations, from the requested lists. */
export function ownReadToken(exchanges: readonly ExchangeDraft[], own: CredentialKind): string | undefined {
  const lists = exchanges.filter(
    ({ credential, interface: name, probe, response }) =>
      probe === doctorProbes.list && name === "legacy" && credential === own && response?.status === 200,
  );
  const tokens = lists.flatMap((list) => listedEntries(list).map((entry) => member(entry, "read_token")));
  return tokens.find((token): token is string => typeof token === "string" && token.length >= 8 && token.length <= 500);
}
