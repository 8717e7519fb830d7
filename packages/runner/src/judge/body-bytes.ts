import { Buffer } from "node:buffer";
import type { RecordedExchange } from "@assay/evidence";

/** Returns the complete body of an exchange, or an empty buffer if it is unreadable. */
export const readBodyBytes = ({ unreadable, chunks }: RecordedExchange): Buffer =>
  unreadable === undefined ? Buffer.concat(Array.from(chunks(), ({ bytes }) => bytes)) : Buffer.alloc(0);
