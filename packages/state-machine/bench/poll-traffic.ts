import type { ConversationMachine } from "@assay/contract";
import type { QuestionSnapshot, Read, Snapshot } from "@assay/state-machine";

/** The polled conversations, how often they are polled and by how many pollers. */
export interface TrafficShape {
  readonly machine: ConversationMachine;
  readonly observations: number;
  readonly conversations: number;
  readonly sessions: number;
}

const noon = "2025-06-01T12:00:";
const creationTime = `${noon}00Z`;
const answerOf = (index: number): string => `Answer ${index}. ${"It is called where the server starts. ".repeat(80)}`;

interface WireQuestion extends Omit<QuestionSnapshot, "facts"> {
  readonly answer: string;
}
interface WireConversation extends Omit<Snapshot, "questions"> {
  readonly questions: readonly WireQuestion[];
}

/** The JSON of a conversation with two questions at one of ten stages. */
function stageJson({ interface: name }: ConversationMachine, at: number): string {
  const isLegacy = name === "legacy";
  const questions = [0, ...(at < 5 ? [] : [1])].map((index): WireQuestion => {
    const isDone = at % 5 >= 3 || (index === 0 && at >= 5);
    const own = { id: String(100 + index), status: isDone ? "completed" : "processing", updatedAt: `${noon}0${at}Z` };
    const text = `Where is createServer used, part ${index}?`;
    return { ...(isLegacy ? own : {}), text, createdAt: creationTime, answer: isDone ? answerOf(index) : "" };
  });
  const state = isLegacy ? {} : { state: at % 5 >= 3 ? "completed" : "processing" };
  const conversation: WireConversation = { ...state, createdAt: creationTime, updatedAt: `${noon}0${at}Z`, questions };
  return JSON.stringify(conversation);
}

/** The answers that show a conversation from its beginning to its end. */
export const stagesOf = (machine: ConversationMachine): readonly string[] =>
  Array.from({ length: 10 }, (_, at) => stageJson(machine, at));

const finished = new Set(["answer", "title", "sources", "stats-not-zero", "followups"]);
const unfinished = new Set<string>();

/** The same text as a parser returns it: joined texts would be copied when they are first used, which the checker would pay for. */
function parsedText(text: string): string {
  const parsed: string = JSON.parse(JSON.stringify(text));
  return parsed;
}

/** A snapshot with freshly parsed strings. All snapshots have the same members, as those of the rules. */
function snapshotOf(json: string): Snapshot {
  const conversation: WireConversation = JSON.parse(json);
  return {
    state: conversation.state,
    createdAt: conversation.createdAt,
    updatedAt: conversation.updatedAt,
    questions: conversation.questions.map(({ id, text, status, createdAt, updatedAt, answer }) => ({
      id,
      text,
      status,
      createdAt,
      updatedAt,
      facts: answer === "" ? unfinished : finished,
      content: answer,
      outcome: undefined,
    })),
  };
}

/**
 * Overlapping polls of many conversations, ordered by sending. Each conversation passes through its stages in the first
 * half.
 */
export function* pollTraffic({ machine, observations, conversations, sessions }: TrafficShape): Generator<Read> {
  const stages = stagesOf(machine);
  const rounds = observations / conversations;
  for (let index = 0; index < observations; index += 1) {
    const round = Math.floor(index / conversations);
    yield {
      kind: "read",
      exchange: String(index),
      session: `poller-${round % sessions}`,
      conversation: parsedText(`conversation-${index % conversations}`),
      sentAtMicros: index * 10,
      endedAtMicros: index * 10 + 5 * conversations,
      snapshot: snapshotOf(stages[Math.min(9, Math.floor((round / rounds) * 20))] ?? "{}"),
    };
  }
}
