/** Traces of the hooks that a command runs itself: the container, pod and pipeline lifecycles. */
import process from 'node:process';

import type { EventEnvelope } from '../model/event.ts';
import { attemptTraces } from '../observe/attempt-traces.ts';
import { startSpanExport } from './span-export.ts';

export interface CommandTraces {
  readonly observe: (event: EventEnvelope) => void;
  /** Sends the remaining spans, within two seconds. */
  readonly stop: () => Promise<void>;
}

/** null: $OTEL_EXPORTER_OTLP_ENDPOINT is not set. `service`: the name of the program in the traces. */
export function commandTraces(service: string): CommandTraces | null {
  const warn = (what: string): void => {
    process.stderr.write(`warning: ${what}\n`);
  };
  const started = startSpanExport({
    service,
    onProblem: warn,
    observe: (note) => {
      if (note.type === 'SpansDropped') warn(`${note.spans} spans of traces are lost: ${note.why}`);
    },
  });
  return started === null ? null : { observe: attemptTraces(started.add), stop: started.stop };
}
