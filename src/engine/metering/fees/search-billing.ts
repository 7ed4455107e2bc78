/**
 * True of models whose vendor bills a grounded answer once, however many searches it took: Gemini 1.5 to 2.5. Later ones are billed
 * by the search.
 */
export function billsSearchByPrompt(model: string): boolean {
  return /(?:^|\/)gemini-[12](?![\d])/i.test(model);
}
