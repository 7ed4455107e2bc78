import { useChange } from "../../api/query.ts";
import { type CsvColumn, toCsv } from "../../format/csv.ts";
import { text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { download } from "../../parts/download.ts";
import { toast } from "../../parts/toast.tsx";
import type { AiRequest } from "./columns.tsx";
import { type RequestQuestion, readAllRequests } from "./pages.ts";

/** The columns of the file: the names of the wire, so that a program can read them. */
const columns: readonly CsvColumn<AiRequest>[] = [
  { name: "at", value: ({ at }) => at },
  { name: "event_id", value: (row) => row.event_id },
  { name: "status", value: ({ status }) => status },
  { name: "reason", value: ({ reason }) => reason },
  { name: "model_requested", value: (row) => row.model_requested },
  { name: "model", value: ({ model }) => model },
  { name: "key_id", value: ({ key }) => key?.id },
  { name: "key", value: ({ key }) => key?.name },
  { name: "project_id", value: ({ project }) => project?.id },
  { name: "project", value: ({ project }) => project?.name },
  { name: "user", value: ({ user }) => user },
  { name: "prompt_tokens", value: (row) => row.prompt_tokens },
  { name: "completion_tokens", value: (row) => row.completion_tokens },
  { name: "latency_ms", value: ({ latency }) => latency },
  { name: "first_token_ms", value: (row) => row.time_to_first_token },
  { name: "cache", value: ({ cache }) => cache },
  { name: "cost_usd", value: ({ cost }) => cost },
  { name: "price_usd", value: ({ price }) => price },
];

/** Stores all requests of a question as a file. */
export function ExportButton({ question }: { readonly question: RequestQuestion }) {
  const change = useChange(async () => {
    const rows = await readAllRequests(question);
    download("requests.csv", toCsv(columns, rows));
    return rows.length;
  });
  const run = async () => {
    const count = await change.run(undefined);
    toast(
      count === undefined ? (change.error?.message ?? text("message.offline")) : text("requests.exported", { count }),
    );
  };
  return (
    <Button icon="archive" isPending={change.isPending} onPress={() => void run()}>
      {text("requests.export")}
    </Button>
  );
}
