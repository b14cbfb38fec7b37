import { describe, expect, it } from 'vitest';
import type { ContainerSpec } from '../../../../src/platform/container-runtime.ts';
import { execProcess, ociConfig } from './oci-config.ts';

const config = { entrypoint: [], command: [], env: {}, workingDir: 'srv', user: null };

const spec: ContainerSpec = {
  id: 'web-1',
  labels: {},
  image: { reference: 'web', id: 'sha256:1', rootPath: '/images/1/root', config },
  argv: ['serve', '--now'],
  env: { A: '1' },
  workingDir: null,
  mounts: [],
  stdin: false,
  tty: false,
  user: null,
  readOnlyRoot: false,
  privileged: false,
  hostname: 'web-0',
  limits: { memoryBytes: null, cpuMillis: null },
  logLimitBytes: null,
  annotations: { team: 'blue' },
};

const root = { uid: 0, gid: 0, groups: [] };
const facts = { rootfs: '/r', user: root, files: [] };

describe('ociConfig', () => {
  it('shares only the network namespace of the machine', () => {
    const { linux } = ociConfig(spec, facts) as unknown as {
      linux: { namespaces: { type: string }[] };
    };
    expect(linux.namespaces.map(({ type }) => type)).toEqual(['pid', 'mount', 'ipc', 'uts']);
  });

  it('sets no rlimit and no oomScoreAdj, which would need a privilege', () => {
    const { process } = ociConfig({ ...spec, privileged: true }, facts);
    expect(process['rlimits']).toBeUndefined();
    expect(process['oomScoreAdj']).toBeUndefined();
  });

  it('sets only the given resource limits', () => {
    const limits = { memoryBytes: 1_000_000, cpuMillis: 250 };
    expect(ociConfig({ ...spec, limits }, facts)).toMatchObject({
      linux: {
        cgroupsPath: '/lifehook/web-1',
        resources: { memory: { limit: 1_000_000 }, cpu: { period: 100_000, quota: 25_000 } },
      },
    });
    const { linux } = ociConfig(spec, facts) as unknown as { linux: { resources: object } };
    expect(Object.keys(linux.resources)).toEqual(['devices']);
  });

  it('sets no memory limit of 0, which Kubernetes reads as no limit', () => {
    const limits = { memoryBytes: 0, cpuMillis: null };
    expect(ociConfig({ ...spec, limits }, facts)).not.toHaveProperty('linux.resources.memory');
  });

  it('limits a CPU to no less than the kernel accepts, a quota of one millisecond', () => {
    const cpuOf = (cpuMillis: number): unknown => {
      const { linux } = ociConfig({ ...spec, limits: { memoryBytes: null, cpuMillis } }, facts);
      return (linux as { resources: { cpu: unknown } }).resources.cpu;
    };
    expect(cpuOf(1)).toEqual({ period: 100_000, quota: 1_000 });
    expect(cpuOf(10)).toEqual({ period: 100_000, quota: 1_000 });
    expect(cpuOf(11)).toEqual({ period: 100_000, quota: 1_100 });
  });

  it('gives a user other than root no capabilities at the start', () => {
    const held = (uid: number): unknown =>
      ociConfig(spec, { ...facts, user: { uid, gid: 5, groups: [7] } }).process['capabilities'];
    expect(held(1000)).toMatchObject({ effective: [], permitted: [] });
    expect(held(0)).toMatchObject({ effective: expect.arrayContaining(['CAP_CHOWN']) as string[] });
    const { process } = ociConfig(spec, { ...facts, user: { uid: 3, gid: 5, groups: [7] } });
    expect(process['user']).toEqual({ uid: 3, gid: 5, additionalGids: [7] });
  });

  it('prefers a file of /etc that the pod mounts to its own', () => {
    const own = { name: 'hosts', source: '/c/etc-hosts', target: '/etc/hosts', readOnly: false };
    const foreign = { name: 'v', source: '/v', target: '/etc/hosts', readOnly: true };
    const { mounts } = ociConfig(
      { ...spec, mounts: [foreign] },
      { ...facts, files: [own] },
    ) as unknown as {
      mounts: { destination: string; source: string; options: string[] }[];
    };
    const found = mounts.filter(({ destination }) => destination === '/etc/hosts');
    expect(found).toMatchObject([{ source: '/v', options: ['rbind', 'rprivate', 'ro'] }]);
  });

  it('masks paths that reveal the machine, except for privileged containers', () => {
    expect(ociConfig(spec, facts)).toMatchObject({
      linux: { maskedPaths: expect.arrayContaining(['/proc/kcore']) as string[] },
    });
    const { linux } = ociConfig({ ...spec, privileged: true }, facts) as unknown as {
      linux: object;
    };
    expect(Object.keys(linux)).not.toContain('maskedPaths');
  });

  it('execProcess runs a command like the program, with its own arguments and terminal', () => {
    const all = ociConfig(spec, facts);
    expect(all.process).toMatchObject({
      args: ['serve', '--now'],
      cwd: '/srv',
      terminal: false,
      env: [expect.stringMatching(/^PATH=/) as string, 'A=1'],
    });
    expect(execProcess(all, { argv: ['sh'], tty: true })).toEqual({
      ...all.process,
      args: ['sh'],
      terminal: true,
    });
  });
});
