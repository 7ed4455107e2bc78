import { withStore } from "../../server/store/with-store.ts";
import { defineCommand } from "../program/command.ts";
import { customerOption, draftOf, draftOptions, idOf, printRecord } from "./new-record.ts";
import { writeWarnings } from "./notices/warnings.ts";

/** `tollgate project create`. */
export const createProject = defineCommand({
  name: "project create",
  summary: "create a project, which can own keys",
  usage: "<name>",
  about: "Creates a project (a team). Its limits apply to the total of its keys.",
  words: [1, 1],
  options: { customer: customerOption, ...draftOptions },
  examples: [["tollgate project create search --budget 500/1M --calendar", "500 dollars per calendar month"]],
  run: ({ words: [name = ""], values }, terminal) =>
    withStore(terminal, { ...values, createIfMissing: true }, async (store) => {
      const customer_id = await idOf(store, "customer", values.customer);
      const { warnings, ...created } = await store.projects.create({ ...draftOf(name, values), customer_id });
      writeWarnings(terminal, warnings);
      return printRecord(terminal, created, values.json);
    }),
});

/** `tollgate customer create`. */
export const createCustomer = defineCommand({
  name: "customer create",
  summary: "create a customer, which can own projects and keys",
  usage: "<name>",
  about: "Creates a customer. Its limits apply to the total of its projects and keys.",
  words: [1, 1],
  options: draftOptions,
  examples: [
    ["tollgate customer create acme --budget 2000/1M --calendar --hard", "at most 2000 dollars per calendar month"],
  ],
  run: ({ words: [name = ""], values }, terminal) =>
    withStore(terminal, { ...values, createIfMissing: true }, async (store) => {
      const { warnings, ...created } = await store.customers.create(draftOf(name, values));
      writeWarnings(terminal, warnings);
      return printRecord(terminal, created, values.json);
    }),
});
