import { type Seen, seals, type Turn, type VendorInterface } from "./script.ts";

interface Part {
  readonly functionCall?: { readonly id?: string; readonly name: string };
  readonly functionResponse?: { readonly id?: string; readonly response: unknown };
  readonly thoughtSignature?: string;
}

interface ContentsBody {
  readonly contents?: readonly { readonly parts?: readonly Part[] }[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
}

const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 };
const about = { responseId: "response-1", modelVersion: "gemini" };

function partsOf(turn: Turn): readonly object[] {
  if (turn.kind === "text") return [{ text: turn.text }];
  const { id, tool: name, arguments: args } = turn;
  return [{ text: "I look. " }, { functionCall: { id, name, args }, thoughtSignature: seals.gemini }];
}

/** What the vendor documents for calls that another model made. */
const foreign = "skip_thought_signature_validator";

/** What the vendor refuses: signatures of others, and calls of a turn of which none is signed. */
function refusalOf({ contents = [] }: ContentsBody): string | undefined {
  for (const [at, { parts = [] }] of contents.entries()) {
    const signatures = parts.flatMap(({ thoughtSignature }) => thoughtSignature ?? []);
    if (signatures.some((each) => each !== seals.gemini && each !== foreign)) return `Corrupted thought signature.`;
    const [call] = parts.filter(({ functionCall }) => functionCall !== undefined);
    if (call && !call.thoughtSignature) return `Function call is missing a thought_signature in content block ${at}.`;
  }
  return undefined;
}

function toContent(parts: readonly object[]): object {
  return { role: "model", parts };
}

/** Google's Gemini API. */
export const geminiInterface: VendorInterface = {
  vendor: "gemini",
  refusalOf,
  path: /:(?:streamG|g)enerateContent$/,
  isStream: (_body, path) => path.endsWith(":streamGenerateContent"),
  read(body) {
    const { contents = [], tools = [] } = body as ContentsBody;
    const parts = contents.flatMap(({ parts: said = [] }) => said);
    const declared = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
    return {
      tools: declared.map(({ name }) => name),
      calls: parts.flatMap(({ functionCall: call }): Seen[] => (call ? [{ id: call.id, text: call.name }] : [])),
      results: parts.flatMap(({ functionResponse: said }): Seen[] => {
        return said ? [{ id: said.id, text: JSON.stringify(said.response) }] : [];
      }),
      seals: parts.flatMap(({ thoughtSignature }) => thoughtSignature ?? []),
    };
  },
  stream(turn) {
    const parts = partsOf(turn);
    return parts.map((part, at) => {
      const isLast = at === parts.length - 1;
      const candidate = { index: 0, content: toContent([part]), ...(isLast ? { finishReason: "STOP" } : {}) };
      return { ...about, candidates: [candidate], usageMetadata };
    });
  },
  whole: (turn) => ({
    ...about,
    candidates: [{ index: 0, content: toContent(partsOf(turn)), finishReason: "STOP" }],
    usageMetadata,
  }),
  end: "",
};
