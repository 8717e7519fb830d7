import type { ConversationTimeline, QuestionLane, RunTimelines } from "@assay/results";
import { linkedConversations } from "@assay/rules";
import type { ConversationEvidence } from "@assay/rules";
import { visibleText } from "@assay/evidence";
import { conversationInterfaces } from "../converse/dialect.ts";
import { selectPolls } from "./select-polls.ts";
import { findQuestions } from "./find-questions.ts";
import type { ObservedQuestion } from "./find-questions.ts";

const maxConversations = 60;
const maxLanes = 24;
const maxTotalPolls = 2000;
const maxIdLength = 60;

/** All observed states of one conversation, before any are dropped. */
interface ObservedConversation {
  readonly conversation: string;
  readonly questions: readonly ObservedQuestion[];
  readonly firstSentMicros: number;
}

/**
 * Selects the most informative conversations of a run: first those in violations, then those that both interfaces returned, then those
 * with the most polls. Returns them in the order of their first request.
 */
export function selectConversationTimelines(
  evidence: ConversationEvidence,
  citedIds: ReadonlySet<string>,
): Pick<RunTimelines, "conversations" | "moreConversations"> {
  const conversations = collectConversations(evidence);
  const selectedConversations = [...conversations]
    .sort(byRelevance(citedIds))
    .slice(0, maxConversations)
    .sort(byFirstRequest);
  const timelines = selectedConversations.map(toTimeline);
  return {
    conversations: limitPolls(timelines),
    moreConversations: conversations.length - selectedConversations.length,
  };
}

/** Collects conversations. Merges conversations of the two interfaces that are known to be the same. */
function collectConversations(evidence: ConversationEvidence): readonly ObservedConversation[] {
  const linkedIds = new Set(linkedConversations(evidence).map(({ legacyId }) => legacyId));
  const groups = new Map<string, ObservedQuestion[]>();
  for (const name of conversationInterfaces) {
    for (const question of findQuestions(evidence, name)) {
      const key = linkedIds.has(question.conversation)
        ? `both ${question.conversation}`
        : `${name} ${question.conversation}`;
      const group = groups.get(key) ?? [];
      group.push(question);
      groups.set(key, group);
    }
  }
  return [...groups.values()].map((questions) => ({
    conversation: questions[0]?.conversation ?? "",
    questions,
    firstSentMicros: questions.reduce((first, { polls }) => Math.min(first, polls[0]?.sentMicros ?? first), Infinity),
  }));
}

const byId = (a: ObservedConversation, b: ObservedConversation): number =>
  a.conversation < b.conversation ? -1 : Number(a.conversation > b.conversation);

const byFirstRequest = (a: ObservedConversation, b: ObservedConversation): number =>
  a.firstSentMicros - b.firstSentMicros || byId(a, b);

const countPolls = ({ questions }: ObservedConversation): number =>
  questions.reduce((sum, { polls }) => sum + polls.length, 0);

const byRelevance =
  (citedIds: ReadonlySet<string>) =>
  (a: ObservedConversation, b: ObservedConversation): number =>
    findRelevanceRank(a, citedIds) - findRelevanceRank(b, citedIds) ||
    countPolls(b) - countPolls(a) ||
    byFirstRequest(a, b);

/** Returns 0 for a conversation in a violation, 1 for one that both interfaces returned, otherwise 2. */
function findRelevanceRank({ questions }: ObservedConversation, citedIds: ReadonlySet<string>): number {
  if (questions.some(({ polls }) => polls.some(({ exchange }) => citedIds.has(exchange)))) {
    return 0;
  }
  return new Set(questions.map((question) => question.interface)).size > 1 ? 1 : 2;
}

function toTimeline({ conversation, questions }: ObservedConversation): ConversationTimeline {
  const shownQuestions = questions.slice(0, maxLanes);
  const moreLanes = questions.length - shownQuestions.length;
  return {
    conversation: visibleText(conversation, maxIdLength),
    lanes: shownQuestions.map((question) => ({
      interface: question.interface,
      question: question.question,
      polls: question.polls,
      morePolls: 0,
    })),
    ...(moreLanes === 0 ? {} : { moreLanes }),
  };
}

const countAllPolls = (timelines: readonly ConversationTimeline[]): number =>
  timelines.reduce((sum, { lanes }) => sum + lanes.reduce((laneSum, { polls }) => laneSum + polls.length, 0), 0);

/** Reduces the number of polls in each lane until all conversations fit. */
function limitPolls(timelines: readonly ConversationTimeline[]): readonly ConversationTimeline[] {
  let reducedTimelines = timelines;
  for (
    let maxPolls = maxTotalPolls;
    countAllPolls(reducedTimelines) > maxTotalPolls && maxPolls >= 1;
    maxPolls = Math.floor(maxPolls / 2)
  ) {
    reducedTimelines = reducedTimelines.map((timeline) => ({
      ...timeline,
      lanes: timeline.lanes.map((lane) => shortenLane(lane, maxPolls)),
    }));
  }
  return reducedTimelines;
}

function shortenLane(lane: QuestionLane, maxPolls: number): QuestionLane {
  const polls = selectPolls(lane.polls, maxPolls);
  return { ...lane, polls, morePolls: lane.morePolls + lane.polls.length - polls.length };
}
