import { closedObject, count, taggedUnion, type Stored } from "@assay/reading";
import * as Type from "typebox";
import type { TEnum, TObject, TProperties, TString } from "typebox";
import { ExitCodeShape } from "../exit-codes.ts";
import { OutcomeShape } from "../outcome.ts";
import { schemaHeader, ToolShape, schemaVersionSchema } from "../schema-header.ts";

/** The subjects of the checks of `assay doctor`, in the order of the report. */
export const doctorGroups = ["way", "access", "interfaces", "stream"] as const;
export type DoctorGroup = (typeof doctorGroups)[number];

interface DoctorCheckRecord {
  readonly group: DoctorGroup;
  /** The subject of the check, in a few words. */
  readonly title: string;
}

/** Every check, in the order of the report. Scripts may rely on the ids. */
export const doctorChecks = {
  reachable: { group: "way", title: "reachable" },
  proxy: { group: "way", title: "local proxy" },
  encryption: { group: "way", title: "TLS" },
  certificate: { group: "way", title: "certificate" },
  redirects: { group: "way", title: "redirects" },
  "is-the-api": { group: "way", title: "API" },
  front: { group: "way", title: "proxy in front" },
  clock: { group: "way", title: "clock" },
  "own-token": { group: "access", title: "valid token" },
  "without-token": { group: "access", title: "no token" },
  "invalid-token": { group: "access", title: "invalid token" },
  scopes: { group: "access", title: "scopes" },
  sharing: { group: "access", title: "sharing" },
  "stream-interface": { group: "interfaces", title: "streaming search" },
  "legacy-interface": { group: "interfaces", title: "legacy conversations" },
  "current-interface": { group: "interfaces", title: "current conversations" },
  "api-reference": { group: "interfaces", title: "OpenAPI document" },
  "rate-limit": { group: "interfaces", title: "failed requests" },
  "stream-end": { group: "stream", title: "complete streams" },
  buffering: { group: "stream", title: "buffering" },
  compression: { group: "stream", title: "compression" },
  "http-versions": { group: "stream", title: "HTTP versions" },
  "stream-format": { group: "stream", title: "extra lines" },
  "content-type": { group: "stream", title: "content type" },
  "cache-control": { group: "stream", title: "caching" },
} as const satisfies Readonly<Record<string, DoctorCheckRecord>>;
export type DoctorCheckId = keyof typeof doctorChecks;
const isCheckId = (id: string): id is DoctorCheckId => Object.hasOwn(doctorChecks, id);
const doctorCheckIds = Object.keys(doctorChecks).filter(isCheckId);

/**
 * Results of a check. `problem`: it breaks streaming or the contract. `note`: worth knowing, breaks nothing by itself. `could-not-tell`: there
 * was no response, or the check could not be run. `not-applicable`: there is nothing to check.
 */
export const doctorStatuses = ["fine", "note", "problem", "could-not-tell", "not-applicable"] as const;
export type DoctorStatus = (typeof doctorStatuses)[number];

/** Creates the shape of a check with one of these statuses. */
const createCheckShape = <Status extends DoctorStatus, Advice extends TProperties>(
  statuses: readonly Status[],
  advice: Advice,
): TObject<{ id: TEnum<DoctorCheckId[]>; status: TEnum<Status[]>; found: TString } & Advice> =>
  closedObject({
    id: Type.Enum(doctorCheckIds, { description: "Subject of the check. The list of ids only grows." }),
    status: Type.Enum(statuses),
    found: Type.String({ description: "One sentence without a full stop. Quotes of the target are escaped." }),
    ...advice,
  });

const DoctorCheckShape = taggedUnion("status", [
  createCheckShape(["fine", "not-applicable"], {}),
  createCheckShape(["note", "problem", "could-not-tell"], {
    advice: Type.String({ description: "Recommended action, as one sentence without a full stop." }),
  }),
]);
/** One line of the report. A check that is not fine has advice. */
export type DoctorCheck = Stored<typeof DoctorCheckShape>;

export const DoctorReportShape = closedObject(
  {
    schemaVersion: schemaVersionSchema(1),
    tool: ToolShape,
    target: Type.String(),
    embedded: Type.Boolean({ description: "Whether Assay started the target for this report." }),
    startedAt: Type.String({ description: "Wall clock at the start, ISO 8601 in UTC." }),
    query: Type.String({ description: "The query of the searches." }),
    requests: count("Number of requests that were sent."),
    checks: Type.Array(DoctorCheckShape, { minItems: 1, description: "Every check once, in the order of the report." }),
    outcome: OutcomeShape,
    exitCode: ExitCodeShape,
    summary: Type.String({ description: "One sentence without a full stop." }),
  },
  {
    ...schemaHeader("doctor", 1, "Report of assay doctor"),
    description: "The output of `assay doctor --json`, and the content of `doctor.json`.",
  },
);
/** The result of `assay doctor`, which `--json` prints. */
export interface DoctorReport extends Stored<typeof DoctorReportShape> {}
