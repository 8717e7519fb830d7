const plain = new Intl.NumberFormat("en-US");

/** A whole number with commas between thousands, such as `1,204`. */
export const groupedNumber = (value: number): string => plain.format(value);
