import { changeFirstElement, changeFirstObject, isRunningProgress } from "./event-transforms.ts";
import type { Fault } from "./fault.ts";
import { archivedEntry } from "./skipped-transforms.ts";

/** Values of open sets that nobody saw before. */
export const observedFaults: readonly Fault[] = [
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
      skipped: [{ ...archivedEntry, reason: "repository-quarantined", title: "1 quarantined" }],
    })),
  },
  {
    id: "new-skipped-severity",
    title: "a severity nobody saw before",
    description: "The first running progress has a skipped entry with the severity `critical`.",
    kind: "observation",
    attacks: "stream/skipped-severity-is-known",
    ...changeFirstObject(isRunningProgress, (data) => ({
      ...data,
      skipped: [{ ...archivedEntry, severity: "critical" }],
    })),
  },
];
