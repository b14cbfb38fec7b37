/**
 * A registry that has the same image under every name: Skaffold looks up the image that a custom builder has pushed.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const CONFIG = JSON.stringify({
  architecture: 'amd64',
  os: 'linux',
  config: {},
  rootfs: { type: 'layers', diff_ids: [] },
});

const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';

const MANIFEST = JSON.stringify({
  schemaVersion: 2,
  mediaType: MANIFEST_TYPE,
  config: {
    mediaType: 'application/vnd.oci.image.config.v1+json',
    size: CONFIG.length,
    digest: digest(CONFIG),
  },
  layers: [],
});

export interface OneImageRegistry {
  readonly port: number;
  close(): void;
}

export async function oneImageRegistry(): Promise<OneImageRegistry> {
  const server = createServer(({ url = '', method }, answer) => {
    const body = bodyAt(url);
    answer.writeHead(body === null ? 404 : 200, {
      'content-type': body === MANIFEST ? MANIFEST_TYPE : 'application/json',
      'content-length': (body ?? '').length,
      'docker-content-digest': digest(body ?? ''),
    });
    answer.end(method === 'HEAD' ? undefined : (body ?? ''));
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function bodyAt(url: string): string | null {
  if (url === '/v2/') return '{}';
  if (url.includes('/manifests/')) return MANIFEST;
  return url.includes('/blobs/') ? CONFIG : null;
}

function digest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
