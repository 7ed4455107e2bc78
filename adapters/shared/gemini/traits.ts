/** What a model takes, by the vendor's documentation of November 2026. */
export interface ModelTraits {
  /** 2.5 counts thinking in tokens, 3 and later have levels; earlier ones do not think. */
  readonly thinking: "none" | "budget" | "level";
  /** True where thinking can be switched off. */
  readonly canStopThinking: boolean;
  /** True where the lowest level is MINIMAL, not LOW. */
  readonly hasMinimal: boolean;
  /** True where a function call of an earlier turn must carry its signature, and results may hold files. */
  readonly isThird: boolean;
}

const early: ModelTraits = { thinking: "none", canStopThinking: true, hasMinimal: false, isThird: false };

/** The traits of a model by its name; a Gemini without a version is taken for a new one, what is no Gemini for an early one. */
export function traitsOf(model: string): ModelTraits {
  if (!model.toLowerCase().includes("gemini")) return early;
  const found = /gemini-(\d+)(?:\.(\d+))?/.exec(model.toLowerCase());
  const version = found ? Number(found[1]) * 100 + Number(found[2] ?? 0) : 400;
  if (version < 205) return early;
  if (version < 300) {
    return { thinking: "budget", canStopThinking: !model.includes("pro"), hasMinimal: false, isThird: false };
  }
  const hasMinimal = version <= 306 && model.includes("flash"); // 3.7 Flash and its successors answer it with a 400
  return { thinking: "level", canStopThinking: false, hasMinimal, isThird: true };
}
