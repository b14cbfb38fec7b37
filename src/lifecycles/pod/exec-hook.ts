import type { AttemptRequest } from '../../engine/act.ts';
import type { ActPlatform } from '../../handlers/act.ts';
import { runBounded } from '../../handlers/bounded-work.ts';
import type { OutputCapture } from '../../handlers/output-tail.ts';
import type { AttemptResult } from '../../model/attempt.ts';
import { makeMasker } from '../../model/secrets.ts';
import type { ExecSession, RunningContainer } from '../../platform/container-runtime.ts';

/**
 * One attempt of a command in a container: exact argv, no shell, no stdin, bounded output (POD-K1). The end of the
 * container, the deadline or a cancellation ends it; the last two kill it.
 */
export async function runExecHook(
  {
    container,
    command,
  }: { readonly container: RunningContainer; readonly command: readonly string[] },
  request: AttemptRequest,
  platform: Pick<ActPlatform, 'clock' | 'timers'>,
): Promise<AttemptResult> {
  let end: Awaited<ExecSession['exited']> = { exitCode: null, signal: null };
  const result = await runBounded(request, platform, {
    what: `${command[0] ?? 'a command'} in the container`,
    masker: makeMasker(request.secrets ?? []),
    run: async (signal, output) => {
      const session = container.exec({ argv: command, stdin: false, tty: false, signal });
      const close = (): void => {
        session.close();
      };
      signal.addEventListener('abort', close);
      try {
        const reading = [
          read(session.stdout, 'stdout', output),
          read(session.stderr, 'stderr', output),
        ];
        [end] = await Promise.all([session.exited, ...reading]);
      } finally {
        signal.removeEventListener('abort', close);
      }
      return { succeeded: end.exitCode === 0, reason: describe(end) };
    },
  });
  return { ...result, ...end };
}

function describe({
  exitCode,
  signal,
}: {
  exitCode: number | null;
  signal: string | null;
}): string {
  if (signal !== null) return `was ended by ${signal}`;
  return exitCode === null ? 'ended, and nobody saw how' : `exited with code ${exitCode}`;
}

async function read(
  stream: AsyncIterable<Uint8Array>,
  name: 'stdout' | 'stderr',
  output: OutputCapture,
): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    output.add(name, decoder.decode(bytes, { stream: true }), bytes.length);
  }
  output.add(name, decoder.decode(), 0);
}
