import type { ApiDocumentReport } from "@assay/results";
import { shownText } from "../../document/shown-text.ts";
import { counted } from "../../document/counted.ts";
import { pageCaps } from "./page-caps.ts";
import { More, Prose } from "./prose.tsx";

interface ListProps {
  readonly title: string;
  readonly sentences: readonly string[];
}

const Folded = ({ title, sentences }: ListProps) =>
  sentences.length === 0 ? null : (
    <details>
      <summary>{title}</summary>
      <ul>
        {sentences.slice(0, pageCaps.items).map((sentence) => (
          <li>
            <Prose text={sentence} />
          </li>
        ))}
      </ul>
      <More count={sentences.length - pageCaps.items} noun="of them" plural="of them" />
    </details>
  );

/** Which OpenAPI document judged the answers, how it differs from the one that comes with the tool, and what was not seen of it. */
export const ApiDocument = ({ openapi }: { readonly openapi: ApiDocumentReport }) => {
  const { source, address, sha256, notes, differences, unseen } = openapi;
  return (
    <>
      <p>
        {source === "served" ? (
          <>
            The answers were checked against the target's own specification,{" "}
            <code>{shownText(address ?? "", "url")}</code>{" "}
            <span class="meta">sha256 {shownText(sha256 ?? "", "name").slice(0, 12)}</span>.
          </>
        ) : (
          "The answers were checked against the document that comes with Assay."
        )}
      </p>
      {notes.slice(0, pageCaps.items).map((note) => (
        <p>
          <Prose text={note} />
        </p>
      ))}
      <Folded
        title={`${counted(differences.length, "difference")} from the document that comes with the tool`}
        sentences={differences}
      />
      <Folded
        title={`${counted(unseen.length, "documented answer")} that nothing of the run showed`}
        sentences={unseen}
      />
    </>
  );
};
