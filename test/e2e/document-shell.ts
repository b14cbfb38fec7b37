/**
 * One bash for a whole document. It gets one block after another, so later blocks see the variables of earlier ones.
 * The first command that fails stops it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

import type { Desk } from './document-desk.ts';

export interface Ran {
  /** stdout and stderr, as a terminal shows them. */
  readonly output: string;
  /** True if every command of the block exited with 0. */
  readonly passed: boolean;
}

const DOCUMENT_TIMEOUT_MS = 280_000;
const POLL_MS = 50;

/**
 * Blocks ("pieces") arrive on descriptor 3, and their ends are reported on 4. Both are closed in a piece, so that a
 * background container cannot hold them open.
 */
const LOOP = 'while read -r piece <&3; do . "$piece" 3<&- 4>&-; echo passed >&4; done';

export class DocumentShell implements Disposable {
  readonly #desk: Desk;
  readonly #bash: ChildProcess;
  readonly #to: Writable;
  readonly #from: Readable;
  readonly #exited: Promise<boolean>;
  readonly #timer: NodeJS.Timeout;
  #pieces = 0;
  #read = 0;

  constructor(desk: Desk) {
    this.#desk = desk;
    // Output goes into a file, because a background container that holds a pipe would block the test.
    writeFileSync(this.#file('output'), '');
    const head = `set -euo pipefail; umask 022; trap : INT; exec >'${this.#file('output')}' 2>&1`;
    this.#bash = spawn('bash', ['-c', `${head}; ${LOOP}`], {
      cwd: desk.work,
      env: desk.env,
      // A separate process group, so that Ctrl-C reaches the processes in the foreground.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    const [, , , to, from] = this.#bash.stdio as unknown as [null, null, null, Writable, Readable];
    // If bash has exited already, its exit event reports that.
    this.#to = to.on('error', () => {});
    this.#from = from;
    this.#exited = new Promise((done) => {
      this.#bash.once('exit', () => {
        done(false);
      });
    });
    this.#timer = setTimeout(() => {
      this.#signal('SIGKILL');
    }, DOCUMENT_TIMEOUT_MS);
  }

  /** Runs one block. Sends Ctrl-C as soon as the output fulfils `interruptAt`. */
  async run(text: string, interruptAt?: (output: string) => boolean): Promise<Ran> {
    const file = this.#file(`piece-${(this.#pieces += 1)}`);
    writeFileSync(file, `${text}\n`);
    const ended = new Promise<boolean>((done) => {
      this.#from.once('data', () => {
        done(true);
      });
    });
    this.#to.write(`${file}\n`);
    const poll =
      interruptAt === undefined
        ? undefined
        : setInterval(() => {
            if (!interruptAt(this.#output())) return;
            clearInterval(poll);
            this.#signal('SIGINT');
          }, POLL_MS);
    const passed = await Promise.race([ended, this.#exited]);
    clearInterval(poll);
    const output = this.#output();
    this.#read += output.length;
    return { output, passed };
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    // Kills the whole process group, including background processes.
    this.#signal('SIGKILL');
  }

  /** Output of the current block. */
  #output(): string {
    return readFileSync(this.#file('output'), 'utf8').slice(this.#read);
  }

  #file(name: string): string {
    return join(this.#desk.folder, name);
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.#bash;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    process.kill(-pid, signal);
  }
}
