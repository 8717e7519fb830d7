import { defined } from "@assay/contract";
/** Status and headers of a response, with lower-case names. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface StreamHeadOptions {
  /** Value of `x-trace`, if a trace was requested. */
  readonly traceId: string | undefined;
}

/** Creates the head of a stream. By default Node.js keeps the connection alive and chunks the body. */
export const createStreamHead = ({ traceId }: StreamHeadOptions): ResponseHead => ({
  status: 200,
  headers: {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "x-accel-buffering": "no",
    vary: "Authorization",
    ...defined({ "x-trace": traceId }),
  },
});

/** Creates the head of a compressed stream. */
export const toGzipHead = ({ status, headers }: ResponseHead): ResponseHead => ({
  status,
  headers: { ...headers, "content-encoding": "gzip", vary: "Authorization, Accept-Encoding" },
});

/** Reports whether `Accept-Encoding` lists gzip or `*` with a quality above 0. Returns false if the header is missing. */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean => {
  const qualities = new Map(
    (acceptEncoding ?? "").split(",").map((item): readonly [string, number] => {
      const [coding = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return [coding, quality === undefined ? 1 : Number(quality.slice(2))];
    }),
  );
  return (qualities.get("gzip") ?? qualities.get("*") ?? 0) > 0;
};
