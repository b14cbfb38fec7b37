/**
 * Reads the values of the Secrets of a container, from its variables and from the volumes that it mounts. A hook in the
 * container can print these values, and its output is recorded, so they are masked. They are not stored. Without
 * permission to read Secrets, values are masked only by their form. Never rejects, and takes at most 2 s.
 */
import type { Container, Pod, PodSpec, Volume } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from './client.ts';
import type { ObjectKey } from './object.ts';
import { pods, secrets } from './resources.ts';

export interface ContainerKey {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Maximum number of Secrets of one container; further ones are not read. */
export const MAX_SECRETS = 32;
/** Maximum length of all values of one container, in UTF-16 units. */
export const MAX_VALUE_UNITS = 1_048_576;
const READ_MS = 2_000;

export interface SecretReader {
  readonly client: Pick<KubeClient, 'get'>;
  readonly after: (ms: number, callback: () => void) => () => void;
}

export async function readReferencedSecrets(
  { client, after }: SecretReader,
  { namespace, pod, container }: ContainerKey,
): Promise<readonly string[]> {
  let callOff = (): void => undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    callOff = after(READ_MS, () => {
      resolve([]);
    });
  });
  try {
    return await Promise.race([readAll(client, { namespace, name: pod }, container), late]);
  } catch {
    return [];
  } finally {
    callOff();
  }
}

async function readAll(
  client: SecretReader['client'],
  key: ObjectKey,
  container: string,
): Promise<readonly string[]> {
  const pod: Pod = await client.get(pods, key);
  const names = secretNames(pod.spec, container).slice(0, MAX_SECRETS);
  const values = await Promise.all(names.map((name) => valuesOf(client, { ...key, name })));
  let units = 0;
  return values.flat().filter((value) => {
    units += value.length;
    return units <= MAX_VALUE_UNITS;
  });
}

/** The values of a Secret; none if it is missing or forbidden, so that the values of other Secrets are still masked. */
async function valuesOf(client: SecretReader['client'], key: ObjectKey): Promise<string[]> {
  try {
    const { data = {} } = await client.get(secrets, key);
    return Object.values(data).map((text) => new TextDecoder().decode(bytesOf(text)));
  } catch {
    return [];
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (unit) => unit.codePointAt(0) ?? 0);
}

/**
 * The names of the Secrets of a container, unique and sorted. If the pod has no container of that name: the names for
 * all its containers.
 */
export function secretNames(spec: PodSpec | undefined, container: string): string[] {
  if (spec === undefined) return [];
  const all = [...spec.containers, ...(spec.initContainers ?? [])];
  const named = all.filter(({ name }) => name === container);
  const meant = named.length === 0 ? all : named;
  const mounted = new Set(
    meant.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)),
  );
  const volumes = (spec.volumes ?? []).filter(({ name }) => mounted.has(name));
  const names = [
    ...meant.flatMap((one) => ofVariables(one)),
    ...volumes.flatMap((one) => ofVolume(one)),
  ];
  return [...new Set(names.filter((name) => name !== ''))].toSorted();
}

function ofVariables({ env = [], envFrom = [] }: Container): string[] {
  return [
    ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? ''),
    ...envFrom.map(({ secretRef }) => secretRef?.name ?? ''),
  ];
}

function ofVolume({ secret, projected }: Volume): string[] {
  const sources = projected?.sources ?? [];
  return [secret?.secretName ?? '', ...sources.map((source) => source.secret?.name ?? '')];
}
