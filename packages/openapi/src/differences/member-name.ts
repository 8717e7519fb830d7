/** The name by which two spellings of a member are the same one: `retryTime` and `retry_time`. */
export const memberKey = (name: string): string =>
  name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
