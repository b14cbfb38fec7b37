/**
 * Sets the defaults of a pod's spec, in pods and in templates.
 *
 * They are those of a real server, so that an object that is read and applied again does not change.
 */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import {
  fill,
  fillObject,
  isTrue,
  objectsAt,
  textAt,
  objectAt,
  fillNumber,
} from '../../../../../../src/kube/fields.ts';

export const GRACE_SECONDS = 30;

export function fillPodSpec(spec: JsonObject): void {
  fill(spec, 'restartPolicy', 'Always');
  fill(spec, 'dnsPolicy', 'ClusterFirst');
  fill(spec, 'schedulerName', 'default-scheduler');
  spec['terminationGracePeriodSeconds'] ??= GRACE_SECONDS;
  fillObject(spec, 'securityContext');
  nameAccountTwice(spec);
  for (const volume of objectsAt(spec, 'volumes')) fillVolume(volume);
  for (const container of allContainers(spec)) fillContainer(container);
  if (isTrue(spec, 'hostNetwork')) takeHostPorts(spec);
}

/** Containers of every type, in the order of the server's checks. */
export function allContainers(spec: JsonObject): readonly JsonObject[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    objectsAt(spec, list),
  );
}

/** `serviceAccount` is the old name of `serviceAccountName`; both are stored. */
function nameAccountTwice(spec: JsonObject): void {
  const name = textAt(spec, 'serviceAccountName') || textAt(spec, 'serviceAccount');
  if (name === '') return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}

function takeHostPorts(spec: JsonObject): void {
  for (const container of allContainers(spec)) {
    for (const port of objectsAt(container, 'ports'))
      port['hostPort'] ||= port['containerPort'] ?? 0;
  }
}

/** Default mode of files in volumes: rw-r--r--. */
const FILE_MODE = 0o644;
const TOKEN_SECONDS = 3600;

function fillVolume(volume: JsonObject): void {
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

/** Names of a container's fields that are probes. */
export const PROBES: readonly string[] = ['livenessProbe', 'readinessProbe', 'startupProbe'];
/** Names of the hooks in a container's `lifecycle`. */
export const HOOKS: readonly string[] = ['postStart', 'preStop'];

function fillContainer(container: JsonObject): void {
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

/** Sets the default of a `fieldRef` in a variable or in a file of a volume. */
function fillFieldReference(holder: JsonObject, ...path: readonly string[]): void {
  const reference = objectAt(holder, ...path, 'fieldRef');
  if (reference !== undefined) fill(reference, 'apiVersion', 'v1');
}

/**
 * The default pull policy. An image with the tag "latest", or without tag and digest, is always pulled, because that
 * tag may move.
 */
function pullPolicy(image: string): string {
  const [name = '', digest] = image.slice(image.lastIndexOf('/') + 1).split('@');
  const tag = name.split(':')[1] ?? (digest === undefined ? 'latest' : '');
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
