import { defined } from "@assay/contract";
import type { RecordedExchange } from "@assay/evidence";
import type { RecordedCall } from "@assay/rules";
import { readBodyBytes } from "./body-bytes.ts";

/** Converts an exchange to the form used by rules about conversations, with its complete body. */
export const toRecordedCall = (exchange: RecordedExchange): RecordedCall => ({
  record: exchange.record,
  body: readBodyBytes(exchange),
  ...defined({ unreadable: exchange.unreadable }),
});
