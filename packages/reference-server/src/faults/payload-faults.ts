import {
  changeFirstElement,
  changeFirstObject,
  isFinalProgress,
  isRunningProgress,
  replaceFirst,
  without,
} from "./event-transforms.ts";
import type { Fault } from "./fault.ts";

const entry = {
  reason: "excluded-archive",
  title: "1 archived",
  message: "By default archived repositories are left out.",
  severity: "info",
} as const;

/** Faults in the payloads of progress, filters and alerts. */
export const payloadFaults: readonly Fault[] = [
  {
    id: "progress-duration-is-text",
    title: "a duration that is a text",
    description: "The `durationMs` of the first running progress is a string of digits.",
    kind: "violation",
    attacks: "stream/progress-fits-schema",
    ...changeFirstObject(isRunningProgress, (data) => ({ ...data, durationMs: String(data["durationMs"]) })),
  },
  {
    id: "progress-skipped-is-object",
    title: "skipped entries that are not an array",
    description: "The `skipped` of the first running progress is an object.",
    kind: "violation",
    attacks: "stream/progress-fits-schema",
    ...changeFirstObject(isRunningProgress, (data) => ({ ...data, skipped: {} })),
  },
  {
    id: "skipped-without-severity",
    title: "a skipped entry without severity",
    description: "The first running progress has a skipped entry that lacks `severity`.",
    kind: "violation",
    attacks: "stream/skipped-fits-schema",
    ...changeFirstObject(isRunningProgress, (data) => ({ ...data, skipped: [without(entry, "severity")] })),
  },
  {
    id: "filter-without-kind",
    title: "a filter without a kind",
    description: "The first entry of the first filters lacks `kind`.",
    kind: "violation",
    attacks: "stream/filters-fit-schema",
    ...changeFirstElement(
      "filters",
      () => true,
      (filter) => without(filter, "kind"),
    ),
  },
  {
    id: "alert-is-text",
    title: "an alert that is a text",
    description: "An alert whose data is a string follows the final progress.",
    kind: "violation",
    attacks: "stream/alert-is-an-object",
    ...replaceFirst(isFinalProgress, (event) => [event, { name: "alert", data: "some repositories were slow" }]),
  },
  {
    id: "new-filter-kind",
    title: "a filter kind nobody saw before",
    description: "The first entry of the first filters has the kind `topic`.",
    kind: "observation",
    attacks: "stream/filter-kind-is-known",
    ...changeFirstElement(
      "filters",
      () => true,
      (filter) => ({ ...filter, kind: "topic" }),
    ),
  },
  {
    id: "new-skipped-reason",
    title: "a skipped reason nobody saw before",
    description: "The first running progress has a skipped entry with the reason `repository-quarantined`.",
    kind: "observation",
    attacks: "stream/skipped-reason-is-known",
    ...changeFirstObject(isRunningProgress, (data) => ({
      ...data,
      skipped: [{ ...entry, reason: "repository-quarantined", title: "1 quarantined" }],
    })),
  },
  {
    id: "new-skipped-severity",
    title: "a severity nobody saw before",
    description: "The first running progress has a skipped entry with the severity `critical`.",
    kind: "observation",
    attacks: "stream/skipped-severity-is-known",
    ...changeFirstObject(isRunningProgress, (data) => ({ ...data, skipped: [{ ...entry, severity: "critical" }] })),
  },
];
