/**
 * The whole standard output of a program whose output is parsed: never cut to a tail, never masked, and
 * in no record or terminal. Output above the limit is refused.
 */
import type { Processes } from '../../../platform/platform.ts';

export interface WholeOutput {
  /** The processes with which the program must be started. */
  readonly processes: Processes;
  /** The output so far; null: more than the limit. */
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
