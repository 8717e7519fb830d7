import type { RecordedExchange } from "@assay/evidence";
import { invalidQueryProbeId } from "../plan/stream-probes.ts";

/** Reports whether an exchange is the search with an invalid query. The form of its error is unspecified. */
export const isInvalidQuerySearch = ({ record }: Pick<RecordedExchange, "record">): boolean =>
  record.probe === invalidQueryProbeId;
