/** Runs, as a whole, each document that has a block for a machine with root and an OCI runtime. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { elsewhere } from '../e2e/documents-elsewhere.ts';
import { blocksIn, documents, failuresOf } from '../e2e/document-run.ts';

const withSystem = documents().filter((document) =>
  blocksIn(document).some(({ info }) => info === 'sh system'),
);

/**
 * A configuration for podman inside a container: no network, no systemd cgroups, and only limits that are permitted
 * there.
 */
const CONTAINERS_CONF = `[containers]
netns = "none"
default_ulimits = ["nofile=1024:4096", "nproc=1000:1000"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "none"
`;
const storageConf = (folder: string): string => `[storage]
driver = "vfs"
graphroot = "${folder}/store"
runroot = "${folder}/run"
`;

let folder: string;
let env: Readonly<Record<string, string>>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-podman-'));
  env = {
    SHIM: resolve('dist/shim'),
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
  };
  writeFileSync(join(folder, 'containers.conf'), CONTAINERS_CONF);
  writeFileSync(join(folder, 'storage.conf'), storageConf(folder));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('a document that needs root and an OCI runtime', () => {
  it.each(withSystem)('%s runs as written, with the output that it shows', async (document) => {
    const kinds = ['sh', 'console', 'sh system'] as const;
    expect(await failuresOf(document, { kinds, without: elsewhere, env })).toEqual([]);
  });
});
