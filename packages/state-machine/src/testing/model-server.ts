import type { ConversationMachine } from "@assay/contract";
import type { Snapshot } from "../observation.ts";
import type { Draw } from "./drawing.ts";
import {
  cancel,
  create,
  followUp,
  question,
  read,
  refusedFollowUp,
  remove,
  stamp,
  unansweredFollowUp,
} from "./observations.ts";
import type { At, Observation, QuestionParts } from "./observations.ts";

export interface ModelOptions {
  readonly machine: ConversationMachine;
  readonly draw: Draw;
  /**
   * Includes cancellations, deletions, writes without an answer and answers without a list: everything that may explain a
   * later read.
   */
  readonly hasExcuses: boolean;
}

interface Version {
  readonly atMs: number;
  readonly snapshot: Snapshot;
}

interface ModelQuestion {
  readonly text: string;
  readonly atMs: number;
  end: "processing" | "completed" | "error" | "canceled";
  updatedMs: number;
}

/** A correct server. At any time it shows the last version published before. */
interface Model {
  readonly options: ModelOptions;
  /** Length of a second of the server's clock, in milliseconds. Large values make its times coarse. */
  readonly msPerSecond: number;
  readonly questions: ModelQuestion[];
  readonly versions: Version[];
  readonly observations: Observation[];
  nowMs: number;
}

const filled = ["title", "answer", "sources", "stats-not-zero", "followups"];

function legacyQuestion({ questions, msPerSecond }: Model, index: number): QuestionParts {
  const { text, atMs, end, updatedMs } = questions[index] ?? { text: "", atMs: 0, end: "processing", updatedMs: 0 };
  return {
    id: String(40 + index),
    text,
    status: end === "processing" ? "processing" : "completed",
    createdAt: stamp(Math.floor(atMs / msPerSecond)),
    updatedAt: stamp(Math.floor(updatedMs / msPerSecond)),
    facts: end === "processing" ? [] : end === "completed" ? filled : ["error"],
    content: end === "processing" ? "" : `${text} ${end}`,
  };
}

function currentQuestion({ questions }: Model, index: number): QuestionParts {
  const { text, end } = questions[index] ?? { text: "", end: "processing" };
  return {
    text,
    facts: end === "completed" ? ["answer"] : [],
    content: end === "completed" ? `answer to ${text}` : "",
  };
}

/** Publishes the current state as a new version. */
function publish(model: Model): void {
  const { questions, options, nowMs, msPerSecond, versions } = model;
  const isCurrent = options.machine.interface === "current";
  const parts = questions.map((_, index) => (isCurrent ? currentQuestion : legacyQuestion)(model, index));
  versions.push({
    atMs: nowMs,
    snapshot: {
      ...(isCurrent ? { state: questions.at(-1)?.end ?? "processing" } : {}),
      createdAt: stamp(0),
      updatedAt: stamp(Math.floor(nowMs / msPerSecond)),
      questions: parts.map(question),
    },
  });
}

const interval = ({ options: { draw }, nowMs }: Model): At => [nowMs - 1 - draw(15), nowMs + 1 + draw(15)];

function ask(model: Model): string {
  const text = `question ${model.questions.length}`;
  model.questions.push({ text, atMs: model.nowMs, end: "processing", updatedMs: model.nowMs });
  publish(model);
  return text;
}

function finish(model: Model, end: ModelQuestion["end"]): void {
  for (const one of model.questions.filter(({ end: state }) => state === "processing")) {
    one.end = end;
    one.updatedMs = model.nowMs;
  }
  publish(model);
}

const at = ({ versions }: Model): Snapshot => versions.at(-1)?.snapshot ?? {};

const acts: readonly ((model: Model) => void)[] = [
  (model) => finish(model, "completed"),
  (model) => finish(model, model.options.draw(2) === 0 ? "error" : "completed"),
  (model) => {
    const [sentMs, endedMs] = interval(model);
    const text = ask(model);
    model.observations.push(followUp([sentMs, endedMs], { text, snapshot: at(model), exchange: `f${model.nowMs}` }));
  },
  (model) => void model.observations.push(refusedFollowUp(interval(model), { text: "no" })),
  (model) => publish(model),
];

const excuses: readonly ((model: Model) => void)[] = [
  (model) => {
    finish(model, "canceled");
    model.observations.push(cancel(interval(model), { exchange: `x${model.nowMs}` }));
  },
  (model) => {
    const [sentMs] = interval(model);
    const text = model.options.draw(2) === 0 ? ask(model) : "never asked";
    model.observations.push(unansweredFollowUp(sentMs, { text, exchange: `u${model.nowMs}` }));
  },
];

const withoutList = ({ state, createdAt, updatedAt }: Snapshot): Snapshot => ({
  ...(state === undefined ? {} : { state }),
  ...(createdAt === undefined ? {} : { createdAt }),
  ...(updatedAt === undefined ? {} : { updatedAt }),
});

function poll(model: Model, session: string, untilMs: number): void {
  const { options, versions, observations } = model;
  const { draw, hasExcuses } = options;
  let sentMs = draw(30);
  while (sentMs < untilMs) {
    const pointMs = sentMs + draw(15);
    const endedMs = pointMs + draw(15);
    const answer = versions.findLast(({ atMs }) => atMs <= pointMs)?.snapshot;
    if (answer !== undefined) {
      const snapshot = hasExcuses && draw(4) === 0 ? withoutList(answer) : answer;
      const exchange = `${session}${sentMs}`;
      observations.push({ ...read([sentMs, endedMs], undefined, { session, exchange }), snapshot });
    }
    sentMs = endedMs + 1 + draw(12);
  }
}

/** Observations of a correct server by four overlapping pollers and one writer, ordered by sending. */
export function legalHistory(options: ModelOptions): readonly Observation[] {
  const { draw, hasExcuses } = options;
  const msPerSecond = [7, 40, 100_000][draw(3)] ?? 1;
  const model: Model = { options, msPerSecond, questions: [], versions: [], observations: [], nowMs: 20 };
  const text = ask(model);
  model.observations.push(create(interval(model), { text, snapshot: at(model), exchange: "create" }));
  for (const act of Array.from({ length: 2 + draw(6) }, () => (hasExcuses ? [...acts, ...excuses] : acts))) {
    model.nowMs += 1 + draw(30);
    act[draw(act.length)]?.(model);
  }
  model.nowMs += 10;
  finish(model, "completed");
  const untilMs = model.nowMs + 40;
  for (const session of ["p", "q", "r", "s"]) {
    poll(model, session, untilMs);
  }
  if (hasExcuses && draw(3) === 0) {
    model.observations.push(remove([untilMs - 20, untilMs + 20]));
  }
  return model.observations.sort((a, b) => a.sentAtMicros - b.sentAtMicros);
}
