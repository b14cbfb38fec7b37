/** Builds the files of configMap, secret, downwardAPI and projected volumes. Pure. */
import type { Pod, Volume, VolumeProjection } from 'kubernetes-types/core/v1.js';

import { StartError } from '../../../../../src/platform/container-runtime.ts';
import { type DownwardFacts, fieldValue, resourceValue } from '../downward.ts';
import { referenceTo, type SourceReference, type Sources } from '../sources.ts';

export interface VolumeFile {
  /** Path relative to the volume's directory. */
  readonly path: string;
  readonly content: Uint8Array;
  readonly mode: number;
}

export interface VolumeFacts extends DownwardFacts {
  readonly sources: Sources;
}

const DEFAULT_MODE = 0o644;

interface Item {
  readonly key: string;
  readonly path: string;
  readonly mode?: number;
}

/** Returns null if the volume is of another kind. */
export function volumeFiles(volume: Volume, facts: VolumeFacts): readonly VolumeFile[] | null {
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap !== undefined) {
    const { name = '', items, optional, defaultMode } = configMap;
    return keyFiles(
      { reference: { kind: 'configmap', name }, items, optional, defaultMode },
      facts,
    );
  }
  if (secret !== undefined) {
    const { secretName: name = '', items, optional, defaultMode } = secret;
    return keyFiles({ reference: { kind: 'secret', name }, items, optional, defaultMode }, facts);
  }
  if (downwardAPI !== undefined) return downwardFiles(downwardAPI, facts);
  if (projected === undefined) return null;
  const { sources = [], defaultMode } = projected;
  return sources.flatMap((source) => projectedFiles(source, defaultMode, facts));
}

export function volumeReferences({ spec }: Pod): readonly SourceReference[] {
  return (spec?.volumes ?? []).flatMap(({ configMap, secret, projected }) => [
    ...referenceTo('configmap', configMap?.name),
    ...referenceTo('secret', secret?.secretName),
    ...(projected?.sources ?? []).flatMap((source) => [
      ...referenceTo('configmap', source.configMap?.name),
      ...referenceTo('secret', source.secret?.name),
    ]),
  ]);
}

interface Keys {
  readonly reference: SourceReference;
  readonly items: readonly Item[] | undefined;
  readonly optional: boolean | undefined;
  readonly defaultMode: number | undefined;
}

function keyFiles(
  { reference, items, optional, defaultMode }: Keys,
  { sources }: VolumeFacts,
): VolumeFile[] {
  const data = sources.data(reference);
  const mode = defaultMode ?? DEFAULT_MODE;
  if (data === undefined) {
    if (optional === true) return [];
    throw new StartError('FailedMount', `${reference.kind} "${reference.name}" not found`);
  }
  if (items === undefined || items.length === 0) {
    return [...data].map(([path, content]) => ({ path, content, mode }));
  }
  return items.flatMap((item) => {
    const content = data.get(item.key);
    if (content !== undefined) return [{ path: item.path, content, mode: item.mode ?? mode }];
    if (optional === true) return [];
    throw new StartError('FailedMount', noKey(reference.kind, item.key));
  });
}

/** The text of the kubelet. */
function noKey(kind: SourceReference['kind'], key: string): string {
  if (kind === 'secret') return `references non-existent secret key: ${key}`;
  return `configmap references non-existent config key: ${key}`;
}

function downwardFiles(
  { items = [], defaultMode }: NonNullable<Volume['downwardAPI']>,
  facts: VolumeFacts,
): VolumeFile[] {
  return items.map(({ path, fieldRef, resourceFieldRef, mode }) => ({
    path,
    content: new TextEncoder().encode(
      fieldRef === undefined
        ? resourceValue(resourceFieldRef ?? { resource: '' }, facts)
        : fieldValue(fieldRef.fieldPath, facts),
    ),
    mode: mode ?? defaultMode ?? DEFAULT_MODE,
  }));
}

function projectedFiles(
  { configMap, secret, downwardAPI, serviceAccountToken }: VolumeProjection,
  defaultMode: number | undefined,
  facts: VolumeFacts,
): VolumeFile[] {
  if (downwardAPI !== undefined) {
    return downwardFiles(
      { ...downwardAPI, ...(defaultMode === undefined ? {} : { defaultMode }) },
      facts,
    );
  }
  if (serviceAccountToken !== undefined) {
    const message =
      'this node issues no service account tokens; set automountServiceAccountToken: false';
    throw new StartError('FailedMount', message);
  }
  const source = configMap ?? secret;
  const kind = configMap === undefined ? 'secret' : 'configmap';
  const { items, optional, name = '' } = source ?? {};
  return keyFiles({ reference: { kind, name }, items, optional, defaultMode }, facts);
}
