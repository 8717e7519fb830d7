/** What is missing where a token is turned away and no success shows that it is a good one. */
export const provenTokenMissing = "a token that the target accepts";
