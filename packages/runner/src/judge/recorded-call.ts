import { defined } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import type { RecordedCall } from "@assay/rules";
import { bodyBytes } from "./body-bytes.ts";

/** An exchange with its complete body, as rules about conversations need it. */
export const recordedCall = (exchange: RecordedExchange): RecordedCall => ({
  record: exchange.record,
  body: bodyBytes(exchange),
  ...defined({ unreadable: exchange.unreadable }),
});
