import { HarnessError, isHarnessError } from "@assay/contract";
import { readFile, stat } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { visibleText } from "@assay/evidence";
import type { ExchangeDraft } from "@assay/evidence";
import { describeApi, readApiReference } from "@assay/openapi";
import { isUrl } from "./is-url.ts";
import { rejectMistypedPath } from "../nearest-file.ts";

const maxBytes = 16 * 1024 * 1024;

interface FileSetup {
  readonly cwd: string;
  readonly atMicros: number;
}

const chooseContentType = (name: string): string =>
  [".yaml", ".yml"].includes(extname(name).toLowerCase()) ? "application/yaml" : "application/json";

/** Returns an OpenAPI document as if it had been fetched. The run stores it, so that it can be judged again without the file. */
export async function readApiFile(name: string, { cwd, atMicros }: FileSetup): Promise<ExchangeDraft> {
  const path = resolve(cwd, name);
  const bytes = await readDocumentFile(path, name);
  return {
    id: "0",
    probe: "openapi",
    interface: "reference",
    operation: "describe",
    credential: "none",
    // Only the file name, because the folder may be private.
    request: { method: "GET", url: pathToFileURL(`/${basename(path)}`).href, headers: [] },
    response: { status: 200, headers: [["content-type", chooseContentType(path)]], chunks: [{ bytes, atMicros }] },
    end: { kind: "complete" },
    times: { sentAtMicros: atMicros, headersAtMicros: atMicros, endedAtMicros: atMicros },
  };
}

/** Rejects an unusable document before any request. A document specified by its URL is checked after it has been fetched. */
export async function checkApiFile(name: string, cwd: string): Promise<void> {
  if (isUrl(name)) {
    return;
  }
  rejectMistypedPath(name, cwd);
  const bytes = await readDocumentFile(resolve(cwd, name), name);
  const reference = readApiReference(bytes, chooseContentType(name));
  const description =
    reference.ok && reference.value.kind === "document"
      ? await describeApi(reference.value.document, "served")
      : reference;
  if (!description.ok) {
    throw new HarnessError(
      "usage",
      `the OpenAPI document ${name} cannot be used: ${visibleText(description.error.sentence, 300)}`,
    );
  }
  if ("kind" in description.value) {
    throw new HarnessError("usage", `${name} is a web page, not an OpenAPI document; pass the document it links to`);
  }
}

async function readDocumentFile(path: string, name: string): Promise<Uint8Array> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() && !stats.isDirectory()) {
      throw new HarnessError(
        "usage",
        `the OpenAPI document ${name} is a pipe or a device; save it to a file and pass the file`,
      );
    }
    if (stats.size > maxBytes) {
      throw new HarnessError(
        "usage",
        `the OpenAPI document ${name} is larger than ${maxBytes} bytes; pass a smaller one`,
      );
    }
    return await readFile(path);
  } catch (cause) {
    throw isHarnessError(cause)
      ? cause
      : new HarnessError("usage", `the OpenAPI document ${name} cannot be read; check its path`, { cause });
  }
}
