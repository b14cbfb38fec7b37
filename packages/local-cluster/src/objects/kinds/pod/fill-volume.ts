/** What a pod's volume says where it is silent. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fill, objectAt, objectsAt } from '../../../../../../src/kube/fields.ts';
import { fillFieldReference } from './fill-container.ts';

/** rw-r--r-- */
const FILE_MODE = 0o644;
const TOKEN_SECONDS = 3600;

export function fillVolume(volume: JsonObject): void {
  const named = Object.keys(volume).filter((field) => field !== 'name');
  if (named.length === 0) volume['emptyDir'] = {};
  for (const source of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    fillGiven(objectAt(volume, source), 'defaultMode', FILE_MODE);
  }
  fillGiven(objectAt(volume, 'hostPath'), 'type', '');
  fillDownwardItems(volume, 'downwardAPI');
  for (const source of objectsAt(volume, 'projected', 'sources')) {
    fillDownwardItems(source, 'downwardAPI');
    fillGiven(objectAt(source, 'serviceAccountToken'), 'expirationSeconds', TOKEN_SECONDS);
  }
  const claim = objectAt(volume, 'ephemeral', 'volumeClaimTemplate', 'spec');
  if (claim !== undefined) fill(claim, 'volumeMode', 'Filesystem');
}

function fillGiven(source: JsonObject | undefined, name: string, value: string | number): void {
  if (source !== undefined) source[name] ??= value;
}

function fillDownwardItems(holder: JsonObject, name: string): void {
  for (const item of objectsAt(holder, name, 'items')) fillFieldReference(item);
}
