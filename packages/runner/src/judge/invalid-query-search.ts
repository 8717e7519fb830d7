import type { RecordedExchange } from "@assay/evidence";
import { invalidQueryProbe } from "../plan/stream-probes.ts";

/** Whether a search was sent to fail: how a target says that it does not understand a query is left open. */
export const isInvalidQueryProbe = ({ record }: Pick<RecordedExchange, "record">): boolean =>
  record.probe === invalidQueryProbe;
