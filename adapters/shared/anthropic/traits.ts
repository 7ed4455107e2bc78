/** Effort levels of `output_config.effort`, lowest first. */
export type WireEffort = "low" | "medium" | "high" | "xhigh" | "max";

/**
 * What a model takes, by the vendor's documentation of November 2026 ("Troubleshooting thinking", "Effort", the migration guides):
 * the same field is required by one model and a 400 on the next.
 */
export interface ClaudeTraits {
  /** `budget`: a fixed number of tokens. `adaptive`: the model decides. `either`: both forms are taken. */
  readonly thinking: "none" | "budget" | "either" | "adaptive";
  /** How thinking is switched off: by leaving it out, by a setting, or not at all. */
  readonly off: "omit" | "disabled" | "between_tools" | "never";
  readonly efforts: readonly WireEffort[];
  /** Temperature and top_p: `free`, only `one` of the two, or `none` (4.7 and later take the defaults only). */
  readonly sampling: "free" | "one" | "none";
  /** False where a `tool_choice` that forces a call is refused. */
  readonly canForceTools: boolean;
  /** True where `messages` may hold turns of the role `system`. */
  readonly hasSystemTurns: boolean;
  readonly hasStructuredOutputs: boolean;
  /** Largest `max_tokens`. */
  readonly maxOutput: number;
}

const upToHigh = ["low", "medium", "high"] as const;
const allEfforts = [...upToHigh, "xhigh", "max"] as const;

/** What an unknown Claude is taken for: the strictest of the known, since each generation took less than the one before. */
const newest: ClaudeTraits = {
  thinking: "adaptive",
  off: "never",
  efforts: allEfforts,
  sampling: "none",
  canForceTools: false,
  hasSystemTurns: true,
  hasStructuredOutputs: true,
  maxOutput: 128_000,
};

/** What others who speak this interface implement: its first form, with all of its fields. */
const foreign: ClaudeTraits = {
  thinking: "budget",
  off: "omit",
  efforts: [],
  sampling: "free",
  canForceTools: true,
  hasSystemTurns: false,
  hasStructuredOutputs: true,
  maxOutput: 8_192,
};

/** The traits of a model by its name; prefixes and suffixes of clouds (`us.anthropic.claude-…-v1:0`) do not matter. */
export function traitsOf(model: string): ClaudeTraits {
  const name = model.toLowerCase();
  if (!name.includes("claude")) return foreign;
  if (name.includes("mythos-preview")) {
    return { ...newest, thinking: "either", efforts: [...upToHigh, "max"], canForceTools: true, hasSystemTurns: false };
  }
  const release = releaseOf(name);
  if (release === undefined) return newest;
  return release.version < 406 ? budgetTraits(release) : adaptiveTraits(release);
}

interface Release {
  readonly line: string;
  /** Major × 100 + minor: 4.8 is 408. */
  readonly version: number;
}

/** `claude-opus-4-8`, `claude-sonnet-4-20250514`, `claude-3-5-haiku-latest`, `claude-opus-4.7`. */
function releaseOf(name: string): Release | undefined {
  const lineFirst = /claude-([a-z]+)-(\d+)(?:[.-](\d{1,2})(?!\d))?/.exec(name);
  if (lineFirst) return { line: lineFirst[1] ?? "", version: versionOf(lineFirst[2], lineFirst[3]) };
  const versionFirst = /claude-(\d+)(?:[.-](\d{1,2})(?!\d))?-([a-z]+)/.exec(name);
  if (versionFirst) return { line: versionFirst[3] ?? "", version: versionOf(versionFirst[1], versionFirst[2]) };
  return undefined;
}

function versionOf(major: string | undefined, minor: string | undefined): number {
  return Number(major) * 100 + Number(minor ?? 0);
}

function budgetTraits({ line, version }: Release): ClaudeTraits {
  return {
    ...foreign,
    thinking: version >= 307 ? "budget" : "none",
    sampling: version >= 401 ? "one" : "free",
    hasStructuredOutputs: version >= 405 || (line === "opus" && version >= 401),
    maxOutput: budgetOutput({ line, version }),
  };
}

function budgetOutput({ line, version }: Release): number {
  if (version < 305) return 4_096;
  if (version < 307) return 8_192;
  return line === "opus" && version < 405 ? 32_000 : 64_000;
}

function adaptiveTraits({ line, version }: Release): ClaudeTraits {
  const isFirst = version < 407;
  return {
    thinking: isFirst ? "either" : "adaptive",
    off: offOf({ line, version }),
    efforts: isFirst ? [...upToHigh, "max"] : allEfforts,
    sampling: isFirst ? "one" : "none",
    canForceTools: forcesTools({ line, version }),
    hasSystemTurns: version >= 505 || (line === "opus" && version >= 408) || isAlwaysThinking(line),
    hasStructuredOutputs: true,
    maxOutput: 128_000,
  };
}

function isAlwaysThinking(line: string): boolean {
  return line === "fable" || line === "mythos";
}

function offOf({ line, version }: Release): ClaudeTraits["off"] {
  if (isAlwaysThinking(line)) return "never";
  if (version < 500) return "omit";
  if (line === "haiku") return "disabled";
  if (line === "sonnet") return version < 505 ? "disabled" : "between_tools";
  return line === "opus" && version < 505 ? "disabled" : "never";
}

function forcesTools({ line, version }: Release): boolean {
  if (isAlwaysThinking(line)) return version < 501;
  return line === "haiku" || version < 505;
}
