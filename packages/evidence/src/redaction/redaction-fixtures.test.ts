import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { createRedactor } from "./redactor.ts";
import { type RedactionExample, redactionExamples } from "../testing/redaction-examples.ts";
import type { ExchangeDraft } from "../exchange.ts";

const answerOf = ({ learn }: RedactionExample): ExchangeDraft => ({
  id: "1",
  probe: "load",
  interface: "legacy",
  operation: "get",
  credential: "access-token",
  request: { method: "GET", url: "http://localhost/", headers: [] },
  response: { status: 200, headers: [], chunks: [{ bytes: Buffer.from(learn), atMicros: 1 }] },
  end: { kind: "complete" },
  times: { sentAtMicros: 0, endedAtMicros: 1 },
});

/** The result for an example, as a line of the fixtures. */
function line(example: RedactionExample): string {
  const { name, secrets, headerNames, learn, bytes, headers } = example;
  const redactor = createRedactor({
    secrets: secrets.map((value) => ({ name: "a secret", value })),
    secretHeaderNames: headerNames,
    key: Buffer.alloc(32, 7),
  });
  redactor.draft(answerOf(example));
  return JSON.stringify({
    name,
    secrets,
    headerNames,
    learn,
    base64: bytes.toString("base64"),
    redacted: Buffer.from(redactor.bytes(bytes)).toString("base64"),
    headers,
    headersAfter: redactor.headers(headers),
  });
}

// The redactor inside k6 must agree with the same file. After an intended change: `npx vitest run -u`.
test("the redactor agrees with the committed examples", async () => {
  const lines = redactionExamples(150, 1).map(line);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../../fixtures/redaction.ndjson");
});
