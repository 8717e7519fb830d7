import { defined, readStoredSide } from "@assay/contract";
import {
  type CallSample,
  type ConversationSample,
  type LoadOutcome,
  loadOutcomes,
  type LoadSample,
  type SamplesHeader,
  type StreamEnd,
  streamEnds,
  type StreamSample,
} from "@assay/results";
import { parseCounts, isCount, type JsonMembers, parseMembers } from "./json-members.ts";

/** A hundred days. Times beyond this are invalid. */
const maxRunMs = 8_640_000_000;
const maxNameLength = 200;
const outcomeNames: ReadonlySet<unknown> = new Set(loadOutcomes);

const isTime = (value: unknown): value is number => typeof value === "number" && value > -maxRunMs && value < maxRunMs;

const isName = (value: unknown): value is string => typeof value === "string" && value.length <= maxNameLength;

const isOutcome = (value: unknown): value is LoadOutcome => outcomeNames.has(value);

const endNames: ReadonlySet<unknown> = new Set(streamEnds);

const isStreamEnd = (value: unknown): value is StreamEnd => endNames.has(value);

const isPhase = (value: unknown): value is LoadSample["phase"] => value === "warmup" || value === "measure";

const isOperation = (value: unknown): value is CallSample["operation"] =>
  value === "create" || value === "poll" || value === "delete";

/** Parses an optional time. -1 and null also mean absent. */
const parseOptionalTime = (value: unknown): number | undefined => (isTime(value) && value >= 0 ? value : undefined);

const countOrZero = (value: unknown): number => (isCount(value) ? value : 0);

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type SampleBase = Writable<Omit<CallSample, "kind" | "operation">>;

// A hot path for a million lines. Members are set one by one, because spreading takes three times as long.
const addOptionalMembers = (base: SampleBase, { block, pair, status, codes }: JsonMembers): void => {
  if (isCount(block)) {
    base.block = block;
  }
  if (isCount(pair)) {
    base.pair = pair;
  }
  if (isCount(status) && status > 0 && status < 1000) {
    base.status = status;
  }
  if (codes !== undefined) {
    const counts = parseCounts(codes);
    if (Object.keys(counts).length > 0) {
      base.codes = counts;
    }
  }
};

const parseLabels = (members: JsonMembers): Omit<SampleBase, "planMs" | "sendMs" | "endMs"> | undefined => {
  const { flow, phase, query, outcome } = members;
  const side = readStoredSide(members);
  return isName(flow) && isPhase(phase) && side !== undefined && isName(query) && isOutcome(outcome)
    ? { flow, phase, side, query, outcome }
    : undefined;
};

const parseBase = (members: JsonMembers): SampleBase | undefined => {
  const { planMs, sendMs, endMs } = members;
  const labels = parseLabels(members);
  if (labels === undefined || !isTime(planMs) || !isTime(sendMs) || !isTime(endMs)) {
    return undefined;
  }
  const { flow, phase, side, query, outcome } = labels;
  const base: SampleBase = { flow, phase, side, query, planMs, sendMs, endMs, outcome };
  addOptionalMembers(base, members);
  return base;
};

const parseStream = (base: SampleBase, members: JsonMembers): StreamSample => {
  const headersMs = parseOptionalTime(members["headersMs"]);
  const firstEventMs = parseOptionalTime(members["firstEventMs"]);
  const firstMatchMs = parseOptionalTime(members["firstMatchMs"]);
  const sample: Writable<StreamSample> = Object.assign(base, {
    kind: "stream",
    events: countOrZero(members["events"]),
    matches: countOrZero(members["matches"]),
    bytes: countOrZero(members["bytes"]),
  } as const);
  const { ended } = members;
  if (isStreamEnd(ended)) {
    sample.ended = ended;
  }
  if (headersMs !== undefined) {
    sample.headersMs = headersMs;
  }
  if (firstEventMs !== undefined) {
    sample.firstEventMs = firstEventMs;
  }
  if (firstMatchMs !== undefined) {
    sample.firstMatchMs = firstMatchMs;
  }
  return sample;
};

const parseConversation = (base: SampleBase, members: JsonMembers): ConversationSample => {
  const { state } = members;
  const lastOpenMs = parseOptionalTime(members["lastOpenMs"]);
  return {
    ...base,
    kind: "conversation",
    ...(isName(state) && state !== "" ? { state } : {}),
    ...defined({ lastOpenMs }),
    polls: countOrZero(members["polls"]),
  };
};

/**
 * Parses a line of `samples.ndjson`. Returns undefined if the line is not a sample or lacks a required member. Ignores
 * unknown members, so that files of later versions can be read.
 */
export const parseSample = (line: string): LoadSample | undefined => {
  const members = parseMembers(line);
  const base = members && parseBase(members);
  if (members === undefined || base === undefined) {
    return undefined;
  }
  const { kind, operation } = members;
  if (kind === "stream") {
    return parseStream(base, members);
  }
  if (kind === "conversation") {
    return parseConversation(base, members);
  }
  return kind === "call" && isOperation(operation) ? { ...base, kind, operation } : undefined;
};

/** Parses the first line of `samples.ndjson`. Returns undefined if it is not a header of a supported version. */
export const parseSamplesHeader = (line: string): SamplesHeader | undefined => {
  const { assay, version, epochMs, k6Version } = parseMembers(line) ?? {};
  return assay === "samples" &&
    (version === 1 || version === 2) &&
    typeof epochMs === "number" &&
    Number.isFinite(epochMs)
    ? { assay, version, epochMs, k6Version: isName(k6Version) ? k6Version : "" }
    : undefined;
};
