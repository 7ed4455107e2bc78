import type { ModelDescription } from "../../../src/engine/ports/prices.ts";
import { unpack } from "./unpack.ts";

/** The descriptions by `provider/model`, in lower case. */
export type Descriptions = ReadonlyMap<string, ModelDescription>;

let read: Promise<Descriptions> | undefined;

/** What the snapshot's sources call a model, by its name in the snapshot; unpacked with the first look-up of the process. */
export async function findDescription(provider: string, model: string): Promise<ModelDescription | undefined> {
  read ??= import("./descriptions.ts").then(({ descriptions }) => readDescriptions(unpack(descriptions)));
  return (await read).get(`${provider}/${model}`.toLowerCase());
}

/** Reads lines of `provider/model|name|cutoff`, of which the last two may be empty. */
function readDescriptions(text: string): Descriptions {
  const entries = text.split("\n").map((line) => {
    const [id = "", name = "", cutoff = ""] = line.split("|");
    const description = { ...(name === "" ? {} : { name }), ...(cutoff === "" ? {} : { knowledge_cutoff: cutoff }) };
    return [id.toLowerCase(), Object.freeze(description)] as const;
  });
  return new Map(entries);
}
