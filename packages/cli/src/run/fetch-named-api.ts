import { HarnessError } from "@assay/contract";
import type { Client } from "@assay/client";
import { visibleText } from "@assay/evidence";
import type { ExchangeDraft, ExchangeRecord } from "@assay/evidence";
import { describeApi, readApiReference } from "@assay/openapi";
import { fetchApiReference } from "@assay/runner";
import { redactUrl } from "../redact-url.ts";

const findContentType = ({ response }: ExchangeDraft): string | undefined =>
  response?.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];

const isSuccessful = ({ response, end }: ExchangeDraft): boolean => response?.status === 200 && end.kind === "complete";

/** Returns why a response contains no usable specification, as a clause, or undefined if it contains one. */
async function findProblem(draft: ExchangeDraft): Promise<string | undefined> {
  const bytes = Buffer.concat((draft.response?.chunks ?? []).map((chunk) => chunk.bytes));
  const reference = readApiReference(bytes, findContentType(draft));
  if (!reference.ok) {
    return reference.error.sentence;
  }
  const description =
    reference.value.kind === "document" ? await describeApi(reference.value.document, "served") : undefined;
  return description?.ok === false
    ? description.error.sentence
    : description === undefined
      ? "it is a page without a link to a document"
      : undefined;
}

/** Describes a missing or unusable response, as a clause. */
const describeFailure = ({ response, end }: ExchangeDraft): string =>
  end.kind === "failed"
    ? visibleText(end.message, 200)
    : response === undefined
      ? "no response"
      : `the response status was ${response.status}`;

/**
 * Fetches an OpenAPI document from its URL before any other request, because a user who specifies a document does not want a different
 * one used. Throws `unavailable` if it cannot be fetched, and `usage` if the response is not an OpenAPI document.
 */
export async function fetchNamedApi(url: string, client: Pick<Client, "describe">): Promise<readonly ExchangeDraft[]> {
  const drafts: ExchangeDraft[] = [];
  await fetchApiReference({
    describe: async ({ id, probe, ...request }) => ({ ...(await client.describe(request)), id, probe }),
    url,
    writer: { writeExchange: (draft) => Promise.resolve(storeDraft(drafts, draft)) },
    nextId: () => "0",
  });
  const successfulDrafts = drafts.filter((draft) => isSuccessful(draft));
  const problems = await Promise.all(successfulDrafts.map((draft) => findProblem(draft)));
  if (problems.includes(undefined)) {
    return drafts;
  }
  const subject = `the OpenAPI document ${redactUrl(url)}`;
  const problem = problems.at(-1);
  if (problem !== undefined) {
    throw new HarnessError("usage", `${subject} cannot be used: ${visibleText(problem, 300)}`);
  }
  const reason = drafts.map((draft) => describeFailure(draft)).at(-1) ?? "nothing was sent";
  throw new HarnessError(
    "unavailable",
    `${subject} is not available (${reason}); no other document replaces it, so no other request was sent`,
  );
}

/** Stores an exchange for the following run, and returns its summary. */
function storeDraft(drafts: ExchangeDraft[], draft: ExchangeDraft): ExchangeRecord {
  drafts.push(draft);
  const { response: _response, ...record } = draft;
  return record;
}
