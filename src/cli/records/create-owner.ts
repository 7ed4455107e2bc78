import { withBooks } from "../books/work.ts";
import { defineCommand } from "../command.ts";
import { customerOption, draftOf, draftOptions, idOf, tellRecord } from "./draft.ts";

/** `tollgate project create`. */
export const createProject = defineCommand({
  name: "project create",
  summary: "make a project, which keys can belong to",
  usage: "<name>",
  about: "Makes a project (a team). Its limits hold for all of its keys together.",
  words: [1, 1],
  options: { customer: customerOption, ...draftOptions },
  examples: [["tollgate project create search --budget 500/1M --calendar", "five hundred dollars a calendar month"]],
  run: ({ words: [name = ""], values }, terminal) =>
    withBooks(terminal, { ...values, isMade: true }, async (books) => {
      const customer_id = await idOf(books, "customer", values.customer);
      const made = await books.projects.create({ ...draftOf(name, values), customer_id });
      return tellRecord(terminal, made, values.json);
    }),
});

/** `tollgate customer create`. */
export const createCustomer = defineCommand({
  name: "customer create",
  summary: "make a customer, whom projects and keys can belong to",
  usage: "<name>",
  about: "Makes a customer. Its limits hold for all of its projects and keys together.",
  words: [1, 1],
  options: draftOptions,
  examples: [["tollgate customer create acme --budget 2000/1M --calendar --hard", "two thousand a month, never more"]],
  run: ({ words: [name = ""], values }, terminal) =>
    withBooks(terminal, { ...values, isMade: true }, async (books) =>
      tellRecord(terminal, await books.customers.create(draftOf(name, values)), values.json),
    ),
});
