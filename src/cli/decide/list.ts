import type { Calibration } from "../../engine/api/calibrations/calibrations.ts";
import { GatewayError } from "../../engine/errors.ts";
import { type StoreFunctions, storeOptions, withStore } from "../../server/store/with-store.ts";
import { alignColumns } from "../../server/terminal/format.ts";
import { defineCommand } from "../program/command.ts";

const modelOption = { kind: "text", value: "model", about: "only those of this model: provider/model" } as const;

/** `tollgate decide list`. */
export const listCalibrations = defineCommand({
  name: "decide list",
  summary: "list the stored maps",
  usage: "",
  about: "Lists all calibration maps in order of creation, with the log loss on held-out answers before and after.",
  words: [0, 0],
  options: { model: modelOption, json: { kind: "flag", about: "print JSON" }, ...storeOptions },
  examples: [["tollgate decide list", "list all maps"]],
  run: ({ values }, terminal) =>
    withStore(terminal, values, async (store) => {
      const maps: Calibration[] = [];
      for await (const map of readCalibrations(store, values.model)) maps.push(map);
      const rows = maps.map(describe);
      const heading = ["NAME", "VERSION", "MODEL", "WAY", "MAP", "ANSWERS", "LOG LOSS", "UPDATED", "ID"];
      const table = rows.length === 0 ? "No calibration maps.\n" : alignColumns([heading, ...rows]);
      terminal.out(values.json ? `${JSON.stringify(maps, null, 2)}\n` : table);
      return 0;
    }),
});

/** `tollgate decide delete`. */
export const deleteCalibration = defineCommand({
  name: "decide delete",
  summary: "delete a map",
  usage: "<map>",
  about:
    "Deletes a calibration map (id or name). A running gateway gives the model's own probabilities from the next decision on.",
  words: [1, 1],
  options: { model: modelOption, ...storeOptions },
  examples: [["tollgate decide delete refund", "delete a map by name"]],
  run: ({ words: [text = ""], values }, terminal) =>
    withStore(terminal, values, async (store) => {
      const { id, name, version } = await findCalibration(store, text, values.model);
      await store.calibrations.remove(id);
      terminal.out(`Deleted ${name}, version ${version} (${id}).\n`);
      return 0;
    }),
});

/** All maps, page by page. */
async function* readCalibrations(
  { calibrations }: Pick<StoreFunctions, "calibrations">,
  model: string | undefined,
): AsyncGenerator<Calibration> {
  let after: string | undefined;
  do {
    const page = await calibrations.list({ model, limit: 1_000, after });
    yield* page.items;
    after = page.next;
  } while (after !== undefined);
}

async function findCalibration(store: StoreFunctions, text: string, model: string | undefined): Promise<Calibration> {
  const found: Calibration[] = [];
  for await (const map of readCalibrations(store, model)) if (map.id === text || map.name === text) found.push(map);
  const [first, ...others] = found;
  if (!first) throw new GatewayError("not_found", `There is no calibration map with the id or name ${text}.`);
  if (others.length === 0) return first;
  const ids = found.map(({ id }) => id).join(", ");
  throw new GatewayError("conflict", `${found.length} maps have the name ${text}; say which by its id: ${ids}.`);
}

function describe({ id, name, version, model, method, kind, items, held_out, updated_at }: Calibration): string[] {
  const scores = [held_out.none.log_loss, held_out[kind]?.log_loss ?? held_out.none.log_loss];
  const change = scores.map((score) => score.toFixed(3)).join(" → ");
  return [name, String(version), model, method, kind, String(items), change, updated_at.slice(0, 10), id];
}
