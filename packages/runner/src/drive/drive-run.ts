import { defined } from "@assay/contract";
import { recordDraft } from "@assay/evidence";
import type {
  BundleWriter,
  CredentialKind,
  ExchangeDraft,
  ExchangeRecord,
  FooterInfo,
  RecordedExchange,
  UnsentProbe,
} from "@assay/evidence";
import type { WhyUnsent } from "../converse/drive-context.ts";
import { answerGroup } from "../judge/answer-group.ts";
import type { AnswerGroup } from "../judge/answer-group.ts";
import { indexState } from "../plan/index-state.ts";
import type { Probe } from "../plan/probe.ts";
import type { ProbePlan } from "../plan/stream-probes.ts";
import { isCompared, probesToRepeat } from "../plan/probes-to-repeat.ts";
import type { SentProbe } from "../plan/probes-to-repeat.ts";
import { isClosedAfterDone } from "./is-closed-after-done.ts";
import type { Pace, PaceAdvice } from "./pace.ts";

/** One search to be sent: the id of its exchange, the probe, and the credential it carries. */
export interface SearchRequest {
  readonly id: string;
  readonly probe: Probe;
  readonly credential: CredentialKind;
  /** Id of the refused search that this one repeats. */
  readonly retryOf?: string;
}

/** Sends a search and returns what came back; a failure of the connection is part of what it returns. */
export type SendSearch = (request: SearchRequest) => Promise<ExchangeDraft>;

/** What people are told while a run goes on. */
export interface DriveListener {
  probeStarted?(probe: Probe): void;
  /** `isWhole` when no event of the stream is missing, however the connection ended. */
  probeFinished?(probe: Probe, record: ExchangeRecord, isWhole: boolean): void;
}

/**
 * Why nothing more is to be sent, one sentence; undefined to go on. Told what would be sent next: questions cost, searches do not.
 * What it decides by is what was recorded.
 */
export type ReasonToStop = (next: "searches" | "questions" | "calls") => Promise<string | undefined>;

export interface DriveOptions {
  readonly plan: ProbePlan;
  /** What the probes of the credential `main` carry. */
  readonly mainCredential: CredentialKind;
  /** Further credentials that were given. */
  readonly credentials: ReadonlySet<CredentialKind>;
  /** Credentials that cannot be made from those that were given; their searches are not sent [none]. */
  readonly unmade?: ReadonlySet<CredentialKind>;
  /** Searches on their way at the same time, at least 1. The plain search is always alone. */
  readonly parallel: number;
  readonly send: SendSearch;
  readonly writer: Pick<BundleWriter, "writeExchange">;
  /** Whether a text repeats a secret. Whatever a target says that does is not asked for: it would stand in the address [never]. */
  readonly holdsSecret?: (text: string) => boolean;
  /** When searches may be sent, and which are asked once more [at once, and none]. */
  readonly pace?: Pick<Pace, "turn" | "advice" | "rest" | "leftMs">;
  /** Whether the time of the whole run is used up; asked before each search. */
  readonly isOverdue: () => boolean;
  /** Aborted with the name of the signal when the user interrupts. */
  readonly signal: AbortSignal;
  /** Asked before more is sent, when nothing is on its way [never]. */
  readonly reasonToStop?: ReasonToStop;
  readonly listener?: DriveListener;
  /** Called once the plain search was answered with a stream, before more is sent. */
  readonly onStream?: () => void;
}

/** After this many failed exchanges in a row the target is left alone. */
const maxFailuresInARow = 3;

/**
 * Sends the plain search, then what its answer makes worth sending, then what those answers do, and records each exchange as
 * it ends. When the plain search is not answered with a stream, nothing more is sent, except after a refusal: then other
 * credentials are tried, and after a bad request: then searches with parameters are.
 * Searches that are compared are sent again, a few times, where answers tell that they met different states of the index.
 * Three exchanges in a row that break off end the run. Decides nothing else. Fails when an exchange cannot be recorded.
 */
export async function driveRun(options: DriveOptions): Promise<FooterInfo> {
  const state: DriveState = { failures: 0, end: undefined, sent: new Set(), answers: new Map(), pass: new Map() };
  const [plain, ...others] = options.plan.probes;
  const first = plain === undefined ? undefined : await sendNext({ options, state }, { probe: plain, index: 0 });
  const answered = first === undefined ? undefined : answerGroup(first);
  if (first !== undefined && answered !== undefined && state.end === undefined) {
    await sendMore({ options, state }, { others, first, answered });
  }
  const end = state.end ?? endOf(options, "complete") ?? { ended: "complete" };
  const unsent = unsentAmong(options, state, whyUnsent(end, first, answered));
  return { ...end, ...(unsent.length === 0 ? {} : { unsent }) };
}

/** What came of the plain search, and what was planned besides. */
interface Begun {
  readonly others: readonly Probe[];
  readonly first: RecordedExchange;
  readonly answered: AnswerGroup;
}

/** What is sent after the plain search, and again of it what has to be. */
async function sendMore(drive: Drive, begun: Begun): Promise<void> {
  const { plan, pace } = drive.options;
  const leftMs = pace?.leftMs() ?? 0;
  if (begun.answered === "stream") {
    drive.options.onStream?.();
  }
  const index = await sendOthers(drive, begun);
  if (plan.isRepeated === true && begun.answered === "stream") {
    await sendAgain(drive, { index, tookMs: leftMs - (pace?.leftMs() ?? 0) });
  }
}

/** How long is waited before searches are sent a second, third and fourth time. */
const restsMs = [1000, 2000, 4000];

/** What sending everything again may take, with what follows the searches, is so many times what it took at first. */
const shareOfTime = 4;

/**
 * Sends searches that are compared again as long as their answers do not tell of one state of the index, unless the time for
 * everything is short. What they tell is looked at here, what it is worth is not.
 */
async function sendAgain(drive: Drive, { index, tookMs }: { index: number; tookMs: number }): Promise<void> {
  const { options, state } = drive;
  let [before, next]: [readonly SentProbe[], number] = [[], index];
  for (const [round, restMs] of restsMs.entries()) {
    const sent = [...state.pass].toSorted(([one], [other]) => one - other).map(([, probe]) => probe);
    const probes = probesToRepeat(sent, before, round + 2);
    const isShort = (options.pace?.leftMs() ?? Infinity) < restMs + shareOfTime * tookMs;
    if (probes.length === 0 || isShort || state.end !== undefined) {
      return;
    }
    before = sent;
    state.pass.clear();
    await options.pace?.rest(restMs);
    const first = next;
    await sendAll(
      drive,
      probes.map((probe, place) => ({ probe, index: first + place })),
    );
    next += probes.length;
  }
}

/** What is sent after the plain search; the index of what would be sent next. */
async function sendOthers(drive: Drive, { others, first, answered }: Begun): Promise<number> {
  const { plan, holdsSecret = () => false } = drive.options;
  const isAskable = ({ parameters }: Probe): boolean => !holdsSecret(parameters.q);
  const more = answered === "stream" ? plan.followUps(first).filter(isAskable) : [];
  const numbered = [...others, ...more].map((probe, index) => ({ probe, index: index + 1 }));
  await sendAll(
    drive,
    numbered.filter(({ probe }) => isWorthSending(probe, answered) || mayBeMissing(probe, first)),
  );
  const next = numbered.length + 1;
  const last = answered === "stream" ? (plan.last?.probes(more, (id) => drive.state.answers.get(id)) ?? []) : [];
  await sendAll(
    drive,
    last.filter(isAskable).map((probe, index) => ({ probe, index: next + index })),
  );
  return next + last.length;
}

/** Why a search with another credential was not sent although that was given. */
function whyUnsent(
  { ended, cause, reason }: FooterInfo,
  first: RecordedExchange | undefined,
  answered: AnswerGroup | undefined,
): WhyUnsent {
  if (reason !== undefined) {
    return {
      cause: cause === "bail" ? "bail" : "other",
      reason: ended === "interrupted" ? `the run was interrupted (${reason})` : reason,
    };
  }
  const status = first?.record.response?.status;
  const answer = status === undefined ? "not answered" : `answered with status ${status}`;
  return answered === "distress"
    ? { cause: "busy", reason: `the plain search was ${answer}` }
    : { cause: "other", reason: `the plain search was ${answered === "nothing" ? "not answered" : answer}` };
}

/** The searches with credentials that were given, and that were not sent. */
const unsentAmong = (options: DriveOptions, { sent }: DriveState, why: WhyUnsent): readonly UnsentProbe[] =>
  options.plan.probes
    .filter((probe) => probe.purpose === "access" && credentialOf(probe, options) !== undefined && !sent.has(probe.id))
    .map(({ id }) => ({ interface: "stream", probe: id, ...why }));

interface DriveState {
  /** Ids of the probes that were sent. */
  readonly sent: Set<string>;
  /** What came back for the probes that lead to others. */
  readonly answers: Map<string, RecordedExchange>;
  /** The searches that are compared, as far as they were sent since the last time all were, by their index. */
  readonly pass: Map<number, SentProbe>;
  /** Exchanges in a row that broke off. */
  failures: number;
  /** Why nothing more is sent. */
  end: FooterInfo | undefined;
}

interface Drive {
  readonly options: DriveOptions;
  readonly state: DriveState;
}

interface NumberedProbe {
  readonly probe: Probe;
  readonly index: number;
}

/** How many searches are sent before it is asked whether to stop. */
const searchesBetweenStops = 8;

/** Sends the probes in their order, in groups where it is to be asked between them whether to stop. */
async function sendAll(drive: Drive, probes: readonly NumberedProbe[]): Promise<void> {
  const { options, state } = drive;
  if (options.reasonToStop === undefined) {
    return sendGroup(drive, probes);
  }
  for (let from = 0; from < probes.length && state.end === undefined; from += searchesBetweenStops) {
    const reason = await options.reasonToStop("searches");
    if (reason === undefined) {
      await sendGroup(drive, probes.slice(from, from + searchesBetweenStops));
    } else {
      state.end ??= { ended: "stopped", cause: "bail", reason };
    }
  }
}

/** Sends the probes in their order, as many at the same time as allowed. Waits for what is on its way before it fails. */
async function sendGroup(drive: Drive, probes: readonly NumberedProbe[]): Promise<void> {
  const waiting = probes.values();
  const sendWaiting = async (): Promise<void> => {
    for (const next of waiting) {
      await sendNext(drive, next);
      if (drive.state.end !== undefined) {
        return;
      }
    }
  };
  const senders = await Promise.allSettled(Array.from({ length: drive.options.parallel }, () => sendWaiting()));
  const failed = senders.find((sender) => sender.status === "rejected");
  if (failed !== undefined) {
    throw failed.reason;
  }
}

/** Sends one probe unless the run ended or its credential was not given; what came back, if it was sent. */
async function sendNext({ options, state }: Drive, { probe, index }: NumberedProbe) {
  const credential = credentialOf(probe, options);
  if (credential === undefined || state.end !== undefined) {
    return undefined;
  }
  const id = exchangeId(index);
  const first = await sendInTurn({ options, state }, { id, probe, credential });
  const advice = first === undefined ? "go-on" : adviceOn({ options, state }, first);
  // Sorts right after the first, and before the next search.
  const retry = { id: `${id}-again`, probe, credential, retryOf: id };
  const draft = advice === "again" ? ((await sendInTurn({ options, state }, retry)) ?? first) : first;
  if (draft !== first && draft !== undefined) {
    adviceOn({ options, state }, draft);
  }
  const answer = draft === undefined ? undefined : recordDraft(draft);
  if (answer !== undefined) {
    keepWanted({ options, state }, { probe, index }, answer);
  }
  return answer;
}

/** Keeps of an answer what decides which probes follow. */
function keepWanted({ options, state }: Drive, { probe, index }: NumberedProbe, answer: RecordedExchange): void {
  if (options.plan.last?.leading.has(probe.id) === true) {
    state.answers.set(probe.id, answer);
  }
  if (options.plan.isRepeated === true && isCompared(probe)) {
    const indexSeen = indexState(answer);
    state.pass.set(index, indexSeen === undefined ? { probe } : { probe, state: indexSeen });
  }
}

/** Sends a search in its turn, unless the run ended before; what came back. */
async function sendInTurn({ options, state }: Drive, request: SearchRequest): Promise<ExchangeDraft | undefined> {
  await options.pace?.turn();
  state.end ??= endOf(options);
  if (state.end !== undefined) {
    return undefined;
  }
  state.sent.add(request.probe.id);
  const draft = await sendProbe(options, request).catch((cause: unknown) => {
    // What cannot be recorded must not be asked for.
    state.end = { ended: "stopped", reason: "an exchange could not be recorded" };
    throw cause;
  });
  countFailure({ options, state }, draft);
  return draft;
}

/** What an answer means for the next search. A target that wants to be left alone for long is. */
function adviceOn({ options, state }: Drive, draft: ExchangeDraft): PaceAdvice {
  const advice = options.pace?.advice(draft) ?? "go-on";
  if (advice === "leave") {
    const reason = `the target answered with status ${draft.response?.status} and asked to be left alone for longer than is waited for, so nothing more was sent; try again later`;
    state.end ??= { ended: "stopped", cause: "broken-searches", reason };
  }
  return advice;
}

const isWhole = (draft: ExchangeDraft): boolean => draft.end.kind === "complete" || isClosedAfterDone(draft);

function countFailure({ options, state }: Drive, draft: ExchangeDraft): void {
  const { end } = draft;
  state.failures = isWhole(draft) ? 0 : state.failures + 1;
  if (state.failures === maxFailuresInARow && end.kind === "failed" && !options.signal.aborted) {
    const reason = `${maxFailuresInARow} searches in a row broke off, so no more were sent; the last one: ${end.message}`;
    state.end ??= { ended: "stopped", cause: "broken-searches", reason };
  }
}

const exchangeId = (index: number): string => String(index + 1).padStart(4, "0");

function credentialOf(
  { credential }: Probe,
  { mainCredential, credentials, unmade }: DriveOptions,
): CredentialKind | undefined {
  switch (credential) {
    case "main":
      return mainCredential;
    case "oauth-token":
    case "unscoped-token":
    case "unscoped-oauth-token":
      return credentials.has(credential) ? credential : undefined;
    case "none":
      // Without any credential the plain search already was the search without a token.
      return mainCredential === "none" ? undefined : "none";
    case "invalid-token":
      return "invalid-token";
    default:
      return [mainCredential, ...credentials].includes("access-token") && unmade?.has(credential) !== true
        ? credential
        : undefined;
  }
}

/** After a refusal other credentials may show more; after anything else that is no stream, another token may. */
function isWorthSending({ purpose, credential }: Probe, answered: AnswerGroup): boolean {
  if (answered === "stream") {
    return true;
  }
  const isOut = answered === "nothing" || answered === "distress";
  return purpose === "access" && !isOut && (answered === "refusal" || credential === "oauth-token");
}

/** A search that is called a bad request may lack a parameter that nobody has to send: those with parameters tell. */
const mayBeMissing = ({ purpose }: Probe, { record }: RecordedExchange): boolean =>
  purpose === "parameters" && (record.response?.status === 400 || record.response?.status === 422);

function endOf({ signal, isOverdue }: DriveOptions, all?: "complete"): FooterInfo | undefined {
  if (signal.aborted) {
    return { ended: "interrupted", reason: String(signal.reason) };
  }
  return all === undefined && isOverdue()
    ? {
        ended: "stopped",
        cause: "deadline",
        reason: "the time for the whole run was used up before all searches were sent; allow more with --timeout",
      }
    : undefined;
}

async function sendProbe(options: DriveOptions, request: SearchRequest): Promise<ExchangeDraft> {
  const { send, writer, listener } = options;
  listener?.probeStarted?.(request.probe);
  const draft = { ...(await send(request)), ...defined({ retryOf: request.retryOf }) };
  const record = await writer.writeExchange(draft);
  listener?.probeFinished?.(request.probe, record, isWhole(draft));
  return draft;
}
