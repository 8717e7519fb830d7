import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createBundleWriter, scanForSecrets, writeWhole } from "@assay/evidence";
import type { FooterInfo, Redactor, Secret } from "@assay/evidence";
import { renderDoctorJson } from "@assay/report";
import type { DoctorReport } from "@assay/results";
import { catalogueDigest, openApiDigest, profileNamed } from "@assay/runner";
import type { DoctorEvidence } from "@assay/runner";
import { newRunId } from "../run/run-id.ts";
import { refuseFolder } from "../run/run-session.ts";
import { tool } from "../version.ts";

/** What a bundle of a doctor is made of. */
export interface DoctorBundle {
  readonly folder: string;
  readonly evidence: DoctorEvidence;
  readonly report: DoctorReport;
  readonly redactor: Redactor;
  readonly seed: number;
  readonly secrets: readonly Secret[];
}

function footerOf({ stopped }: DoctorEvidence): FooterInfo {
  if (stopped === undefined) {
    return { ended: "complete" };
  }
  return stopped === "interrupted"
    ? { ended: "interrupted", reason: "interrupted" }
    : { ended: "stopped", cause: "deadline", reason: "the time was up before everything was asked" };
}

/**
 * Writes what was sent and what came back as a bundle that `assay judge` reads, and the report beside it. Secrets are replaced;
 * files in which one is left all the same are removed, and their names returned.
 */
export async function writeDoctorBundle(bundle: DoctorBundle): Promise<readonly string[]> {
  const { evidence, folder, redactor, report, secrets, seed } = bundle;
  const started = new Date(evidence.clockStartedAtMs);
  const writer = await createBundleWriter({
    directory: folder,
    redactor,
    manifest: {
      schemaVersion: 1,
      runId: newRunId(started),
      tool,
      startedAt: started.toISOString(),
      target: {
        url: evidence.target,
        access: evidence.access,
        sharing: evidence.sharing,
        embedded: report.embedded,
        asksNothing: "a doctor asks no questions",
      },
      profile: "smoke",
      seed,
      rules: profileNamed("smoke").rules.toSorted(),
      strict: false,
      digests: { catalogue: catalogueDigest(), openapi: openApiDigest() },
    },
  }).catch(refuseFolder);
  for (const exchange of evidence.exchanges) {
    await writer.writeExchange(exchange);
  }
  await writer.close(footerOf(evidence));
  await writeWhole(join(folder, "doctor.json"), renderDoctorJson(report));
  const hits = await scanForSecrets(folder, secrets);
  const leaked = [...new Set(hits.map(({ file }) => file))];
  await Promise.all(leaked.map((file) => rm(join(folder, file), { force: true })));
  return leaked;
}
