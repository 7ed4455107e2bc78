import { utf8Length } from "../runtime/utf8.ts";

/** Scripts whose characters cost another number of tokens than their bytes say, by ranges of code points. */
const scripts = {
  greek: [[0x370, 0x3ff]],
  cyrillic: [[0x400, 0x52f]],
  hebrew: [[0x590, 0x5ff]],
  arabic: [[0x600, 0x6ff]],
  devanagari: [[0x900, 0x97f]],
  thai: [[0xe00, 0xe7f]],
  kana: [[0x3040, 0x30ff]],
  han: [
    [0x3400, 0x4dbf],
    [0x4e00, 0x9fff],
  ],
  hangul: [[0xac00, 0xd7af]],
} as const satisfies Record<string, readonly (readonly [from: number, to: number])[]>;

type WritingSystem = keyof typeof scripts;
type Ratios = Readonly<Record<WritingSystem, number>>;

/** Tokens of a character by maker and script, measured (docs/decisions/0078-token-estimates.md). */
const ratios = {
  claude: row([1.109, 0.493, 0.884, 0.9, 1.056, 1.554, 0.793, 0.735, 0.938]),
  gemini: row([0.396, 0.263, 0.501, 0.377, 0.312, 0.363, 0.457, 0.59, 0.54]),
  deepseek: row([0.483, 0.299, 0.511, 0.411, 0.585, 0.4, 0.574, 0.557, 0.628]),
  llama: row([0.393, 0.305, 0.96, 0.41, 0.533, 0.48, 0.592, 0.661, 0.578]),
  qwen: row([0.851, 0.323, 0.43, 0.413, 0.9, 0.555, 0.573, 0.605, 0.623]),
  mistral: row([0.964, 0.411, 0.975, 0.871, 0.994, 0.927, 0.908, 0.899, 1.012]),
  openai: row([0.382, 0.261, 0.431, 0.354, 0.363, 0.419, 0.612, 0.643, 0.549]),
  /** Of cl100k_base, whose vocabulary is one of English, as those of unknown models may be. */
  other: row([0.887, 0.404, 0.962, 0.705, 0.963, 0.848, 0.818, 0.816, 0.816]),
} as const satisfies Record<string, Ratios>;

function row(numbers: readonly number[]): Ratios {
  return Object.fromEntries(Object.keys(scripts).map((script, at) => [script, numbers[at]])) as Record<
    WritingSystem,
    number
  >; // one for each
}

/** Makers by parts of the names of their models. */
const makers: readonly (readonly [name: RegExp, maker: keyof typeof ratios])[] = [
  [/claude/i, "claude"],
  [/gemini|gemma/i, "gemini"],
  [/deepseek/i, "deepseek"],
  [/llama/i, "llama"],
  [/qwen|qwq/i, "qwen"],
  [/mi[sx]tral|ministral|codestral|magistral|devstral/i, "mistral"],
  [/gpt-(?:4o|4\.1|[5-9]|oss)|(?:^|\/)o\d/i, "openai"],
];

/** Bytes of a token on average, in Latin letters, digits and signs. */
const bytesPerToken = 4;

/** The first code point of a script above. */
const firstOfScripts = 0x370;

/**
 * Tokens of a text for a model without a tokenizer: an estimate by script. Never more than the bytes of the text, which bound what a
 * reservation takes it for.
 */
export function estimateTokens(text: string, model: string): number {
  const bytes = utf8Length(text);
  if (bytes === text.length) return Math.ceil(bytes / bytesPerToken);
  const own = ratios[makers.find(([name]) => name.test(model))?.[1] ?? "other"];
  let counted = 0;
  let tokens = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at); // the scripts lie below the surrogates
    const script = code < firstOfScripts ? undefined : scriptOf(code);
    if (script === undefined) continue;
    counted += code < 0x800 ? 2 : 3;
    tokens += own[script];
  }
  return Math.ceil(tokens + (bytes - counted) / bytesPerToken);
}

function scriptOf(code: number): WritingSystem | undefined {
  for (const script of names) for (const [from, to] of scripts[script]) if (code >= from && code <= to) return script;
  return undefined;
}

const names = Object.keys(scripts) as WritingSystem[];
