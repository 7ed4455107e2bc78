import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toWire as toBedrock } from "../../../adapters/providers/bedrock/to-wire.ts";
import { toWire as toCohere } from "../../../adapters/providers/cohere/to-wire.ts";
import { compatibleProviders } from "../../../adapters/providers/compatible/index.ts";
import { toWire as toAnthropic } from "../../../adapters/shared/anthropic/to-wire.ts";
import { learntParameters } from "../../../adapters/shared/chat/learnt-parameters.ts";
import { toWire as toGemini } from "../../../adapters/shared/gemini/to-wire.ts";
import { readMessageFields } from "../../../adapters/shared/openai-compatible/response/message.ts";
import { bodyFor } from "../../../adapters/shared/openai-compatible/stream.ts";
import { ChatMessage } from "../../../src/engine/api/message.ts";
import { reasoningFormat as cohereFormat } from "../../../src/engine/dialects/cohere/reasoning.ts";
import { readRequest as readAnthropic } from "../../../src/http/dialects/anthropic/request.ts";
import { readRequest as readCohere } from "../../../src/http/dialects/cohere/request.ts";
import { readRequest as readGenai } from "../../../src/http/dialects/genai/request/request.ts";
import { type Atom, atomsOf, isNamedBy, missing } from "../../fixtures/atoms.ts";
import {
  conversations,
  type Holding,
  signedThought,
  type Thoughts,
  withTextFiles,
} from "../../fixtures/conversations.ts";
import { readConverse } from "../../fixtures/converse.ts";
import { type RecordedCall, recordedCall } from "../../fixtures/native.ts";

/** One vendor: what it may be sent, and both ways, each by code that does not know the other. */
interface Vendor {
  readonly model: string;
  readonly holding: Holding;
  /** It has OpenAI's fields: thoughts come back as one text, refusals as such. */
  readonly isOpenai?: boolean;
  there(messages: ChatMessage[], call: RecordedCall): unknown;
  back(wire: never): ChatMessage[];
}

const noThoughts = fc.constant(() => []);
const everything = {
  files: true,
  audio: true,
  filesInResults: true,
  distant: true,
  binaryFiles: true,
  thoughts: noThoughts,
};

function anthropic(model: string): Vendor {
  return {
    model,
    holding: { ...everything, audio: false, thoughts: signedThought("anthropic-claude-v1") },
    there: (messages, call) =>
      toAnthropic({ model, messages }, { provider: "anthropic", call, maxTokens: 100, version: "", isStream: false }),
    back: (wire) => readAnthropic(wire).request.messages,
  };
}

/** Signatures of this vendor stand on thoughts, behind texts and on calls. */
const geminiThoughts: readonly Thoughts[] = [
  () => [{ type: "reasoning.text", format: "google-gemini-v1", text: "hm", signature: "AAAA" }],
  () => [{ type: "reasoning.text", format: "google-gemini-v1", text: "a summary" }],
  (text) =>
    text === ""
      ? []
      : [{ type: "reasoning.encrypted", format: "google-gemini-v1", data: "BBBB", end_index: text.length }],
  (_text, calls) =>
    calls.slice(0, 1).map(({ id }) => ({ type: "reasoning.encrypted", format: "google-gemini-v1", data: "CCCC", id })),
];

const openaiDialects = Object.entries(compatibleProviders).filter(([, { chats }]) => chats !== false);

/** Messages of OpenAI's dialect are ours but for the places of thoughts. */
function readOpenai({ messages }: { messages: Record<string, unknown>[] }): ChatMessage[] {
  return messages.map((message) => {
    const { reasoning_content: _told, content, ...rest } = message;
    const { reasoning } = readMessageFields(message);
    const parts = Array.isArray(content) ? content.filter(({ type }) => type !== "thinking") : content;
    return ChatMessage.parse({ ...rest, content: parts, ...(reasoning === undefined ? {} : { reasoning }) });
  });
}

const vendors: Readonly<Record<string, Vendor>> = {
  anthropic: anthropic("claude-haiku-4-5"),
  "anthropic with system turns": anthropic("claude-opus-5-5"),
  bedrock: {
    model: "anthropic.claude-sonnet-4-6-v1:0",
    holding: { ...everything, audio: false, distant: false, thoughts: signedThought("anthropic-claude-v1") },
    there: (messages, call) => toBedrock({ model: "m", messages }, { provider: "bedrock", call }),
    back: readConverse,
  },
  gemini: {
    model: "gemini-3.8-flash",
    holding: { ...everything, thoughts: fc.constantFrom(...geminiThoughts) },
    there: (messages, call) => toGemini({ model: "m", messages }, { provider: "gemini", call, filesUrl: "https://x/" }),
    back: (wire) => readGenai("m", false, wire).request.messages,
  },
  cohere: {
    model: "command-a-reasoning-08-2025",
    holding: {
      distant: false,
      thoughts: fc.constant(() => [{ type: "reasoning.text", format: cohereFormat, text: "hm" }]),
    },
    there: (messages, call) => toCohere({ model: "m", messages }, { provider: "cohere", call, isStream: false }),
    back: (wire) => readCohere(wire).request.messages,
  },
  ...Object.fromEntries(
    openaiDialects.map(([name, { dialect }]): [string, Vendor] => [
      name,
      {
        model: "m",
        holding: { ...everything, thoughts: signedThought("openai-responses-v1") },
        isOpenai: true,
        there: (messages, call) =>
          bodyFor(
            { name, dialect, learnt: learntParameters() } as never,
            { request: { model: "m", messages }, call: { ...call, model: "m" } },
            false,
          ),
        back: readOpenai as never,
      },
    ]),
  ),
};

/** What stands for what the vendor demands: a signature for calls of others, a name that says a file's type, a text next to a document. */
const isMadeUp = (says: string) =>
  /skip_thought_signature|"filename","file\.[a-z]+"|"See the document\."|"I have read the results\."/.test(says);

/** A picture that a tool gave and that was moved: the user says it then, and nobody else. */
function saidByUser({ says, ...atom }: Atom): Atom {
  return { ...atom, says: says.replace(/^\["tool",(?="image"|"detail")/, '["user",') };
}

describe.each(Object.entries(vendors))("%s: a conversation that goes there and comes back", (_name, vendor) => {
  const travelled = (messages: ChatMessage[]) => {
    const call = recordedCall(vendor.model);
    const wire = JSON.parse(JSON.stringify(vendor.there(messages, call)));
    const after = atomsOf(vendor.back({ model: "m", ...wire } as never), vendor.isOpenai);
    const moved = new Set(
      call.warnings.flatMap((text) => /^`messages\.(\d+)` is moved/.exec(text)?.slice(1).map(Number) ?? []),
    );
    const expected = vendor.isOpenai ? withTextFiles(messages) : messages;
    const before = atomsOf(expected, vendor.isOpenai).map((atom) =>
      moved.has(atom.message) ? saidByUser(atom) : atom,
    );
    const named = before.filter((atom) => call.warnings.some((warning) => isNamedBy(warning, atom)));
    const lost = missing(before, after, named);
    return { before, after, lost, moved, warnings: call.warnings };
  };
  const check = (rule: (trip: ReturnType<typeof travelled>) => void) =>
    fc.assert(
      fc.property(conversations(vendor.holding), (messages) => void rule(travelled(messages))),
      { numRuns: 100 },
    );

  test("loses nothing that is not named in a warning", () =>
    check(({ lost, warnings }) =>
      expect(lost.filter((atom) => !warnings.some((warning) => isNamedBy(warning, atom)))).toEqual([]),
    ));
  test("warns of nothing that is kept", () =>
    check(({ lost, warnings }) => {
      const losses = warnings.filter(
        (warning) =>
          !/is moved|come without the signature|are missing for the calls of the conversation|get a short answer/.test(
            warning,
          ),
      );
      expect(losses.filter((warning) => !lost.some((atom) => isNamedBy(warning, atom)))).toEqual([]);
    }));
  test("gains nothing", () =>
    check(({ before, after }) => expect(missing(after, before).filter(({ says }) => !isMadeUp(says))).toEqual([])));
  test("keeps its order, but for messages that a warning says are moved", () =>
    check(({ before, after, lost, moved }) => {
      const gone = new Set([...lost, ...before.filter(({ message }) => moved.has(message))].map(({ says }) => says));
      const stay = (atoms: typeof before) =>
        atoms.map(({ says }) => says).filter((says) => !gone.has(says) && !isMadeUp(says));
      expect(stay(after)).toEqual(stay(before));
    }));
  test("is said to be moved only where something stood before", () =>
    check(({ before, moved }) => {
      for (const at of moved)
        expect(before.some(({ message, says }) => message < at && !says.startsWith('["system"'))).toBe(true);
    }));
});
