import { gapRegister } from "@assay/contract";
import type { RunResult } from "@assay/results";
import { gapChoices, notedChoices, type OpenChoice } from "../open-choice-lines.ts";
import { pageCaps } from "./page-caps.ts";
import { More, Name, Prose } from "./prose.tsx";

const unknownOf = new Map<string, string>(gapRegister.map(({ id, unknown }) => [id, unknown]));

interface ListProps {
  readonly caption: string;
  readonly choices: readonly OpenChoice[];
}

const ChoiceTable = ({ caption, choices }: ListProps) =>
  choices.length === 0 ? null : (
    <>
      <table class="choices">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">What is open</th>
            <th scope="col">What this target does</th>
          </tr>
        </thead>
        <tbody>
          {choices.slice(0, pageCaps.items).map(({ name, messages }) => (
            <tr>
              <th scope="row">
                <Name text={name} />
                <span class="title">
                  <Prose text={unknownOf.get(name) ?? ""} />
                </span>
              </th>
              <td>
                {messages.slice(0, 5).map((message) => (
                  <p>
                    <Prose text={message} />
                  </p>
                ))}
                <More count={messages.length - 5} noun="like this" plural="like these" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <More count={choices.length - pageCaps.items} noun="of them" plural="of them" />
    </>
  );

/** What the documents leave open and this target decided, and values that were not known before. None of it is a fault. */
export const Choices = ({ result }: { readonly result: RunResult }) => (
  <>
    <ChoiceTable caption="Left open by the documents" choices={gapChoices(result)} />
    <ChoiceTable caption="Values not seen before" choices={notedChoices(result)} />
  </>
);

/** How many permitted choices a run has recorded. */
export const choiceCount = (result: RunResult): number => gapChoices(result).length + notedChoices(result).length;
