/** The text of a name's number; null for 0, which stands for none. */
const text = (number: string): string => `(SELECT text FROM name WHERE name.id = ${number})`;

/** A name within a line item, which older files hold as it is. */
const textWithin = (context: number): string => `coalesce(${text(`value ->> ${context}`)}, value ->> ${context})`;

const itemsAsWritten = `(SELECT json_group_array(json_object('unit', ${textWithin(0)}, 'quantity', value ->> 1, 'rate', value ->> 2,
    'amount', value ->> 3, 'basis', ${textWithin(4)})) FROM json_each(coalesce(t.items, '[]')))`;

/** As `multiply` of usage/money works amounts out: whole nano-dollars a unit, and what is left rounded half up. */
const itemsByScale = `(SELECT json_group_array(json_object('unit', unit, 'quantity', quantity, 'rate', rate,
    'amount', quantity * (rate / 1000) + (quantity * (rate % 1000) + 500) / 1000, 'basis', basis)) FROM
    (SELECT value ->> 0 AS unit, value ->> 1 AS rate, value ->> 2 AS basis, iif(key = 0, t.prompt_tokens, t.completion_tokens) AS quantity
      FROM json_each(${text("t.scale")})))`;

/** Line items as JSON objects, rates in pico-dollars and amounts in nano-dollars. */
const items = `json(iif(t.scale > 0, ${itemsByScale}, ${itemsAsWritten}))`;

/** All attempts, those in the rows of their requests (which come last there, and stand for number 255) and those in rows of their own. */
const tried = `SELECT id AS request, 255 AS number, tried_at AS at, provider, model, credential, coalesce(tried_status, status) AS status,
    coalesce(tried_reason, reason) AS reason, tried_latency AS latency, tried_first_token AS first_token, prompt_tokens,
    completion_tokens, cached_read_tokens, cached_write_tokens, reasoning_tokens, cost, items, scale, price, is_estimated, is_unpriced
    FROM request WHERE tried_at IS NOT NULL
  UNION ALL SELECT id / 256, id % 256, at, provider, model, credential, status, reason, latency, first_token, prompt_tokens,
    completion_tokens, cached_read_tokens, cached_write_tokens, reasoning_tokens, cost, items, 0, price, is_estimated, is_unpriced
    FROM attempt`;

/** Requests one by one; `more` are columns that later versions have. */
const requestView = (
  more: string,
): string => `CREATE VIEW ledger_request AS SELECT r.id, r.event AS event_id, r.at, ${text("r.type")} AS request_type, r.asked AS model_requested,
    ${text("r.key")} AS key_id, ${text("r.project")} AS project_id, ${text("r.customer")} AS customer_id, r.user, r.metadata, r.status,
    ${text("r.reason")} AS reason, r.latency, r.first_token AS time_to_first_token, ${text("r.cache")} AS cache, r.saved,${more}
    ${text("r.provider")} AS provider, ${text("r.model")} AS model FROM request AS r;`;

/**
 * For who reads the file with other tools: a row for each request, and a row for each attempt in the order in which they ended, with
 * texts for the numbers of `name`. Times in milliseconds (since the epoch), money in nano-dollars.
 */
export const views = `
  ${requestView("")}
  CREATE VIEW ledger_attempt AS SELECT r.event AS event_id, t.request, row_number() OVER (PARTITION BY t.request ORDER BY t.number) AS number,
    t.at, ${text("t.provider")} AS provider, ${text("t.model")} AS model, ${text("t.credential")} AS credential, t.status,
    ${text("t.reason")} AS reason, t.latency, t.first_token AS time_to_first_token, t.prompt_tokens, t.completion_tokens,
    t.cached_read_tokens, t.cached_write_tokens, t.reasoning_tokens, t.cost, ${items} AS items, ${text("t.price")} AS price_version,
    t.is_estimated, t.is_unpriced FROM (${tried}) AS t JOIN request AS r ON r.id = t.request;
`;

/** The view of requests since the version that has the tokens that hits of the answer cache saved. */
export const requestViewWithSavedTokens = `
  DROP VIEW ledger_request;
  ${requestView(" r.saved_prompt_tokens, r.saved_completion_tokens,")}
`;
