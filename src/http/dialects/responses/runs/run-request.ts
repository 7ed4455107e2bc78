import type { CoreEngine } from "../../../../engine/engine.ts";
import type { ToolRunOptions, ToolRunRequest, ToolRunResult } from "../../../../engine/pipeline/tools/run/tool-run.ts";
import type { McpBody } from "../../../tool-runs/has-mcp-tools.ts";
import { readMcpRun } from "../../../tool-runs/mcp-tools.ts";
import type { Notes } from "../../shared/translation-warnings.ts";
import { responseId, writeAnswer } from "../answer.ts";
import { readRequest } from "../request.ts";
import { readRunInput } from "./run-input.ts";
import { outputOfRun } from "./run-output.ts";

/** A request for a response whose tools the gateway runs, and how the result goes back. */
export interface RunTurn {
  readonly run: ToolRunRequest;
  readonly options: Pick<ToolRunOptions, "approve" | "maxCalls">;
  readonly notes: Notes;
  readonly isStream: boolean;
  write(result: ToolRunResult): Readonly<Record<string, unknown>>;
}

/** Reads the body of `POST /v1/responses` with tools of type `mcp`. What only the vendor could look up is refused: the gateway runs it. */
export function readRunRequest(engine: CoreEngine, body: McpBody): RunTurn {
  const { mcp, tools, options, origins } = readMcpRun(engine, body);
  const { input, listed } = readRunInput(body.input);
  const { max_tool_calls: _limit, ...rest } = body;
  const { request, notes, parsed, native } = readRequest({ ...rest, tools, input });
  if (native.refusal) throw native.refusal;
  for (const [field, origin] of origins) notes.origins.set(field, origin);
  const { stream: _stream, stream_options: _options, tools: functions = [], ...fields } = request;
  return {
    run: { ...fields, mcp, ...(functions.length > 0 ? { tools: functions } : {}) } as ToolRunRequest, // the run checks it
    options,
    notes,
    isStream: parsed.stream === true,
    write(result) {
      const response = writeAnswer(result.answer, parsed, notes);
      const id = responseId(result.answer.id).replace(/^resp_/, "");
      const output = outputOfRun(result, response.output, { id, listed });
      return { ...response, tools: body.tools, output };
    },
  };
}
