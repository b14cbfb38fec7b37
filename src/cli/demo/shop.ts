/** The order service as its customers see it: where it is, and what it answers. */
import { services } from '../../kube/resources.ts';
import { connectToKube } from '../kube-connection.ts';
import type { OrderClients } from './order-clients.ts';
import { eventually, type Stage } from './stage.ts';

export interface Shop {
  /** "http://127.96.0.3:8000" */
  readonly url: string;
  readonly clients: OrderClients;
}

const PORT = 8000;
const PATIENCE_MS = 5_000;
const READY_SECONDS = 20;

/** Resolves when the service answers as this version. */
export async function findService(stage: Stage, name: string, version: string): Promise<string> {
  const { kubeconfig } = stage.world;
  const cluster = await connectToKube({ kubeconfig }, 'demo');
  try {
    const { spec } = await cluster.client.get(services, { namespace: cluster.namespace, name });
    const url = `http://${spec?.clusterIP ?? ''}:${PORT}`;
    const what = `${name} answers as ${version}`;
    await eventually(stage, { what, seconds: READY_SECONDS }, async () =>
      (await read(url, '/ready').catch(() => '')) === version ? true : null,
    );
    return url;
  } finally {
    cluster.close();
  }
}

/** What a page says. Rejects where it is not there. */
export async function read(url: string, page: string): Promise<string> {
  const response = await fetch(`${url}${page}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const text = (await response.text()).trimEnd();
  if (response.ok) return text;
  throw new Error(`${url}${page} answers ${response.status}: ${text}`);
}

/** The same, again where nobody answers at once: while pods come and go. */
export function readEventually(stage: Stage, url: string, page: string): Promise<string> {
  return eventually(stage, { what: `${page} is answered`, seconds: READY_SECONDS }, () =>
    read(url, page).catch(() => null),
  );
}
