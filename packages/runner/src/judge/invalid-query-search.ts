import type { RecordedExchange } from "@assay/evidence";
import { invalidQueryProbeId } from "../plan/stream-probes.ts";

/** True an exchange is the search with an invalid query. The form of the error is unspecified. */
export const isInvalidQuerySearch = ({ record }: Pick<RecordedExchange, "record">): boolean =>
  record.probe === invalidQueryProbeId;
