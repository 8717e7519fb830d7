import { isPayloadArray, isPayloadObject } from "../../payload.ts";
import type { Dice } from "../dice.ts";

const timeNames = new Set([
  "created_at",
  "updated_at",
  "reset_time",
  "create_time",
  "update_time",
  "retry_time",
  "createTime",
  "updateTime",
  "retryTime",
]);

const utcTime = /^(?<seconds>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(?<fraction>\d+))?Z$/u;

/** The same instant in UTC, written in another way: with more digits of a second, or with an offset of nothing. */
const otherTime = (time: string, dice: Dice): string => {
  const groups = utcTime.exec(time)?.groups;
  if (groups === undefined) {
    return time;
  }
  const { fraction = "", seconds = "" } = groups;
  const digits = `${fraction}${"0".repeat(dice.pick([0, 0, 1, 3, 6]))}`;
  return `${seconds}${digits === "" ? "" : `.${digits}`}${dice.pick(["Z", "Z", "+00:00"])}`;
};

/** A part of an answer whose times may be written in another way; they tell the same instants. */
export const varyTimes = (value: unknown, dice: Dice, probability: number): unknown => {
  if (isPayloadArray(value)) {
    return value.map((element) => varyTimes(element, dice, probability));
  }
  if (!isPayloadObject(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      timeNames.has(name) && typeof member === "string" && dice.chance(probability)
        ? otherTime(member, dice)
        : varyTimes(member, dice, probability),
    ]),
  );
};
