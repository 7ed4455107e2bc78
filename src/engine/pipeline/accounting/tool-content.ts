import { contentEntryFor } from "../../policy/tools/content-entry.ts";
import { longestToolContent } from "../../ports/ledger.ts";
import { toolServerOf } from "../../ports/tools/tool-server.ts";
import type { Call } from "../call/call.ts";

/** Notes the arguments that a server is sent, where the key logs contents. Guards have passed them. */
export function noteArguments(call: Call, provider: string, provided: object): void {
  const { access, facts } = call;
  if (!access || !facts || !contentEntryFor(access, toolServerOf(provider))?.logsContent) return;
  const { text, isCut } = written(call, provided);
  facts.toolContent = { arguments: text, is_truncated: isCut };
}

/** Notes what the caller gets, where the arguments were noted. Called once no guard can change it any more. */
export function noteResult(call: Call, answer: object): void {
  const { facts } = call;
  const before = facts?.toolContent;
  if (!before) return;
  const { content, structuredContent, isError } = answer as Readonly<Record<string, unknown>>;
  const { text, isCut } = written(call, { content, structuredContent, isError });
  facts.toolContent = { ...before, result: text, is_truncated: before.is_truncated || isCut };
}

/** A value as bounded JSON text without virtual keys and the caller's tokens; they are hidden before the cut, which might split one. */
function written({ ports, options }: Call, value: object): { readonly text: string; readonly isCut: boolean } {
  const tokens = Object.values(options.toolTokens ?? {}).filter((token) => token !== "");
  const hidden = ports.accounting.hideKeys(JSON.stringify(value));
  const whole = tokens.reduce((text, token) => text.replaceAll(token, "[token]"), hidden);
  return { text: whole.slice(0, longestToolContent).toWellFormed(), isCut: whole.length > longestToolContent };
}
