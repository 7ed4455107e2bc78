import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import type { Check } from "../../../src/engine/runtime/checks.ts";
import { settingFor } from "../chat/rules-option.ts";
import type { Interface } from "./learnt-interfaces.ts";

/** One of a vendor's two interfaces, or the one that the model and the request need. */
export type InterfaceSetting = Interface | "auto";

/**
 * Which of a vendor's two interfaces chats go to, for all models or by their names: patterns with `*`, the first that fits counts, and
 * models that none fits are asked as without a choice.
 */
export type ChatInterface = InterfaceSetting | Readonly<Record<string, InterfaceSetting>>;

const settings: readonly unknown[] = ["auto", "chat", "responses"] satisfies InterfaceSetting[];

/** Checks the option `upstream`. */
export const interfaceCheck: Check = [
  (value) =>
    settings.includes(value) || (isRecord(value) && Object.values(value).every((each) => settings.includes(each))),
  "`auto`, `chat` or `responses`, or an object with one of them by model",
];

/** The interface for a model; `usual` where the choice says nothing of it. */
export function interfaceFor(
  choice: ChatInterface | undefined,
  model: string,
  usual: InterfaceSetting = "auto",
): InterfaceSetting {
  return (typeof choice === "object" ? settingFor(choice, model) : choice) ?? usual;
}
