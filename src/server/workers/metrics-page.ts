/** The metrics of one worker, as Prometheus reads them. */
export interface WorkerPage {
  readonly number: number;
  readonly text: string;
}

/** A metric: what is said of it, and its samples. */
interface MetricFamily {
  readonly about: string[];
  readonly samples: string[];
}

/** One page of those of several workers: every sample has the label `worker`, and what is said of a metric is said once. */
export function mergePages(pages: readonly WorkerPage[]): string {
  const merged = new Map<string, MetricFamily>();
  for (const { number, text } of pages) {
    for (const { about, samples } of familiesOf(text)) {
      const name = about.join("\n");
      const known = merged.get(name) ?? { about, samples: [] };
      merged.set(name, known);
      for (const sample of samples) known.samples.push(withWorker(sample, number));
    }
  }
  return [...merged.values()].flatMap(({ about, samples }) => [...about, ...samples, ""]).join("\n");
}

/** The metrics of a page; a line that describes another metric opens the next one. */
function familiesOf(text: string): readonly MetricFamily[] {
  const families: MetricFamily[] = [];
  let last: MetricFamily | undefined;
  let described = "";
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const isAbout = line.startsWith("#");
    const name = isAbout ? (line.split(" ", 3)[2] ?? "") : described; // `# HELP name …`
    if (last === undefined || name !== described) {
      last = { about: [], samples: [] };
      families.push(last);
      described = name;
    }
    (isAbout ? last.about : last.samples).push(line);
  }
  return families;
}

/** `name 1` and `name{a="b"} 1` with the label of a worker before the others. */
function withWorker(line: string, number: number): string {
  const [name = ""] = /^[^{ ]*/.exec(line) ?? [];
  const rest = line.slice(name.length);
  const label = `worker="${number}"`;
  if (!rest.startsWith("{")) return `${name}{${label}}${rest}`;
  return rest.startsWith("{}") ? `${name}{${label}}${rest.slice(2)}` : `${name}{${label},${rest.slice(1)}`;
}
