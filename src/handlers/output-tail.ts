import type { AttemptRequest } from '../engine/act.ts';
import type { Tail } from '../model/attempt.ts';
import { textEnd } from '../model/cut-text.ts';
import type { Masker } from '../model/secrets.ts';

/**
 * Captures the output of an attempt: stdout and stderr separately, both bounded. Secrets are masked before the output
 * is cut, since a cut secret would not be found. Part of the shim: uses nothing that QuickJS lacks.
 */
export interface OutputCapture {
  add(stream: StreamName, text: string, byteLength: number): void;
  /** Ends both streams, and returns what was kept of them. */
  finish(): Record<StreamName, Tail>;
}

export type StreamName = 'stdout' | 'stderr';

/** Maximum length of what is kept from the end of each stream, in UTF-16 units. */
export const tailUnitsMax: number = 64 * 1024;

/**
 * Maximum length of what is shown live from the beginning of each stream, in UTF-16 units: more would flood a terminal.
 */
export const liveUnitsMax: number = 10 * 1024 * 1024;

export function captureOutput(masker: Masker, onOutput: AttemptRequest['onOutput']): OutputCapture {
  const open = (name: StreamName): OneStream =>
    captureStream(masker, (text) => onOutput?.(name, text));
  const streams = { stdout: open('stdout'), stderr: open('stderr') };
  return {
    add: (name, text, byteLength) => {
      streams[name].add(text, byteLength);
    },
    finish: () => ({ stdout: streams.stdout.finish(), stderr: streams.stderr.finish() }),
  };
}

interface OneStream {
  add(text: string, byteLength: number): void;
  finish(): Tail;
}

function captureStream(masker: Masker, show: (text: string) => void): OneStream {
  const masked = masker.stream();
  let tail = '';
  let totalBytes = 0;
  let shownUnits = 0;
  const showBounded = (text: string): void => {
    const left = liveUnitsMax - shownUnits;
    if (left < 0) return;
    shownUnits += text.length;
    show(text.length <= left ? text : `${text.slice(0, left)}${liveEnd}`);
  };
  const keep = (text: string): void => {
    if (text === '') return;
    showBounded(text);
    tail += text;
    // Cut only when it exceeds twice the limit, so that not every small piece causes a copy.
    if (tail.length > 2 * tailUnitsMax) tail = lastUnits(tail);
  };
  return {
    add(text, byteLength): void {
      totalBytes += byteLength;
      keep(masked.push(text));
    },
    finish(): Tail {
      keep(masked.end());
      // Masked again, because a secret may have become known only after it was printed.
      return { text: lastUnits(masker.text(tail)), totalBytes };
    },
  };
}

const liveEnd = `\n[lifehook: more than ${liveUnitsMax} characters of output; the rest is not shown]\n`;

function lastUnits(text: string): string {
  return textEnd(text, tailUnitsMax);
}
