/** What a container, its probes and its hooks say where they are silent. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import {
  fill,
  fillNumber,
  fillObject,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const HOOKS = ['postStart', 'preStop'];

export function fillContainer(container: JsonObject): void {
  fill(container, 'imagePullPolicy', pullPolicy(textAt(container, 'image')));
  fill(container, 'terminationMessagePath', '/dev/termination-log');
  fill(container, 'terminationMessagePolicy', 'File');
  fillObject(container, 'resources');
  for (const port of objectsAt(container, 'ports')) fill(port, 'protocol', 'TCP');
  for (const variable of objectsAt(container, 'env')) fillFieldReference(variable, 'valueFrom');
  for (const name of PROBES) fillProbe(objectAt(container, name));
  for (const name of HOOKS) {
    fillHttpGet(objectAt(container, 'lifecycle', name, 'httpGet'));
    const sleep = objectAt(container, 'lifecycle', name, 'sleep');
    if (sleep !== undefined) sleep['seconds'] ??= 0;
  }
}

/** Of what can stand in a `fieldRef`: a variable's or a file's source. */
export function fillFieldReference(holder: JsonObject, ...path: readonly string[]): void {
  const reference = objectAt(holder, ...path, 'fieldRef');
  if (reference !== undefined) fill(reference, 'apiVersion', 'v1');
}

/** An image that can change under its name is asked for every time. */
function pullPolicy(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1);
  if (name.includes('@')) return 'IfNotPresent';
  const tag = name.split(':')[1] ?? 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function fillProbe(probe: JsonObject | undefined): void {
  if (probe === undefined) return;
  fillNumber(probe, 'timeoutSeconds', 1);
  fillNumber(probe, 'periodSeconds', 10);
  fillNumber(probe, 'successThreshold', 1);
  fillNumber(probe, 'failureThreshold', 3);
  fillHttpGet(objectAt(probe, 'httpGet'));
  const grpc = objectAt(probe, 'grpc');
  if (grpc !== undefined) grpc['service'] ??= '';
}

function fillHttpGet(request: JsonObject | undefined): void {
  if (request === undefined) return;
  fill(request, 'path', '/');
  fill(request, 'scheme', 'HTTP');
}
