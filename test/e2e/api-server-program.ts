/**
 * The API server alone, over TLS, with its state in a folder: to be driven by clients, and killed.
 *
 *   api-server-program.ts FOLDER PORT
 *
 * It writes FOLDER/kubeconfig and prints its URL when it is ready.
 */
import { writeFile } from 'node:fs/promises';
import { writeSync } from 'node:fs';

import { webhookAdmission } from '../../src/cluster/api/admission/webhook-admission.ts';
import { serveCustomKinds } from '../../src/cluster/api/crd/serve-custom-kinds.ts';
import {
  ensureKubernetesService,
  ensureNamespaces,
} from '../../src/cluster/api/default-objects.ts';
import { apiService } from '../../src/cluster/api/front.ts';
import { makeApiServer } from '../../src/cluster/api/handle.ts';
import { inProcessTransport } from '../../src/cluster/api/in-process-transport.ts';
import { kubeconfigText } from '../../src/cluster/api/kubeconfig.ts';
import { ResourceRegistry } from '../../src/cluster/api/registry.ts';
import { TokenBook } from '../../src/cluster/api/tokens.ts';
import { builtinDefinitions } from '../../src/cluster/objects/kinds/definitions.ts';
import { openObjectStore } from '../../src/cluster/storage/open-store.ts';
import { makeKubeClient } from '../../src/kube/make-client.ts';
import { nodeFiles as files } from '../../src/platform/files.ts';
import { serverCertificates } from '../../src/platform/node-certificates.ts';
import { nodeHttpServer } from '../../src/platform/node-http-server.ts';
import { nodePlatform as platform } from '../../src/platform/node-platform.ts';
import { nodeWebhookCall } from '../../src/platform/node-webhook-call.ts';
import { nodeRandomness as randomness } from '../../src/platform/node-randomness.ts';
import { procTable } from '../../src/store/process-table.ts';

const [folder = '', port = '0'] = process.argv.slice(2);
const { clock, timers } = platform;

const store = await openObjectStore({
  files,
  folder: `${folder}/api`,
  processes: procTable(files),
  clock,
  timers,
});
const adminToken = 'e2e-token';
const tokens = new TokenBook({ clock, randomness, adminToken });
const registry = new ResourceRegistry(builtinDefinitions());
const call = nodeWebhookCall();
const webhooks = webhookAdmission({ store, registry, platform, randomness, call });
const custom = serveCustomKinds({ store, registry, platform }, webhooks);
await custom.kinds.start();
const { admission } = custom;
const server = makeApiServer({ store, registry, platform, randomness, tokens, admission });
const certificates = await serverCertificates({
  files,
  folder: `${folder}/pki`,
  nowMs: clock.nowMs(),
});
const listening = await nodeHttpServer({
  service: apiService(server, tokens),
  certificate: certificates.certificate,
  key: certificates.key,
  port: Number(port),
});
const client = makeKubeClient({
  transport: inProcessTransport(server, platform.timers),
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
    await custom.kinds.stop();
    call.close();
    await store.close();
    process.exit(0);
  };
  void stop();
});
