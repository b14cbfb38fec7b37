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
  /** Of a client: the line that says that it is frozen. null: commands, whose end the holder reports. */
  readonly readyLine: string | null;
  readonly masker: Masker;
  readonly onOutput?: ((text: string) => void) | undefined;
  /** After each report: it can be heard. */
  readonly onReport: () => void;
}

/**
 * The conversation with one holder, from its first report to the end of its connection. What the
 * application says comes on the standard error, reports alone on the standard output.
 */
export class HolderTalk {
  readonly facts: HolderFacts = noFacts();
  /** Resolves when it is frozen, if it ever is. */
  readonly frozen: Promise<void>;
  /** Resolves once; never rejects. */
  readonly ended: Promise<SessionEnd>;
  toldToThaw = false;
  /** How the connection ended, once it has. */
  connection: ConnectionEnd | null = null;
  readonly #options: TalkOptions;
  readonly #encoder = new TextEncoder();
  #capture: OutputCapture;
  readonly #outputWhole: Promise<void>;
  #tellOutputWhole: () => void = () => undefined;
  #tellFrozen: () => void = () => undefined;
  #tellEnded: (end: SessionEnd) => void = () => undefined;

  constructor(options: TalkOptions) {
    this.#options = options;
    this.#capture = this.#openCapture();
    this.#outputWhole = new Promise((resolve) => {
      this.#tellOutputWhole = resolve;
    });
    this.frozen = new Promise((resolve) => {
      this.#tellFrozen = resolve;
    });
    this.ended = new Promise((resolve) => {
      this.#tellEnded = resolve;
    });
    void this.#listen();
  }

  /** Resolves when it has left; false: there is no connection any more. */
  async send(line: string): Promise<boolean> {
    return this.#options.stream.write(this.#encoder.encode(`${line}\n`));
  }

  /** `abort`: the freeze is not worth waiting for any more. */
  async askToThaw(word: 'thaw' | 'abort'): Promise<boolean> {
    this.toldToThaw = true;
    return this.send(word);
  }

  /** The output since the last call, its end. */
  takeOutput(): Tail {
    const { stdout } = this.#capture.finish();
    this.#capture = this.#openCapture();
    const mark = stdout.text.lastIndexOf(`\n${this.#options.nonce}`);
    if (mark === -1) return stdout;
    const { length } = new TextEncoder().encode(stdout.text.slice(mark));
    return { text: stdout.text.slice(0, mark), totalBytes: stdout.totalBytes - length };
  }

  /** After the end: reports and output come in channels of their own, of which either may be later. */
  async allOutput(timers: Timers): Promise<void> {
    await new Promise<void>((resolve) => {
      const callOff = timers.after(outputWaitMs, resolve);
      void this.#outputWhole.then(callOff).then(resolve);
    });
  }

  /** It does not answer: whatever it does from now on, nobody will hear of it. */
  giveUp(): void {
    const window = `its window of ${this.#options.windowSeconds} s`;
    const reason = `The session was lost: the holder has answered nothing for longer than ${window}, within which it thaws.`;
    this.#tellEnded({ kind: 'lost', reason });
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
      if (line === nonce) this.#tellOutputWhole();
      if (readyLine === null || line.trim() !== readyLine.trim()) return;
      this.facts.frozen = true;
      this.#judge(null);
    });
    for await (const bytes of this.#options.stream.stderr) {
      this.#capture.add('stdout', decoder.decode(bytes, { stream: true }), bytes.length);
      lines(bytes);
    }
    this.#tellOutputWhole();
  }

  #judge(connection: ConnectionEnd | null): void {
    const { readyLine, windowSeconds } = this.#options;
    const { frozen, cause, timing } = this.facts;
    // The ready line of a client comes in another channel, and may overtake the first report.
    if (frozen && cause === null && timing !== null) this.#tellFrozen();
    const hasClient = readyLine !== null;
    const end = sessionEnd(this.facts, connection, { hasClient, windowSeconds });
    if (end !== null) this.#tellEnded(end);
  }

  #openCapture(): OutputCapture {
    const { masker, onOutput } = this.#options;
    return captureOutput(masker, (_stream, text) => onOutput?.(text));
  }
}

/** Milliseconds in which the last output has to arrive after the end was reported. */
export const outputWaitMs = 500;

/** Longer lines hold no report and say nothing of being ready: what is over is dropped. */
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
