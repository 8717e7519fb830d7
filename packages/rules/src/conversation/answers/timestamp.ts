const calendarDate = /^(\d{4})-(\d\d)-(\d\d)$|^(\d{4})(\d\d)(\d\d)$/;
const ordinalDate = /^\d{4}-?(\d{3})$/;
const weekDate = /^\d{4}-?W(\d\d)-?([1-7])$/;
const timeOfDay = /^(\d\d)(?::?(\d\d)(?::?(\d\d))?)?(?:[.,]\d+)?$/;
const dateTime = /^([\dW-]{7,10})[Tt]([\d:.,]{2,40})([Zz]|[+-]\d{2}(?::?\d{2})?)$/;

const daysInMonth = (year: number, month: number): number => {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
};

const isFromOneTo = (value: number, max: number): boolean => value >= 1 && value <= max;

/**
 * Reports whether the text is an ISO 8601 date, with or without hyphens: a calendar date, a day of the year, or a week
 * date.
 */
function isDate(text: string): boolean {
  const numbers = calendarDate.exec(text)?.slice(1).filter(Boolean).map(Number);
  if (numbers !== undefined) {
    const [year = 0, month = 0, day = 0] = numbers;
    return isFromOneTo(month, 12) && isFromOneTo(day, daysInMonth(year, month));
  }
  const dayOfYear = Number(ordinalDate.exec(text)?.[1] ?? 0);
  const week = Number(weekDate.exec(text)?.[1] ?? 0);
  return isFromOneTo(dayOfYear, 366) || isFromOneTo(week, 53);
}

/**
 * Reports whether the text is a time of day, with or without colons. Second 60 is a leap second, hour 24 the end of a
 * day.
 */
function isTimeOfDay(text: string): boolean {
  const parts = timeOfDay.exec(text);
  // Either all parts are separated by colons or none.
  if (parts === null || (text.includes(":") && /\d{3}/.test(text.replace(/[.,].*$/, "")))) {
    return false;
  }
  const [hour = 0, minute = 0, second = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return hour <= (minute === 0 && second === 0 ? 24 : 23) && minute <= 59 && second <= 60;
}

/** Returns the UTC offset of an ISO 8601 date and time, such as `Z`. It returns undefined for any other text. */
function utcOffset(text: string): string | undefined {
  const [, date = "", time = "", offset] = dateTime.exec(text) ?? [];
  return isDate(date) && isTimeOfDay(time) ? offset : undefined;
}

/**
 * Reports whether the text is an ISO 8601 date and time, extended or basic, with any offset and any number of fraction
 * digits.
 */
export const isTimestamp = (text: string): boolean => utcOffset(text) !== undefined;

/** Reports whether the text is an ISO 8601 date and time in UTC. */
export const isUtcTimestamp = (text: string): boolean => /^(?:[Zz]|[+-]00(?::?00)?)$/.test(utcOffset(text) ?? "");

/** Start of the year 2000 in Unix seconds. The service did not exist before. */
const year2000Seconds = 946_684_800;

/**
 * Reports whether Unix seconds are between 1970 and 2000, which means a duration instead of a time. 0 and negative
 * values mean no time.
 */
export const isDurationInSeconds = (seconds: number): boolean => seconds > 0 && isBeforeYear2000(seconds);

/** Reports whether Unix seconds are before 2000. */
export const isBeforeYear2000 = (seconds: number): boolean => seconds < year2000Seconds;
