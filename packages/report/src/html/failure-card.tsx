import { ruleStanding, type RuleVerdict } from "@assay/results";
import { counted } from "../counted.ts";
import { entryCare, entryPlace, fixedSentence } from "../known-failure-lines.ts";
import { shownText } from "../shown-text.ts";
import { findingId, findingsOf, type PlannedFailure } from "./failure-plan.ts";
import { FindingItem, ShortFinding } from "./finding-item.tsx";
import { pageCaps } from "./page-caps.ts";
import { detailId, type PlacedVerdict } from "./page-runs.ts";
import { More, Name, Prose } from "./prose.tsx";
import { filterKeys, StandingBadge } from "./standing-badge.tsx";

const Sentences = ({ rule: { sentences } }: { readonly rule: RuleVerdict }) => (
  <>
    {sentences.slice(0, pageCaps.sentences).map(({ document, section, text }) => (
      <blockquote>
        <cite>
          {shownText(document, "name")} §{shownText(section, "name")}
        </cite>
        <Prose text={text} />
      </blockquote>
    ))}
    <More count={sentences.length - pageCaps.sentences} noun="sentence" />
  </>
);

const Known = ({ rule }: { readonly rule: RuleVerdict }) => {
  const { known } = rule;
  return known === undefined ? null : (
    <p class="known">
      {ruleStanding(rule) === "unexpectedly-fixed"
        ? `It ${fixedSentence({ rule, known })}. Listed because: `
        : "Known: "}
      <Prose text={known.reason} />
      <span class="place">{`${entryPlace(known)}; ${entryCare(known)}`}</span>
    </p>
  );
};

const Unseen = ({ rule: { verdict } }: { readonly rule: RuleVerdict }) =>
  verdict.outcome === "failed" && verdict.unseen !== undefined ? (
    <p class="known">
      Not all of the evidence could be judged: <Prose text={verdict.unseen.missing} />
    </p>
  ) : null;

const Findings = ({ planned: { placed, shownAt } }: { readonly planned: PlannedFailure }) => {
  const findings = findingsOf(placed);
  const full = findings.slice(0, pageCaps.fullFindings);
  const short = findings.slice(full.length, full.length + pageCaps.shortFindings);
  const { verdict } = placed.rule;
  const uncounted = verdict.outcome === "failed" || verdict.outcome === "warned" ? verdict.moreFindings : 0;
  const more = findings.length - full.length - short.length + uncounted;
  return (
    <>
      <ol class="findings">
        {full.map((finding, at) => {
          const earlier = shownAt.get(at);
          return (
            <FindingItem
              run={placed.run}
              finding={finding}
              id={findingId(placed, at)}
              showsCommand={finding.curl !== full[at + 1]?.curl}
              {...(earlier === undefined ? {} : { shownAt: earlier })}
            />
          );
        })}
      </ol>
      {short.length === 0 ? null : (
        <details class="short">
          <summary>{counted(short.length + more, "more finding")}</summary>
          <ol start={full.length + 1}>
            {short.map((finding) => (
              <ShortFinding finding={finding} />
            ))}
          </ol>
          <More count={more} noun="finding" />
        </details>
      )}
    </>
  );
};

const factsOf = ({ basis, interface: name, operation, mustObserve }: RuleVerdict): string =>
  [basis, shownText(name, "name"), shownText(operation, "name"), ...(mustObserve ? ["must be observed"] : [])].join(
    " · ",
  );

/** Everything about one rule that is not well: what holds, the sentences that demand it, and its findings. */
export const FailureCard = ({ planned }: { readonly planned: PlannedFailure }) => {
  const { placed } = planned;
  const { rule } = placed;
  const standing = ruleStanding(rule);
  return (
    <article class={`card s-${standing}`} id={detailId(placed)} {...filterKeys([rule])}>
      <header>
        <StandingBadge standing={standing} />
        <h4>
          <Name text={rule.rule} />
        </h4>
        <span class="meta">{factsOf(rule)}</span>
      </header>
      <p class="title">
        <Prose text={rule.title} />
      </p>
      <Sentences rule={rule} />
      <Known rule={rule} />
      <Unseen rule={rule} />
      {findingsOf(placed).length === 0 ? null : <Findings planned={planned} />}
    </article>
  );
};

/** A rule that is not well, in a line: for the many that follow those in full. */
export const ListedFailure = ({ placed }: { readonly placed: PlacedVerdict }) => (
  <li id={detailId(placed)} {...filterKeys([placed.rule])}>
    <StandingBadge standing={ruleStanding(placed.rule)} /> <Name text={placed.rule.rule} />{" "}
    <Prose text={findingsOf(placed)[0]?.message ?? placed.rule.title} />
  </li>
);
