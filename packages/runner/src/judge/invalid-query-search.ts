import type { RecordedExchange } from "@assay/evidence";
import { invalidQueryProbe } from "../plan/stream-probes.ts";

/** True an exchange is the search with an invalid query. The form of the error is unspecified. */
export const isInvalidQueryProbe = ({ record }: Pick<RecordedExchange, "record">): boolean =>
  record.probe === invalidQueryProbe;
