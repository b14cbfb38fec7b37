import { captureOutput } from '../../handlers/output-tail.ts';
import { makeMasker } from '../../model/secrets.ts';
import type { TryOptions } from './try-recipe.ts';

export interface RanInContainer {
  /** null: it was not started, or nobody saw its end. */
  readonly exitCode: number | null;
  readonly ms: number;
  readonly text: string;
  /** Both streams as they came, the end of them. */
  readonly output: string;
}

export async function runInContainer(
  { access, target, platform }: Pick<TryOptions, 'access' | 'target' | 'platform'>,
  command: readonly string[],
  timeoutMs: number,
): Promise<RanInContainer> {
  const startedMs = platform.clock.monotonicMs();
  const capture = captureOutput(makeMasker([]), undefined);
  const decoder = new TextDecoder();
  const result = await access.exec({
    ...target,
    command,
    timeoutMs,
    onOutput: (_stream, bytes) => {
      capture.add('stdout', decoder.decode(bytes, { stream: true }), bytes.length);
    },
  });
  const ms = platform.clock.monotonicMs() - startedMs;
  const output = capture.finish().stdout.text;
  switch (result.outcome) {
    case 'exited':
      return {
        exitCode: result.exitCode,
        ms,
        text: `Exited with code ${result.exitCode}.`,
        output,
      };
    case 'failed':
      return { exitCode: null, ms, text: `Not started: ${result.status.message ?? ''}.`, output };
    case 'unknown':
      return { exitCode: null, ms, text: `Nobody knows how it ended: ${result.reason}.`, output };
    default:
      return result satisfies never;
  }
}
