import { portalOptions, withPortal } from "../../server/portal/with-portal.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { defineCommand } from "../program/command.ts";

/** `tollgate portal call`. */
export const callCommand = defineCommand({
  name: "portal call",
  summary: "call an operation of the portal",
  usage: "<METHOD> <path> [field=value…]",
  about:
    "Calls an operation on the store as its operator and prints the result as JSON. Write lists with commas or by repeating the\n" +
    "field, and objects as JSON. With --as the call has the permissions and the tenant scope of a user. The audit log records every\n" +
    "change.",
  words: [2, 1_000],
  options: { as: { kind: "text", value: "user", about: "call as this user (id)" }, ...portalOptions },
  examples: [
    ["tollgate portal call GET /ai/keys", "list all virtual keys"],
    ["tollgate portal call POST /property property=language value=de description=Console", "set a property"],
    ["tollgate portal call GET /restore", "list the operations under a path"],
  ],
  async run({ words: [method = "", path = "", ...fields], values }, terminal) {
    const { findCall } = await import("./operations.ts");
    const { row, input } = findCall(method, path, readFields(fields));
    return withPortal(terminal, values, async (portal, operator) => {
      const caller = values.as === undefined ? operator : await portal.callerOf(values.as);
      const functions = portal.as(caller, values) as unknown as Functions; // the row's own function takes what the row says
      const answer = await functions[row.area]?.[row.name]?.(input);
      if (answer === undefined) terminal.err("Done.\n");
      else terminal.out(`${JSON.stringify(answer, null, 2)}\n`);
      return 0;
    });
  },
});

type Functions = Readonly<Record<string, Readonly<Record<string, (input: object) => Promise<unknown>>>>>;

/** `tollgate portal list`. */
export const listCommand = defineCommand({
  name: "portal list",
  summary: "list the operations of the portal",
  usage: "[area or text]",
  about: "Lists all operations, those of one area, or those whose path, permission or summary contains a text.",
  words: [0, 1],
  options: {},
  examples: [["tollgate portal list backups", "list the operations of an area"]],
  async run({ words: [text = ""] }, terminal) {
    const { listOperations } = await import("./operations.ts");
    terminal.out(listOperations(text));
    return 0;
  },
});

/** `tollgate portal explain`. */
export const explainCommand = defineCommand({
  name: "portal explain",
  summary: "show the permission and the fields of an operation",
  usage: "<METHOD> <path>",
  about: "Shows what an operation does, the permission that it requires, and its fields.",
  words: [2, 2],
  options: {},
  examples: [
    ["tollgate portal explain PATCH /backup/{backup_id}/extend", "see how to extend the retention of a backup"],
  ],
  async run({ words: [method = "", path = ""] }, terminal) {
    const { explainOperation } = await import("./operations.ts");
    terminal.out(explainOperation(method, path));
    return 0;
  },
});

/** `field=value` as a query string has them. */
function readFields(words: readonly string[]): Record<string, string | string[]> {
  const fields = new Map<string, string[]>();
  for (const word of words) {
    const at = word.indexOf("=");
    if (at < 1)
      throw new UsageError(`"${word}" is not a field.`, "Write field=value; tollgate portal explain shows the fields.");
    const name = word.slice(0, at);
    fields.set(name, [...(fields.get(name) ?? []), word.slice(at + 1)]);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}
