import type { RecordedExchange } from "@assay/evidence";
import { invalidQueryProbe } from "../plan/stream-probes.ts";

/** True for the search with an invalid query. How a target reports that is unspecified. */
export const isInvalidQueryProbe = ({ record }: Pick<RecordedExchange, "record">): boolean =>
  record.probe === invalidQueryProbe;
