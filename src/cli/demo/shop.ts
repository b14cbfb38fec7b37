/** The order service as its customers see it: its URL and its pages. */
import { services } from '../../kube/resources.ts';
import { connectToKube } from '../kube-connection.ts';
import { OrderClients } from './order-clients.ts';
import { eventually, inSeconds, run, type Stage } from './stage.ts';

export interface Shop {
  /** Example: "http://127.96.0.3:8000" */
  readonly url: string;
  readonly clients: OrderClients;
}

const PORT = 8000;
const PATIENCE_MS = 5_000;
const READY_SECONDS = 20;

/** Resolves when the service answers with this version. */
export async function findService(stage: Stage, name: string, version: string): Promise<string> {
  const { kubeconfig } = stage.world;
  using cluster = await connectToKube({ kubeconfig }, 'demo');
  const { spec } = await cluster.client.get(services, { namespace: cluster.namespace, name });
  const url = `http://${spec?.clusterIP ?? ''}:${PORT}`;
  const what = `${name} answers as ${version}`;
  await eventually(stage, { what, seconds: READY_SECONDS }, async () =>
    (await read(url, '/ready').catch(() => '')) === version ? true : null,
  );
  return url;
}

/** The content of a page. Rejects if the service does not serve it. */
export async function read(url: string, page: string): Promise<string> {
  const response = await fetch(`${url}${page}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const text = (await response.text()).trimEnd();
  if (response.ok) return text;
  throw new Error(`${url}${page} answers ${response.status}: ${text}`);
}

/** Like `read`, but retries while no server answers, because pods start or stop. */
export function readEventually(stage: Stage, url: string, page: string): Promise<string> {
  return eventually(stage, { what: `${page} is answered`, seconds: READY_SECONDS }, () =>
    read(url, page).catch(() => null),
  );
}

const FIRST_ORDERS = 20;

/** Builds version 1 with the folder builder and deploys it; then the customers start. */
export async function deployShop(stage: Stage): Promise<Shop> {
  const { say, world } = stage;
  say.act('Pipeline: an order service is built and deployed, with hooks in between');
  say.command('cd orders');
  const { output, tookMs } = await run(stage, ['pipeline', 'run'], { cwd: world.orders });
  say.fact(`built from a directory and deployed, after ${inSeconds(tookMs)}`);
  say.claim(
    'the hook before the build named the image, the one after it got the name',
    output.includes('[build/orders/after/0] orders:v1 is there'),
  );
  say.claim(
    'the hook before the deployment received the value of an earlier hook',
    output.includes('[deploy/kubectl/before/0] v1 goes out'),
  );
  const greetings = output.match(/^\[deploy\/kubectl\/after\/0 .*\] \S+ serves v1$/gm) ?? [];
  say.claim('the hook after it ran in both containers', greetings.length === 2);
  const url = await findService(stage, 'orders', 'v1');
  const clients = new OrderClients(url);
  const what = 'the first customers are served';
  await eventually(stage, { what, seconds: 10 }, async () =>
    clients.acknowledged.length >= FIRST_ORDERS ? true : null,
  );
  say.claim('customers order now, without a pause', clients.failures.length === 0);
  return { url, clients };
}
