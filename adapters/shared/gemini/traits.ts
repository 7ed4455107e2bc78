/** What a model takes, by the vendor's documentation of November 2026. */
export interface GeminiTraits {
  /** 2.5 counts thinking in tokens, 3 and later have levels; earlier ones do not think. */
  readonly thinking: "none" | "budget" | "level";
  /** True where thinking can be switched off. */
  readonly canStopThinking: boolean;
  /** True where the lowest level is MINIMAL, not LOW. */
  readonly hasMinimal: boolean;
  /** True where a function call of an earlier turn must carry its signature, and results may hold files. */
  readonly isThird: boolean;
  /** True where a whole answer may have several candidates, which no streamed one has; 3 and later refuse to give more than one. */
  readonly givesSeveral: boolean;
}

const early: GeminiTraits = {
  thinking: "none",
  canStopThinking: true,
  hasMinimal: false,
  isThird: false,
  givesSeveral: false,
};

/** The traits of a model by its name; a Gemini without a version is taken for a new one, what is no Gemini for an early one. */
export function traitsOf(model: string): GeminiTraits {
  const name = model.toLowerCase();
  if (!name.includes("gemini")) return early;
  const found = /gemini-(\d+)(?:\.(\d+))?/.exec(name);
  const version = found ? Number(found[1]) * 100 + Number(found[2] ?? 0) : 400;
  const givesSeveral = version >= 200 && version < 300 && !name.includes("image");
  if (version < 205) return { ...early, givesSeveral };
  if (version < 300) return { ...early, thinking: "budget", canStopThinking: !model.includes("pro"), givesSeveral };
  const hasMinimal = version <= 306 && model.includes("flash"); // 3.7 Flash and its successors answer it with a 400
  return { ...early, thinking: "level", canStopThinking: false, hasMinimal, isThird: true };
}
