import type { screenTexts } from "./en.ts";

/** A language's words of the console's own screens: all of them. */
export type ScreenTexts = Readonly<Record<keyof typeof screenTexts, string>>;
