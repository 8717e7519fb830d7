import { member } from "@assay/reading";
import { valueReplaced } from "@assay/evidence";
import type { ConversationInterface } from "../conversation/engine/conversation-operation.ts";
import { bodyEdit, siteMutation } from "./mutation.ts";
import type { Mutation } from "./mutation.ts";
import { callsOf, conversationsIn, setting } from "./conversation-sites.ts";
import type { Sites } from "./conversation-sites.ts";

/** The same instant as a clock two hours from UTC shows it, on the side where it is the same day; another one where the form is unusual. */
function twoHoursOff(time: unknown): string {
  const parts = /^([\d-]+T)(\d\d)(:[\d:.]+)(?:Z|[+-]00:00)$/iu.exec(typeof time === "string" ? time : "");
  if (parts === null) {
    return "2026-01-31T12:00:00+02:00";
  }
  const [, day = "", hour = "", rest = ""] = parts;
  const isLater = Number(hour) < 2;
  const shown = String(Number(hour) + (isLater ? 2 : -2)).padStart(2, "0");
  return `${day}${shown}${rest}${isLater ? "+" : "-"}02:00`;
}

/** Mutations of a member that has to be a time. */
export const timeMutations = (sites: Sites, names: readonly string[], needs: string): readonly Mutation[] =>
  names.flatMap((name) => [
    setting(
      [`/${name}`, "yesterday"],
      { name: `sends words for \`${name}\``, needs, what: `sent words for \`${name}\`` },
      sites,
    ),
    siteMutation(
      {
        name: `sends \`${name}\` of another time zone`,
        needs,
        what: `sent \`${name}\` two hours from UTC`,
        splice: ({ json, pointer, value }) =>
          valueReplaced(json, `${pointer}/${name}`, twoHoursOff(member(value, name))),
      },
      sites,
    ),
  ]);

const timeKeys = ["created_at", "updated_at", "createTime", "create_time", "updateTime", "update_time"] as const;

/** The time five hours later, written in the same form; nothing for what is no time in UTC with a date of the calendar. */
function fiveHoursLater(time: unknown): string | undefined {
  const [, date = "", hour = "", rest = ""] =
    /^(\d{4}-\d\d-\d\dT)(\d\d)(:.*Z)$/u.exec(typeof time === "string" ? time : "") ?? [];
  // Within one day: at night it is five hours earlier.
  const shown = Number(hour) + (Number(hour) < 19 ? 5 : -5);
  return date === "" ? undefined : `${date}${String(shown).padStart(2, "0")}${rest}`;
}

/** Times of conversations and questions are local ones, in all answers of an interface. */
export const shiftedTimes = (name: ConversationInterface): Mutation => ({
  name: "sends the times of another zone as UTC",
  needs: "an answer with the header `Date` that creates a conversation",
  isOptional: true,
  *edits(evidence) {
    const what = "sent times that are five hours from UTC";
    const edited = callsOf(evidence, { interface: name }).flatMap((call) => {
      const splices = conversationsIn(call)
        .flatMap((view) => [view, ...view.questions])
        .flatMap(({ json, pointer }) =>
          timeKeys.map((key) => [`${pointer}/${key}`, fiveHoursLater(member(json, key))] as const),
        )
        .flatMap(([pointer, time]) => (time === undefined ? [] : [valueReplaced(call.json, pointer, time)]));
      return [...bodyEdit(call.exchange, what, splices)].flatMap(({ instead }) => instead);
    });
    const [first, ...more] = edited;
    if (first !== undefined) {
      yield { what, instead: [first, ...more] };
    }
  },
});
