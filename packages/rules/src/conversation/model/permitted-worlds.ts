import { deletionPatienceMs } from "@assay/contract";

/** A model of one conversation in a service that keeps it in one store behind both interfaces. */

interface StepBase {
  /** Id of the recorded exchange. */
  readonly exchange: string;
  readonly interface: "legacy" | "current";
  readonly sentAtMicros: number;
  readonly endedAtMicros: number;
}

/** A request that changes the conversation. `unknown`: nothing shows whether it had an effect, or its effect is unspecified. */
export interface WriteStep extends StepBase {
  readonly kind: "write";
  readonly write: "create" | "follow-up" | "cancel" | "delete";
  readonly outcome: "accepted" | "refused" | "unknown";
  /** The text of the question that it asks. */
  readonly text?: string;
}

/** A response about the conversation. */
export interface ReadStep extends StepBase {
  readonly kind: "read";
  readonly shows: "conversation" | "nothing";
  /** The texts of the questions; undefined for one that is unreadable. Absent if the response need not have questions. */
  readonly texts?: readonly (string | undefined)[];
}

export type Step = WriteStep | ReadStep;

/** A write that took effect, and the time by which it had. */
interface Effect {
  readonly write: WriteStep;
  readonly latestMicros: number;
}

/** One permitted course of events: the writes that took effect, in their order. */
type World = readonly Effect[];

/** An answer that no permitted world explains. */
export interface Contradiction {
  readonly kind: "deleted-is-shown" | "deleted-takes-question" | "question-is-lost" | "not-found";
  readonly step: Step;
  /** The shortest part of the recorded sequence that shows it, in order. The last step is `step`. */
  readonly shortest: readonly [Step, ...Step[]];
}

/** Replicas may lag, and a deletion may take this long. The specification names no time. */
const patienceMicros = deletionPatienceMs * 1000;

/** Above these limits nothing is judged. A run stays far below them; a recording of a load might not. */
const maxWrites = 60;
const maxWorlds = 100;
/** The first contradictions of a conversation explain the others. */
const maxContradictions = 4;

/** An accepted write has taken effect when its response ends. Later answers may show when another one had. */
const toEffect = (write: WriteStep): Effect => ({
  write,
  latestMicros: write.outcome === "accepted" ? write.endedAtMicros : Number.POSITIVE_INFINITY,
});

/**
 * Returns the worlds after a further write. A refused write has no effect, one with an unknown outcome may have none. Writes sent at the
 * same time may have taken effect in either order.
 */
function addWrite(world: World, write: WriteStep): readonly World[] {
  if (write.outcome === "refused") {
    return [world];
  }
  const worlds: World[] = write.outcome === "unknown" ? [world] : [];
  for (let position = world.length; position >= 0; position -= 1) {
    worlds.push(world.toSpliced(position, 0, toEffect(write)));
    const previous = world[position - 1];
    if (previous === undefined || previous.latestMicros <= write.sentAtMicros) {
      break;
    }
  }
  return worlds;
}

/** Returns every permitted world, or undefined if there are too many. */
function listWorlds(writes: readonly WriteStep[]): readonly World[] | undefined {
  let worlds: readonly World[] = [[]];
  for (const write of writes) {
    worlds = worlds.flatMap((world) => addWrite(world, write));
    if (worlds.length > maxWorlds) {
      return undefined;
    }
  }
  return worlds;
}

/** What the store holds after some writes. */
interface State {
  readonly exists: boolean;
  /** The questions that must be there. */
  readonly texts: readonly string[];
}

/** A cancelled question may be dropped: what a cancellation leads to is unspecified. Source: conversation-api, section 3.1. */
function apply(state: State, { write, text, outcome }: WriteStep): State {
  switch (write) {
    case "create":
    case "follow-up": {
      const exists = write === "create" || state.exists;
      return { exists, texts: text === undefined || outcome === "unknown" ? state.texts : [...state.texts, text] };
    }
    case "cancel":
      return { ...state, texts: [] };
    case "delete":
      return { exists: false, texts: [] };
  }
}

/**
 * Returns the states of a world that a response may show, with the number of writes before each: those that may have been current shortly
 * before it ended.
 */
function visibleStates(
  world: World,
  { sentAtMicros, endedAtMicros }: StepBase,
): readonly (readonly [state: State, position: number])[] {
  const states: (readonly [State, number])[] = [];
  // Without its creation in the recording, a conversation existed before.
  let state: State = { exists: !world.some(({ write }) => write.write === "create"), texts: [] };
  let earliestMicros = Number.NEGATIVE_INFINITY;
  for (let position = 0; position <= world.length; position += 1) {
    const latestMicros = Math.min(...world.slice(position).map((effect) => effect.latestMicros));
    if (earliestMicros <= endedAtMicros && latestMicros + patienceMicros >= sentAtMicros) {
      states.push([state, position]);
    }
    const next = world[position];
    if (next !== undefined) {
      earliestMicros = Math.max(earliestMicros, next.write.sentAtMicros);
      state = apply(state, next.write);
    }
  }
  return states;
}

const count = (texts: readonly (string | undefined)[], text: string): number =>
  texts.filter((candidate) => candidate === text).length;

/** Reports whether a response has the required texts. A text that was never asked may be any question: other rules judge texts. */
function hasTexts(
  required: readonly string[],
  texts: readonly (string | undefined)[],
  askedTexts: ReadonlySet<string>,
): boolean {
  const strangers = texts.filter((text) => text === undefined || !askedTexts.has(text)).length;
  const lostCounts = [...new Set(required)].map((text) => Math.max(0, count(required, text) - count(texts, text)));
  return lostCounts.reduce((sum, lost) => sum + lost, 0) <= strangers;
}

/** An answer that narrows the set of worlds. */
type AnswerStep = ReadStep | (WriteStep & { readonly write: "follow-up"; readonly outcome: "accepted" });

const isAnswer = (step: Step): step is AnswerStep =>
  step.kind === "read" || (step.write === "follow-up" && step.outcome === "accepted");

/** What the whole sequence shows, whichever part of it is judged. */
interface Facts {
  /** The interface of the creation, if the recording has it. */
  readonly createdIn: StepBase["interface"] | undefined;
  /** The texts of all questions that were asked. */
  readonly askedTexts: ReadonlySet<string>;
}

/** Reports whether a state explains an answer. The other interface need not show a conversation at all. */
function explains(state: State, answer: AnswerStep, { createdIn, askedTexts }: Facts): boolean {
  if (answer.kind === "write") {
    return state.exists;
  }
  if (answer.shows === "nothing") {
    return !state.exists || answer.interface !== createdIn;
  }
  return state.exists && (answer.texts === undefined || hasTexts(state.texts, answer.texts, askedTexts));
}

/** Returns a world as an answer leaves it, or undefined if it does not explain the answer. What the answer shows had taken effect by then. */
function narrowWorld(world: World, answer: AnswerStep, facts: Facts): World | undefined {
  const explanation = visibleStates(world, answer).find(([state]) => explains(state, answer, facts));
  if (explanation === undefined) {
    return undefined;
  }
  const [, position] = explanation;
  const isKnown = world.slice(0, position).every(({ latestMicros }) => latestMicros <= answer.endedAtMicros);
  const tighten = (effect: Effect): Effect => ({
    ...effect,
    latestMicros: Math.min(effect.latestMicros, answer.endedAtMicros),
  });
  return isKnown ? world : [...world.slice(0, position).map((effect) => tighten(effect)), ...world.slice(position)];
}

function nameContradiction(answer: AnswerStep, states: readonly State[]): Contradiction["kind"] {
  if (answer.kind === "read" && answer.shows === "nothing") {
    return "not-found";
  }
  if (states.some(({ exists }) => exists)) {
    return "question-is-lost";
  }
  return answer.kind === "write" ? "deleted-takes-question" : "deleted-is-shown";
}

type FoundContradiction = Omit<Contradiction, "shortest"> & { readonly narrowing: readonly Step[] };

const isWrite = (step: Step): step is WriteStep => step.kind === "write";

/** Narrows the permitted worlds answer by answer. An answer that no world explains is reported, and does not narrow them. */
function narrowWorlds(steps: readonly Step[], facts: Facts): readonly FoundContradiction[] {
  const writes = steps
    .filter((step) => isWrite(step))
    .toSorted((left, right) => left.sentAtMicros - right.sentAtMicros);
  const answers = steps
    .filter((step) => isAnswer(step))
    .toSorted((left, right) => left.endedAtMicros - right.endedAtMicros);
  let worlds = writes.length > maxWrites ? undefined : listWorlds(writes);
  const narrowing: Step[] = [];
  const contradictions: FoundContradiction[] = [];
  for (const answer of answers) {
    if (worlds === undefined || contradictions.length === maxContradictions) {
      break;
    }
    const left = worlds.flatMap((world) => {
      const narrowed = narrowWorld(world, answer, facts);
      return narrowed === undefined ? [] : [narrowed];
    });
    if (left.length === 0) {
      const states = worlds.flatMap((world) => visibleStates(world, answer).map(([state]) => state));
      contradictions.push({ kind: nameContradiction(answer, states), step: answer, narrowing: [...narrowing] });
    } else if (left.length < worlds.length || left.some((world, index) => world !== worlds?.[index])) {
      narrowing.push(answer);
      worlds = left;
    }
  }
  return contradictions;
}

/** Removes every step without which the last one is still contradictory. Fewer writes and answers only permit more. */
function shrink(
  { kind, step, narrowing }: FoundContradiction,
  steps: readonly Step[],
  facts: Facts,
): Contradiction["shortest"] {
  const isContradictory = (candidates: readonly Step[]): boolean =>
    narrowWorlds([...candidates, step], facts).some((found) => found.step === step && found.kind === kind);
  let left = steps.filter((other) => other !== step && (isWrite(other) || narrowing.includes(other)));
  for (const removable of left.toReversed()) {
    const without = left.filter((other) => other !== removable);
    left = isContradictory(without) ? without : left;
  }
  const [first, ...more] = [...left, step];
  return [first, ...more];
}

/**
 * Returns the answers that no permitted world explains, each with the shortest part of the sequence that shows it. Steps may come in any
 * order and from any client. Questions that nothing in the sequence asked are ignored, so a partial recording can be judged.
 */
export function findContradictions(steps: readonly Step[]): readonly Contradiction[] {
  const facts = {
    createdIn: steps.find((step) => isWrite(step) && step.write === "create")?.interface,
    askedTexts: new Set(steps.flatMap((step) => (isWrite(step) ? (step.text ?? []) : []))),
  };
  return narrowWorlds(steps, facts).map((found) => {
    const { kind, step } = found;
    return { kind, step, shortest: shrink(found, steps, facts) };
  });
}
