import { changeFirstElement, changeFirstObject, isRunningProgress } from "./event-transforms.ts";
import { type Fault, observing } from "./fault.ts";
import { archivedEntry } from "./skipped-transforms.ts";

/** Values of open sets that nobody saw before. */
export const observedFaults: readonly Fault[] = [
  observing("stream/filter-kind-is-known", "new-filter-kind")(
    "The first entry of the first filters has the kind `topic`.",
    changeFirstElement(
      "filters",
      () => true,
      (filter) => ({ ...filter, kind: "topic" }),
    ),
  ),
  observing("stream/skipped-reason-is-known", "new-skipped-reason")(
    "The first running progress has a skipped entry with the reason `repository-quarantined`.",
    changeFirstObject(isRunningProgress, (data) => ({
      ...data,
      skipped: [{ ...archivedEntry, reason: "repository-quarantined", title: "1 quarantined" }],
    })),
  ),
  observing("stream/skipped-severity-is-known", "new-skipped-severity")(
    "The first running progress has a skipped entry with the severity `critical`.",
    changeFirstObject(isRunningProgress, (data) => ({
      ...data,
      skipped: [{ ...archivedEntry, severity: "critical" }],
    })),
  ),
];
