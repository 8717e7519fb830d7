import { createHash } from "node:crypto";
import { type Environment, usualTokenVariables } from "@assay/client";
import { createRedactor, importHar, minSecretLength, type Secret, secretsInHeaders } from "@assay/evidence";
import type { Recording } from "./recording.ts";

/** Whether bytes begin as a HAR does: a JSON object with a member `log`. */
export const looksLikeHar = (head: Uint8Array): boolean =>
  /^\uFEFF?\s*\{[^]*?"log"\s*:/u.test(new TextDecoder().decode(head));

/** Tokens of whoever checks: a recording of the own browser holds them as well. */
const tokensIn = (env: Environment): readonly Secret[] =>
  Object.values(usualTokenVariables)
    .flat()
    .map((name) => ({ name, value: env[name]?.trim() ?? "" }))
    .filter(({ value }) => value.length >= minSecretLength);

/**
 * The exchanges of a HAR file, with secrets replaced: what is reported of them goes to terminals and files. What its requests
 * identify themselves with is a secret wherever it stands, however it is written.
 */
export function importedHar(bytes: Uint8Array, env: Environment): Recording {
  // The same file gives the same replacements, so its report is the same each time.
  const key = createHash("sha256").update(bytes).digest();
  const headers = importHar(bytes).exchanges.flatMap(({ record: { request, response } }) => [
    ...request.headers,
    ...(response?.headers ?? []),
  ]);
  const secrets = new Map([...secretsInHeaders(headers), ...tokensIn(env)].map((secret) => [secret.value, secret]));
  const redactor = createRedactor({ secrets: [...secrets.values()], key });
  const { exchanges, skippedEntries } = importHar(bytes, { redactor });
  return { kind: "har", exchanges, skippedEntries };
}
