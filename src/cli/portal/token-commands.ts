import type { Token } from "../../operations/portal/users.ts";
import { defineCommand, UsageError } from "../command.ts";
import { readInstant } from "../records/instant.ts";
import type { Terminal } from "../terminal.ts";
import { alignColumns } from "../words.ts";
import { findToken, findUser, listTokens, type OwnedToken } from "./user.ts";
import { portalOptions, withPortal } from "./work.ts";

const permissionWords = "<permission…>";

/** `tollgate token create`. */
export const createToken = defineCommand({
  name: "token create",
  summary: "make an access token of the portal, and show its value this once",
  usage: `<name> [permission…]`,
  about:
    "Makes an access token of a user. Its value goes to stdout, once: what is kept of it is a hash and the last four characters. It\n" +
    "may do what is named, or everything that its user may with --all. In an empty store the first user, admin, is made with it.",
  words: [1, 1_000],
  options: {
    user: { kind: "text", value: "user", about: "whose it is, by id or name; admin unless given" },
    all: { kind: "flag", about: "everything that its user may do, now and later" },
    starts: { kind: "text", value: "time", about: "refused before: a day, a time or a span from now such as 2d" },
    ends: { kind: "text", value: "time", about: "refused from then on" },
    ...portalOptions,
  },
  examples: [
    ["tollgate token create ops --all --ends 90d", "everything that admin may, for 90 days"],
    ["tollgate token create reader ai-get ai_key-get --user ada", "only to list and read keys"],
  ],
  run: ({ words: [name = "", ...permissions], values }, terminal) =>
    withPortal(terminal, { ...values, isMade: true }, async (portal, caller) => {
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
      if (!values.json) terminal.err(`${describe(token)}The value of the token, shown this once:\n`);
      terminal.out(values.json ? `${JSON.stringify({ value, token }, null, 2)}\n` : `${value}\n`);
      return 0;
    }),
});

/** `tollgate token list`. */
export const listCommand = defineCommand({
  name: "token list",
  summary: "list access tokens",
  usage: "",
  about: "Lists the access tokens of all users, or of one. Values of tokens are nowhere to be listed from.",
  words: [0, 0],
  options: { user: { kind: "text", value: "user", about: "only those of this user" }, ...portalOptions },
  examples: [["tollgate token list --user ada", "the tokens of one user"]],
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
  summary: "give a token permissions, or take them away",
  usage: `<token> ${permissionWords}`,
  about:
    "Gives a token permissions, by id, name or last four characters. --take takes them away instead; --all gives everything that its\n" +
    "user may do. A token can never do more than its user.",
  words: [1, 1_000],
  options: {
    take: { kind: "flag", about: "take the permissions away" },
    all: { kind: "flag", about: "all permissions of its user" },
    ...portalOptions,
  },
  examples: [
    ["tollgate token grant reader ai_models-get", "one more"],
    ["tollgate token grant reader --take --all", "nothing any more"],
  ],
  run: ({ words: [text = "", ...named], values }, terminal) =>
    withPortal(terminal, values, async (portal, caller) => {
      const hint = "Name permissions, or --all; tollgate portal list shows them.";
      if (named.length === 0 && !values.all) throw new UsageError("There is nothing to give.", hint);
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

interface Wish {
  readonly named: readonly string[];
  readonly all: boolean;
  readonly take: boolean;
}

function nextPermissions(present: readonly string[], { named, all, take }: Wish): string[] {
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
  examples: [["tollgate token revoke reader", "by name"]],
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

function describePermissions({ permissions }: Token): string {
  if (permissions.includes("*")) return "all its user may";
  return permissions.length === 1 ? (permissions[0] ?? "") : `${permissions.length} permissions`;
}

function describe(token: Token): string {
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
