import { isDeepStrictEqual } from "node:util";
import { searchStreamOpenApi } from "@assay/contract";
import { compileNamedValidators } from "@assay/openapi";
import { createEventFramer, createStreamChecker, defaultStreamLimits } from "@assay/stream-grammar";
import { createParser } from "eventsource-parser";
import { sampleJudge } from "./judge-sample.ts";
import { randomCuts, streamSample } from "./stream-sample.ts";
import type { SampleOptions } from "./stream-sample.ts";

/** What a layer is run over. */
export interface Material {
  readonly bytes: number;
  readonly events: number;
  readonly matches: number;
  readonly largestEventBytes: number;
  readonly chunks: readonly Buffer[];
  /** The data of each event as text, cut out beforehand. */
  readonly data: readonly string[];
}

/** What a layer has counted; equal for equal streams, so that no layer is quick because it leaves work out. */
interface Tally {
  readonly events: number;
  readonly matches?: number;
}

export type LayerName = "json-parse" | "standard-parser" | "textbook" | "framing" | "framing-and-json" | "full-check";

/** A way through the whole material. */
export interface Layer {
  readonly name: LayerName;
  readonly title: string;
  run(material: Material): Tally;
}

const refuse = (code: string): never => {
  throw new Error(`a generated stream is not well-formed: ${code}`);
};

export function prepareMaterial(options: SampleOptions): Material {
  const { bytes, events, matches, largestEventBytes } = streamSample(options);
  const data: string[] = [];
  const framer = createEventFramer({
    maxLineBytes: defaultStreamLimits.maxLineBytes,
    onTooLong: () => refuse("line-too-long"),
    onViolation: refuse,
    onObservation: refuse,
    onFrame: ({ buffer, start, end }) => data.push(buffer.toString("utf8", start, end)),
    onBlockEnd() {},
  });
  framer.push(bytes, 0);
  framer.end();
  return { bytes: bytes.length, events, matches, largestEventBytes, chunks: randomCuts(bytes, options.seed), data };
}

const jsonParse: Layer = {
  name: "json-parse",
  title: "`JSON.parse` alone, on strings cut out beforehand",
  run({ data }) {
    let events = 0;
    for (const text of data) {
      events += JSON.parse(text) === undefined ? 0 : 1;
    }
    return { events };
  },
};

const standardParser: Layer = {
  name: "standard-parser",
  title: "`TextDecoder` and `eventsource-parser`",
  run({ chunks }) {
    let events = 0;
    let characters = 0;
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent({ data }) {
        events += 1;
        characters += data.length;
      },
    });
    for (const chunk of chunks) {
      parser.feed(decoder.decode(chunk, { stream: true }));
    }
    return { events: characters > 0 ? events : 0 };
  },
};

const validators = compileNamedValidators(searchStreamOpenApi);

const textbook: Layer = {
  name: "textbook",
  title: "`TextDecoder`, `eventsource-parser`, `JSON.parse` and ajv",
  run({ chunks }) {
    let events = 0;
    const schemas = new Map([
      ["matches", validators.MatchesEvent],
      ["progress", validators.ProgressEvent],
      ["filters", validators.FiltersEvent],
      ["done", validators.DoneEvent],
    ]);
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent({ event = "", data }) {
        events += schemas.get(event)?.check(JSON.parse(data)) === true ? 1 : 0;
      },
    });
    for (const chunk of chunks) {
      parser.feed(decoder.decode(chunk, { stream: true }));
    }
    return { events };
  },
};

const framing: Layer = {
  name: "framing",
  title: "framing and UTF-8",
  run({ chunks }) {
    let events = 0;
    const framer = createEventFramer({
      maxLineBytes: defaultStreamLimits.maxLineBytes,
      onTooLong: () => refuse("line-too-long"),
      onViolation: refuse,
      onObservation: refuse,
      onFrame() {
        events += 1;
      },
      onBlockEnd() {},
    });
    for (const chunk of chunks) {
      framer.push(chunk, 0);
    }
    framer.end();
    return { events };
  },
};

const framingAndJson: Layer = {
  name: "framing-and-json",
  title: "framing, UTF-8 and JSON",
  run({ chunks }) {
    let events = 0;
    const checker = createStreamChecker({
      onEvent({ parsed }) {
        events += parsed ? 1 : 0;
      },
      onFinding: ({ code }) => refuse(code),
    });
    for (const chunk of chunks) {
      checker.push(chunk, 0);
    }
    checker.end();
    return { events };
  },
};

const fullCheck: Layer = {
  name: "full-check",
  title: "full check: every rule",
  run({ chunks }) {
    const judge = sampleJudge();
    for (const chunk of chunks) {
      judge.push(chunk, 0);
    }
    const { events, matches } = judge.finish();
    return { events, matches };
  },
};

/** The compared layers, the two baselines first. */
export const layers: readonly Layer[] = [jsonParse, standardParser, textbook, framing, framingAndJson, fullCheck];

/** Runs a layer; throws when it has not seen the whole stream. */
export function runLayer(layer: Layer, material: Material): void {
  const { events, matches = material.matches } = layer.run(material);
  const expected = { events: material.events, matches: material.matches };
  if (!isDeepStrictEqual({ events, matches }, expected)) {
    throw new Error(`${layer.name} saw ${events} events and ${matches} matches of ${JSON.stringify(expected)}`);
  }
}
