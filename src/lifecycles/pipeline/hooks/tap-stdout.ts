/**
 * Reads a hook's raw stdout before secrets are masked and tails are cut: the manifests of a render hook, and the
 * document's set-env lines. Only for hooks that opened such a channel; stderr is never read (PIPE-B5, PIPE-E1).
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

/** All members of a process except `exited`. */
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

  /** null: it was longer than the limit. */
  text(): string | null {
    return this.#units > MAX_MANIFEST_UNITS ? null : this.#pieces.join('');
  }
}
