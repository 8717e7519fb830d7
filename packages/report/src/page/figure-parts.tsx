import type { ConversationTimeline, StreamTimeline } from "@assay/results";
import type { ComponentChildren } from "preact";
import { counted } from "../document/counted.ts";
import { ConversationLanes } from "../charts/conversation-lanes.tsx";
import { StateDiagramFigure } from "../charts/state-diagram-figure.tsx";
import { StreamWaterfall } from "../charts/stream-waterfall.tsx";
import { type OrderedFigures, orderedConversations, orderedStreams } from "./figure-order.ts";
import { groupedNumber } from "./grouped-number.ts";
import { pageCaps, shareOf } from "./page-caps.ts";
import type { PageRun } from "./page-runs.ts";
import type { PagePart } from "./page-section.tsx";
import { More } from "./prose.tsx";

interface FiguresProps<Timeline> {
  readonly ordered: OrderedFigures<Timeline>;
  readonly caps: { readonly open: number; readonly folded: number };
  readonly noun: string;
  /** Left out before they came here. */
  readonly more: number;
  readonly figureOf: (timeline: Timeline, at: number) => ComponentChildren;
}

/** The first drawings in view, further ones folded away, and how many are not drawn. Where none shows a fault, one is in view. */
const Figures = <Timeline,>({ ordered, caps, noun, more, figureOf }: FiguresProps<Timeline>) => {
  const figures = ordered.timelines.slice(0, caps.open + caps.folded).map(figureOf);
  const open = figures.slice(0, Math.max(1, Math.min(caps.open, ordered.told)));
  const folded = figures.slice(open.length);
  return (
    <>
      {open}
      {folded.length === 0 ? null : (
        <details class="figures">
          <summary>{counted(folded.length, `more ${noun}`)}</summary>
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
          title: "How the streams arrived",
          count: groupedNumber(timelines.streams.length + timelines.moreStreams),
          body: (
            <Figures<StreamTimeline>
              ordered={orderedStreams(run, timelines)}
              caps={{ open: pageCaps.openStreams, folded: shareOf(pageCaps.foldedStreams, run.runs) }}
              noun="stream"
              more={timelines.moreStreams}
              figureOf={(timeline, at) => <StreamWaterfall id={`${key}-s${at}`} timeline={timeline} />}
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
          title: "How the conversations went",
          count: groupedNumber(timelines.conversations.length + timelines.moreConversations),
          body: (
            <Figures<ConversationTimeline>
              ordered={orderedConversations(run, timelines)}
              caps={{ open: pageCaps.openConversations, folded: shareOf(pageCaps.foldedConversations, run.runs) }}
              noun="conversation"
              more={timelines.moreConversations}
              figureOf={(timeline, at) => <ConversationLanes id={`${key}-q${at}`} timeline={timeline} />}
            />
          ),
        },
      ];
};

const diagramsPart = ({ key, timelines }: PageRun): readonly PagePart[] => {
  const diagrams = timelines?.diagrams ?? [];
  return diagrams.length === 0
    ? []
    : [
        {
          id: `${key}-states`,
          title: "Steps between states",
          body: diagrams.map((diagram, at) => <StateDiagramFigure id={`${key}-d${at}`} diagram={diagram} />),
        },
      ];
};

/** Drawings of a run that has timelines: its streams, its conversations, and what of the state machines was seen. */
export const figureParts = (run: PageRun): readonly PagePart[] => [
  ...streamsPart(run),
  ...conversationsPart(run),
  ...diagramsPart(run),
];
