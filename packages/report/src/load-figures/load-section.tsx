import type { LoadResult } from "@assay/results";
import type { JSX } from "preact";
import { PageSection } from "../html/page-section.tsx";
import { loadParts } from "./load-parts.tsx";
import { LoadStrip } from "./load-strip.tsx";

export interface LoadSectionProps {
  /** Unique on the page; letters, digits and hyphens. All ids inside begin with it. */
  readonly id: string;
  readonly load: LoadResult;
}

/** A whole load run: its strip, and every part of it under a heading of the third level. */
export const LoadSection = ({ id, load }: LoadSectionProps): JSX.Element => (
  <div class="chapter">
    <LoadStrip id={id} load={load} />
    {loadParts(id, load).map((part) => (
      <PageSection part={part} />
    ))}
  </div>
);
