import { type ActPlatform, makeRunHandler, type RunHandler } from '../../handlers/act.ts';
import { exitText } from '../../platform/error-text.ts';
import { codeOf } from '../../platform/posix-error.ts';
import type { HttpAnswer, HttpRequest } from '../../platform/platform.ts';
import type { RunningContainer, ExecSession } from '../../platform/container-runtime.ts';
import type { AttemptRequest } from '../../engine/act.ts';
import { runBounded } from '../../handlers/bounded-work.ts';
import type { OutputCapture } from '../../handlers/output-tail.ts';
import type { AttemptResult } from '../../model/attempt.ts';
import { makeMasker } from '../../model/secrets.ts';

export interface PodActing {
  readonly platform: ActPlatform;
  readonly container: RunningContainer;
  /** Called before a request is repeated over HTTP, because the server of an HTTPS hook speaks plain HTTP (POD-K20). */
  readonly onHttpFallback?: () => void;
}

/** Runs the hooks and probes of a pod: commands in the container, and requests from the node (POD-K17). */
export function podAct({ platform, container, onHttpFallback }: PodActing): RunHandler {
  const network = {
    ...platform.network,
    httpGet: (request: HttpRequest) => getOrFallBack(request, platform, onHttpFallback),
  };
  const others = makeRunHandler({ ...platform, network });
  return (handler, request) => {
    if (handler.kind !== 'exec') return others(handler, request);
    return runExecHook({ container, command: handler.command }, request, platform);
  };
}

/** Node.js error codes for an answer that is not TLS. */
const NOT_TLS = ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO'];

async function getOrFallBack(
  request: HttpRequest,
  { network }: Pick<ActPlatform, 'network'>,
  onHttpFallback: PodActing['onHttpFallback'],
): Promise<HttpAnswer> {
  try {
    return await network.httpGet(request);
  } catch (error) {
    const notTls = NOT_TLS.includes(codeOf(error) ?? '');
    if (onHttpFallback === undefined || !notTls || !request.url.startsWith('https:')) throw error;
    onHttpFallback();
    // The credentials of this header were meant for an encrypted connection (POD-K20).
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== 'authorization'),
    );
    return network.httpGet({ ...request, url: overHttp(request.url), headers });
  }
}

/**
 * The URL of the same server and port over HTTP. The port is always written, because a URL omits the default port of
 * its scheme.
 */
function overHttp(url: string): string {
  const plain = new URL(url);
  const port = plain.port === '' ? HTTPS_PORT : plain.port;
  plain.protocol = 'http:';
  plain.port = port;
  return plain.href;
}

const HTTPS_PORT = '443';

/**
 * One attempt of a command in a container: exact argv, no shell, no stdin, bounded output (POD-K1). The attempt ends
 * when the container exits, at the deadline or when it is cancelled; a deadline or a cancellation kills the command.
 */
async function runExecHook(
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
      return {
        succeeded: end.exitCode === 0,
        reason: exitText({ code: end.exitCode, signal: end.signal }),
      };
    },
  });
  return { ...result, ...end };
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
