/** What a bench asks of the process of the emitter. */
export type EmitterRequest = "count" | "stamps";

/** What that process says: where it listens, and answers in the order of the questions. */
export type EmitterMessage =
  | { readonly kind: "ready"; readonly port: number }
  | {
      readonly kind: "count";
      /** Answers sent to their end, and processor time used, since the start. */
      readonly finished: number;
      readonly cpuSeconds: number;
    }
  | { readonly kind: "stamps"; readonly stamps: readonly (readonly [id: string, delayMs: number])[] };
