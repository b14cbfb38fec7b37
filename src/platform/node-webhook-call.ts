/** Webhook calls with `node:https`. If a kept-alive connection is dead, the call is retried on another one. */
import type { IncomingMessage } from 'node:http';
import * as https from 'node:https';

import { codeOf, posixError } from './posix-error.ts';
import type { WebhookAnswer, WebhookCall, WebhookRequest } from './webhook-call.ts';

/** Maximum number of connections to one webhook server, and to all of them together. */
const MAX_CONNECTIONS_EACH = 64;
const MAX_CONNECTIONS = 256;

/** Maximum number of idle connections that are kept to one server. */
const MAX_IDLE_CONNECTIONS = 16;
const IDLE_TIMEOUT_MS = 30_000;

/** Number of dead kept-alive connections after which a call opens a new connection. */
const MAX_DEAD_CONNECTIONS = 3;

export function nodeWebhookCall(): WebhookCall {
  const agent = new https.Agent({
    keepAlive: true,
    timeout: IDLE_TIMEOUT_MS,
    maxSockets: MAX_CONNECTIONS_EACH,
    maxTotalSockets: MAX_CONNECTIONS,
    maxFreeSockets: MAX_IDLE_CONNECTIONS,
  });
  return {
    post: async (request) => {
      for (let dead = 1; ; dead += 1) {
        // The last try gets a new connection.
        const answer = await postOnce(request, dead > MAX_DEAD_CONNECTIONS ? false : agent);
        if (answer !== 'dead connection') return answer;
      }
    },
    close: () => {
      agent.destroy();
    },
  };
}

function postOnce(
  request: WebhookRequest,
  agent: https.Agent | false,
): Promise<WebhookAnswer | 'dead connection'> {
  const { signal, body } = request;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(posixError('ECANCELED', 'cancelled'));
      return;
    }
    const made = https.request(optionsOf(request, agent));
    const abort = (): void => {
      made.destroy(posixError('ECANCELED', 'cancelled'));
    };
    signal.addEventListener('abort', abort);
    made.once('close', () => {
      signal.removeEventListener('abort', abort);
    });
    made.on('error', (error) => {
      const stale = made.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '');
      if (stale) resolve('dead connection');
      else reject(error);
    });
    made.once('response', (response) => {
      readAnswer(response, request.answerLimitBytes).then(resolve, (error: unknown) => {
        const failure = error instanceof Error ? error : posixError('EIO', String(error));
        made.destroy(failure);
        // An aborted request has already rejected; a second rejection has no effect.
        reject(failure);
      });
    });
    made.end(body);
  });
}

function optionsOf(
  { url, connectTo, authority, body }: WebhookRequest,
  agent: https.Agent | false,
): https.RequestOptions {
  const to = new URL(url);
  return {
    method: 'POST',
    agent,
    host: connectTo?.host ?? to.hostname.replaceAll(/[[\]]/g, ''),
    port: connectTo?.port ?? (to.port === '' ? 443 : Number(to.port)),
    path: `${to.pathname}${to.search}`,
    headers: {
      host: to.host,
      'content-type': 'application/json',
      accept: 'application/json, */*',
      'content-length': String(Buffer.byteLength(body)),
    },
    ...(authority === '' ? {} : { ca: authority }),
    ...(connectTo === null ? {} : { servername: to.hostname }),
  };
}

async function readAnswer(response: IncomingMessage, limitBytes: number): Promise<WebhookAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > limitBytes) {
      throw posixError('EMSGSIZE', `the answer is longer than ${limitBytes} bytes`);
    }
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') };
}
