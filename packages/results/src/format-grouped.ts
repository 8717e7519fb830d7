/**
 * Formats a number without decimals, with commas between thousands, such as `1,204`. Without `Intl`, because creating its first formatter
 * takes longer than most commands.
 */
export const formatGrouped = (value: number): string => value.toFixed(0).replace(/\B(?=(?:\d{3})+$)/gu, ",");
