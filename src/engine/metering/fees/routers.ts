/** Names of models that hand the request to a model of the vendor's choice. */
const routers = /^(?:model-router(?:$|[-@])|openrouter\/(?:auto|free|bodybuilder|pareto)|switchpoint\/router|router$)/i;

/** True of a model that another one answers for: that one is billed, and the router's own rates are a fee on top. */
export function isRouter(model: string): boolean {
  return routers.test(model);
}
