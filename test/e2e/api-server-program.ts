/**
 * The API server alone, over TLS, with its state in a directory, for tests that send requests to it and kill it.
 *
 *   api-server-program.ts FOLDER PORT
 *
 * It writes FOLDER/kubeconfig and prints its URL when it is ready.
 */
import { writeFile } from 'node:fs/promises';
import { writeSync } from 'node:fs';

import {
  apiService,
  ensureKubernetesService,
  kubeconfigText,
  TokenBook,
} from '../../packages/local-cluster/src/index.ts';
import { ensureNamespaces, openApiServer } from '../../packages/local-cluster/src/testing.ts';
import { makeKubeClient } from '../../src/kube/make-client.ts';
import { nodeFiles as files } from '../../src/platform/files.ts';
import { serverCertificates } from '../../src/platform/node-certificates.ts';
import { nodeHttpServer } from '../../src/platform/node-http-server.ts';
import { nodePlatform as platform } from '../../src/platform/node-platform.ts';
import { nodeWebhookCall } from '../../src/platform/node-webhook-call.ts';
import { nodeRandomness as randomness } from '../../src/platform/randomness.ts';

const [folder = '', port = '0'] = process.argv.slice(2);
const { clock } = platform;

const adminToken = 'e2e-token';
const tokens = new TokenBook({ clock, randomness, adminToken });
const server = await openApiServer({
  platform,
  randomness,
  tokens,
  folder: `${folder}/api`,
  webhookCall: nodeWebhookCall(),
});
const certificates = await serverCertificates({
  files,
  folder: `${folder}/pki`,
  nowMs: clock.nowMs(),
});
const listening = await nodeHttpServer({
  service: apiService(server.api, tokens),
  certificate: certificates.certificate,
  key: certificates.key,
  port: Number(port),
});
const client = makeKubeClient({
  transport: server.transport,
  platform,
  userAgent: 'api-server-program',
  random: () => 0.5,
});
await ensureNamespaces(client);
await ensureKubernetesService(client, { host: '127.0.0.1', port: listening.port });
const config = kubeconfigText({
  name: 'e2e',
  server: listening.url,
  authority: certificates.authority,
  token: adminToken,
});
await writeFile(`${folder}/kubeconfig`, config, { mode: 0o600 });
writeSync(1, `${listening.url}\n`);

process.once('SIGTERM', () => {
  const stop = async (): Promise<void> => {
    await listening.close();
    await server.close();
    process.exit(0);
  };
  void stop();
});
