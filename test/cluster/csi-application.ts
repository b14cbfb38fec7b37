/**
 * An application on volumes of a CSI driver: a writer that adds rows to a log in each volume. Its hooks stop and
 * continue the writer, and add lines to the same logs. So the log in a snapshot shows which rows and hook lines were
 * written before the cut.
 */
import { randomBytes } from 'node:crypto';

import type { Pod } from 'kubernetes-types/core/v1.js';

import { execInPod } from '../../src/kube/exec.ts';
import { persistentVolumeClaims, pods } from '../../src/kube/resources.ts';
import {
  type ExecutionHookTemplate,
  executionHookTemplates,
  type SnapshotVolume,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import type { CsiClasses } from './csi-classes.ts';
import { BASE_IMAGE } from './parameters.ts';
import type { ClusterConnection } from './real-cluster.ts';

export interface CsiPlace {
  readonly cluster: ClusterConnection;
  readonly namespace: string;
  readonly csi: CsiClasses;
}

export const CLAIMS = ['a', 'b'] as const;
export const TEMPLATE = 'stop-writer';
/** A template whose freeze logs a line when it starts, and takes several seconds. */
export const SLOW_TEMPLATE = 'stop-writer-slowly';
export const SLOW_SECONDS = 3;
/** A template whose freeze logs a line when it starts, and then waits until `allowFreeze` is called. */
export const HELD_TEMPLATE = 'stop-writer-when-allowed';
/** Labels of all claims, by which a VolumeGroupSnapshot selects them. */
export const CLAIM_LABELS: Readonly<Record<string, string>> = { app: 'writer' };

/** Lines that the hooks add when a slow or held freeze starts, the writer is stopped, a probe runs, the writer continues. */
export const BEGUN = 'begun';
export const FROZEN = 'frozen';
export const ASKED = 'asked';
export const THAWED = 'thawed';

/** Logs, keyed by claim. */
export type Logs = Readonly<Record<string, string>>;

export const APP = 'writer';
const SIZE = '1Gi';
const RUNNING_SECONDS = 200;
const PID_FILE = '/tmp/writer';
const ALLOWED_FILE = '/tmp/allowed';
/** Longer than any test, so that no hook expires while the writer is stopped. */
const EXPIRATION_SECONDS = 600;

const inAll = (word: string): string =>
  `for v in ${CLAIMS.join(' ')}; do echo "${word}" >>/volumes/$v/log; done`;
const isStopped = `grep -q '^State:.T' /proc/$(cat ${PID_FILE})/status`;
export const FREEZE = `kill -STOP $(cat ${PID_FILE}); until ${isStopped}; do sleep 0.01; done; ${inAll(FROZEN)}`;
const WRITE = `i=0; while :; do i=$((i + 1)); ${inAll('row $i')}; sleep 0.05; done`;

/** Creates the claims and templates, and starts the writer. Resolves when the writer has written its first row. */
export async function startWriter(place: CsiPlace): Promise<void> {
  const { cluster, namespace } = place;
  for (const claim of CLAIMS) await makeClaim(place, claim);
  await cluster.client.create(executionHookTemplates, writerTemplate(namespace, TEMPLATE, FREEZE));
  for (const [name, wait] of [
    [SLOW_TEMPLATE, `sleep ${SLOW_SECONDS}`],
    [HELD_TEMPLATE, `until rm ${ALLOWED_FILE} 2>/dev/null; do sleep 0.1; done`],
  ] as const) {
    const freeze = `${inAll(BEGUN)}; ${wait}; ${FREEZE}`;
    await cluster.client.create(executionHookTemplates, writerTemplate(namespace, name, freeze));
  }
  await startWriterPod(place);
}

/** Lets one freeze of the template HELD_TEMPLATE continue, or the next one that starts. */
export async function allowFreeze(place: CsiPlace): Promise<void> {
  await inWriter(place, `touch ${ALLOWED_FILE}`);
}

/** Starts the writer; the claims and templates must exist. Resolves when the writer has written its first row. */
export async function startWriterPod(place: CsiPlace): Promise<void> {
  const claims = Object.fromEntries(CLAIMS.map((claim) => [claim, claim]));
  await startPod(place, { name: APP, claims, script: `(${WRITE}) & echo $! >${PID_FILE}; wait` });
  await eventually('it writes', async () => /^row 1$/m.test((await writerLogs(place))['b'] ?? ''));
  // The logs may be those of an earlier writer, so hooks would find no process.
  await inWriter(place, `until [ -s ${PID_FILE} ]; do sleep 0.1; done`);
}

async function inWriter({ cluster, namespace }: CsiPlace, script: string): Promise<void> {
  const command = sh(script);
  const result = await execInPod(cluster.connection, { namespace, pod: APP, command });
  if (result.outcome !== 'exited' || result.exitCode !== 0) {
    throw new Error(`${script}: ${JSON.stringify(result)}`);
  }
}

/** A hook template: the freeze script stops the writer, and the thaw continues it. */
export function writerTemplate(
  namespace: string,
  name: string,
  freeze: string,
): ExecutionHookTemplate {
  return {
    metadata: { name, namespace },
    preAction: { exec: { command: sh(freeze) } },
    postAction: { exec: { command: sh(`${inAll(THAWED)}; kill -CONT $(cat ${PID_FILE})`) } },
    probe: { exec: { command: sh(`${isStopped} && { ${inAll(ASKED)}; }`) } },
    expirationSeconds: EXPIRATION_SECONDS,
  };
}

export function writerLogs(place: CsiPlace): Promise<Logs> {
  return readLogs(place, APP, CLAIMS);
}

/** The logs in the snapshots, keyed by claim. Each snapshot is restored into a new volume to read its log. */
export async function restoredLogs(
  place: CsiPlace,
  volumes: readonly SnapshotVolume[],
): Promise<Logs> {
  const claims: Record<string, string> = {};
  for (const { claimName, volumeSnapshotName: snapshot = '' } of volumes) {
    claims[claimName] = `of-${snapshot}`;
    await makeClaim(place, `of-${snapshot}`, snapshot);
  }
  const name = `reader-${randomBytes(4).toString('hex')}`;
  await startPod(place, { name, claims, script: 'while :; do sleep 1; done' });
  return readLogs(place, name, Object.keys(claims));
}

async function makeClaim(
  { cluster, namespace, csi }: CsiPlace,
  name: string,
  fromSnapshot?: string,
): Promise<void> {
  const dataSource = {
    apiGroup: 'snapshot.storage.k8s.io',
    kind: 'VolumeSnapshot',
    name: fromSnapshot ?? '',
  };
  await cluster.client.create(persistentVolumeClaims, {
    metadata: { name, namespace, labels: fromSnapshot === undefined ? CLAIM_LABELS : {} },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: csi.storageClassName,
      resources: { requests: { storage: SIZE } },
      ...(fromSnapshot === undefined ? {} : { dataSource }),
    },
  });
}

interface PodOptions {
  readonly name: string;
  /** Claim names, keyed by directory below /volumes. */
  readonly claims: Readonly<Record<string, string>>;
  readonly script: string;
}

/** Resolves when the pod runs. */
async function startPod(
  { cluster: { client }, namespace }: CsiPlace,
  { name, claims, script }: PodOptions,
): Promise<void> {
  const directories = Object.keys(claims);
  const pod: Pod = {
    metadata: { name, namespace },
    spec: {
      terminationGracePeriodSeconds: 0,
      automountServiceAccountToken: false,
      containers: [
        {
          name: 'main',
          image: BASE_IMAGE,
          imagePullPolicy: 'IfNotPresent',
          command: sh(script),
          volumeMounts: directories.map((each) => ({ name: each, mountPath: `/volumes/${each}` })),
        },
      ],
      volumes: Object.entries(claims).map(([each, claimName]) => ({
        name: each,
        persistentVolumeClaim: { claimName },
      })),
    },
  };
  await client.create(pods, pod);
  const isRunning = async (): Promise<boolean> =>
    (await client.get(pods, { namespace, name })).status?.phase === 'Running';
  await eventually(`the pod ${name} runs`, isRunning, RUNNING_SECONDS);
}

async function readLogs(
  { cluster: { connection }, namespace }: CsiPlace,
  pod: string,
  directories: readonly string[],
): Promise<Logs> {
  const logs: Record<string, string> = {};
  for (const directory of directories) {
    const decoder = new TextDecoder();
    let text = '';
    await execInPod(connection, {
      namespace,
      pod,
      command: ['cat', `/volumes/${directory}/log`],
      onOutput: (stream, bytes) => {
        if (stream === 'stdout') text += decoder.decode(bytes, { stream: true });
      },
    });
    logs[directory] = text;
  }
  return logs;
}

function sh(script: string): string[] {
  return ['sh', '-c', script];
}
