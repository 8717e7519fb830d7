const calendarDate = /^(\d{4})-(\d\d)-(\d\d)$|^(\d{4})(\d\d)(\d\d)$/;
const ordinalDate = /^\d{4}-?(\d{3})$/;
const weekDate = /^\d{4}-?W(\d\d)-?([1-7])$/;
const timeOfDay = /^(\d\d)(?::?(\d\d)(?::?(\d\d))?)?(?:[.,]\d+)?$/;
const dateTime = /^([\dW-]{7,10})[Tt]([\d:.,]{2,40})([Zz]|[+-]\d{2}(?::?\d{2})?)$/;

const daysInMonth = (year: number, month: number): number => {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
};

const isWithin = (value: number, last: number): boolean => value >= 1 && value <= last;

/** A date of ISO 8601, with hyphens or without: of the calendar, of a day of the year, or of a day of a week. */
function isDate(text: string): boolean {
  const numbers = calendarDate.exec(text)?.slice(1).filter(Boolean).map(Number);
  if (numbers !== undefined) {
    const [year = 0, month = 0, day = 0] = numbers;
    return isWithin(month, 12) && isWithin(day, daysInMonth(year, month));
  }
  const dayOfYear = Number(ordinalDate.exec(text)?.[1] ?? 0);
  const week = Number(weekDate.exec(text)?.[1] ?? 0);
  return isWithin(dayOfYear, 366) || isWithin(week, 53);
}

/** A time of day with colons or without. A leap second is written as 60, the end of a day as 24. */
function isTimeOfDay(text: string): boolean {
  const parts = timeOfDay.exec(text);
  // Colons stand everywhere or nowhere.
  if (parts === null || (text.includes(":") && /\d{3}/.test(text.replace(/[.,].*$/, "")))) {
    return false;
  }
  const [hour = 0, minute = 0, second = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return hour <= (minute === 0 && second === 0 ? 24 : 23) && minute <= 59 && second <= 60;
}

/** The offset from UTC that an ISO 8601 date and time is written with, such as `Z`; nothing for any other text. */
function offsetOf(text: string): string | undefined {
  const [, date = "", time = "", offset] = dateTime.exec(text) ?? [];
  return isDate(date) && isTimeOfDay(time) ? offset : undefined;
}

/** Whether a text is a date and a time in ISO 8601, extended or basic, with any offset; fraction digits are free. */
export const isTimestamp = (text: string): boolean => offsetOf(text) !== undefined;

/** Whether a text is a date and a time in ISO 8601 whose offset says UTC. */
export const isUtcTimestamp = (text: string): boolean => /^(?:[Zz]|[+-]00(?::?00)?)$/.test(offsetOf(text) ?? "");

/** The beginning of the year 2000 in Unix seconds. No time of the service lies before it. */
const serviceSeconds = 946_684_800;

/** Whether Unix seconds are between 1970 and 2000: a duration that was taken for a time. 0 and less stand for no time at all. */
export const isBeforeService = (seconds: number): boolean => seconds > 0 && isBeforeAnyService(seconds);

/** Whether Unix seconds are before 2000. */
export const isBeforeAnyService = (seconds: number): boolean => seconds < serviceSeconds;
