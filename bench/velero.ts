/**
 * Velero as a program of this machine, with its AWS plugin and an object-store server on a directory.
 *
 * $LIFEHOOK_BENCH_VELERO is a directory with `velero`, `velero-plugin-for-aws` and `versitygw`, each built from its
 * published Go module. The CSI plugin makes the backups: a VolumeSnapshot of each claim. Velero deletes these objects
 * at the end, while the snapshots on the storage stay.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import { parse } from 'yaml';

import type { KubeObject, Resource } from '../src/kube/object.ts';
import { customResourceDefinitions, makeResource, namespaces } from '../src/kube/resources.ts';
import { eventually } from '../test/fixtures/api-cases/eventually.ts';
import { freePort } from '../test/fixtures/snapshot/server-process.ts';
import type { SnapshotCluster } from './snapshot-cluster.ts';

const PROGRAMS = ['velero', 'velero-plugin-for-aws', 'versitygw'] as const;
const READY_SECONDS = 120;
const BACKUP_SECONDS = 180;
const BUCKET = 'backups';
const LOGIN = { access: 'bench', secret: 'bench-secret' };

interface Phased extends KubeObject {
  readonly spec: object;
  readonly status?: { readonly phase?: string };
}

const apiVersion = 'velero.io/v1';
const backups: Resource<Phased> = makeResource({ apiVersion, kind: 'Backup' });
const locations: Resource<Phased> = makeResource({ apiVersion, kind: 'BackupStorageLocation' });
const ENDED = ['Completed', 'PartiallyFailed', 'Failed', 'FailedValidation'];

export interface Velero extends AsyncDisposable {
  /** Backs up everything in the cluster's namespace; resolves with the final phase of the backup. */
  backup(name: string, hooks?: BackupHooks): Promise<string>;
}

/** The hooks of a Backup's spec, for the pods of the namespace. */
export interface BackupHooks {
  readonly name: string;
  readonly pre: readonly object[];
  readonly post?: readonly object[];
}

/** The directory with the programs. If it is absent, `lacking` says why. */
export function veleroPrograms(): { readonly folder?: string; readonly lacking: string } {
  const folder = process.env['LIFEHOOK_BENCH_VELERO'];
  if (folder === undefined) return { lacking: '$LIFEHOOK_BENCH_VELERO is not set' };
  const missing = PROGRAMS.filter((program) => !existsSync(join(folder, program)));
  if (missing.length === 0) return { folder, lacking: '' };
  return { lacking: `$LIFEHOOK_BENCH_VELERO lacks ${missing.join(', ')}` };
}

export interface VeleroOptions {
  readonly programs: string;
  readonly driver: string;
  readonly volumeSnapshotClassName: string;
  /** True: polls for the cut every second, for ten seconds. False: polls every five seconds. */
  readonly isFast: boolean;
  /** Round of the benchmark. It is part of the namespace, so that each start has its own. */
  readonly round: number;
}

/** Resolves once Velero's store is available. The kinds of Velero stay installed, which does no harm. */
export async function startVelero(
  { client, kubeconfig, namespace: source }: SnapshotCluster,
  options: VeleroOptions,
): Promise<Velero> {
  const namespace = `${source}-velero-${options.round}${options.isFast ? '-fast' : ''}`;
  const port = await freePort();
  await defineKinds(client, options.programs);
  await client.create(namespaces, { metadata: { name: namespace } });
  await client.create(locations, location(namespace, port));
  const programs = startPrograms({ ...options, kubeconfig, namespace, port });
  const phaseOf = async (resource: Resource<Phased>, name: string): Promise<string> =>
    (await client.get(resource, { namespace, name })).status?.phase ?? '';
  const isAvailable = async (): Promise<boolean> =>
    (await phaseOf(locations, 'default')) === 'Available';
  await eventually('the store of Velero is available', isAvailable, READY_SECONDS);
  return {
    backup: async (name, hooks) => {
      const metadata = {
        namespace,
        name,
        annotations: {
          [`velero.io/csi-volumesnapshot-class_${options.driver}`]: options.volumeSnapshotClassName,
        },
      };
      await client.create(backups, { metadata, spec: backupOf(source, hooks) });
      const ended = async (): Promise<string | undefined> => {
        const phase = await phaseOf(backups, name);
        return ENDED.find((one) => one === phase);
      };
      return eventually(`the backup ${name} ends`, ended, BACKUP_SECONDS);
    },
    [Symbol.asyncDispose]: async () => {
      await programs.stop();
      await client.delete(namespaces, { name: namespace });
    },
  };
}

async function defineKinds(client: SnapshotCluster['client'], programs: string): Promise<void> {
  const args = ['install', '--crds-only', '--dry-run', '-o', 'yaml'];
  const text = execFileSync(join(programs, 'velero'), args, { encoding: 'utf8' });
  const { items } = parse(text) as { readonly items: readonly CustomResourceDefinition[] };
  for (const { metadata, ...kind } of items) {
    const { name = '', labels = {} } = metadata ?? {};
    const definition = { ...kind, metadata: { name, labels } };
    await client.apply(customResourceDefinitions, definition, { fieldManager: 'bench' });
  }
}

interface ProgramOptions extends Pick<VeleroOptions, 'programs' | 'isFast'> {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly port: number;
}

function startPrograms(options: ProgramOptions): { readonly stop: () => Promise<void> } {
  const { programs, kubeconfig, namespace, port, isFast } = options;
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-velero-'));
  const [store, plugins, login] = ['store', 'plugins', 'login'].map((one) => join(folder, one)) as [
    string,
    string,
    string,
  ];
  mkdirSync(join(store, BUCKET), { recursive: true });
  mkdirSync(plugins);
  const plugin = 'velero-plugin-for-aws';
  symlinkSync(join(programs, plugin), join(plugins, plugin));
  const { access, secret } = LOGIN;
  writeFileSync(login, `[default]\naws_access_key_id=${access}\naws_secret_access_key=${secret}\n`);
  const start = (
    program: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): ChildProcess => {
    const log = openSync(join(folder, `${program}.log`), 'w');
    const stdio = ['ignore', log, log] as const;
    return spawn(join(programs, program), args, {
      stdio: [...stdio],
      env: { ...process.env, ...env },
    });
  };
  const served = ['--port', `127.0.0.1:${port}`, 'posix', store];
  const kept = { ROOT_ACCESS_KEY: access, ROOT_SECRET_KEY: secret };
  const where = ['--kubeconfig', kubeconfig, '--namespace', namespace, '--plugin-dir', plugins];
  const flags = ['--features', 'EnableCSI', '--metrics-address', '127.0.0.1:0'];
  const children = [
    start('versitygw', served, kept),
    start('velero', ['server', ...where, ...flags], {
      AWS_SHARED_CREDENTIALS_FILE: login,
      CSI_SNAPSHOT_EARLY_FREQUENT_POLLING: String(isFast),
    }),
  ];
  return {
    stop: async () => {
      for (const child of children) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true });
    },
  };
}

function location(namespace: string, port: number): Phased {
  return {
    metadata: { name: 'default', namespace },
    spec: {
      provider: 'aws',
      default: true,
      objectStorage: { bucket: BUCKET },
      config: { region: 'us-east-1', s3ForcePathStyle: 'true', s3Url: `http://127.0.0.1:${port}` },
    },
  };
}

function backupOf(namespace: string, hooks: BackupHooks | undefined): object {
  const scope = { includedNamespaces: [namespace], includedResources: ['pods'] };
  return {
    includedNamespaces: [namespace],
    snapshotVolumes: true,
    storageLocation: 'default',
    hooks: { resources: hooks === undefined ? [] : [{ ...scope, ...hooks }] },
  };
}
