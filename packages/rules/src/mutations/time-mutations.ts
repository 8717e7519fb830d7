import { member } from "@assay/reading";
import { replaceValue } from "@assay/evidence";
import type { ConversationInterface } from "../conversation/engine/conversation-operation.ts";
import { editBody, siteMutation } from "./mutation.ts";
import type { Mutation } from "./mutation.ts";
import { findSuccessfulCalls, conversationsIn, setValueMutation } from "./conversation-sites.ts";
import type { Sites } from "./conversation-sites.ts";

/** Returns the same instant with an offset of two hours from UTC, on the same date. Unusual forms give a fixed time. */
function twoHoursOff(time: unknown): string {
  const parts = /^([\d-]+T)(\d\d)(:[\d:.]+)(?:Z|[+-]00:00)$/iu.exec(typeof time === "string" ? time : "");
  if (parts === null) {
    return "2026-01-31T12:00:00+02:00";
  }
  const [, day = "", hour = "", rest = ""] = parts;
  const isLater = Number(hour) < 2;
  const shiftedHour = String(Number(hour) + (isLater ? 2 : -2)).padStart(2, "0");
  return `${day}${shiftedHour}${rest}${isLater ? "+" : "-"}02:00`;
}

/** Returns the mutations of a member that must be a time. */
export const timeMutations = (sites: Sites, names: readonly string[], needs: string): readonly Mutation[] =>
  names.flatMap((name) => [
    setValueMutation(
      [`/${name}`, "yesterday"],
      { name: `sends words as \`${name}\``, needs, effect: `sent words as \`${name}\`` },
      sites,
    ),
    siteMutation(
      {
        name: `sends \`${name}\` in another time zone`,
        needs,
        effect: `sent \`${name}\` two hours from UTC`,
        splice: ({ json, pointer, value }) =>
          replaceValue(json, `${pointer}/${name}`, twoHoursOff(member(value, name))),
      },
      sites,
    ),
  ]);

const timeKeys = ["created_at", "updated_at", "createTime", "create_time", "updateTime", "update_time"] as const;

/**
 * Returns the time shifted by five hours in the same form, or undefined if it is not a UTC time with a calendar date.
 */
function fiveHoursOff(time: unknown): string | undefined {
  const [, date = "", hour = "", rest = ""] =
    /^(\d{4}-\d\d-\d\dT)(\d\d)(:.*Z)$/u.exec(typeof time === "string" ? time : "") ?? [];
  // Shifted backwards late in the day, so that the date stays the same.
  const shiftedHour = Number(hour) + (Number(hour) < 19 ? 5 : -5);
  return date === "" ? undefined : `${date}${String(shiftedHour).padStart(2, "0")}${rest}`;
}

/** Sends local times, labelled as UTC, in the whole interface. */
export const localTimesMutation = (interfaceName: ConversationInterface): Mutation => ({
  name: "sends local times as UTC",
  needs: "a creation whose response has a `Date` header",
  isOptional: true,
  *edits(evidence) {
    const effect = "sent times that are five hours off";
    const editedExchanges = findSuccessfulCalls(evidence, { interface: interfaceName }).flatMap((call) => {
      const splices = conversationsIn(call)
        .flatMap((view) => [view, ...view.questions])
        .flatMap(({ json, pointer }) =>
          timeKeys.map((key) => [`${pointer}/${key}`, fiveHoursOff(member(json, key))] as const),
        )
        .flatMap(([pointer, time]) => (time === undefined ? [] : [replaceValue(call.json, pointer, time)]));
      return [...editBody(call.exchange, effect, splices)].flatMap(({ replacements }) => replacements);
    });
    const [first, ...more] = editedExchanges;
    if (first !== undefined) {
      yield { effect, replacements: [first, ...more] };
    }
  },
});
