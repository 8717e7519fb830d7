export declare const generateFormCheck: () => string;
export declare const generateFormModule: () => string;
