/** The most tokens that one image can become, by model; the vendors' rules as of November 2026. */
const imageBounds: readonly (readonly [model: RegExp, tokens: number])[] = [
  // 2,833 + 5,667 for each of at most 8 tiles of 512 pixels.
  [/^gpt-4o-mini/, 48_169],
  // 85 + 170 for each of at most 8 tiles; older and newer tile models count fewer.
  [/^(?:gpt-4o|gpt-4\.1$|gpt-4\.1-2|gpt-4-|gpt-4\.5|gpt-5$|gpt-5-2|o1|o3)/, 1_445],
  // Scaled down to at most 4,784 (2,576 pixels on the long side), before that 1,600.
  [/claude/, 4_784],
  // 1,120 for a whole image, 2,240 at the highest resolution; before, 258 a tile of 768 pixels.
  [/^gemini-[3-9]/, 2_240],
  [/^(?:gemini|gemma)/, 10_320],
];

/** Of models that count patches of 32 pixels and of all others: 15,000 patches at most, at up to 2.46 tokens each. */
const anyImage = 36_900;

/** An upper bound of the tokens that one image of any size costs. */
export function boundImage(model: string): number {
  return imageBounds.find(([names]) => names.test(model))?.[1] ?? anyImage;
}

/** Tokens a second of sound: Gemini counts 32, OpenAI 10. */
const audioTokensPerSecond = 32;
/** Bytes a second of the thinnest speech encodings. */
const thinnestAudio = 500;

/** An upper bound of the tokens of sound sent as base64. */
export function boundAudio(base64: string): number {
  const bytes = Math.ceil((base64.length * 3) / 4);
  return Math.ceil(bytes / thinnestAudio) * audioTokensPerSecond;
}
