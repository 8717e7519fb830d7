import type { ConversationTimeline, StreamTimeline } from "@assay/results";
import type { ComponentChildren } from "preact";
import { counted, groupedNumber } from "../../document/counted.ts";
import { ConversationLanes } from "../../figures/run/conversation-lanes.tsx";
import { hasForbiddenTransition, transitionsSection } from "../../document/state-transitions.ts";
import { HtmlSection } from "./print-html.tsx";
import { waterfallHeading } from "../../figures/run/waterfall-words.ts";
import { StreamWaterfall } from "../../figures/run/stream-waterfall.tsx";
import { type OrderedFigures, orderedConversations, orderedStreams } from "./figure-order.ts";
import { pageCaps, shareOf } from "./page-caps.ts";
import type { PageRun } from "./page-runs.ts";
import { Folded, type PagePart } from "./page-section.tsx";
import { More } from "./prose.tsx";

interface FiguresProps<Timeline> {
  readonly ordered: OrderedFigures<Timeline>;
  readonly caps: { readonly open: number; readonly folded: number };
  readonly noun: string;
  /** Number of open figures if none shows a problem. */
  readonly minOpen: number;
  /** Figures that the timelines left out. */
  readonly more: number;
  readonly figureOf: (timeline: Timeline, at: number) => ComponentChildren;
}

/** The first figures open, further ones folded, and the number of the rest. */
const Figures = <Timeline,>({ ordered, caps, noun, minOpen, more, figureOf }: FiguresProps<Timeline>) => {
  const figures = ordered.timelines.slice(0, caps.open + caps.folded).map(figureOf);
  const open = figures.slice(0, Math.max(minOpen, Math.min(caps.open, ordered.problems)));
  const folded = figures.slice(open.length);
  return (
    <>
      {open}
      {folded.length === 0 ? null : (
        <details class="figures">
          <summary>{counted(folded.length, open.length === 0 ? noun : `more ${noun}`)}</summary>
          {folded}
        </details>
      )}
      <More
        count={ordered.timelines.length - figures.length + more}
        noun={`${noun} that is not drawn`}
        plural={`${noun}s that are not drawn`}
      />
    </>
  );
};

const streamsPart = (run: PageRun): readonly PagePart[] => {
  const { timelines, key } = run;
  return timelines === undefined || timelines.streams.length === 0
    ? []
    : [
        {
          id: `${key}-streams`,
          title: "Stream timing",
          count: groupedNumber(timelines.streams.length + timelines.moreStreams),
          body: (
            <Figures<StreamTimeline>
              ordered={orderedStreams(run, timelines)}
              caps={{ open: pageCaps.openStreams, folded: shareOf(pageCaps.foldedStreams, run.runs) }}
              noun="stream"
              minOpen={1}
              more={timelines.moreStreams}
              figureOf={(timeline, at) => (
                <>
                  <h4>{waterfallHeading(timeline)}</h4>
                  <StreamWaterfall id={`${key}-s${at}`} timeline={timeline} />
                </>
              )}
            />
          ),
        },
      ];
};

const conversationsPart = (run: PageRun): readonly PagePart[] => {
  const { timelines, key } = run;
  return timelines === undefined || timelines.conversations.length === 0
    ? []
    : [
        {
          id: `${key}-conversations`,
          title: "Conversation timeline",
          count: groupedNumber(timelines.conversations.length + timelines.moreConversations),
          body: (
            <Figures<ConversationTimeline>
              ordered={orderedConversations(run, timelines)}
              caps={{ open: pageCaps.openConversations, folded: shareOf(pageCaps.foldedConversations, run.runs) }}
              noun="conversation"
              minOpen={0}
              more={timelines.moreConversations}
              figureOf={(timeline, at) => <ConversationLanes id={`${key}-q${at}`} timeline={timeline} />}
            />
          ),
        },
      ];
};

const transitionsPart = ({ key, timelines }: PageRun): readonly PagePart[] => {
  const diagrams = timelines?.diagrams ?? [];
  const sections = diagrams.map((diagram) => <HtmlSection section={transitionsSection(diagram)} />);
  return diagrams.length === 0
    ? []
    : [
        {
          id: `${key}-states`,
          title: "State transitions",
          body: diagrams.some(hasForbiddenTransition) ? (
            sections
          ) : (
            <Folded summary={`${counted(diagrams.length, "interface")}: no transition was seen that is not allowed`}>
              {sections}
            </Folded>
          ),
        },
      ];
};

/** The figures of a run with timelines: its streams, its conversations, and a table of state transitions. */
export const figureParts = (run: PageRun): readonly PagePart[] => [
  ...streamsPart(run),
  ...conversationsPart(run),
  ...transitionsPart(run),
];
