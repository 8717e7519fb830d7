const form = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,12}))?(?:[Zz]|([+-])(\d\d):?(\d\d))$/;

/** How the basic form begins, without hyphens and colons. */
const basic = /^(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(\d\d)/;

/** Days from 1970 to a date, counted in years that begin in March. */
function daysTo(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 719_469;
}

/** Microseconds since 1970 of a date and time in ISO 8601 with any offset, finer digits cut off; nothing for any other text. */
export function microsOf(text: string): number | undefined {
  const match = text.length > 48 ? null : form.exec(text.replace(basic, "$1-$2-$3T$4:$5:$6"));
  if (match === null) {
    return undefined;
  }
  const part = (index: number): number => Number(match[index] ?? 0);
  const offsetMinutes = (match[8] === "-" ? -1 : 1) * (part(9) * 60 + part(10));
  const minutes = (daysTo(part(1), part(2), part(3)) * 24 + part(4)) * 60 + part(5) - offsetMinutes;
  return (minutes * 60 + part(6)) * 1_000_000 + Number((match[7] ?? "").slice(0, 6).padEnd(6, "0"));
}
