/**
 * Captures the whole standard output of a program, for parsing. The output is never cut to a tail and never masked, and
 * gets into no record or terminal. Output above the limit is refused.
 */
import type { Processes } from '../../../platform/platform.ts';

export interface WholeOutput {
  /** Starts processes. The program must be started through this, so that its output is captured. */
  readonly processes: Processes;
  /** The output so far; null: it is longer than the limit. */
  text(): string | null;
}

export function captureWholeOutput(processes: Processes, limitUnits: number): WholeOutput {
  const pieces: string[] = [];
  let units = 0;
  return {
    text: () => (units > limitUnits ? null : pieces.join('')),
    processes: {
      spawn: (spec) =>
        processes.spawn({
          ...spec,
          onOutput: (stream, text, byteLength) => {
            if (stream === 'stderr') {
              spec.onOutput?.(stream, text, byteLength);
              return;
            }
            units += text.length;
            if (units <= limitUnits) pieces.push(text);
            else pieces.length = 0;
          },
        }),
    },
  };
}
