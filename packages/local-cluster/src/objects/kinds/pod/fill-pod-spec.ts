/**
 * What a pod's spec says where it is silent, in pods and in templates alike. Values are those of the
 * real server, so that an object read back and applied again changes nothing.
 */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fill, fillObject, isTrue, objectsAt, textAt } from '../../../../../../src/kube/fields.ts';
import { fillContainer } from './fill-container.ts';
import { fillVolume } from './fill-volume.ts';

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

/** Containers of every sort, in the order in which the server looks at them. */
export function allContainers(spec: JsonObject): readonly JsonObject[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    objectsAt(spec, list),
  );
}

/** `serviceAccount` is the old name of `serviceAccountName`, and both are kept. */
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
