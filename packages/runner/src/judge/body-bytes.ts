import { Buffer } from "node:buffer";
import type { RecordedExchange } from "@assay/evidence";

/** The complete body of an exchange; empty if unreadable. */
export const bodyBytes = ({ unreadable, chunks }: RecordedExchange): Buffer =>
  unreadable === undefined ? Buffer.concat(Array.from(chunks(), ({ bytes }) => bytes)) : Buffer.alloc(0);
