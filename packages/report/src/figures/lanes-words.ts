import type { ConversationTimeline } from "@assay/results";
import { counted, durationOf } from "../counted.ts";
import type { TableContent } from "../load-figures/data-table.tsx";
import { shownText } from "../shown-text.ts";
import type { LanesLayout } from "./lanes-layout.ts";

const pollsOf = ({ lanes }: ConversationTimeline): number =>
  lanes.reduce((sum, { polls, morePolls }) => sum + polls.length + morePolls, 0);

const interfacesOf = ({ lanes }: ConversationTimeline): string => {
  const names = [...new Set(lanes.map((lane) => lane.interface))];
  return names.length > 1 ? "both interfaces" : `the ${names[0] ?? "legacy"} interface`;
};

/** What people see first. */
export const lanesTitle = (timeline: ConversationTimeline): string =>
  `Conversation ${shownText(timeline.conversation, "name")} through ${interfacesOf(timeline)}: ${counted(pollsOf(timeline), "poll")}`;

/** The figure for people who do not see it. */
export function lanesDescription(layout: LanesLayout): string {
  const sentences = layout.groups.flatMap(({ interface: name, questions }) =>
    questions.slice(0, 6).map(
      ({ lane, spans }) =>
        `${shownText(lane.question, "name")} of the ${name} interface: ${spans
          .slice(0, 8)
          .map(({ state }) => shownText(state, "name"))
          .join(", then ")}.`,
    ),
  );
  return ["The states of each question over time, and the polls that showed them.", ...sentences].join(" ");
}

/** How to read the marks, and what is left out. */
export function lanesCaption(timeline: ConversationTimeline): string {
  const more = timeline.lanes.reduce((sum, { morePolls }) => sum + morePolls, 0);
  const left = [
    more === 0 ? "" : ` ${counted(more, "poll")} left out.`,
    timeline.moreLanes === undefined ? "" : ` ${counted(timeline.moreLanes, "question")} left out.`,
  ];
  return `Conversation ${shownText(timeline.conversation, "name")}. A bar: the state was certainly there; a gap: it changed somewhere in between. A dot: a poll was answered; the line before it begins where it was sent.${left.join("")}`;
}

/** The numbers of the figure. */
export const lanesTable = (timeline: ConversationTimeline, { groups, startMicros }: LanesLayout): TableContent => ({
  caption: `States of the questions of conversation ${shownText(timeline.conversation, "name")}; times since its first request`,
  head: ["Question", "Interface", "State", "Certainly from", "Certainly to", "Polls"],
  rows: groups.flatMap(({ interface: name, questions }) =>
    questions.flatMap(({ lane, spans }) =>
      spans
        .slice(0, 50)
        .map(({ state, fromMicros, toMicros, polls }) => [
          shownText(lane.question, "name"),
          name,
          shownText(state, "name"),
          durationOf(Math.max(0, fromMicros - startMicros)),
          durationOf(Math.max(0, toMicros - startMicros)),
          String(polls),
        ]),
    ),
  ),
});
