import type { ParameterPlaces } from "../chat/parameter-places.ts";
import { rulesCheck } from "../chat/rules-option.ts";

/** `generateContent`: ai.google.dev, "GenerationConfig", read in November 2026; Vertex AI has the same fields. */
export const geminiPlaces: ParameterPlaces = {
  needed: new Set([
    ..."contents systemInstruction tools toolConfig".split(" "),
    ..."maxOutputTokens candidateCount responseMimeType responseJsonSchema responseModalities"
      .split(" ")
      .map((name) => `generationConfig.${name}`),
  ]),
  holders: ["generationConfig", "generationConfig.thinkingConfig"],
  units: [],
};

/** Checks the option `modelRules`. */
export const geminiRules = rulesCheck(geminiPlaces);
