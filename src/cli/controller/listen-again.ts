/** A webhook without a port of its own listens where the last one did, so that its configurations stay true. */
import type { KubeClient } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import { mutatingWebhookConfigurations } from '../../kube/resources.ts';
import type { HttpServer } from '../../platform/http-server.ts';
import { type HttpServerOptions, nodeHttpServer } from '../../platform/node-http-server.ts';
import { codeOf } from '../../platform/posix-error.ts';

/** `configuration`: whose address says where that was. With a port that is given, there and nowhere else. */
export async function listenAgain(
  client: KubeClient,
  configuration: string,
  options: HttpServerOptions,
): Promise<HttpServer> {
  if (options.port !== 0) return nodeHttpServer(options);
  const port = await lastPort(client, configuration);
  try {
    return await nodeHttpServer({ ...options, port });
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    return nodeHttpServer(options);
  }
}

/** 0: there was none. */
async function lastPort(client: KubeClient, name: string): Promise<number> {
  const found = await getOrNull(client, mutatingWebhookConfigurations, { name });
  const url = found?.webhooks?.[0]?.clientConfig.url ?? '';
  return URL.canParse(url) ? Number(new URL(url).port) : 0;
}
