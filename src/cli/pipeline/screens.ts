/**
 * stdout and stderr as the printer writes to them: what is written in one turn of the event loop is one call of the
 * system, made after the turn's own work, and the order between the two stays. So the end of a hook and the start of the
 * next are one write, and that hook does not wait for it. A flood of output comes in pieces of a pipe's size, so that
 * little is held.
 */
import process from 'node:process';

import type { Screen } from './printer.ts';

/** Text that is held, UTF-16 units; more is written at once. */
const MAX_HELD_UNITS = 65_536;

export interface Screens {
  readonly out: Screen;
  readonly err: Screen;
  /** Writes what is held: before others write to the same streams, and at the end. */
  readonly flush: () => void;
}

export function screensOf(out: NodeJS.WriteStream, err: NodeJS.WriteStream): Screens {
  let held: string[] = [];
  let units = 0;
  let of = out;
  let due: NodeJS.Immediate | null = null;
  const flush = (): void => {
    if (due !== null) clearImmediate(due);
    due = null;
    const text = held.join('');
    held = [];
    units = 0;
    if (text !== '') of.write(text);
  };
  const screenOf = (stream: NodeJS.WriteStream): Screen => ({
    write: (text) => {
      if (of !== stream) flush();
      of = stream;
      due ??= setImmediate(flush);
      held.push(text);
      units += text.length;
      if (units > MAX_HELD_UNITS) flush();
    },
    columns: () => (stream.isTTY && process.env['TERM'] !== 'dumb' ? stream.columns : null),
  });
  return { out: screenOf(out), err: screenOf(err), flush };
}
