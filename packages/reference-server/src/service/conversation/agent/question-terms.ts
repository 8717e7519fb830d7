/** A search term taken from a question. */
export interface QuestionTerm {
  readonly text: string;
  /** `quoted` and `identifier` are more specific than `word`. */
  readonly kind: "quoted" | "identifier" | "word";
}

const maxTerms = 4;
const maxTermCharacters = 100;
const maxReadCharacters = 20_000;

/** Marker that a test harness adds to its questions to recognise them. */
const markerPattern = /\[assay\s[^[\]]*\]/gu;

const quotedText = /`([^`\n]+)`|"([^"\n]+)"|“([^“”\n]+)”|‘([^‘’\n]+)’|(?<=^|[\s(])'([^'\n]+)'(?=$|[\s).,;:?!])/gu;

/** Words, including `http2.createServer`, `MAX_SIZE` and `src/index.ts`. */
const wordPattern = /[\p{L}\p{N}_$][\p{L}\p{N}_$./-]*[\p{L}\p{N}_$]|[\p{L}\p{N}]/gu;

/** Matches words that are unusual in prose: with a capital inside, an underscore, a dollar sign, a dot, a slash or a digit. */
const identifierPattern = /\p{Ll}\p{Lu}|[_$./]|\p{L}\p{N}/u;

const stopWords = new Set(
  `a about after all also an and any are as at be because been before being between both but by called can code come could
  defined describe did different do does doing done each every explain file files find finds first for from function
  functions get gets give gives given had has have having he her here him his how i if implement implemented implementation in
  into is it its just know like list look made make makes many may me mean means more most much must my name named no not now
  of off on once one only or other our out over place places please project repo repository same see should show since so
  some such take tell than that the their them then there these they thing things this those through to too two under up us
  use used uses using very want was way we were what when where whether which while who whose why will with without work
  works would you your`
    .split(/\s+/u)
    .filter((word) => word !== ""),
);

/** Matches characters that are not allowed in command lines, titles and links: control characters and lone surrogates. */
const unprintablePattern = /[\p{Cc}\p{Surrogate}]+/gu;

/** Returns the question on one line, without the marker of a test harness. */
export const plainQuestion = (question: string): string =>
  question.replace(markerPattern, " ").replace(unprintablePattern, " ").replace(/\s+/gu, " ").trim();

const isUseful = ({ kind, text }: QuestionTerm): boolean =>
  text.length <= maxTermCharacters && (kind === "quoted" || (text.length > 2 && !stopWords.has(text.toLowerCase())));

const createWordTerm = (text: string): QuestionTerm => ({
  kind: identifierPattern.test(text) ? "identifier" : "word",
  text,
});

const kindRanks = { quoted: 0, identifier: 1, word: 2 } as const;

/**
 * Returns at most 4 search terms, distinct if case is ignored: first quoted text, then identifiers, then other words except stop words.
 * Depends only on the question, without its marker `[assay run=…]`.
 */
export const extractTerms = (question: string): readonly QuestionTerm[] => {
  const text = plainQuestion(question).slice(0, maxReadCharacters);
  const quotedTerms = [...text.matchAll(quotedText)].map((match): QuestionTerm => ({
    kind: "quoted",
    text:
      match
        .slice(1)
        .find((part) => part !== undefined)
        ?.trim() ?? "",
  }));
  const wordTerms = [...text.replace(quotedText, " ").matchAll(wordPattern)].map(([word]) =>
    createWordTerm(word.replace(/[./-]+$/u, "")),
  );
  const terms = [...quotedTerms, ...wordTerms]
    .filter((term) => term.text !== "" && isUseful(term))
    .toSorted((a, b) => kindRanks[a.kind] - kindRanks[b.kind]);
  const firstTermByText = new Map(terms.toReversed().map((term) => [term.text.toLowerCase(), term]));
  return terms.filter((term) => firstTermByText.get(term.text.toLowerCase()) === term).slice(0, maxTerms);
};

/** Reports whether the question asks for all occurrences instead of the best ones. */
export const requestsAllOccurrences = (question: string): boolean =>
  /\b(?:every|all (?:the )?(?:places|uses|usages|lines|matches|occurrences|files))\b/iu.test(plainQuestion(question));
