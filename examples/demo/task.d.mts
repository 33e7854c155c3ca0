/** What the demonstration asks for. */
export declare const PROMPT: string;
/** The repository before the loop, by file name. */
export declare const FILES: Readonly<Record<string, string>>;
/** Lines of `cart.js` and what they are to become. */
export declare const REPAIRS: readonly { readonly before: string; readonly after: string }[];
