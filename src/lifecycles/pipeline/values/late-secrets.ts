/**
 * Finds the secrets that a hook reveals while it runs, when it sets a value and then prints it. The files and lines
 * through which the hook sets values are read before each piece of its output is passed on. They are read once more
 * after its end, even if its values are refused.
 */
import { looksSecret } from '../../../model/secrets.ts';
import type { Files, Processes } from '../../../platform/platform.ts';
import { controls } from '../hooks/tap-stdout.ts';
import {
  MAX_ENV_FILE_BYTES,
  MAX_OUTPUT_FILE_BYTES,
  readEnvFile,
  readOutputsFile,
} from './env-file.ts';
import { ENV_FILE, type HostChannels, OUTPUT_FILE, readBounded } from './host-channels.ts';

export interface LateSources {
  readonly files: Files;
  readonly channels: HostChannels;
  /** Names that the hook declares secret. */
  readonly declared: readonly string[];
  /** Values that lines of the hook's stdout have set. */
  readonly printed: () => ReadonlyMap<string, string>;
}

export class LateSecrets {
  readonly #sources: LateSources;
  readonly #found = new Set<string>();
  /** The size and time of each file at its last read. */
  readonly #seen = new Map<string, string>();
  #list: readonly string[] = [];

  constructor(sources: LateSources) {
    this.#sources = sources;
  }

  /** The secrets found so far. The list only grows. */
  list(): readonly string[] {
    const printed = this.#sources.printed();
    if (printed.size > 0) this.#add(Object.fromEntries(printed));
    return this.#list;
  }

  /**
   * Reads the files that have changed. Never rejects: a file that cannot be read is reported later, when the hook's
   * values are taken.
   */
  async look(): Promise<void> {
    const env = await this.#changed(ENV_FILE, MAX_ENV_FILE_BYTES);
    if (env !== null) this.#add(wholeEntries(env));
    const output = await this.#changed(OUTPUT_FILE, MAX_OUTPUT_FILE_BYTES);
    const read = output === null ? null : readOutputsFile(output);
    if (read?.kind === 'read') this.#add(read.outputs);
  }

  #add(values: Readonly<Record<string, unknown>>): void {
    const { declared } = this.#sources;
    const before = this.#found.size;
    for (const [name, value] of Object.entries(values)) {
      const isSecret = declared.includes(name) || looksSecret(name);
      if (isSecret && typeof value === 'string') this.#found.add(value);
    }
    if (this.#found.size !== before) this.#list = [...this.#found];
  }

  /** The text of a file; null: it is unchanged, or cannot be read. */
  async #changed(name: string, limitBytes: number): Promise<string | null> {
    const { files, channels } = this.#sources;
    const path = channels.variables[name] ?? '';
    try {
      const { size, mtimeMs } = await files.stat(path);
      const now = `${size} ${mtimeMs}`;
      if (size === 0 || this.#seen.get(name) === now) return null;
      this.#seen.set(name, now);
      return await readBounded(files, path, limitBytes);
    } catch {
      return null;
    }
  }
}

/** The entries before the first invalid or incomplete one. */
function wholeEntries(text: string): Readonly<Record<string, string>> {
  const read = readEnvFile(text);
  if (read.kind === 'read') return read.values;
  const before = text
    .split('\n')
    .slice(0, read.line - 1)
    .join('\n');
  const again = readEnvFile(before);
  return again.kind === 'read' ? again.values : {};
}

/** Reads the sources before each piece of output, and before the end is reported. Pieces keep their order. */
export function lookingFirst(processes: Processes, look: () => Promise<void>): Processes {
  return {
    spawn: (spec) => {
      let passed: Promise<void> = Promise.resolve();
      const running = processes.spawn({
        ...spec,
        onOutput: (stream, text, byteLength) => {
          passed = passed.then(look).then(() => spec.onOutput?.(stream, text, byteLength));
        },
      });
      const lookLast = async (): Promise<void> => {
        await passed;
        await look();
      };
      return Object.assign(controls(running), { exited: endedAfter(running.exited, lookLast) });
    },
  };
}

async function endedAfter<T>(exited: Promise<T>, last: () => Promise<void>): Promise<T> {
  const exit = await exited;
  await last();
  return exit;
}
