/** Pieces that are significant to a checker, valid and broken. */
const pieces: readonly Buffer[] = [
  ...[
    "event: matches\n",
    "event: done\n",
    "event:x\n",
    "event: \n",
    "event:  done\n",
    "event: matches",
    "data: {}\n",
    "data: { }\r\n",
    'data: [{"a":"größe 🔎"}]\n',
    "data: [1,[2,3],{}]\n",
    "data: [[]]\n",
    "data: {\n",
    "data:\n",
    'data: "\\ud800"\n',
    'data: {"a":1,"a":2}\n',
    "data: -0.5E+1\n",
    "data: tru\n",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\uFEFF",
    ": note\n",
    "id: 1\n",
    "retry\n",
    "foo: bar\n",
    "event: done\ndata: {}\n\n",
    "event: matches\ndata: [{}]\n\n",
    'event: matches\ndata: [{"x":"',
    '"},2]\n\n',
    "data",
    "e",
    "x".repeat(99),
    `${"y".repeat(110)}:\n`,
    `event: ${"n".repeat(98)}é\n`,
    `event: ${"n".repeat(130)}\n`,
    `data: ["${"ü".repeat(80)}",{}]\n`,
  ].map((text) => Buffer.from(text)),
  ...["\xff", "\xe2\x82", "event: a\xe2\x82b\n", "event: a\xffb\n", 'data: "\xf0\x9f\x98"\n'].map((text) =>
    Buffer.from(text, "latin1"),
  ),
];

export interface StreamMixture {
  readonly bytes: Buffer;
  readonly maxLineBytes: number;
}

/** Streams assembled from these pieces, always the same. Some are truncated, some hit a small limit. */
export function streamMixtures(count: number): readonly StreamMixture[] {
  let state = 1;
  const below = (bound: number): number => {
    // A linear congruential generator modulo 2 ** 32. Its high bits are good enough.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
  return Array.from({ length: count }, () => {
    const parts = Array.from({ length: 1 + below(14) }, () => pieces[below(pieces.length)] ?? Buffer.alloc(0));
    const whole = Buffer.concat(parts);
    const bytes = below(4) === 0 ? whole.subarray(0, below(whole.length + 1)) : whole;
    return { bytes, maxLineBytes: below(10) === 0 ? 8 + below(150) : 1_000_000 };
  });
}
