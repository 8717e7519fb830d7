import { defined } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import type { RecordedCall } from "@assay/rules";
import { bodyBytes } from "./body-bytes.ts";

/** An exchange as rules about conversations read it: with its whole body. */
export const recordedCall = (exchange: RecordedExchange): RecordedCall => ({
  record: exchange.record,
  body: bodyBytes(exchange),
  ...defined({ unreadable: exchange.unreadable }),
});
