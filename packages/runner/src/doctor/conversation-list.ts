import { Buffer } from "node:buffer";
import type { CredentialKind, ExchangeDraft } from "@assay/evidence";
import { member, readBody, readList } from "@assay/reading";
import { doctorProbes } from "./doctor-evidence.ts";

/** Parses the response body as JSON. Returns undefined if it is not complete, valid JSON. */
export function parseJsonBody({ end, response }: Pick<ExchangeDraft, "end" | "response">): unknown {
  if (end.kind === "failed") {
    return undefined;
  }
  const reading = readBody(Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes)));
  return reading.kind === "text" ? reading.json : undefined;
}

/** Returns the conversations in a list response, or an empty array for any other response. */
export const listEntries = (exchange: ExchangeDraft): readonly unknown[] =>
  readList(exchange.interface === "current" ? "current" : "legacy", parseJsonBody(exchange))?.entries.map(
    ({ json }) => json,
  ) ?? [];

/** Finds a read token of one of the user's conversations in the recorded list responses. */
export function findOwnReadToken(
  exchanges: readonly ExchangeDraft[],
  mainCredential: CredentialKind,
): string | undefined {
  const lists = exchanges.filter(
    ({ credential, interface: name, probe, response }) =>
      probe === doctorProbes.list && name === "legacy" && credential === mainCredential && response?.status === 200,
  );
  const tokens = lists.flatMap((list) => listEntries(list).map((entry) => member(entry, "read_token")));
  return tokens.find((token): token is string => typeof token === "string" && token.length >= 8 && token.length <= 500);
}
