/**
 * Reads a hook's raw stdout before secrets are masked and tails are cut: the manifests of a render hook, and
 * `::set-env` lines. Only for hooks that opened such a channel; stderr is never read (PIPE-B5, PIPE-E1).
 */
import type { Processes, RunningProcess, SpawnSpec } from '../../../platform/platform.ts';

export interface StdoutTap {
  /** Call with each piece; returns the text to be shown and recorded. */
  push(text: string): string;
  end(): string;
}

export function tapStdout(processes: Processes, tap: StdoutTap): Processes {
  return {
    spawn: (spec) => {
      const { onOutput } = spec;
      const passOn = (text: string, byteLength: number): void =>
        onOutput?.('stdout', text, byteLength);
      const running = processes.spawn({ ...spec, onOutput: tapped(tap, passOn, onOutput) });
      const end = (): void => {
        passOn(tap.end(), 0);
      };
      return Object.assign(controls(running), { exited: thenEnd(running, end) });
    },
  };
}

type OnOutput = NonNullable<SpawnSpec['onOutput']>;

function tapped(
  tap: StdoutTap,
  passOn: (text: string, byteLength: number) => void,
  onOutput: OnOutput | undefined,
): OnOutput {
  return (stream, text, byteLength) => {
    if (stream === 'stdout') passOn(tap.push(text), byteLength);
    else onOutput?.(stream, text, byteLength);
  };
}

/** The members of a process without `exited`. `reached` is left out too, since no process of a pipeline has it. */
export function controls(running: RunningProcess): Omit<RunningProcess, 'exited'> {
  return {
    get pid() {
      return running.pid;
    },
    signalGroup: (signal) => {
      running.signalGroup(signal);
    },
    groupAlive: () => running.groupAlive(),
  };
}

async function thenEnd(running: RunningProcess, end: () => void): RunningProcess['exited'] {
  const exit = await running.exited;
  end();
  return exit;
}

/** Maximum UTF-16 units of manifests. */
export const MAX_MANIFEST_UNITS = 67_108_864;

/** Keeps the whole text and shows none of it: manifests may contain secrets. */
export class CollectedText implements StdoutTap {
  #pieces: string[] = [];
  #units = 0;

  push(text: string): string {
    this.#units += text.length;
    if (this.#units <= MAX_MANIFEST_UNITS) this.#pieces.push(text);
    return '';
  }

  end(): string {
    return '';
  }

  /** null: the text was longer than the limit. */
  text(): string | null {
    return this.#units > MAX_MANIFEST_UNITS ? null : this.#pieces.join('');
  }
}

/**
 * Splits pieces of output into whole lines. A last line without a line feed counts too, and is never joined with later
 * text.
 */
interface OutputLines {
  push(text: string): void;
  /** Emits the last line, if it has no line feed. */
  end(): void;
}

/** Lines that are emitted together. */
export interface LineBlock {
  /** A line feed separates lines. */
  readonly text: string;
  readonly count: number;
}

/** Maximum lines of a block. */
export const MAX_BLOCK_LINES = 1_000;

/**
 * Maximum UTF-16 units that are held of a line without a line feed; a longer line is emitted in parts of this length.
 */
export const MAX_LINE_UNITS = 65_536;

/**
 * Emits the whole lines of an output. Worked example: the pieces "a\nb", "c\r\n" and "d", and then the end, give the
 * lines a, bc and d.
 */
export function outputLines(emit: (line: string) => void): OutputLines {
  return outputBlocks(({ text }) => {
    for (const line of text.split('\n')) emit(line);
  });
}

/** Like `outputLines`, but emits the lines of one piece together, so that a flood of lines is handled as one text. */
export function outputBlocks(emit: (block: LineBlock) => void): OutputLines {
  let held = '';
  return {
    push: (text) => {
      const all = held + text;
      const end = all.lastIndexOf('\n');
      held = all.slice(end + 1);
      if (end !== -1) reportBlocks(withoutReturns(all.slice(0, end)), emit);
      while (held.length > MAX_LINE_UNITS) {
        emit({ text: held.slice(0, MAX_LINE_UNITS), count: 1 });
        held = held.slice(MAX_LINE_UNITS);
      }
    },
    end: () => {
      if (held !== '') emit({ text: withoutReturns(held), count: 1 });
      held = '';
    },
  };
}

function reportBlocks(text: string, emit: (block: LineBlock) => void): void {
  let [from, count] = [0, 1];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (count === MAX_BLOCK_LINES) {
      emit({ text: text.slice(from, at), count });
      [from, count] = [at + 1, 0];
    }
    count += 1;
  }
  emit({ text: text.slice(from), count });
}

/** Removes carriage returns at the ends of lines. */
function withoutReturns(lines: string): string {
  if (!lines.includes('\r')) return lines;
  const inner = lines.replaceAll('\r\n', '\n');
  return inner.endsWith('\r') ? inner.slice(0, -1) : inner;
}
