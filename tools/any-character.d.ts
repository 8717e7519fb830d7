import type { Arbitrary } from "fast-check";

export declare const anyCharacter: Arbitrary<string>;
