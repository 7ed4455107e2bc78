import type { ParameterPlaces } from "../chat/parameter-places.ts";
import { rulesCheck } from "../chat/rules-option.ts";

/** The Messages API: docs.anthropic.com, "Messages", read in November 2026. */
export const anthropicPlaces: ParameterPlaces = {
  needed: new Set([
    ..."model max_tokens system messages tools tool_choice stream anthropic_version".split(" "),
    "output_config.format",
  ]),
  holders: ["output_config"],
  units: ["thinking", "metadata"],
};

/** Checks the option `modelRules`. */
export const anthropicRules = rulesCheck(anthropicPlaces);
