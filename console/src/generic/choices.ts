import { callRow } from "../api/client.ts";
import { freshFor, useQuery } from "../api/query.ts";
import { type ChoiceSource, choicesOf } from "./elements.ts";

/** The most rows that a choice offers. */
const mostChoices = 200;

/** The values that the rows of an element offer, by name: none, `isRead` false, until they are read, and `isRefused` where they cannot be. */
export function useChoices({ element, value, label }: ChoiceSource, isEnabled = true) {
  const { value: rows, error } = useQuery({
    key: [element, { limit: mostChoices }],
    read: async (signal) => (await callRow(element, { limit: mostChoices }, signal)).value,
    staleMs: freshFor.catalogue,
    isEnabled,
  });
  return {
    choices: choicesOf(rows, value, label),
    isRead: rows !== undefined && !error,
    isRefused: rows === undefined && error !== undefined,
  };
}
