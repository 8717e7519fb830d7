import { pageCaps } from "./page-caps.ts";
import { More, Prose } from "./prose.tsx";

/** Sentences about a run as a list. */
export const Notes = ({ notes }: { readonly notes: readonly string[] }) => (
  <>
    <ul>
      {notes.slice(0, pageCaps.items).map((note) => (
        <li>
          <Prose text={note} />
        </li>
      ))}
    </ul>
    <More count={notes.length - pageCaps.items} noun="of them" plural="of them" />
  </>
);
