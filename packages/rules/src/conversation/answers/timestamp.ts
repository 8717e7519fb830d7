const dateTime =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}(?::\d{2})?)(?:(?<=:\d{2}:\d{2})[.,]\d+)?([Zz]|[+-]\d{2}(?::?\d{2})?)$/;

const daysInMonth = (year: number, month: number): number => {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
};

function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** A leap second is written as 60. */
function isTimeOfDay(text: string): boolean {
  const [hour = 0, minute = 0, second = 0] = text.split(":").map(Number);
  return hour <= 23 && minute <= 59 && second <= 60;
}

/** The offset from UTC that an ISO 8601 date and time is written with, such as `Z`; nothing for any other text. */
function offsetOf(text: string): string | undefined {
  const [, date = "", time = "", offset] = dateTime.exec(text) ?? [];
  return isDate(date) && isTimeOfDay(time) ? offset : undefined;
}

/** Whether a text is a date and a time in ISO 8601 with any offset; fraction digits are free. */
export const isTimestamp = (text: string): boolean => offsetOf(text) !== undefined;

/** Whether a text is a date and a time in ISO 8601 whose offset says UTC. */
export const isUtcTimestamp = (text: string): boolean => /^(?:[Zz]|[+-]00(?::?00)?)$/.test(offsetOf(text) ?? "");
