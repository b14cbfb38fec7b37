/** `lifehook lint` of a pipeline reports all of its mistakes and nothing else. */
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';

import type { FlatFinding } from '../../src/cli/lint/report.ts';
import { openProject, type Project, shopFiles } from './pipeline-stand.ts';

const kubeconfig = (port: number): string => `apiVersion: v1
kind: Config
current-context: gone
contexts: [{ name: gone, context: { cluster: gone, user: me } }]
clusters: [{ name: gone, cluster: { server: 'http://127.0.0.1:${port}' } }]
users: [{ name: me, user: {} }]
`;

const FILES = shopFiles({
  build: "{ before: [{ command: [sh, -c, 'touch ran'] }] }",
  deploy: "{ after: [{ container: { podName: 'web*', command: [touch, ran] } }] }",
});

function openShop(change: Readonly<Record<string, string>> = {}): Project {
  return openProject('kubeconfig', { ...FILES, ...change });
}

const skaffold = (text: string, instead: string): Record<string, string> => ({
  'skaffold.yaml': (FILES['skaffold.yaml'] ?? '').replace(text, instead),
});

describe('lifehook lint of a pipeline', () => {
  it('reports no problem of a valid pipeline, runs no hook and contacts no cluster', async () => {
    let asked = 0;
    const server = createServer((socket) => {
      asked += 1;
      socket.destroy();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    using shop = openShop({ kubeconfig: kubeconfig(port) });
    const { code, stdout } = await shop.lifehook('lint', '.');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '2 files: 0 errors, 0 warnings\n' });
    expect(existsSync(`${shop.folder}/ran`)).toBe(false);
    server.close();
    expect(asked).toBe(0);
  });

  it('reports the position of an unknown key', async () => {
    using shop = openShop(skaffold('command: [sh', 'comand: [sh'));
    const { code, stdout, stderr } = await shop.lifehook('lint', 'skaffold.yaml');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/skaffold\.yaml:9:\d+: error LHL110: .*received a map with comand/u);
    expect(stdout).toMatch(/\nskaffold.yaml: 1 error, 0 warnings\n$/u);
  });

  it('reports invalid manifests as errors, and a setting without effect as a warning', async () => {
    using shop = openShop({
      ...skaffold('  artifacts:', '  insecureRegistries: [x]\n  artifacts:'),
      'k8s/web.yaml': 'kind: Pod\n',
      'k8s/more.yaml': '- one\n',
    });
    const { code, stdout } = await shop.lifehook('lint', 'skaffold.yaml');
    expect(code).toBe(1);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => /(?:error|warning) LH\w+/u.exec(line)?.[0])).toEqual([
      'warning LHL109',
      'error LHL401',
      'error LHL401',
      undefined,
    ]);
    expect(lines.at(-1)).toBe('skaffold.yaml: 2 errors, 1 warning');
    const { stdout: json } = await shop.lifehook('pipeline', 'lint', '-o', 'json');
    const { findings } = JSON.parse(json) as { readonly findings: readonly FlatFinding[] };
    expect(findings.map(({ code: one }) => one)).toEqual(['LHL109', 'LHL401', 'LHL401']);
  });
});
