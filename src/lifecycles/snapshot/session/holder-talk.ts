import type { StreamSession, SessionEnd as ConnectionEnd } from '../../../kube/stream-session.ts';
import { captureOutput, type OutputCapture } from '../../../handlers/output-tail.ts';
import type { Tail } from '../../../model/attempt.ts';
import type { Masker } from '../../../model/secrets.ts';
import type { Timers } from '../../../platform/platform.ts';
import { type HolderFacts, noFacts, sessionEnd, takeReport } from './holder-report.ts';
import type { SessionEnd } from './session.ts';

export interface TalkOptions {
  readonly stream: StreamSession;
  readonly nonce: string;
  readonly windowSeconds: number;
  /** The output line of a client that confirms the freeze; null: commands, whose end the helper reports. */
  readonly readyLine: string | null;
  readonly masker: Masker;
  readonly onOutput?: ((text: string) => void) | undefined;
  /** Called after each report, which shows that the helper is reachable. */
  readonly onReport: () => void;
}

/**
 * The conversation with one session helper, from its first report to the end of its connection. The standard error has
 * the application's output, the standard output has only reports.
 */
export class HolderTalk {
  readonly facts: HolderFacts = noFacts();
  /** Resolves when the freeze is in force; may never resolve. */
  readonly frozen: Promise<void>;
  /** Resolves once; never rejects. */
  readonly ended: Promise<SessionEnd>;
  thawRequested = false;
  /** How the connection ended; null: it is open. */
  connection: ConnectionEnd | null = null;
  readonly #options: TalkOptions;
  readonly #encoder = new TextEncoder();
  #capture: OutputCapture;
  readonly #outputWhole: Promise<void>;
  #reportOutputWhole: () => void = () => undefined;
  #reportFrozen: () => void = () => undefined;
  #reportEnded: (end: SessionEnd) => void = () => undefined;

  constructor(options: TalkOptions) {
    this.#options = options;
    this.#capture = this.#openCapture();
    this.#outputWhole = new Promise((resolve) => {
      this.#reportOutputWhole = resolve;
    });
    this.frozen = new Promise((resolve) => {
      this.#reportFrozen = resolve;
    });
    this.ended = new Promise((resolve) => {
      this.#reportEnded = resolve;
    });
    void this.#listen();
  }

  /** Resolves with true when the line was sent; false: the connection is closed. */
  async send(line: string): Promise<boolean> {
    return this.#options.stream.write(this.#encoder.encode(`${line}\n`));
  }

  /** Requests the thaw. `abort`: also stop a freeze that is still running. */
  async askToThaw(word: 'thaw' | 'abort'): Promise<boolean> {
    this.thawRequested = true;
    return this.send(word);
  }

  /** The last part of the output since the previous call. */
  takeOutput(): Tail {
    const { stdout } = this.#capture.finish();
    this.#capture = this.#openCapture();
    const mark = stdout.text.lastIndexOf(`\n${this.#options.nonce}`);
    if (mark === -1) return stdout;
    const { length } = new TextEncoder().encode(stdout.text.slice(mark));
    return { text: stdout.text.slice(0, mark), totalBytes: stdout.totalBytes - length };
  }

  /**
   * Waits for the last output. Call after the end: reports and output arrive in separate channels, and either may be
   * later.
   */
  async allOutput(timers: Timers): Promise<void> {
    await new Promise<void>((resolve) => {
      const callOff = timers.after(outputWaitMs, resolve);
      void this.#outputWhole.then(callOff).then(resolve);
    });
  }

  /** Gives up the session. Call it if the helper does not answer any more: its further actions cannot be observed. */
  giveUp(): void {
    const window = `its window of ${this.#options.windowSeconds} s`;
    const reason = `The session was lost: the session helper has not answered for longer than ${window}, and it thaws by itself within that window.`;
    this.#reportEnded({ kind: 'lost', reason });
  }

  close(): void {
    this.#options.stream.close();
  }

  async #listen(): Promise<void> {
    const { stream } = this.#options;
    await Promise.all([this.#readReports(), this.#readOutput()]);
    this.connection = await stream.ended;
    this.#judge(this.connection);
  }

  async #readReports(): Promise<void> {
    const lines = lineReader((line) => {
      takeReport(this.facts, line, this.#options.nonce);
      this.#judge(null);
      this.#options.onReport();
    });
    for await (const bytes of this.#options.stream.stdout) lines(bytes);
  }

  async #readOutput(): Promise<void> {
    const decoder = new TextDecoder();
    const { readyLine, nonce } = this.#options;
    const lines = lineReader((line) => {
      if (line === nonce) this.#reportOutputWhole();
      if (readyLine === null || line.trim() !== readyLine.trim()) return;
      this.facts.frozen = true;
      this.#judge(null);
    });
    for await (const bytes of this.#options.stream.stderr) {
      this.#capture.add('stdout', decoder.decode(bytes, { stream: true }), bytes.length);
      lines(bytes);
    }
    this.#reportOutputWhole();
  }

  #judge(connection: ConnectionEnd | null): void {
    const { readyLine, windowSeconds } = this.#options;
    const { frozen, cause, timing } = this.facts;
    // The ready line of a client arrives in another channel, and may overtake the first report.
    if (frozen && cause === null && timing !== null) this.#reportFrozen();
    const hasClient = readyLine !== null;
    const end = sessionEnd(this.facts, connection, { hasClient, windowSeconds });
    if (end !== null) this.#reportEnded(end);
  }

  #openCapture(): OutputCapture {
    const { masker, onOutput } = this.#options;
    return captureOutput(masker, (_stream, text) => onOutput?.(text));
  }
}

/** Milliseconds for the last output to arrive after the end was reported. */
export const outputWaitMs = 500;

/** UTF-16 units. A longer line is neither a report nor a ready line, so its excess is dropped. */
const lineUnitsMax = 8 * 1024;

function lineReader(take: (line: string) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = '';
  return (bytes) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = (lines.pop() ?? '').slice(0, lineUnitsMax);
    for (const line of lines) take(line);
  };
}
