import { api, rowOf } from "../api/client.ts";
import { freshFor, useQuery } from "../api/query.ts";
import { isPermitted } from "../api/session.ts";

/** A model as the gateway lists it, as far as it is read here. */
interface ListedModel {
  readonly id?: unknown;
  readonly mode?: unknown;
}

/** Modes of models that do not chat. */
const silent = /rerank|embed|speech|transcription|image|video|moderation|ocr/;

/** The names of the models that the caller may use, `provider/model`, or of those that chat; empty until they are known. */
export function useModelNames(kind: "all" | "chat" = "all"): readonly string[] {
  const models = useQuery({
    key: ["ai.models"],
    read: (signal) => api.ai.models({}, signal),
    staleMs: freshFor.catalogue,
    isEnabled: isPermitted(rowOf("ai.models")[2]),
  });
  return ((models.value?.llms ?? []) as readonly ListedModel[]).flatMap(({ id, mode }) => {
    const isWanted = kind === "all" || typeof mode !== "string" || !silent.test(mode);
    return typeof id === "string" && isWanted ? [id] : [];
  });
}
