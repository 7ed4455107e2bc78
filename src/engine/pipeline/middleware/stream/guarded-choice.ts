import type { ChunkChoice } from "../../../api/chat.ts";
import type { Delta, ReasoningDetail, ToolCall, ToolCallDelta } from "../../../api/message.ts";
import type { TextKind } from "../../../ports/middleware/middleware.ts";
import { type NoteLoss, passCalls } from "../chat-texts.ts";
import { passDeep } from "../texts.ts";
import { type GuardedText, type GuardStage, guardText, type HeldAmount, mostHeld, passThrough } from "./held-text.ts";

/** What all choices of a stream share. */
export interface GuardedStream {
  readonly stages: readonly GuardStage[];
  readonly held: HeldAmount;
  readonly lost: NoteLoss;
}

type SpokenKind = Extract<TextKind, "content" | "reasoning" | "refusal">;

/** One choice of a stream in front of the guards. */
export interface GuardedChoice {
  /** Takes what a chunk says of the choice; resolves with the deltas that may leave, in order. */
  read(choice: ChunkChoice): Promise<Delta[]>;
  /** Resolves with what is left at the end. */
  end(): Promise<Delta[]>;
}

/** Members of a delta that are read one by one; all others hold pieces of unknown texts and are left out. */
const known: ReadonlySet<string> = new Set([
  ...["role", "content", "refusal", "reasoning", "reasoning_details", "annotations", "tool_calls", "reasoning_content"],
]);

/**
 * Texts leave as far as their guards let them, in the order in which they came; calls of tools leave whole, at the end of the choice, since
 * only whole arguments can be read.
 */
export function guardChoice(stream: GuardedStream, choice: number): GuardedChoice {
  return new HeldChoice(stream, choice);
}

class HeldChoice implements GuardedChoice {
  readonly #stream: GuardedStream;
  readonly #choice: number;
  readonly #texts = new Map<SpokenKind, GuardedText>();
  readonly #calls = new Map<number, ToolCall>();
  #last: SpokenKind | undefined;
  /** What goes with the pieces of the thought that is spoken. */
  #thought: ReasoningDetail | undefined;

  constructor(stream: GuardedStream, choice: number) {
    this.#stream = stream;
    this.#choice = choice;
  }

  async read({ delta, finish_reason, log_probs }: ChunkChoice): Promise<Delta[]> {
    const { role, content, refusal, annotations, tool_calls: calls } = delta;
    const { lost } = this.#stream;
    if (log_probs) lost("log_probs");
    for (const name of Object.keys(delta)) if (!known.has(name)) lost(name);
    const out: Delta[] = role === undefined ? [] : [{ role }];
    out.push(...(await this.#readThought(delta)));
    if (content) out.push(...(await this.#speak("content", content)));
    if (refusal) out.push(...(await this.#speak("refusal", refusal)));
    if (calls?.length) {
      out.push(...(await this.#turnTo(undefined)));
      for (const call of calls) this.#addCall(call);
    }
    if (annotations?.length) out.push({ annotations: await this.#passWhole(annotations) });
    if (finish_reason !== null) out.push(...(await this.end()));
    return out;
  }

  async end(): Promise<Delta[]> {
    const out: Delta[] = [];
    for (const [kind, text] of this.#texts) out.push(...this.#written(kind, await text.flush(true)));
    const calls = [...this.#calls.entries()].sort(([a], [b]) => a - b);
    this.#calls.clear();
    for (const [index, call] of calls) {
      const [passed] = await passCalls([call], passThrough(this.#stream.stages), this.#choice);
      out.push({ tool_calls: [{ ...passed, index } as ToolCallDelta] });
    }
    return out;
  }

  #passWhole<Value>(value: Value): Promise<Value> {
    return passDeep(value, passThrough(this.#stream.stages), { kind: "other", choice: this.#choice });
  }

  async #readThought({ reasoning, reasoning_details: details = [] }: Delta): Promise<Delta[]> {
    const out: Delta[] = [];
    const isInDetails = details.some(({ text, summary }) => text || summary);
    if (reasoning && !isInDetails) out.push(...(await this.#speak("reasoning", reasoning)));
    for (const { data, signature, ...detail } of details) {
      const text = detail.text || detail.summary;
      if (text) {
        if (!isSameThought(this.#thought, detail)) out.push(...(await this.#turnTo(undefined)));
        this.#thought = detail;
        out.push(...(await this.#speak("reasoning", text)));
      }
      if (data !== undefined || signature) out.push(...(await this.#seal(detail, { data, signature })));
    }
    return out;
  }

  /** What vouches for a thought is only sent for the words that it vouches for. */
  async #seal(detail: ReasoningDetail, { data, signature }: Pick<ReasoningDetail, "data" | "signature">) {
    const out = await this.#turnTo(undefined);
    const isChanged = this.#texts.get("reasoning")?.isChanged() === true;
    const sealed = {
      ...(data === undefined ? {} : { data }),
      ...(signature && !isChanged ? { signature } : {}),
    };
    if (Object.keys(sealed).length === 0) return out;
    const { text: _text, summary: _summary, ...rest } = detail;
    out.push({ reasoning_details: [{ ...(await this.#passWhole(rest)), ...sealed }] });
    return out;
  }

  async #speak(kind: SpokenKind, piece: string): Promise<Delta[]> {
    const before = await this.#turnTo(kind);
    const passed = await this.#textOf(kind).push(piece);
    return [...before, ...this.#written(kind, passed)];
  }

  /** Lets go of what is held of the text that ends here, so that the order of the answer stays. */
  async #turnTo(kind: SpokenKind | undefined): Promise<Delta[]> {
    const last = this.#last;
    this.#last = kind;
    if (last === undefined || last === kind) return [];
    return this.#written(last, await this.#textOf(last).flush(false));
  }

  #textOf(kind: SpokenKind): GuardedText {
    let text = this.#texts.get(kind);
    if (!text) {
      const { stages, held } = this.#stream;
      text = guardText(stages, { kind, choice: this.#choice }, held);
      this.#texts.set(kind, text);
    }
    return text;
  }

  #written(kind: SpokenKind, text: string): Delta[] {
    if (text === "") return [];
    if (kind !== "reasoning" || !this.#thought) return [{ [kind]: text }];
    const { text: _text, summary, ...rest } = this.#thought;
    const detail = summary ? { ...rest, summary: text } : { ...rest, text };
    return [{ reasoning: text, reasoning_details: [detail] }];
  }

  #addCall({ index = 0, function: piece, ...fields }: ToolCall): void {
    const { stages, held } = this.#stream;
    const call = this.#calls.get(index);
    const joined = join(call, { ...fields, ...(piece ? { function: piece } : {}) }) as ToolCall;
    held.characters += JSON.stringify(piece ?? fields).length;
    if (held.characters > mostHeld) stages[0]?.one.context.block("too_much", "The answer is too long to be held back.");
    this.#calls.set(index, joined);
  }
}

function isSameThought(known: ReasoningDetail | undefined, { type, index }: ReasoningDetail): boolean {
  return known === undefined || (known.type === type && known.index === index);
}

/** Members whose pieces belong together; of all others the first counts. */
const joinedMembers: ReadonlySet<string> = new Set(["arguments", "input"]);

/** A call with a further piece of it. */
function join(known: unknown, piece: unknown, name = ""): unknown {
  if (known === undefined || known === null || known === "") return piece;
  if (typeof known === "string" && typeof piece === "string") return joinedMembers.has(name) ? known + piece : known;
  if (typeof known !== "object" || typeof piece !== "object" || piece === null) return known;
  const joined: Record<string, unknown> = { ...known };
  for (const [member, value] of Object.entries(piece)) joined[member] = join(joined[member], value, member);
  return joined;
}
