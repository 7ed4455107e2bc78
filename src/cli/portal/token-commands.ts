import type { PortalToken } from "../../operations/portal/tenancy/users.ts";
import { portalOptions, withPortal } from "../../server/portal/with-portal.ts";
import { alignColumns } from "../../server/terminal/format.ts";
import type { Terminal } from "../../server/terminal/terminal.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { defineCommand } from "../program/command.ts";
import { readInstant } from "../records/time.ts";
import { findToken, findUser, listTokens, type OwnedToken } from "./user.ts";

const permissionWords = "<permission…>";

/** `tollgate token create`. */
export const createToken = defineCommand({
  name: "token create",
  summary: "create an access token and print its value once",
  usage: `<name> [permission…]`,
  about:
    "Creates an access token for a user and prints its value to stdout, once: the store keeps only a hash and the last four characters.\n" +
    "The token has the named permissions or, with --all, every permission of its user. In an empty store the command also creates the\n" +
    "first user, admin.",
  words: [1, 1_000],
  options: {
    user: { kind: "text", value: "user", about: "user of the token, by id or name; default: admin" },
    all: { kind: "flag", about: "all permissions of its user, including later ones" },
    starts: { kind: "text", value: "time", about: "not valid before: a date, a time or a span from now such as 2d" },
    ends: { kind: "text", value: "time", about: "not valid from then on" },
    ...portalOptions,
  },
  examples: [
    ["tollgate token create ops --all --ends 90d", "all permissions of admin, for 90 days"],
    ["tollgate token create reader ai-get ai_key-get --user ada", "permission to list and read keys only"],
  ],
  run: ({ words: [name = "", ...permissions], values }, terminal) =>
    withPortal(terminal, { ...values, createIfMissing: true }, async (portal, caller) => {
      await portal.startFirst();
      const calls = portal.as(caller, values);
      const { id } = await findUser(calls, values.user ?? "admin");
      const { value, ...token } = await calls.users.createToken({
        user_id: id,
        name,
        permissions: values.all ? ["*"] : permissions,
        starts_at: readDate("--starts", values.starts, terminal),
        ends_at: readDate("--ends", values.ends, terminal),
      });
      if (!values.json) terminal.err(`${describe(token)}The value of the token, shown only once:\n`);
      terminal.out(values.json ? `${JSON.stringify({ value, token }, null, 2)}\n` : `${value}\n`);
      return 0;
    }),
});

/** `tollgate token list`. */
export const listCommand = defineCommand({
  name: "token list",
  summary: "list access tokens",
  usage: "",
  about: "Lists the access tokens of all users, or of one. The values of tokens are not stored and cannot be listed.",
  words: [0, 0],
  options: { user: { kind: "text", value: "user", about: "only those of this user" }, ...portalOptions },
  examples: [["tollgate token list --user ada", "list the tokens of one user"]],
  run: ({ values }, terminal) =>
    withPortal(terminal, values, async (portal, caller) => {
      const found = await listTokens(portal.as(caller, values), values.user);
      const rows = found.map((one) => describeRow(one));
      const table = rows.length === 0 ? "No tokens.\n" : alignColumns([headings, ...rows]);
      terminal.out(
        values.json
          ? `${JSON.stringify(
              found.map(({ token }) => token),
              null,
              2,
            )}\n`
          : table,
      );
      return 0;
    }),
});

/** `tollgate token grant`. */
export const grantCommand = defineCommand({
  name: "token grant",
  summary: "add permissions to a token, or remove them",
  usage: `<token> ${permissionWords}`,
  about:
    "Adds permissions to a token (id, name or last four characters), or removes them with --take. --all stands for every permission of\n" +
    "its user. A token never has more permissions than its user.",
  words: [1, 1_000],
  options: {
    take: { kind: "flag", about: "remove the permissions instead" },
    all: { kind: "flag", about: "all permissions of its user" },
    ...portalOptions,
  },
  examples: [
    ["tollgate token grant reader ai_models-get", "add a permission"],
    ["tollgate token grant reader --take --all", "remove all permissions"],
  ],
  run: ({ words: [text = "", ...named], values }, terminal) =>
    withPortal(terminal, values, async (portal, caller) => {
      const hint = "Name permissions, or --all; tollgate portal list shows them.";
      if (named.length === 0 && !values.all) throw new UsageError("No permissions are named.", hint);
      const calls = portal.as(caller, values);
      const { token } = await findToken(calls, text);
      const permissions = nextPermissions(token.permissions, {
        named,
        all: values.all === true,
        take: values.take === true,
      });
      const changed = await calls.users.setPermissions({ user_id: token.user_id, token_id: token.id, permissions });
      terminal.out(values.json ? `${JSON.stringify(changed, null, 2)}\n` : describe(changed));
      return 0;
    }),
});

interface GrantOptions {
  readonly named: readonly string[];
  readonly all: boolean;
  readonly take: boolean;
}

function nextPermissions(present: readonly string[], { named, all, take }: GrantOptions): string[] {
  if (all) return take ? [] : ["*"];
  if (!take) return [...new Set([...present, ...named])];
  if (!present.includes("*")) return present.filter((name) => !named.includes(name));
  throw new UsageError(
    "The token has all permissions of its user.",
    "Take --all first, then give those that it keeps.",
  );
}

/** `tollgate token revoke`. */
export const revokeCommand = defineCommand({
  name: "token revoke",
  summary: "revoke a token for good",
  usage: "<token>",
  about:
    "Revokes a token, by id, name or last four characters. It is refused from the next call on, also on a gateway that is serving.",
  words: [1, 1],
  options: portalOptions,
  examples: [["tollgate token revoke reader", "revoke a token by name"]],
  run: ({ words: [text = ""], values }, terminal) =>
    withPortal(terminal, values, async (portal, caller) => {
      const calls = portal.as(caller, values);
      const { token } = await findToken(calls, text);
      await calls.users.revokeToken({ user_id: token.user_id, token_id: token.id });
      terminal.err(`Revoked ${token.name} (${token.id}).\n`);
      return 0;
    }),
});

const headings = ["ID", "NAME", "ENDS WITH", "USER", "MAY", "FROM", "UNTIL"];

function describeRow({ username, token }: OwnedToken): string[] {
  const { id, name, last4, starts_at, ends_at } = token;
  return [id, name, `…${last4}`, username, describePermissions(token), starts_at ?? "-", ends_at ?? "-"];
}

function describePermissions({ permissions }: PortalToken): string {
  if (permissions.includes("*")) return "all its user may";
  return permissions.length === 1 ? (permissions[0] ?? "") : `${permissions.length} permissions`;
}

function describe(token: PortalToken): string {
  return alignColumns([
    ["token", token.id],
    ["name", token.name],
    [
      "may",
      token.permissions.includes("*") ? "everything its user may" : token.permissions.join(", ") || "nothing yet",
    ],
    ["from", token.starts_at ?? "now on"],
    ["until", token.ends_at ?? "revoked"],
  ]);
}

function readDate(option: string, text: string | undefined, { now }: Terminal): string | undefined {
  if (text === undefined) return undefined;
  return new Date(readInstant(option, text, { now: now(), direction: "ahead" })).toISOString();
}
