import type { ConversationTimeline, QuestionLane, RunTimelines } from "@assay/results";
import { linkedConversations } from "@assay/rules";
import type { ConversationEvidence } from "@assay/rules";
import { visibleText } from "@assay/evidence";
import { conversationInterfaces } from "../converse/dialect.ts";
import { selectPolls } from "./kept-polls.ts";
import { findQuestions } from "./seen-questions.ts";
import type { SeenQuestion } from "./seen-questions.ts";

const maxConversations = 60;
const maxLanes = 24;
const maxPollsInAll = 2000;
const idLength = 60;

/** All observed states of one conversation, before any are dropped. */
interface SeenConversation {
  readonly conversation: string;
  readonly questions: readonly SeenQuestion[];
  readonly firstSentMicros: number;
}

/**
 * Selects the most informative conversations of a run: first those in violations, then those that both interfaces returned, then those
 * with the most polls. Returns them in the order of their first request.
 */
export function conversationTimelines(
  evidence: ConversationEvidence,
  citedIds: ReadonlySet<string>,
): Pick<RunTimelines, "conversations" | "moreConversations"> {
  const conversations = seenConversations(evidence);
  const chosen = [...conversations].sort(byInterest(citedIds)).slice(0, maxConversations).sort(byFirst);
  const timelines = chosen.map(toTimeline);
  return { conversations: withinBudget(timelines), moreConversations: conversations.length - chosen.length };
}

/** Collects conversations. Merges conversations of the two interfaces that are known to be the same. */
function seenConversations(evidence: ConversationEvidence): readonly SeenConversation[] {
  const linkedIds = new Set(linkedConversations(evidence).map(({ legacyId }) => legacyId));
  const groups = new Map<string, SeenQuestion[]>();
  for (const name of conversationInterfaces) {
    for (const seen of findQuestions(evidence, name)) {
      const key = linkedIds.has(seen.conversation) ? `both ${seen.conversation}` : `${name} ${seen.conversation}`;
      const group = groups.get(key) ?? [];
      group.push(seen);
      groups.set(key, group);
    }
  }
  return [...groups.values()].map((questions) => ({
    conversation: questions[0]?.conversation ?? "",
    questions,
    firstSentMicros: questions.reduce((first, { polls }) => Math.min(first, polls[0]?.sentMicros ?? first), Infinity),
  }));
}

const byId = (a: SeenConversation, b: SeenConversation): number =>
  a.conversation < b.conversation ? -1 : Number(a.conversation > b.conversation);

const byFirst = (a: SeenConversation, b: SeenConversation): number =>
  a.firstSentMicros - b.firstSentMicros || byId(a, b);

const countPolls = ({ questions }: SeenConversation): number =>
  questions.reduce((sum, { polls }) => sum + polls.length, 0);

const byInterest =
  (citedIds: ReadonlySet<string>) =>
  (a: SeenConversation, b: SeenConversation): number =>
    findRank(a, citedIds) - findRank(b, citedIds) || countPolls(b) - countPolls(a) || byFirst(a, b);

function findRank({ questions }: SeenConversation, citedIds: ReadonlySet<string>): number {
  if (questions.some(({ polls }) => polls.some(({ exchange }) => citedIds.has(exchange)))) {
    return 0;
  }
  return new Set(questions.map((question) => question.interface)).size > 1 ? 1 : 2;
}

function toTimeline({ conversation, questions }: SeenConversation): ConversationTimeline {
  const shownQuestions = questions.slice(0, maxLanes);
  const moreLanes = questions.length - shownQuestions.length;
  return {
    conversation: visibleText(conversation, idLength),
    lanes: shownQuestions.map((question) => ({
      interface: question.interface,
      question: question.question,
      polls: question.polls,
      morePolls: 0,
    })),
    ...(moreLanes === 0 ? {} : { moreLanes }),
  };
}

const pollsIn = (timelines: readonly ConversationTimeline[]): number =>
  timelines.reduce((sum, { lanes }) => sum + lanes.reduce((inLanes, { polls }) => inLanes + polls.length, 0), 0);

/** Reduces the number of polls in each lane until all conversations fit. */
function withinBudget(timelines: readonly ConversationTimeline[]): readonly ConversationTimeline[] {
  let fitting = timelines;
  for (let max = maxPollsInAll; pollsIn(fitting) > maxPollsInAll && max >= 1; max = Math.floor(max / 2)) {
    fitting = fitting.map((timeline) => ({
      ...timeline,
      lanes: timeline.lanes.map((lane) => shortened(lane, max)),
    }));
  }
  return fitting;
}

function shortened(lane: QuestionLane, max: number): QuestionLane {
  const polls = selectPolls(lane.polls, max);
  return { ...lane, polls, morePolls: lane.morePolls + lane.polls.length - polls.length };
}
