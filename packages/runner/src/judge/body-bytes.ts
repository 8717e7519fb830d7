import { Buffer } from "node:buffer";
import type { RecordedExchange } from "@assay/evidence";

/** The whole body of an exchange; nothing of one that cannot be read. */
export const bodyBytes = ({ unreadable, chunks }: RecordedExchange): Buffer =>
  unreadable === undefined ? Buffer.concat(Array.from(chunks(), ({ bytes }) => bytes)) : Buffer.alloc(0);
