import type { ConversationTimeline, StreamTimeline } from "@assay/results";
import type { ComponentChildren } from "preact";
import { counted, formatGrouped } from "../../document/counted.ts";
import { ConversationLanes } from "../../figures/run/conversation-lanes.tsx";
import { hasForbiddenTransition, createTransitionsSection } from "../../document/state-transitions.ts";
import { HtmlSection } from "./print-html.tsx";
import { formatWaterfallHeading } from "../../figures/run/waterfall-words.ts";
import { StreamWaterfall } from "../../figures/run/stream-waterfall.tsx";
import { type OrderedFigures, orderConversations, orderStreams } from "./figure-order.ts";
import { pageCaps, divideCap } from "./page-caps.ts";
import type { PageRun } from "./page-runs.ts";
import { Folded, type PagePart } from "./page-section.tsx";
import { More } from "./prose.tsx";

interface FiguresProps<Timeline> {
  readonly ordered: OrderedFigures<Timeline>;
  readonly caps: { readonly open: number; readonly folded: number };
  readonly noun: string;
  /** Number of open figures if none shows a problem. */
  readonly minOpen: number;
  /** Number of figures omitted from the timelines. */
  readonly omittedCount: number;
  readonly renderFigure: (timeline: Timeline, index: number) => ComponentChildren;
}

/** Shows the first figures open, further ones folded, and the number of the others. */
const Figures = <Timeline,>({ ordered, caps, noun, minOpen, omittedCount, renderFigure }: FiguresProps<Timeline>) => {
  const figures = ordered.timelines.slice(0, caps.open + caps.folded).map(renderFigure);
  const openFigures = figures.slice(0, Math.max(minOpen, Math.min(caps.open, ordered.problemCount)));
  const foldedFigures = figures.slice(openFigures.length);
  return (
    <>
      {openFigures}
      {foldedFigures.length === 0 ? null : (
        <details class="figures">
          <summary>{counted(foldedFigures.length, openFigures.length === 0 ? noun : `more ${noun}`)}</summary>
          {foldedFigures}
        </details>
      )}
      <More
        count={ordered.timelines.length - figures.length + omittedCount}
        noun={`${noun} that is not drawn`}
        plural={`${noun}s that are not drawn`}
      />
    </>
  );
};

const createStreamsPart = (run: PageRun): readonly PagePart[] => {
  const { timelines, key } = run;
  return timelines === undefined || timelines.streams.length === 0
    ? []
    : [
        {
          id: `${key}-streams`,
          title: "Stream timing",
          count: formatGrouped(timelines.streams.length + timelines.moreStreams),
          body: (
            <Figures<StreamTimeline>
              ordered={orderStreams(run, timelines)}
              caps={{ open: pageCaps.openStreams, folded: divideCap(pageCaps.foldedStreams, run.runCount) }}
              noun="stream"
              minOpen={1}
              omittedCount={timelines.moreStreams}
              renderFigure={(timeline, index) => (
                <>
                  <h4>{formatWaterfallHeading(timeline)}</h4>
                  <StreamWaterfall id={`${key}-s${index}`} timeline={timeline} />
                </>
              )}
            />
          ),
        },
      ];
};

const createConversationsPart = (run: PageRun): readonly PagePart[] => {
  const { timelines, key } = run;
  return timelines === undefined || timelines.conversations.length === 0
    ? []
    : [
        {
          id: `${key}-conversations`,
          title: "Conversation timeline",
          count: formatGrouped(timelines.conversations.length + timelines.moreConversations),
          body: (
            <Figures<ConversationTimeline>
              ordered={orderConversations(run, timelines)}
              caps={{ open: pageCaps.openConversations, folded: divideCap(pageCaps.foldedConversations, run.runCount) }}
              noun="conversation"
              minOpen={0}
              omittedCount={timelines.moreConversations}
              renderFigure={(timeline, index) => <ConversationLanes id={`${key}-q${index}`} timeline={timeline} />}
            />
          ),
        },
      ];
};

const createTransitionsPart = ({ key, timelines }: PageRun): readonly PagePart[] => {
  const diagrams = timelines?.diagrams ?? [];
  const sections = diagrams.map((diagram) => <HtmlSection section={createTransitionsSection(diagram)} />);
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

/** Returns the figures of a run with timelines: its streams, its conversations, and a table of state transitions. */
export const createFigureParts = (run: PageRun): readonly PagePart[] => [
  ...createStreamsPart(run),
  ...createConversationsPart(run),
  ...createTransitionsPart(run),
];
