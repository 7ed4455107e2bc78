import type { ChatChunk, ChunkChoice } from "../../../api/chat.ts";
import type { Usage } from "../../../api/usage.ts";
import { messageOf } from "../../errors.ts";
import { toEvent } from "../../sse.ts";
import type { ChunkWriter } from "../shared/family.ts";
import { finishOf } from "../shared/finish.ts";
import { type PartReader, type PartStep, partReader } from "../shared/parts.ts";
import { finishedResponse, type Identity, isCutShort, openResponse, responseId } from "./answer.ts";
import { type Frame, type ItemWriter, itemWriter } from "./events.ts";
import type { ResponseRequest } from "./schema.ts";

interface Told {
  readonly asked: ResponseRequest;
  readonly parts: PartReader;
  readonly frame: Frame;
  identity: Identity | undefined;
  items: ItemWriter | undefined;
  finish: string | null;
  usage: Usage | undefined;
  tier: string | undefined;
}

/** Writes the vendor's typed events, `response.created` to `response.completed`. */
export function streamWriter(asked: ResponseRequest): ChunkWriter {
  let sequence = 0;
  const frame: Frame = (type, fields) => toEvent(type, { type, sequence_number: sequence++, ...fields });
  const told: Told = {
    asked,
    parts: partReader(),
    frame,
    identity: undefined,
    items: undefined,
    finish: null,
    usage: undefined,
    tier: undefined,
  };
  return {
    write(chunk) {
      if (chunk.usage) told.usage = chunk.usage;
      if (chunk.service_tier) told.tier = chunk.service_tier;
      const begun = start(told, chunk);
      const choice = chunk.choices.find(({ index }) => index === 0);
      return begun + (choice === undefined ? "" : writeChoice(told, choice));
    },
    end: () => writeLast(told) + writeEnd(told),
    fail: (error) => {
      const { upstream, code, param } = error;
      const field = (upstream === undefined ? param : upstream.param) ?? null;
      return frame("error", { code: upstream?.code ?? code, message: messageOf(error), param: field });
    },
  };
}

function start(told: Told, { id, created, model }: ChatChunk): string {
  if (told.identity !== undefined) return "";
  told.identity = { id: responseId(id), created, model };
  told.items = itemWriter(told.identity.id, told.frame);
  const response = openResponse(told.identity, told.asked);
  return told.frame("response.created", { response }) + told.frame("response.in_progress", { response });
}

function writeChoice(told: Told, { delta, finish_reason, log_probs }: ChunkChoice): string {
  if (finish_reason !== null) told.finish = finish_reason;
  if (log_probs) told.items?.addLogProbs(log_probs);
  return writeSteps(told, told.parts.read(delta));
}

/** What is still open when the answer ends; of one that was cut short, the last of it says so. */
function writeLast(told: Told): string {
  const steps = told.parts.end();
  const closed = steps.flatMap((step) => (step.kind === "close" ? [step.part] : []));
  if (isCutShort(finishOf(told.finish, false))) told.items?.cutIn(closed.at(-1));
  return writeSteps(told, steps);
}

function writeSteps({ items }: Told, steps: readonly PartStep[]): string {
  return items === undefined ? "" : steps.map((step) => items.write(step)).join("");
}

function writeEnd({ identity, asked, items, finish, usage, tier, frame }: Told): string {
  if (identity === undefined || items === undefined) return "";
  const output = items.output();
  const hasCalls = output.some(({ type }) => type === "function_call");
  const ending = { finish: finishOf(finish, hasCalls), output, usage };
  const response = finishedResponse({ ...identity, service_tier: tier }, asked, ending);
  return frame(`response.${response.status}`, { response });
}
