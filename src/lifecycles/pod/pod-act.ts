import { type ActPlatform, makeRunHandler, type RunHandler } from '../../handlers/act.ts';
import { codeOf } from '../../platform/posix-error.ts';
import type { HttpAnswer, HttpRequest } from '../../platform/platform.ts';
import type { RunningContainer } from '../../platform/container-runtime.ts';
import { runExecHook } from './exec-hook.ts';

export interface PodActing {
  readonly platform: ActPlatform;
  readonly container: RunningContainer;
  /** An HTTPS hook met a server that speaks plain HTTP, and is asked again that way (POD-K20). */
  readonly onHttpFallback?: () => void;
}

/** How the hooks and probes of a pod act: commands in its container, requests from the node (POD-K17). */
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

/** What Node says of an answer that is not TLS. */
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
    // Credentials that were meant for an encrypted connection do not go over a plain one.
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== 'authorization'),
    );
    return network.httpGet({ ...request, url: overHttp(request.url), headers });
  }
}

/** The same server, port included: a URL leaves out the port that its scheme has by default. */
function overHttp(url: string): string {
  const plain = new URL(url);
  const port = plain.port === '' ? HTTPS_PORT : plain.port;
  plain.protocol = 'http:';
  plain.port = port;
  return plain.href;
}

const HTTPS_PORT = '443';
