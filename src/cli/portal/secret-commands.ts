import { storeOptions } from "../../server/store/with-store.ts";
import { defineCommand } from "../program/command.ts";

/** `tollgate secret rotate`. */
export const rotateCommand = defineCommand({
  name: "secret rotate",
  summary: "encrypt the secrets of the store under a new secret",
  usage: "",
  about:
    "Encrypts what the store keeps encrypted anew. It may be interrupted and run again, also while gateways work on the store.\n" +
    "With a store file and no TOLLGATE_SECRET, the command makes a new secret and puts it in front of the old one in FILE.secret.\n" +
    "Restart the gateway, which then reads with both and writes with the new one, and run the command with --finish.\n" +
    "With TOLLGATE_SECRET, give every gateway the new one in TOLLGATE_SECRET and the old one in TOLLGATE_SECRET_PREVIOUS, run the\n" +
    "command with both, and unset TOLLGATE_SECRET_PREVIOUS. Of several gateways, first give all the new one as the previous one, so\n" +
    "that each can read what the others write. Addresses of shared objects of the embedded cloud must be made anew afterwards.",
  words: [0, 0],
  options: {
    finish: { kind: "flag", about: "encrypt what is left, then remove the old secret from FILE.secret" },
    ...storeOptions,
  },
  examples: [
    ["tollgate secret rotate", "make a new secret and encrypt everything under it"],
    ["tollgate secret rotate --finish", "after the restart: encrypt the rest, forget the old secret"],
  ],
  run: async ({ values }, terminal) =>
    (await import("../../server/portal/rotate-secret.ts")).rotateSecret(terminal, values),
});
