export declare const quietChromium: readonly string[];
